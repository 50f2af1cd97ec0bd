//! Primaries that are lost under load: what clients see, what the new primary has, and what becomes of the old one.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{mydyno, output};

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
    // The old one went on alone, and the client that had stayed with it was none the wiser.
    assert!(lost["diverged_most"].as_u64() >= lost["lost_most"].as_u64(), "{lost}");
    assert!(lost["split_brain_most"].as_u64().unwrap() > 0, "{lost}\n{text}");
    for words in [
        "so it must be rebuilt",
        "the new primary had every acknowledged commit",
        "after its primary was cut off",
        "(split brain)",
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
    // Nobody can stay with a server that has ended.
    assert_eq!(found["split_brain_most"], Value::Null, "{found}");
    let codes: Vec<_> = found["errors"].as_array().unwrap().iter().map(|one| one["code"].clone()).collect();
    assert!(codes.contains(&2013.into()) && text.contains("2013 x "), "{codes:?}\n{text}");
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

/// The opposite of the asynchronous control: whoever is in the minority acknowledges nothing.
#[test]
fn a_group_that_is_cut_apart_takes_writes_on_one_side_only() {
    let group = "group=sandbox:mysql?topology=group&group_replication_member_expel_timeout=0";
    let (_results, code, text, view) = failover(&[group], &["--failover", "cut", "--time", "40"]);
    assert_eq!(code, 0, "{text}");
    let found = of(&view, 0);
    assert_eq!(
        (&found["promoted"], &found["split_brain_most"], &found["lost_in"]),
        (&1.into(), &0.into(), &0.into()),
        "{found}\n{text}"
    );
    assert!(text.contains("acknowledged no commit after the new one took writes"), "{text}");
}

#[test]
fn semisynchronous_replication_that_had_fallen_back_promises_nothing() {
    // The replica does not know that setting.
    let short = "short=sandbox:mysql?topology=semisync&loose_rpl_semi_sync_source_timeout=1";
    let (_results, code, text, view) = failover(&[short], &["--failover", "kill", "--time", "10"]);
    assert_eq!(code, 0, "{text}");
    let found = of(&view, 0);
    assert_eq!((&found["promised"], &found["fell_back"]), (&false.into(), &1.into()), "{found}\n{text}");
    assert!(text.contains("had fallen back to asynchronous") && text.contains("none (fell back)"), "{text}");
}

#[test]
fn a_galera_cluster_goes_on_with_another_node_and_takes_the_old_one_back() {
    let galera = "galera=sandbox:mariadb?topology=galera&innodb_buffer_pool_size=128M";
    let (_results, code, text, view) = failover(&[galera], &["--failover", "kill", "--time", "25"]);
    assert_eq!(code, 0, "{text}");
    let found = of(&view, 0);
    assert_eq!(
        (&found["by"], &found["promoted"], &found["promised"]),
        (&"topology".into(), &1.into(), &true.into()),
        "{found}\n{text}"
    );
    assert_eq!(
        (&found["lost_in"], &found["damaged"], &found["rejoined"]),
        (&0.into(), &0.into(), &1.into()),
        "{found}\n{text}"
    );
}

/// The same control with MariaDB, whose replicas are promoted by its own GTIDs.
#[test]
fn a_replica_of_mariadb_is_promoted_when_its_primary_is_cut_off() {
    let targets = [
        "async=sandbox:mariadb?topology=async&innodb_buffer_pool_size=128M",
        "semisync=sandbox:mariadb?topology=semisync&innodb_buffer_pool_size=128M",
    ];
    let (_results, code, text, view) = failover(&targets, &["--failover", "cut", "--time", "12"]);
    assert_eq!(code, 0, "{text}");
    let (lost, kept) = (of(&view, 0), of(&view, 1));
    assert!(
        lost["lost_most"].as_u64().unwrap() > 0 && lost["split_brain_most"].as_u64().unwrap() > 0,
        "{lost}"
    );
    assert!(lost["diverged_most"].as_u64() >= lost["lost_most"].as_u64(), "{lost}");
    assert_eq!(
        (&kept["promised"], &kept["lost_in"], &kept["promoted"]),
        (&true.into(), &0.into(), &1.into()),
        "{kept}\n{text}"
    );
}

#[test]
fn a_replica_of_mariadb_is_promoted_when_its_primary_stops_and_takes_it_back() {
    let target = "ha=sandbox:mariadb?topology=async&members=3&innodb_buffer_pool_size=128M";
    let (_results, code, text, view) = failover(&[target], &["--failover", "stop", "--time", "12"]);
    assert_eq!(code, 0, "{text}");
    let found = of(&view, 0);
    assert_eq!((&found["promoted"], &found["by"]), (&1.into(), &"mydyno".into()), "{found}\n{text}");
    let old = found["rejoined"].as_u64().unwrap() + found["diverged"].as_u64().unwrap();
    assert_eq!(old, 1, "the old primary neither rejoined nor must be rebuilt: {found}\n{text}");
}

/// A disk of 3 MB, in a mount namespace of its own, on which nothing but the recording is.
#[test]
fn a_journal_without_room_ends_the_run() {
    let results = tempfile::tempdir().unwrap();
    let words = ["failover", "oltp_write_only", "--target", "sandbox:mysql?topology=async", "--tables", "1"];
    let more = ["--table-size", "200", "--threads", "2", "--time", "1200", "--failover-at", "1100"];
    let inner = mydyno(&results, &[&words[..], &more, &["--repeats", "1"]].concat());
    let script = "mount -t tmpfs -o size=3m none . && cd \"$PWD\" && exec \"$@\"";
    let mut command = std::process::Command::new("unshare");
    command.args(["--mount", "--propagation", "private", "sh", "-c", script, "sh"]);
    command.arg(inner.get_program()).args(inner.get_args()).current_dir(results.path());
    command.env_clear().envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ended = command.output().unwrap();
    let text = String::from_utf8([ended.stdout, ended.stderr].concat()).unwrap();
    if text.contains("unshare failed") || text.contains("permission denied") {
        println!("not shown here: {text}");
        return;
    }
    // Nothing else would have ended a load of 20 minutes.
    assert_eq!(ended.status.code(), Some(1), "{text}");
    assert!(text.contains("no space left for") && !text.contains("Failovers"), "{text}");
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
    refused("sandbox:mysql", &[], "a failover needs a topology of sandboxes, and 'mysql' is a single server");
    let multi = "a=sandbox:mariadb?topology=galera&multi_primary=on";
    refused(multi, &[], "'a' is a topology that takes writes on every member");
    refused("db=mysql://root@127.0.0.1:3306/test", &[], "'db' is an external server");
    refused("a=sandbox:mysql?topology=async", &["--time", "5"], "10 s into a measured window of 5 s");
    let command = ["plan", "failover", "oltp_write_only", "--target", "sandbox:mysql?topology=async"];
    let (code, planned, stderr) = output(&results, &command);
    assert_eq!(code, 0, "{stderr}");
    assert!(planned.contains("1 cell x 3 blocks = 3 trials"), "{planned}");
}
