//! Servers that crash under load: what their settings promise is kept, and what they do not promise is found to be lost.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail by panicking and say what they skip"
)]

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{json, mydyno, output};

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
fn durable_mysql_keeps_what_it_acknowledged_in_a_crash_of_the_system() {
    keeps("sandbox:mysql?sync_binlog=1&innodb_flush_log_at_trx_commit=1", "os", true);
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
fn what_is_neither_a_single_sandbox_nor_a_primary_of_mysql_does_not_crash() {
    let results = tempfile::tempdir().unwrap();
    let refused = |target: &str, why: &str| {
        let line = format!("crash oltp_write_only --kind kill --target {target}");
        let (code, _, stderr) = output(&results, &line.split_whitespace().collect::<Vec<_>>());
        assert!(code == 2 && stderr.contains("can be made to crash") && stderr.contains(why), "{stderr}");
    };
    refused("mysql://root@127.0.0.1:1/x", "an external server");
    refused("sandbox:mysql?topology=group", "a group, a cluster or several servers of their own");
    refused("sandbox:mariadb?topology=async", "a topology of MariaDB");
    refused("sandbox:mysql?topology=async&link_delay=1ms", "behind a router or a simulated network");
}

/// Crashes of the primary of one replica, by name and settings, and what became of the replica.
fn of_a_primary(target: &str, cuts: u32) -> Option<(i32, String, Value)> {
    if let Err(error) = disk::check() {
        println!("not shown here: {error}");
        return None;
    }
    let results = tempfile::tempdir().unwrap();
    let line = format!(
        "crash oltp_write_only --target {target}&innodb_buffer_pool_size=128M --kind power --cuts {cuts} --threads 2 --time 1 \
         --warmup-time 0 --tables 1 --table-size 1000"
    );
    let (code, stdout, stderr) = output(&results, &line.split_whitespace().collect::<Vec<_>>());
    assert!(code == 0 || code == 3, "{target}: {stdout}{stderr}");
    let found = json(&results)["cells"][0]["crash"].clone();
    let replicas = &found["replicas"];
    assert_eq!((&found["crashes"], &replicas["told"]), (&cuts.into(), &cuts.into()), "{stdout}");
    assert_eq!((&replicas["compared"], &replicas["unreadable"]), (&cuts.into(), &0.into()), "{replicas}");
    Some((code, stdout, found))
}

/// The positive control: the primary sends what it has not synced.
#[test]
fn a_replica_is_ahead_of_a_primary_that_lost_what_it_had_not_synced() {
    let target = "sandbox:mysql?topology=async&sync_binlog=0&innodb_flush_log_at_trx_commit=2";
    let Some((code, stdout, found)) = of_a_primary(target, 3) else { return };
    let replicas = &found["replicas"];
    let least =
        |key: &str, least: u64| assert!(replicas[key].as_u64().unwrap() >= least, "{key}: {replicas}");
    least("ahead_in", 1);
    least("ahead_most", 1);
    least("saved_most", 1);
    // MySQL refuses to send to a replica that has more than it.
    least("stopped_in", 1);
    assert_eq!((code, &found["standing"]), (0, &"lost".into()), "{stdout}");
    assert!(stdout.contains("; a replica had up to "), "{stdout}");
    assert!(stdout.contains("; replication did not resume after "), "{stdout}");
    assert!(stdout.contains("Replicas after a crash of their primary"), "{stdout}");
}

/// A durable primary sends what it has synced, and a commit that waits for its replica is there.
#[test]
fn no_replica_is_ahead_of_a_durable_primary_that_waits_for_it() {
    let target = "sandbox:mysql?topology=semisync&sync_binlog=1&innodb_flush_log_at_trx_commit=1";
    let Some((code, stdout, found)) = of_a_primary(target, 2) else { return };
    let replicas = &found["replicas"];
    for key in ["ahead_in", "stopped_in", "lacking_in", "lost_in"] {
        assert_eq!(replicas[key], 0, "{key}: {replicas}");
    }
    assert_eq!((code, &found["standing"], &found["lost_in"]), (0, &"kept".into(), &0.into()), "{stdout}");
    assert!(stdout.contains("; no replica was ahead of it after 2 of them"), "{stdout}");
    assert!(stdout.contains("; a failover to a replica would have lost no acknowledged commit"), "{stdout}");
}

#[test]
fn the_twelve_conditions_are_checked_after_each_crash_of_tpcc() {
    let results = tempfile::tempdir().unwrap();
    let line = "crash tpcc --target sandbox:mysql?innodb_buffer_pool_size=128M --kind kill --cuts 2 --warehouses 1 --threads 2 --time 1 \
                --warmup-time 0";
    let (code, stdout, stderr) = output(&results, &line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let found = json(&results)["cells"][0]["crash"].clone();
    let conditions = &found["conditions"];
    for (key, value) in [("conditions", 12), ("checked", 2), ("violated_in", 0), ("unchecked", 0)] {
        assert_eq!(conditions[key], value, "{conditions}");
    }
    assert!(stdout.contains("; TPC-C's 12 consistency conditions held after each of them"), "{stdout}");
}

/// A process that was killed with a simulated disk: after the next start neither the disk nor its server is left, and the series goes
/// on where it was.
#[test]
fn a_series_whose_process_was_killed_is_cleared_away_and_goes_on() {
    if let Err(error) = disk::check() {
        println!("not shown here: {error}");
        return;
    }
    let results = tempfile::tempdir().unwrap();
    let line = "crash oltp_write_only --target sandbox:mysql?innodb_buffer_pool_size=128M --kind power --cuts 3 --threads 2 --time 1 \
                --warmup-time 0 --tables 1 --table-size 1000";
    let mut child = mydyno(&results, &line.split_whitespace().collect::<Vec<_>>()).spawn().unwrap();
    // Servers of a run are called after its process.
    let own = format!("-{}/", child.id());
    let is_mounted =
        || std::fs::read_to_string("/proc/self/mountinfo").unwrap().lines().any(|line| line.contains(&own));
    let has_process = || {
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        { all }.any(|one| {
            let line = std::fs::read(one.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&own)
        })
    };
    let crashes = || {
        let runs = std::fs::read_dir(results.path().join("results")).into_iter().flatten().flatten();
        let trials = runs.flat_map(|run| std::fs::read_dir(run.path().join("trials")).into_iter().flatten());
        let text =
            trials.flatten().filter_map(|one| std::fs::read_to_string(one.path().join("trial.json")).ok());
        text.filter(|text| text.contains("\"recovery\"")).count()
    };
    let deadline = Instant::now() + Duration::from_secs(180);
    while crashes() == 0 || !is_mounted() {
        assert!(Instant::now() < deadline, "no crash, or no disk for the second one");
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let known = crashes();
    assert!(known < 3, "it was killed in the middle");

    let (code, stdout, stderr) = output(&results, &["resume"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert_eq!((is_mounted(), has_process()), (false, false), "of the process that was killed");
    assert_eq!((crashes(), &json(&results)["cells"][0]["crash"]["crashes"]), (3, &3.into()), "{stdout}");
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
