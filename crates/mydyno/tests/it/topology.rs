//! An external primary with its replica, as one target: each server is asked, observed, changed and restored.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};

use model::{Flavour, SandboxSpec};
use sandbox::{Server, StartOptions};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{self, json, mydyno};

const PASSWORD: &str = "for both";

/// A MariaDB primary, and a replica of it.
struct Pair {
    primary: Server,
    replica: Server,
}

impl Pair {
    fn start(name: &str) -> Self {
        let server = |id: &str| {
            let settings = [("server_id", id), ("log_bin", "bin"), ("innodb_buffer_pool_size", "64M")];
            let spec = SandboxSpec {
                tcp: true,
                ..SandboxSpec::new(
                    Flavour::Mariadb,
                    settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
                )
            };
            let name = format!("{name}-{id}-{}", std::process::id());
            common::home().1.start(&StartOptions::new(&name, &spec)).unwrap()
        };
        let pair = Self { primary: server("1"), replica: server("2") };
        let source = format!(
            "CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = {}, MASTER_USER = '{}', MASTER_PASSWORD = '{}', \
             MASTER_USE_GTID = slave_pos",
            pair.primary.port(),
            sandbox::USER,
            pair.primary.password().expose()
        );
        execute(&pair.replica, &[&source, "START SLAVE"]);
        // The account is replicated, too.
        let create = format!("CREATE USER bench@'%' IDENTIFIED BY '{PASSWORD}'");
        execute(&pair.primary, &[&create, "GRANT ALL ON *.* TO bench@'%'"]);
        let position = one(&pair.primary, "SELECT @@gtid_binlog_pos");
        assert_eq!(one(&pair.replica, &format!("SELECT MASTER_GTID_WAIT('{position}', 60)")), "0");
        pair
    }

    /// Both hosts in one URL.
    fn url(&self) -> String {
        let (primary, replica) = (self.primary.port(), self.replica.port());
        format!("mysql://bench@127.0.0.1:{primary},127.0.0.1:{replica}/sbtest?topology=async")
    }

    /// As a specification has it.
    fn file(&self, results: &TempDir) -> PathBuf {
        let text = format!(
            "prepare = true\nworkload = {{ kind = \"oltp_write_only\", tables = 1, table_size = 1000 }}\n\
             [load]\nclients = 2\ntime = 3\nwarmup = 0\n[design]\nrepeats = 1\n\
             [[target]]\nlabel = \"ha\"\ntopology = \"async\"\nuser = \"bench\"\n\
             [[target.server]]\nrole = \"replica\"\nhost = \"127.0.0.1\"\nport = {}\n\
             [[target.server]]\nrole = \"primary\"\nhost = \"127.0.0.1\"\nport = {}\n",
            self.replica.port(),
            self.primary.port()
        );
        let path = results.path().join("pair.toml");
        std::fs::write(&path, text).unwrap();
        path
    }
}

fn execute(server: &Server, statements: &[&str]) {
    let mut client = wire::Client::connect(&server.connect_options(None)).unwrap();
    statements
        .iter()
        .for_each(|sql| _ = client.execute(sql).unwrap_or_else(|error| panic!("{sql}: {error}")));
}

fn one(server: &Server, sql: &str) -> String {
    let mut client = wire::Client::connect(&server.connect_options(None)).unwrap();
    client.query(sql).unwrap().first().unwrap().text(0).unwrap().to_owned()
}

fn output(results: &TempDir, words: &[&str]) -> (i32, String, String) {
    let ran = mydyno(results, words).env("MYSQL_PWD", PASSWORD).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (ran.status.code().unwrap_or(-1), text(ran.stdout), text(ran.stderr))
}

/// The one trial of the one recording.
fn trial(results: &TempDir) -> PathBuf {
    let only = |path: &Path| std::fs::read_dir(path).unwrap().map(|one| one.unwrap().path()).max().unwrap();
    only(&only(&results.path().join("results")).join("trials"))
}

fn read(path: PathBuf) -> Value {
    serde_json::from_slice(
        &std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    )
    .unwrap()
}

#[test]
fn every_server_of_a_topology_is_recorded_and_reported() {
    let (results, pair) = (tempfile::tempdir().unwrap(), Pair::start("pair"));
    let file = pair.file(&results).display().to_string();
    let flush = "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit";
    let words = ["run", &file, "--set", "ha:2:innodb_flush_log_at_trx_commit=0"];
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stdout}\n{stderr}");
    assert_eq!(one(&pair.replica, flush), "1", "it was restored");

    // On disk: what was seen of the replica stands beside what was seen of the primary.
    let trial = trial(&results);
    let result = read(trial.join("trial.json"));
    let roles: Vec<&Value> = result["members"].as_array().unwrap().iter().map(|one| &one["role"]).collect();
    assert_eq!(roles, ["primary", "replica"]);
    let replica = trial.join("members/2-replica");
    let lines = std::fs::read_to_string(replica.join("observations.jsonl")).unwrap().lines().count();
    assert!(lines >= 4, "a header and a reading a second: {lines}");
    let flush_of = |dir: &Path| {
        read(dir.join("variables-before.json"))["variables"]["innodb_flush_log_at_trx_commit"].clone()
    };
    assert_eq!((flush_of(&trial), flush_of(&replica)), ("1".into(), "0".into()));
    let replicated = read(replica.join("snapshot-after.json"));
    assert_eq!(replicated["channels"][0]["applies"], true, "{}", replicated["channels"]);
    let servers = trial.parent().unwrap().parent().unwrap().join("servers");
    assert!(servers.join("00-ha.json").exists() && servers.join("00-ha-2.json").exists());

    // In the report: both servers, and how they differ.
    let view = json(&results);
    let target = &view["targets"][0];
    assert_eq!((&target["label"], &target["topology"]), (&"ha".into(), &"async".into()));
    let members = target["members"].as_array().unwrap();
    let names: Vec<&Value> = members.iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["ha", "ha:2"]);
    let differs = &members[1]["differs"];
    assert!(
        differs.as_array().unwrap().iter().any(|one| one["name"] == "innodb_flush_log_at_trx_commit"),
        "{differs}"
    );
    let seen = &view["cells"][0]["trials"][0]["others"][0]["series"];
    assert!(seen.as_array().is_some_and(|lines| !lines.is_empty()), "{seen}");
    let (_, text, _) = output(&results, &["report", "latest", "--format", "text"]);
    assert!(
        text.contains("primary, asynchronous replication: ")
            && text.contains("replica, asynchronous replication: "),
        "{text}"
    );
    assert!(text.contains("innodb_flush_log_at_trx_commit 0 instead of 1"), "{text}");
    let (_, text, _) = output(&results, &["show", "latest"]);
    assert!(text.contains("ha:2: replica (async), mariadb"), "{text}");

    let (code, text, stderr) = output(&results, &["diff", "latest"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(text.contains("ha:2") && text.contains("innodb_flush_log_at_trx_commit"), "{text}");

    // The recording's own specification makes the same plan.
    let spec = servers.with_file_name("spec.toml").display().to_string();
    let (code, text, stderr) = output(&results, &["plan", &spec]);
    assert_eq!(code, 0, "{text}\n{stderr}");
    assert!(std::fs::read_to_string(&spec).unwrap().contains("[[target.server]]"));
}

#[test]
fn the_servers_of_a_topology_are_diagnosed_and_compared() {
    let (results, pair) = (tempfile::tempdir().unwrap(), Pair::start("seen"));
    let url = pair.url();
    let (code, stdout, stderr) = output(&results, &["doctor", &format!("ha={url}"), "--format", "json"]);
    assert_eq!(code, 0, "{stderr}");
    let notes: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(notes["servers"].as_array().unwrap().len(), 2, "{notes}");
    execute(&pair.replica, &["SET GLOBAL sync_binlog = 1000"]);
    let (code, stdout, stderr) = output(&results, &["diff", &url]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("async:2") && stdout.contains("sync_binlog"), "{stdout}");

    // A server that cannot be reached is named.
    drop(pair.replica);
    let words = ["run", "oltp_read_only", "--target", &format!("ha={url}"), "--prepare", "--time", "1"];
    let (code, _, stderr) = output(&results, &words);
    assert!(code != 0 && stderr.contains("ha:2"), "{code}: {stderr}");
}
