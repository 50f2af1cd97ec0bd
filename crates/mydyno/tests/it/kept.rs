//! Topologies that stay: `mydyno server` starts, shows, stops, starts again and removes them as a whole.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{home, mydyno, output};

/// A name of its own in the tests' home, which is free again at the end.
struct Named {
    place: TempDir,
    name: String,
}

impl Named {
    fn new(name: &str) -> Self {
        Self { place: tempfile::tempdir().unwrap(), name: format!("{name}-{}", std::process::id()) }
    }

    fn server(&self, words: &[&str]) -> (i32, String, String) {
        output(&self.place, &[&["server"], words].concat())
    }

    fn start(&self, more: &[&str]) -> String {
        let (code, stdout, stderr) = self.server(&[&["start", &self.name], more].concat());
        assert_eq!(code, 0, "{stdout}{stderr}");
        stdout
    }

    fn member(&self, number: usize) -> String {
        format!("{}:{number}", self.name)
    }

    /// What a member answers.
    fn ask(&self, member: &str, sql: &str) -> String {
        let (code, stdout, stderr) = self.server(&["shell", member, "--", "-N", "-e", sql]);
        assert_eq!(code, 0, "{stderr}");
        stdout.trim().to_owned()
    }

    fn status_json(&self, name: &str) -> (i32, Value) {
        let (code, text, _) = self.server(&["status", name, "--format", "json"]);
        (code, serde_json::from_str(&text).unwrap())
    }

    fn listed(&self) -> Value {
        let (_, text, _) = self.server(&["list", "--format", "json"]);
        serde_json::from_str(&text).unwrap()
    }

    /// States of its members, as the list has them.
    fn phases(&self) -> Vec<String> {
        let list = self.listed();
        let ours = |server: &&Value| server["name"].as_str().unwrap().split(':').next() == Some(&self.name);
        let servers = list["servers"].as_array().unwrap().iter().filter(ours);
        servers.map(|server| server["phase"].as_str().unwrap().to_owned()).collect()
    }

    fn directory(&self, number: usize) -> PathBuf {
        let directory = if number == 1 { self.name.clone() } else { format!("{}~{number}", self.name) };
        home().0.join("servers").join(directory)
    }

    fn kill(&self, number: usize) {
        let pid = std::fs::read_to_string(self.directory(number).join("pid")).unwrap();
        assert!(Command::new("kill").args(["-KILL", pid.trim()]).status().unwrap().success());
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        let _ = self.server(&["remove", "--force", &self.name]);
    }
}

#[test]
fn a_group_of_mysql_stays_and_comes_back_with_its_data() {
    let ha = Named::new("kept-group");
    let second = ha.member(2);
    let target = "sandbox:mysql?topology=group&innodb_buffer_pool_size=128M&innodb_redo_log_capacity=64M";
    let shown = ha.start(&["--target", target]);
    assert!(shown.contains("?topology=group&ssl-mode=DISABLED"), "a target is named: {shown}");
    assert_eq!(ha.phases(), ["running", "running", "running"]);
    let list = ha.listed();
    let kept = list["topologies"].as_array().unwrap().iter().find(|one| one["name"] == ha.name).unwrap();
    assert_eq!((&kept["topology"], &kept["members"][1]["role"]), (&"group".into(), &"replica".into()));
    assert!(kept["state"] == "ready" && kept["members"][1]["fault"].is_null(), "{kept}");
    let (code, _, stderr) = ha.server(&["start", &ha.name]);
    assert!(code == 1 && stderr.contains("runs already"), "{stderr}");
    let (code, _, stderr) = ha.server(&["remove", &second]);
    assert!(code == 2 && stderr.contains("removed as a whole"), "{stderr}");

    assert_eq!(ha.ask(&second, "SELECT @@super_read_only"), "1");
    let (code, status) = ha.status_json(&ha.name);
    let found = &status["topology"];
    assert_eq!((code, &found["state"], &found["topology"]), (0, &"ready".into(), &"group".into()));
    let replica = &found["members"][1];
    assert_eq!((&replica["name"], &replica["role"]), (&second.as_str().into(), &"replica".into()));
    assert!(replica["fault"].is_null() && replica["queued"].is_u64(), "{replica}");
    assert_eq!(replica["executed"], "", "nothing was written");
    assert!(replica["server"]["port"].is_u64() && replica["server"]["phase"] == "running", "{replica}");
    let (code, status) = ha.status_json(&second);
    assert_eq!((code, &status["server"]["name"]), (0, &second.as_str().into()), "a member by itself");
    // Without a primary key, as TPC-C's history.
    ha.ask(&ha.name, "CREATE TABLE t (a INT); INSERT INTO t VALUES (7)");
    let (code, stdout, _) = ha.server(&["stop", &ha.name]);
    assert_eq!((code, ha.phases()), (0, vec!["stopped".to_owned(); 3]), "{stdout}");
    let (code, text, _) = ha.server(&["status", &ha.name]);
    assert!(code == 1 && text.contains("state      stopped"), "{text}");
    let (code, status) = ha.status_json(&ha.name);
    assert_eq!((code, &status["topology"]["state"]), (1, &"stopped".into()));
    assert_eq!(status["topology"]["members"][2]["fault"], "it does not run");

    ha.start(&[]);
    let (code, text, _) = ha.server(&["status", &ha.name]);
    assert!(code == 0 && text.contains("state      ready"), "{text}");
    assert_eq!(ha.ask(&second, "SELECT a FROM t"), "7");
    let (_, status) = ha.status_json(&ha.name);
    let executed = status["topology"]["members"][1]["executed"].as_str().unwrap();
    assert!(executed.contains(':'), "a set of GTIDs: {executed}");
    let (code, _, stderr) = ha.server(&["remove", "--force", &ha.name]);
    assert_eq!((code, ha.phases().len()), (0, 0), "{stderr}");
    assert!(!ha.directory(3).exists());
}

/// Its nodes have to be asked where their data stand, and the one with the most begins.
#[test]
fn a_galera_cluster_comes_back_from_a_crash_of_all_its_nodes() {
    let ha = Named::new("kept-galera");
    ha.start(&[
        "--target",
        "sandbox:mariadb?topology=galera&innodb_buffer_pool_size=128M&innodb_log_file_size=64M",
    ]);
    ha.ask(&ha.member(3), "CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (7)");
    let (code, _, stderr) = ha.server(&["stop", &ha.member(3)]);
    assert_eq!(code, 0, "{stderr}");
    let (code, text, _) = ha.server(&["status", &ha.name]);
    assert!(code == 1 && text.contains("it sees 2 of 3 members"), "{text}");
    ha.ask(&ha.name, "INSERT INTO t VALUES (8)");
    ha.kill(1);
    ha.kill(2);
    ha.start(&[]);
    assert_eq!(ha.ask(&ha.member(3), "SELECT GROUP_CONCAT(a) FROM t"), "7,8");
}

#[test]
fn nothing_is_left_of_a_start_that_fails_or_is_killed() {
    let ha = Named::new("kept-async");
    let (second, target) = (
        ha.member(2),
        "sandbox:mariadb?topology=async&innodb_buffer_pool_size=128M&innodb_log_file_size=64M",
    );
    let wrong = format!("{second}:no_such_variable=1");
    let (code, _, stderr) = ha.server(&["start", &ha.name, "--target", target, "--set", &wrong]);
    assert!(code == 1 && stderr.contains(&format!("'{second}' ended while starting")), "{stderr}");
    assert!(stderr.contains("the end of its log") && stderr.contains("no_such_variable"), "{stderr}");
    assert!(ha.phases().is_empty() && !ha.listed()["topologies"].to_string().contains(&ha.name));

    // Killed while its servers start: they live on, and the next start makes all of it anew.
    let words = ["server", "start", &ha.name, "--target", target];
    let mut start = mydyno(&ha.place, &words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let replica = ha.directory(2).join("state.json");
    (0..600).take_while(|_| !replica.exists()).for_each(|_| std::thread::sleep(Duration::from_millis(20)));
    start.kill().unwrap();
    start.wait().unwrap();
    let (code, text, _) = ha.server(&["status", &ha.name]);
    assert!(code == 1 && text.contains("state      incomplete"), "{text}");
    ha.start(&["--target", target]);

    // What the replica missed while it was away, it gets when all of it is started again.
    assert_eq!(ha.server(&["stop", &second]).0, 0);
    ha.ask(&ha.name, "CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (7)");
    let (_, list, _) = ha.server(&["list"]);
    let line = list.lines().find(|line| line.contains("degraded") && line.contains(&ha.name));
    assert!(line.is_some_and(|line| line.contains(&format!("{second}: it does not run"))), "{list}");
    let (_, text, _) = ha.server(&["status", &ha.name]);
    assert!(
        text.contains("state      degraded") && text.contains(&format!("! {second}: it does not run")),
        "{text}"
    );
    ha.start(&[]);
    assert_eq!(ha.ask(&second, "SELECT a FROM t"), "7", "it is ready once the replica has all of it");
    let more = "sandbox:mariadb?topology=async&members=3";
    ha.server(&["stop", &ha.name]);
    let (code, _, stderr) = ha.server(&["start", &ha.name, "--target", more]);
    assert!(code == 1 && stderr.contains("has the data of 2 members (mariadb, async)"), "{stderr}");
    let (code, _, stderr) = ha.server(&["start", &ha.name, "--target", "sandbox:mariadb"]);
    assert!(code == 1 && stderr.contains("is a topology of 2 servers (async)"), "{stderr}");
}
