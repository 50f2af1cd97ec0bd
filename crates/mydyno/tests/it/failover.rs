//! Primaries that are lost under load: what clients see, what the new primary has, and what becomes of the old one.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::Value;
use tempfile::TempDir;

use crate::common::output;

/// A failover of each target, two clients, three seconds into a short window.
fn failover(targets: &[&str], words: &[&str]) -> (TempDir, i32, String, Value) {
    let results = tempfile::tempdir().unwrap();
    let mut command =
        vec!["failover", "oltp_write_only", "--tables", "1", "--table-size", "200", "--threads", "2"];
    targets.iter().for_each(|target| command.extend(["--target", target]));
    command.extend(["--warmup-time", "1", "--failover-at", "3", "--repeats", "1"]);
    command.extend(words);
    let (code, stdout, stderr) = output(&results, &command);
    let (_, json, _) = output(&results, &["report", "latest", "--format", "json"]);
    let view = serde_json::from_str(&json).unwrap_or(Value::Null);
    (results, code, format!("{stdout}{stderr}"), view)
}

/// What is said of the failover of the target at a position.
fn of(view: &Value, target: u64) -> Value {
    let cells = view["cells"].as_array().into_iter().flatten();
    let own = cells.into_iter().find(|cell| cell["target"] == target);
    own.map(|cell| cell["failover"].clone()).unwrap_or_default()
}

/// The positive control and its opposite in one: the old primary goes on until clients are told of the new one.
#[test]
fn a_primary_that_is_cut_off_loses_commits_without_semisynchronous_replication() {
    let targets = ["async=sandbox:mysql?topology=async", "semisync=sandbox:mysql?topology=semisync"];
    let (_results, code, text, view) = failover(&targets, &["--failover", "cut", "--time", "12"]);
    assert_eq!(code, 0, "{text}");
    let (lost, kept) = (of(&view, 0), of(&view, 1));
    assert_eq!((&lost["promised"], &kept["promised"]), (&false.into(), &true.into()), "{text}");
    assert!(lost["lost_most"].as_u64().unwrap() > 0 && lost["lost_in"] == 1, "{lost}\n{text}");
    assert!(lost["lost_ms_worst"].as_f64().unwrap() > 500.0, "{lost}");
    assert_eq!((&kept["lost_in"], &kept["promoted"]), (&0.into(), &1.into()), "{kept}\n{text}");
    assert!(kept["without_commit_s_worst"].as_f64().unwrap() >= 0.9, "{kept}");
    // The old one went on alone.
    assert!(lost["diverged_most"].as_u64() >= lost["lost_most"].as_u64(), "{lost}");
    for words in [
        "so it must be rebuilt",
        "the new primary had every acknowledged commit",
        "after its primary was cut off",
    ] {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
    let marks = &view["cells"][0]["trials"][0]["marks"];
    assert_eq!(marks.as_array().map(Vec::len), Some(2), "{marks}");
    assert!((marks[0]["at_s"].as_f64().unwrap() - 4.0).abs() < 0.5, "{marks}");
}

#[test]
fn a_primary_that_is_killed_is_replaced_and_clients_follow() {
    let (_results, code, text, view) =
        failover(&["ha=sandbox:mysql?topology=semisync"], &["--failover", "kill", "--time", "12"]);
    assert_eq!(code, 0, "{text}");
    let found = of(&view, 0);
    assert_eq!(
        (&found["lost_in"], &found["promoted"], &found["by"]),
        (&0.into(), &1.into(), &"mydyno".into()),
        "{text}"
    );
    let without_s = found["without_commit_s_worst"].as_f64().unwrap();
    assert!((0.9..9.0).contains(&without_s), "{found}");
    assert!(found["recovered_s"].as_f64().is_some(), "{found}\n{text}");
    let old = found["rejoined"].as_u64().unwrap() + found["diverged"].as_u64().unwrap();
    assert_eq!(old, 1, "the old primary neither rejoined nor must be rebuilt: {found}\n{text}");
    let trial = &view["cells"][0]["trials"][0];
    assert!(trial["reconnects"].as_u64().unwrap() >= 2, "{trial}");
    // What the failover does to the load is no fault of it, and the clients of the journal are no strangers.
    let caveats = view["cells"][0]["caveats"].as_array().unwrap();
    let ids: Vec<&str> = caveats.iter().filter_map(|caveat| caveat["id"].as_str()).collect();
    assert!(!ids.contains(&"other_clients") && !ids.contains(&"variables_changed"), "{ids:?}");
}

#[test]
fn a_group_elects_a_new_primary_and_takes_the_old_one_back() {
    let group = "group=sandbox:mysql?topology=group&group_replication_member_expel_timeout=0";
    let (_results, code, text, view) = failover(&[group], &["--failover", "kill", "--time", "30"]);
    assert_eq!(code, 0, "{text}");
    let found = of(&view, 0);
    assert_eq!((&found["by"], &found["promoted"]), (&"topology".into(), &1.into()), "{found}\n{text}");
    assert_eq!(
        (&found["lost_in"], &found["rejoined"], &found["diverged"]),
        (&0.into(), &1.into(), &0.into()),
        "{text}"
    );
}

#[test]
fn what_cannot_fail_over_is_refused_before_anything_is_started() {
    let results = tempfile::tempdir().unwrap();
    let refused = |target: &str, words: &[&str], says: &str| {
        let command = [&["failover", "oltp_write_only", "--target", target][..], words].concat();
        let (code, stdout, stderr) = output(&results, &command);
        assert_eq!(code, 2, "{stdout}{stderr}");
        assert!(stderr.contains(says), "{says:?} is not in {stderr}");
    };
    refused(
        "sandbox:mysql",
        &[],
        "a failover needs sandboxes of MySQL with replicas, and 'mysql' is a single server",
    );
    refused("a=sandbox:mariadb?topology=async", &[], "'a' is of MariaDB");
    refused("db=mysql://root@127.0.0.1:3306/test", &[], "'db' is an external server");
    refused("a=sandbox:mysql?topology=async", &["--time", "5"], "10 s into a measured window of 5 s");
    let command = ["plan", "failover", "oltp_write_only", "--target", "sandbox:mysql?topology=async"];
    let (code, planned, stderr) = output(&results, &command);
    assert_eq!(code, 0, "{stderr}");
    assert!(planned.contains("1 cell x 3 blocks = 3 trials"), "{planned}");
}
