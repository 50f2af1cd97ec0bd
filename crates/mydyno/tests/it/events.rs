//! What happens to servers during a load: it is done at the second that was asked for, seen, and taken back.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::Path;

use model::{Flavour, SandboxSpec};
use sandbox::StartOptions;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{self, mydyno, output};

const SMALL: [&str; 6] = ["--tables", "1", "--table-size", "500", "--threads", "2"];

/// A run with events; what it printed, the report, and what was recorded of each event.
fn run(results: &TempDir, target: &str, words: &[&str]) -> (String, Value, Vec<Value>) {
    let mut command = vec!["run", "oltp_write_only", "--target", target, "--warmup-time", "1"];
    command.extend(SMALL);
    command.extend(words);
    let (code, stdout, stderr) = output(results, &command);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (_, json, _) = output(results, &["report", "latest", "--format", "json"]);
    let view = serde_json::from_str(&json).unwrap();
    let only = |path: &Path| std::fs::read_dir(path).unwrap().map(|one| one.unwrap().path()).max().unwrap();
    let trial = only(&only(&results.path().join("results")).join("trials")).join("trial.json");
    let result: Value = serde_json::from_slice(&std::fs::read(trial).unwrap()).unwrap();
    (format!("{stdout}{stderr}"), view, result["events"].as_array().unwrap().clone())
}

/// When it happened, and how long it lasted, seconds.
fn times(event: &Value) -> (f64, f64) {
    let at_s = event["at_s"].as_f64().unwrap_or_else(|| panic!("it did not happen: {event}"));
    (at_s, event["until_s"].as_f64().map_or(0.0, |until_s| until_s - at_s))
}

fn caveats(view: &Value) -> Vec<(&str, &str)> {
    let all = view["cells"][0]["caveats"].as_array().unwrap().iter();
    all.map(|one| (one["id"].as_str().unwrap(), one["severity"].as_str().unwrap())).collect()
}

#[test]
fn a_single_server_is_frozen_and_changed_during_its_load() {
    let results = tempfile::tempdir().unwrap();
    let events = [
        "--event",
        "2s freeze primary for 1500ms",
        "--event",
        "6s sql ALTER TABLE sbtest1 FORCE",
        "--event",
        "5s set innodb_flush_log_at_trx_commit=2",
        "--time",
        "8",
    ];
    let (text, view, events) = run(&results, "sandbox:mysql", &events);
    let [freeze, set, sql] = &events[..] else { panic!("{events:?}") };
    assert!((times(freeze).0 - 3.0).abs() < 0.5 && (times(freeze).1 - 1.5).abs() < 0.5, "{freeze}");
    assert!((times(set).0 - 6.0).abs() < 0.5 && (times(sql).0 - 7.0).abs() < 0.5, "{events:?}");
    assert!(events.iter().all(|one| one.get("trouble").is_none()), "{events:?}");
    let found = &view["cells"][0]["events"];
    assert_eq!(found[0]["event"], "2s freeze primary for 1.5s");
    assert!(found[0]["silent_s"].as_f64().unwrap() >= 1.0, "{found}");
    assert!(found[0]["before_per_s"].as_f64().unwrap() > 0.0, "{found}");
    assert!(text.contains("Events during the load"), "{text}");
    let marks = view["cells"][0]["trials"][0]["marks"].as_array().unwrap();
    let numbers: Vec<_> = marks.iter().map(|mark| (mark["event"].as_u64(), mark["is_end"] == true)).collect();
    assert_eq!(numbers, [(Some(1), false), (Some(1), true), (Some(2), false), (Some(3), false)]);
    // What was asked for is no fault of it.
    let ids: Vec<&str> = caveats(&view).iter().map(|(id, _)| *id).collect();
    assert!(!ids.contains(&"variables_changed") && !ids.contains(&"change_point"), "{ids:?}");
}

#[test]
fn replicas_are_killed_frozen_and_cut_off_during_a_load() {
    let results = tempfile::tempdir().unwrap();
    let events = [
        "--event",
        "1s kill 2",
        "--event",
        "2s freeze 3 for 2s",
        "--event",
        "5s cut 1-3 for 1s",
        "--time",
        "8",
    ];
    let (text, view, events) = run(&results, "ha=sandbox:mysql?topology=async&members=3", &events);
    let [kill, freeze, cut] = &events[..] else { panic!("{events:?}") };
    assert!((times(kill).0 - 2.0).abs() < 0.5, "{kill}");
    assert!((times(freeze).1 - 2.0).abs() < 0.5 && (times(cut).1 - 1.0).abs() < 0.5, "{events:?}");
    // The topology was not what its label says, as was asked for; those that are left are equal in the end.
    assert!(caveats(&view).contains(&("topology_degraded", "note")), "{:?}\n{text}", caveats(&view));
    let together = &view["cells"][0]["together"];
    assert_eq!(together["differing"].as_array().map_or(0, Vec::len), 0, "{together}");
    assert!(together["compared"].as_u64().unwrap() > 0, "{together}");
}

#[test]
fn a_group_goes_on_without_the_primary_that_was_killed() {
    let results = tempfile::tempdir().unwrap();
    let target = "gr=sandbox:mysql?topology=group&group_replication_member_expel_timeout=0";
    let (text, view, events) = run(&results, target, &["--event", "3s kill primary", "--time", "22"]);
    assert!((times(&events[0]).0 - 4.0).abs() < 0.5, "{events:?}");
    let found = &view["cells"][0]["events"][0];
    assert!(found["silent_s"].as_f64().unwrap() > 1.0, "{found}\n{text}");
    assert!(found["after_per_s"].as_f64().unwrap() > 0.0, "clients did not follow: {found}\n{text}");
    assert!(view["cells"][0]["trials"][0]["reconnects"].as_u64().unwrap() >= 2);
}

#[test]
fn a_galera_cluster_goes_on_without_the_node_that_was_killed() {
    let results = tempfile::tempdir().unwrap();
    let target = "g=sandbox:mariadb?topology=galera&innodb_buffer_pool_size=128M";
    let (text, view, events) = run(&results, target, &["--event", "3s kill primary", "--time", "22"]);
    assert!((times(&events[0]).0 - 4.0).abs() < 0.5, "{events:?}");
    let found = &view["cells"][0]["events"][0];
    assert!(
        found["after_per_s"].as_f64().unwrap() > 0.0,
        "clients did not take the next node: {found}\n{text}"
    );
    assert!(view["cells"][0]["trials"][0]["reconnects"].as_u64().unwrap() >= 2);
}

#[test]
fn external_servers_are_changed_and_restored_and_never_harmed() {
    let settings = [("innodb_buffer_pool_size".to_owned(), "64M".to_owned())];
    let spec = SandboxSpec { tcp: true, ..SandboxSpec::new(Flavour::Mariadb, settings.into()) };
    let name = format!("events-{}", std::process::id());
    let server = common::home().1.start(&StartOptions::new(&name, &spec)).unwrap();
    let url = format!("db=mysql://{}@127.0.0.1:{}/{}", sandbox::USER, server.port(), sandbox::DATABASE);
    let tried = |words: &[&str]| {
        let results = tempfile::tempdir().unwrap();
        let mut command = vec!["run", "oltp_write_only", "--target", &url, "--prepare", "--time", "4"];
        command.extend(SMALL);
        command.extend(words);
        let ran = mydyno(&results, &command).env("MYSQL_PWD", server.password().expose()).output().unwrap();
        let text = [ran.stdout, ran.stderr].concat();
        (ran.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, text) = tried(&["--event", "1s kill primary"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("only set and sql are allowed"), "{text}");
    let flush = || {
        let mut client = wire::Client::connect(&server.connect_options(None)).unwrap();
        let rows = client.query("SELECT @@GLOBAL.innodb_flush_log_at_trx_commit").unwrap();
        rows.first().unwrap().text(0).unwrap().to_owned()
    };
    let (code, text) = tried(&["--event", "1s set innodb_flush_log_at_trx_commit=2"]);
    assert_eq!((code, flush().as_str()), (Some(0), "1"), "{text}");
    assert!(text.contains("during each load SET GLOBAL innodb_flush_log_at_trx_commit = 2"), "{text}");
    // What the server would refuse is known before anything runs.
    let (code, text) = tried(&["--event", "1s set port=1"]);
    assert!(code != Some(0) && text.contains("SET GLOBAL port = 1 was refused"), "{code:?} {text}");
}
