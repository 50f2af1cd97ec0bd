//! TPC-C as a user meets it, on real servers: one command, and a database that is consistent whoever is killed.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{home, json, mydyno, output};
use model::{DataSet, Flavour, SandboxSpec, TpccData};
use serde_json::Value;
use tempfile::TempDir;

/// A lasting server with one warehouse, gone when this is dropped.
struct Server {
    results: TempDir,
    name: String,
}

impl Server {
    fn start(flavour: &str) -> Self {
        let name = format!("tpcc-{flavour}-{}", std::process::id());
        let server = Self { results: tempfile::tempdir().unwrap(), name };
        server.go(&["--target", &format!("sandbox:{flavour}"), "--set", "innodb_buffer_pool_size=256M"]);
        server
    }

    fn go(&self, more: &[&str]) {
        let (code, _, said) = output(&self.results, &[&["server", "start", &self.name], more].concat());
        assert_eq!(code, 0, "{said}");
    }

    fn state(&self) -> Value {
        let path = home().0.join("servers").join(&self.name).join("state.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    /// A command about its data.
    fn command(&self, words: &[&str]) -> Command {
        let cnf = home().0.join("servers").join(&self.name).join("client.cnf");
        let (verb, more) = words.split_first().unwrap();
        let file = format!("--defaults-file={}", cnf.display());
        let database = ["-D", "tpcc", "--warehouses", "1"];
        mydyno(&self.results, &[&[*verb, "tpcc", file.as_str()], &database[..], more].concat())
    }

    fn ask(&self, words: &[&str]) -> (i32, String) {
        let out = self.command(words).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (out.status.code().unwrap_or(-1), text(&out.stdout) + &text(&out.stderr))
    }

    /// Starts a run that would last long, and waits until it has entered orders.
    fn long_run(&self) -> Child {
        /// So many that every kind of transaction is under way.
        const ORDERS: u64 = 200;
        let before = self.orders();
        let mut command = self.command(&["run", "--terminals", "8", "--time", "300"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while self.orders() < before + ORDERS {
            assert_eq!(child.try_wait().unwrap(), None, "the run ended early");
            assert!(began.elapsed() < Duration::from_secs(120), "no orders after two minutes");
            std::thread::sleep(Duration::from_millis(100));
        }
        child
    }

    /// The orders that were ever entered, by the districts' own count.
    fn orders(&self) -> u64 {
        let cnf = home().0.join("servers").join(&self.name).join("client.cnf");
        let cnf = std::fs::read_to_string(cnf).unwrap();
        let value = |name: &str| {
            let line =
                cnf.lines().find_map(|line| line.split_once('=').filter(|(key, _)| key.trim() == name));
            line.map(|(_, value)| value.trim().trim_matches('"').to_owned()).unwrap()
        };
        let address = wire::ServerAddress::Unix(value("socket").into());
        let mut options = wire::ConnectOptions::new(address, value("user"));
        options.password = Some(value("password").into());
        let mut client = wire::Client::connect(&options).unwrap();
        let answer = client.query("SELECT CAST(SUM(d_next_o_id) AS UNSIGNED) FROM tpcc.district").unwrap();
        answer.first().unwrap().parse(0).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = output(&self.results, &["server", "remove", "--force", &self.name]);
    }
}

fn kill(pid: u64) {
    assert!(Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap().success());
}

fn a_database_stays_consistent_whoever_is_killed(flavour: &str) {
    let server = Server::start(flavour);
    let (code, said) = server.ask(&["run", "--time", "1"]);
    assert!(code != 0 && said.contains("mydyno prepare"), "missing tables: {code} {said}");
    let (code, said) = server.ask(&["prepare"]);
    assert!(code == 0 && said.contains("12 of 12 consistency conditions hold"), "{code} {said}");
    let (code, said) = server.ask(&["prepare"]);
    assert!(code == 0 && said.contains("complete"), "{code} {said}");
    let (code, said) = server.ask(&["run", "--time", "1", "--warehouses", "3"]);
    assert!(code != 0 && said.contains('3') && said.contains("mydyno prepare"), "{code} {said}");

    // The client.
    let mut client = server.long_run();
    kill(u64::from(client.id()));
    client.wait().unwrap();
    let (code, said) = server.ask(&["check"]);
    assert!(code == 0 && said.contains("12 of 12"), "after the client's death: {code} {said}");

    // The server, which is durable by default.
    let mut client = server.long_run();
    kill(server.state()["process"]["pid"].as_u64().unwrap());
    assert_eq!(client.wait().unwrap().code(), Some(1), "the run says that the server is gone");
    server.go(&[]);
    let (code, said) = server.ask(&["check"]);
    assert!(code == 0 && said.contains("12 of 12"), "after the server's death: {code} {said}");

    let (code, said) = server.ask(&["cleanup"]);
    assert!(code == 0 && said.contains("order_line"), "{code} {said}");
    let (code, said) = server.ask(&["check"]);
    assert_eq!(code, 3, "{said}");
}

#[test]
fn a_mysql_database_stays_consistent_whoever_is_killed() {
    a_database_stays_consistent_whoever_is_killed("mysql");
}

#[test]
fn a_mariadb_database_stays_consistent_whoever_is_killed() {
    a_database_stays_consistent_whoever_is_killed("mariadb");
}

#[test]
fn one_command_runs_tpcc_and_proves_the_data() {
    let results = tempfile::tempdir().unwrap();
    let words = ["run", "tpcc", "--target", "sandbox:mariadb", "--warehouses", "2", "--terminals", "8"];
    let (code, stdout, stderr) = output(&results, &[&words[..], &["--time", "4"]].concat());
    assert_eq!(code, 0, "{stdout}{stderr}");
    for part in ["New-Order", "Stock-Level", "tpmC", "consistency 12 of 12 ok", "unaudited"] {
        assert!(stdout.contains(part), "{part} is missing:\n{stdout}");
    }
    let view = json(&results);
    let tpcc = &view["cells"][0]["tpcc"];
    assert_eq!(tpcc["consistency"]["holding"], 12, "{tpcc}");
    assert_eq!(tpcc["warehouses_touched"], 2);
    let types = tpcc["types"].as_array().unwrap();
    assert_eq!(types.len(), 5);
    let all: f64 = types.iter().map(|t| t["count"].as_f64().unwrap()).sum();
    for (kind, cards) in types.iter().zip([10.0, 10.0, 1.0, 1.0, 1.0]) {
        // Each of the eight terminals is somewhere in its deck of 23 when the window ends.
        let expected = all * cards / 23.0;
        let found = kind["count"].as_f64().unwrap();
        assert!((found - expected).abs() <= 8.0 * 10.0, "{found} of {expected}: {kind}");
    }
}

#[test]
fn data_of_a_sandbox_are_proven_before_they_are_kept() {
    const SEED: u64 = 4_711;
    let results = tempfile::tempdir().unwrap();
    let sandbox = SandboxSpec::new(Flavour::Mariadb, BTreeMap::new());
    let data = DataSet::Tpcc(TpccData { warehouses: 1, ..TpccData::default() });
    let (_, home) = home();
    let key = home.copy_key(&sandbox, &runner::description(&data, SEED)).unwrap();
    if home.has_copy(&key) {
        home.remove_copy(&key).unwrap();
    }
    let seed = SEED.to_string();
    let words = ["prepare", "tpcc", "--target", "sandbox:mariadb", "--warehouses", "1", "--seed", &seed];
    let (code, stdout, stderr) = output(&results, &words);
    assert!(code == 0 && home.has_copy(&key), "{stdout}{stderr}");
    assert!(stdout.contains("12 of 12 consistency conditions hold"), "{stdout}{stderr}");
    home.remove_copy(&key).unwrap();
}
