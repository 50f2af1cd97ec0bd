//! Experiments on real servers: factors of any path, data restored, variables of other servers restored, repeats until sure.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::{home, json, mydyno, output};
use model::{Flavour, SandboxSpec};
use sandbox::{Server, StartOptions};
use serde_json::Value;
use tempfile::TempDir;

/// The newest run there.
fn newest(place: &TempDir) -> PathBuf {
    let runs = place.path().join("results").read_dir().unwrap().flatten();
    runs.map(|entry| entry.path()).filter(|path| path.is_dir()).max().unwrap()
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Every trial's result with a file beside it.
fn trials(run: &Path, beside: &str) -> Vec<(Value, Value)> {
    let mut all: Vec<(Value, Value)> = run
        .join("trials")
        .read_dir()
        .unwrap()
        .flatten()
        .filter(|entry| !entry.file_name().to_string_lossy().contains(".attempt-"))
        .map(|entry| (read(&entry.path().join("trial.json")), read(&entry.path().join(beside))))
        .collect();
    all.sort_by_key(|(result, _)| result["index"].as_u64());
    all
}

fn write(place: &TempDir, text: &str) -> String {
    let path = place.path().join("own.toml");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// A variable of the server, a workload with other tables, and a load, all of them varied; every trial on fresh data.
#[test]
fn factors_of_target_workload_and_load_are_one_experiment() {
    let place = tempfile::tempdir().unwrap();
    let file = write(
        &place,
        r#"
        question = "What varies?"
        target = "sandbox:mariadb"
        [defaults]
        tables = 1
        table_size = 500
        warehouses = 1
        check = false
        [load]
        clients = 2
        time = 1
        warmup = 0
        [design]
        repeats = 1
        [[factor]]
        path = "target.innodb_flush_log_at_trx_commit"
        levels = [1, 2]
        [[factor]]
        path = "workload"
        levels = ["oltp_write_only", "tpcc"]
        [[factor]]
        path = "load.rate"
        levels = [0, 50]
        labels = ["closed", "open"]
        "#,
    );
    let (code, stdout, stderr) = output(&place, &["experiment", "run", &file]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stderr.contains("Plan: 8 cells x 1 block = 8 trials and a drift check"), "{stderr}");
    let run = newest(&place);
    let found = trials(&run, "variables-before.json");
    assert_eq!(found.len(), 9);
    let mut cells = BTreeSet::new();
    for (result, variables) in &found {
        let (target, workload) =
            (result["cell"]["target"].as_str().unwrap(), result["cell"]["workload"].as_str().unwrap());
        assert_eq!(result["outcome"]["outcome"], "completed", "{result}");
        assert_eq!(result["data_restored"], true, "{target} {workload}");
        let flush = variables["variables"]["innodb_flush_log_at_trx_commit"].as_str().unwrap();
        assert_eq!(target, format!("innodb_flush_log_at_trx_commit {flush}"));
        assert_eq!(workload.ends_with("open"), result["open_loop"].is_object(), "{workload}");
        assert_eq!(workload.starts_with("tpcc"), result["tpcc"].is_object(), "{workload}");
        // The defaults switch the check off.
        assert!(result["tpcc"]["consistency"].is_null(), "{result}");
        cells.insert((target.to_owned(), workload.to_owned()));
    }
    assert_eq!(cells.len(), 8);
    let last = &found[8].0["cell"];
    let first = &found[0].0["cell"];
    assert_eq!((&last["target"], &last["workload"]), (&first["target"], &first["workload"]));
    let plan = read(&run.join("plan.json"));
    assert_eq!(plan["design"]["factors"].as_array().map(Vec::len), Some(3));
    let warehouses = |at: usize| &plan["workloads"][at]["data"]["warehouses"];
    assert!((0..4).any(|at| *warehouses(at) == 1), "{plan}");
    assert_eq!(plan["targets"][1]["levels"]["target.innodb_flush_log_at_trx_commit"], "2");
    // What the recording keeps is a specification that makes the same plan.
    let spec = run.join("spec.toml").display().to_string();
    let (code, again, stderr) = output(&place, &["plan", &spec, "--format", "json"]);
    assert_eq!(code, 0, "{stderr}");
    let again: serde_json::Value = serde_json::from_str(&again).unwrap();
    assert_eq!(again["hash"], plan["hash"]);
    // The last one is for drift: it is in no cell's runs.
    let view = json(&place);
    let runs: u64 =
        view["cells"].as_array().unwrap().iter().map(|cell| cell["runs_completed"].as_u64().unwrap()).sum();
    assert_eq!(runs, 8);
}

fn server(name: &str) -> Server {
    let (_, home) = home();
    let spec = SandboxSpec {
        tcp: true,
        ..SandboxSpec::new(
            Flavour::Mysql,
            BTreeMap::from([("innodb_buffer_pool_size".to_owned(), "128M".to_owned())]),
        )
    };
    home.start(&StartOptions::new(name, &spec)).unwrap()
}

fn url(server: &Server) -> String {
    format!("mysql://{}@127.0.0.1:{}/sbtest?get-server-public-key=on", sandbox::USER, server.port())
}

fn variable(server: &Server, name: &str) -> String {
    let mut client = wire::Client::connect(&server.connect_options(None)).unwrap();
    let rows = client.query(&format!("SELECT @@GLOBAL.{name}")).unwrap();
    rows.first().unwrap().text(0).unwrap().to_owned()
}

/// A server that somebody else runs: its variables are what the arm asks for during a trial, what they were after it, and what
/// they were after a kill, once the run is resumed.
#[test]
fn variables_of_other_servers_are_put_back() {
    let place = tempfile::tempdir().unwrap();
    let server = server(&format!("globals-{}", std::process::id()));
    let url = url(&server);
    let file = write(
        &place,
        r#"
        question = "What does durability cost?"
        target = "sandbox:mysql"
        prepare = true
        [[arm]]
        label = "durable"
        settings = { innodb_flush_log_at_trx_commit = 1, sync_binlog = 1 }
        [[arm]]
        label = "fast"
        settings = { innodb_flush_log_at_trx_commit = 0, sync_binlog = 0 }
        [[workload]]
        label = "writes"
        kind = "oltp_write_only"
        tables = 1
        table_size = 500
        [load]
        clients = 2
        time = 1
        warmup = 0
        [design]
        repeats = 2
        "#,
    );
    let command = |words: &[&str]| {
        let mut command = mydyno(&place, words);
        command.env("MYSQL_PWD", server.password().expose());
        command
    };
    let both = || (variable(&server, "innodb_flush_log_at_trx_commit"), variable(&server, "sync_binlog"));
    let before = both();
    let mut child = command(&["experiment", "run", &file, "--target", &url, "--time", "4"]).spawn().unwrap();
    // Killed while the fast arm runs.
    let deadline = Instant::now() + Duration::from_secs(60);
    // Before the first trial it is only tried out, which is over at once.
    let fast_for_a_while = || {
        let began = both().1 == "0";
        std::thread::sleep(Duration::from_millis(300));
        began && both().1 == "0"
    };
    while !fast_for_a_while() {
        assert!(Instant::now() < deadline, "the arm never began");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_ne!(both(), before, "a killed process puts nothing back");

    let resumed = command(&["resume"]).output().unwrap();
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert_eq!(resumed.status.code(), Some(0), "{said}");
    assert!(said.contains("the variables that an earlier attempt had changed were restored"), "{said}");
    assert_eq!(both(), before);
    let found = trials(&newest(&place), "variables-before.json");
    assert_eq!(found.len(), 5);
    for (result, variables) in &found {
        let fast = result["cell"]["target"] == "fast";
        assert_eq!(variables["variables"]["sync_binlog"], if fast { "0" } else { "1" }, "{result}");
        assert_eq!(result["data_restored"], false, "nobody put them back");
    }
    server.stop().unwrap();
}

/// What cannot be changed is known before anything is run; and on request the tables are loaded anew before each trial.
#[test]
fn other_servers_refuse_some_variables_and_are_loaded_anew_on_request() {
    let place = tempfile::tempdir().unwrap();
    let server = server(&format!("reload-{}", std::process::id()));
    let url = url(&server);
    let said_on = |more: &str, options: &str| {
        let url = format!("{url}{more}");
        let words: Vec<&str> = options.split(' ').chain(["--target", &url]).collect();
        let mut command = mydyno(&place, &words);
        let out = command.env("MYSQL_PWD", server.password().expose()).output().unwrap();
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    let rows = "--tables 1 --table-size 500 --time 1 --prepare";
    let (code, said) = said_on("&set.innodb_page_size=8192", &format!("run oltp_read_only {rows}"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("innodb_page_size") && said.contains("can be changed while the"), "{said}");
    let sweep = "--threads 1 --warmup-time 0 --repeats 2 --restore reload";
    let (code, said) = said_on("", &format!("sweep oltp_write_only {rows} {sweep}"));
    assert_eq!(code, Some(0), "{said}");
    let run = newest(&place);
    assert_eq!(trials(&run, "variables-before.json")[1].0["data_restored"], true);
    server.stop().unwrap();
}

/// Repeats until it is sure: the plan grows as far as it must, is recorded as it grew, and nothing is left open.
#[test]
fn repeats_go_on_until_it_is_sure_or_the_most_is_reached() {
    let place = tempfile::tempdir().unwrap();
    let words = [
        "sweep",
        "oltp_write_only",
        "--target",
        "durable=sandbox:mariadb?log_bin=bin&sync_binlog=1",
        "--target",
        "fast=sandbox:mariadb?log_bin=bin&sync_binlog=0&innodb_flush_log_at_trx_commit=0",
        "--tables",
        "1",
        "--table-size",
        "500",
        "--threads",
        "2",
        "--time",
        "1",
        "--warmup-time",
        "0",
        "--repeats",
        "2",
        "--until-sure",
        "--max-repeats",
        "6",
        "--bookend",
    ];
    let (code, stdout, stderr) = output(&place, &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stderr.contains("block 3 of at most 6: 2 cells inconclusive so far"), "{stderr}");
    assert!(stderr.contains("drift check: repeating the first cell"), "{stderr}");
    let plan = read(&newest(&place).join("plan.json"));
    let planned = plan["trials"].as_array().unwrap();
    assert_eq!(trials(&newest(&place), "variables-before.json").len(), planned.len());
    assert_eq!(planned.last().unwrap()["why"], "bookend");
    assert!(planned.iter().filter(|trial| trial["why"] == "undecided").count() >= 2);
    let (_, list, _) = output(&place, &["list"]);
    assert!(list.contains("complete"), "{list}");
    let view = json(&place);
    let verdict = view["comparisons"][0]["verdict"].as_str().unwrap();
    // Withheld where other processes disturbed the trials.
    assert!(matches!(verdict, "better" | "inconclusive" | "withheld"), "{verdict}");
    let again = output(&place, &["resume"]);
    assert_eq!(again.0, 0, "there is nothing left to do: {}", again.2);
}
