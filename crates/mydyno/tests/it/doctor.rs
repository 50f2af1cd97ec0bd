//! `mydyno doctor` on real servers: planted causes come first, and healthy servers cause no alarm.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::Value;

use crate::common::output;

const FLAVOURS: [&str; 2] = ["sandbox:mysql", "sandbox:mariadb"];

/// The note about one server, as a program reads it.
fn note(words: &[&str]) -> Value {
    let results = tempfile::tempdir().unwrap();
    let all = [&["doctor", "--format", "json"], words].concat();
    let (code, stdout, stderr) = output(&results, &all);
    assert_eq!(code, 0, "advice is no failure: {stderr}");
    let notes: Value = serde_json::from_str(&stdout).unwrap();
    notes["servers"][0].clone()
}

/// (id, severity) of all advice, in its order.
fn said(note: &Value) -> Vec<(String, String)> {
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    note["advice"].as_array().unwrap().iter().map(|one| (text(one, "id"), text(one, "severity"))).collect()
}

#[test]
fn healthy_sandboxes_cause_no_alarm() {
    for flavour in FLAVOURS {
        let note = note(&[flavour]);
        let said = said(&note);
        assert!(said.iter().all(|(_, severity)| severity == "low"), "{flavour}: {said:?}");
        assert_eq!(note["durability"]["class"], "durable", "{flavour}");
        assert_eq!(note["unseen"].as_array().unwrap().len(), 0, "{flavour}: {}", note["unseen"]);
        assert!(note["server"]["series"].as_str().unwrap().contains("until"), "{}", note["server"]);
    }
}

#[test]
fn a_planted_cause_is_among_the_first_three() {
    let causes = [
        ("innodb_flush_log_at_trx_commit=0", "flush_log_at_commit"),
        ("table_open_cache=64", "table_open_cache"),
        ("innodb_print_all_deadlocks=ON", "print_all_deadlocks"),
        ("innodb_buffer_pool_size=32M", "buffer_pool_small"),
    ];
    for flavour in FLAVOURS {
        for (setting, id) in causes {
            let said = said(&note(&[flavour, "--set", setting]));
            assert!(said.iter().take(3).any(|(one, _)| one == id), "{flavour} {setting}: {said:?}");
        }
    }
    for (flavour, binlog) in
        [("sandbox:mysql", "sync_binlog=1"), ("sandbox:mariadb?log_bin=bin", "sync_binlog=1")]
    {
        let said = said(&note(&[flavour, "--set", "max_binlog_size=1M", "--set", binlog]));
        assert!(said.iter().take(3).any(|(one, _)| one == "max_binlog_size"), "{flavour}: {said:?}");
    }
    let isolation = note(&["sandbox:mysql", "--set", "transaction_isolation=SERIALIZABLE"]);
    assert_eq!(said(&isolation)[0].0, "isolation");
}

#[test]
fn a_planned_load_that_does_not_fit_is_said_first() {
    let words =
        ["sandbox:mysql", "--set", "max_connections=10", "--for", "oltp_read_write", "--threads", "1..64"];
    let note = note(&words);
    let first = &note["advice"][0];
    assert_eq!(
        (first["id"].as_str(), first["severity"].as_str()),
        (Some("preflight"), Some("high")),
        "{first}"
    );
    assert!(first["evidence"].as_str().unwrap().contains("10 connections (max_connections)"), "{first}");
}

#[test]
fn the_text_names_the_class_and_the_setting_that_makes_it_so() {
    let results = tempfile::tempdir().unwrap();
    let words = ["doctor", "sandbox:mariadb", "--set", "innodb_flush_log_at_trx_commit=2"];
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("loses on power or OS crash (innodb_flush_log_at_trx_commit = 2)"), "{stdout}");
    assert!(stdout.contains("-> SET GLOBAL innodb_flush_log_at_trx_commit = 1;"), "{stdout}");
    assert!(stdout.lines().count() < 40, "a note is one screen: {stdout}");
}
