//! Servers that crash under load: what their settings promise is kept, and what they do not promise is found to be lost.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail by panicking and say what they skip"
)]

use serde_json::Value;

use crate::common::{json, output};

/// A series of crashes of a server with these settings, and its summary; none where this machine has no simulated disk.
fn series(workload: &str, target: &str, kind: &str) -> Option<(i32, String, Value)> {
    if kind != "kill"
        && let Err(error) = disk::check()
    {
        println!("not shown here: {error}");
        return None;
    }
    let results = tempfile::tempdir().unwrap();
    let line = format!(
        "crash {workload} --target {target}&innodb_buffer_pool_size=128M --kind {kind} --cuts 5 --threads 2 --time 1 \
         --warmup-time 0 --tables 1 --table-size 1000"
    );
    let words: Vec<&str> = line.split_whitespace().collect();
    let (code, stdout, stderr) = output(&results, &words);
    assert!(code == 0 || code == 3, "{target}: {stdout}{stderr}");
    let report = json(&results);
    let found = report["cells"][0]["crash"].clone();
    assert_eq!(found["crashes"], 5, "{stdout}");
    assert_eq!((&found["not_recovered"], &found["damaged"]), (&0.into(), &0.into()), "{stdout}");
    assert!(found["acknowledged"].as_u64().unwrap() > 0, "{stdout}");
    Some((code, stdout, found))
}

/// What the manual warns of happens in a series of five.
fn loses(workload: &str, target: &str, kind: &str) {
    let Some((code, stdout, found)) = series(workload, target, kind) else { return };
    assert!(found["lost_in"].as_u64().unwrap() > 0, "{stdout}");
    assert_eq!((code, &found["standing"]), (0, &"lost".into()), "{stdout}");
    assert!(stdout.contains(" ms of acknowledged commits"), "{stdout}");
}

/// Nothing that was acknowledged is missing, neither in the tables nor in the binary log, if there is one.
fn keeps(target: &str, kind: &str, with_log: bool) {
    let Some((code, stdout, found)) = series("oltp_write_only", target, kind) else { return };
    assert_eq!((code, &found["standing"], &found["lost_in"]), (0, &"kept".into(), &0.into()), "{stdout}");
    assert!(stdout.contains("lost no acknowledged commit in 5 "), "{stdout}");
    // A binary log agrees with the tables.
    let log = &found["binary_log"];
    for (key, value) in [("compared", 5), ("unreadable", 0), ("lost_in", 0), ("differs_in", 0)] {
        assert!(!with_log || log[key] == value, "{log}");
    }
    assert_eq!(log.is_null(), !with_log, "{stdout}");
    assert_eq!(stdout.contains("; its binary log agreed with its tables"), with_log, "{stdout}");
}

#[test]
fn mysql_that_flushes_once_a_second_loses_commits_when_it_is_killed() {
    loses("oltp_write_only", "sandbox:mysql?innodb_flush_log_at_trx_commit=0", "kill");
}

#[test]
fn mysql_that_leaves_its_log_to_the_system_loses_commits_in_a_power_failure() {
    loses("oltp_write_only", "sandbox:mysql?innodb_flush_log_at_trx_commit=2", "power");
}

/// MariaDB, since MySQL flushes the redo log in the background as well: what it can lose is a millisecond old.
#[test]
fn mariadb_that_does_not_sync_its_binary_log_loses_commits_in_a_power_failure() {
    // Only the last group of commits can be lost, until the next one flushes the redo log: the fewer write, the longer that takes.
    loses(
        "oltp_point_select",
        "sandbox:mariadb?log_bin=binlog&sync_binlog=0&innodb_flush_log_at_trx_commit=1",
        "power",
    );
}

#[test]
fn mariadb_that_flushes_once_a_second_loses_commits_in_a_power_failure() {
    loses("oltp_write_only", "sandbox:mariadb?innodb_flush_log_at_trx_commit=0", "power");
}

#[test]
fn a_durable_server_loses_commits_on_a_disk_that_lies() {
    loses("oltp_write_only", "sandbox:mariadb?sync_binlog=1&innodb_flush_log_at_trx_commit=1", "lying");
}

#[test]
fn durable_mysql_keeps_what_it_acknowledged_in_a_power_failure() {
    keeps("sandbox:mysql?sync_binlog=1&innodb_flush_log_at_trx_commit=1", "power", true);
}

#[test]
fn durable_mariadb_keeps_what_it_acknowledged_in_a_crash_of_the_system() {
    keeps("sandbox:mariadb?sync_binlog=1&innodb_flush_log_at_trx_commit=1", "os", false);
}

#[test]
fn durable_mariadb_keeps_its_binary_log_in_step_in_a_power_failure() {
    let settings = "log_bin=binlog&sync_binlog=1&innodb_flush_log_at_trx_commit=1&binlog_format=ROW";
    keeps(&format!("sandbox:mariadb?{settings}"), "power", true);
}

/// The events of a compressed transaction all begin and end at the same position.
#[test]
fn durable_mysql_keeps_a_compressed_binary_log_in_step_in_a_power_failure() {
    let settings = "sync_binlog=1&innodb_flush_log_at_trx_commit=1&binlog_transaction_compression=ON";
    keeps(&format!("sandbox:mysql?{settings}"), "power", true);
}

/// The positive control of the comparison: the tables keep everything, and the binary log ends before.
#[test]
fn mysql_that_does_not_sync_its_binary_log_lacks_commits_there_that_the_tables_have() {
    let target = "sandbox:mysql?sync_binlog=0&innodb_flush_log_at_trx_commit=1";
    let Some((code, stdout, found)) = series("oltp_write_only", target, "power") else { return };
    let log = &found["binary_log"];
    assert_eq!((&log["compared"], &log["unreadable"]), (&5.into(), &0.into()), "{stdout}");
    assert!(log["lost_in"].as_u64().unwrap() > 0, "{log}");
    assert!(log["only_in_tables_most"].as_u64().unwrap() > 0, "{log}");
    assert_eq!((code, &found["standing"]), (0, &"lost".into()), "{stdout}");
    assert!(stdout.contains(" from its tables"), "{stdout}");
    assert!(stdout.contains("; its binary log lacked up to "), "{stdout}");
}

/// The other way round: the binary log is synced, and the redo log is not.
#[test]
fn mysql_that_leaves_its_redo_log_to_the_system_has_more_in_the_binary_log_than_in_the_tables() {
    let target = "sandbox:mysql?sync_binlog=1&innodb_flush_log_at_trx_commit=0";
    let Some((code, stdout, found)) = series("oltp_write_only", target, "power") else { return };
    let log = &found["binary_log"];
    assert_eq!((&log["compared"], &log["lost_in"]), (&5.into(), &0.into()), "{stdout}");
    assert!(log["only_in_log_most"].as_u64().unwrap() > 0, "{log}");
    assert_eq!((code, &found["standing"]), (0, &"lost".into()), "{stdout}");
}

#[test]
fn what_is_not_a_single_sandbox_does_not_crash() {
    let results = tempfile::tempdir().unwrap();
    let refused = |target: &str, why: &str| {
        let line = format!("crash oltp_write_only --kind kill --target {target}");
        let (code, _, stderr) = output(&results, &line.split_whitespace().collect::<Vec<_>>());
        assert!(
            code == 2
                && stderr.contains("only a single sandbox can be made to crash")
                && stderr.contains(why),
            "{stderr}"
        );
    };
    refused("mysql://root@127.0.0.1:1/x", "an external server");
    refused("sandbox:mysql?topology=async", "a topology of several servers");
}

/// Pages that a power failure tears cannot be made whole without the doublewrite buffer: InnoDB finds them by their checksums, and does
/// not start. Only every other crash keeps a part of what was not flushed, and not each of these tears a page that matters: hence
/// several series, of which one has to find something.
#[test]
fn torn_pages_are_caught_where_there_is_no_doublewrite() {
    if let Err(error) = disk::check() {
        println!("not shown here: {error}");
        return;
    }
    let target = "sandbox:mysql?innodb_buffer_pool_size=5M&innodb_io_capacity=10000&innodb_doublewrite=OFF";
    let series = |seed: &str| {
        let results = tempfile::tempdir().unwrap();
        let line = format!(
            "crash oltp_write_only --target {target} --kind power --cuts 4 --threads 32 --time 1 --warmup-time 0 --tables 4 \
             --table-size 20000 --seed {seed}"
        );
        let words: Vec<&str> = line.split_whitespace().collect();
        let (code, stdout, stderr) = output(&results, &words);
        assert_eq!(code, 0, "{stdout}{stderr}");
        let found = json(&results)["cells"][0]["crash"].clone();
        assert_eq!(found["crashes"], 4, "{stdout}");
        (found["not_recovered"].as_u64().unwrap() + found["damaged"].as_u64().unwrap(), stdout)
    };
    let mut series = ["1", "2", "3", "4", "5", "6"].into_iter().map(series);
    let caught = series.find(|(harmed, _)| *harmed > 0);
    let (_, stdout) = caught.expect("no series noticed a torn page");
    assert!(["did not recover", "were damaged"].iter().any(|words| stdout.contains(words)), "{stdout}");
}
