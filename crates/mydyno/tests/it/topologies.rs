//! Topologies of sandboxes: every kind comes up, carries load, and is looked at while it does.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail by panicking and say what they skip"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{home, json, mydyno, output};

/// A sandboxed topology carries both kinds of workload, and all of its servers hold the same rows in the end. Of each of them
/// the page has these lines, which are about replication, at least.
fn carries_both_workloads(target: &str, servers: usize, of_primary: &[&str], of_replicas: &[&str]) {
    let results = tempfile::tempdir().unwrap();
    let line = format!(
        "sweep oltp_read_write tpcc --target {target} --threads 2 --time 2 --warmup-time 0 --repeats 1 \
                --tables 2 --table-size 1000 --warehouses 1 --bookend=off --rand-seed 7"
    );
    let words: Vec<&str> = line.split_whitespace().collect();
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{target}: {stdout}{stderr}");
    let report = json(&results);
    let cells = report["cells"].as_array().unwrap();
    let compared: Vec<u64> =
        cells.iter().map(|cell| cell["together"]["compared"].as_u64().unwrap_or(0)).collect();
    assert_eq!(compared, [2, 9], "{target}: {stdout}");
    let names = report["targets"][0]["members"].as_array().unwrap();
    assert_eq!(names.len(), servers, "{target}: {names:?}");
    let trial = &report["cells"][0]["trials"][0];
    let has = |observed: &serde_json::Value, expected: &[&str]| {
        let lines: Vec<&str> =
            observed["series"].as_array().unwrap().iter().map(|line| line["id"].as_str().unwrap()).collect();
        assert!(expected.iter().all(|id| lines.contains(id)), "{target}: {lines:?}");
    };
    has(&trial["observed"], of_primary);
    let others = trial["others"].as_array().unwrap();
    assert_eq!(others.len(), servers - 1, "{target}");
    others.iter().for_each(|other| has(other, of_replicas));
    let queues = &report["cells"][0]["together"]["queues"]["en"];
    assert!(queues.as_str().unwrap_or_default().contains("waiting"), "{target}: {queues}");
}

/// Lines of a replica that reads from a primary.
const OF_REPLICA: [&str; 3] = ["received", "applied", "relay_log"];

#[test]
fn mysql_with_asynchronous_replicas_carries_both_workloads() {
    carries_both_workloads(
        "sandbox:mysql?topology=async&members=3&innodb_buffer_pool_size=128M",
        3,
        &[],
        &OF_REPLICA,
    );
}

#[test]
fn mysql_with_a_semisynchronous_replica_carries_both_workloads() {
    carries_both_workloads(
        "sandbox:mysql?topology=semisync&acks=1&innodb_buffer_pool_size=128M",
        2,
        &["acknowledgement"],
        &OF_REPLICA,
    );
}

#[test]
fn a_group_of_mysql_carries_both_workloads() {
    carries_both_workloads(
        "sandbox:mysql?topology=group&innodb_buffer_pool_size=128M",
        3,
        &["certification_rows"],
        &["received", "applied"],
    );
}

#[test]
fn mariadb_with_an_asynchronous_replica_carries_both_workloads() {
    carries_both_workloads(
        "sandbox:mariadb?topology=async&innodb_buffer_pool_size=128M",
        2,
        &[],
        &OF_REPLICA,
    );
}

#[test]
fn mariadb_with_a_semisynchronous_replica_carries_both_workloads() {
    carries_both_workloads(
        "sandbox:mariadb?topology=semisync&innodb_buffer_pool_size=128M",
        2,
        &["acknowledgement"],
        &OF_REPLICA,
    );
}

#[test]
fn a_galera_cluster_carries_both_workloads() {
    carries_both_workloads(
        "sandbox:mariadb?topology=galera&innodb_buffer_pool_size=128M",
        3,
        &[],
        &["received", "applied"],
    );
}

/// How many transactions each server of a target committed in its only trial.
pub(crate) fn commits(target: &str) -> Vec<u64> {
    let results = tempfile::tempdir().unwrap();
    let line =
        format!("run oltp_read_write --target {target} --threads 4 --time 3 --tables 2 --table-size 10000");
    let words: Vec<&str> = line.split_whitespace().collect();
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{target}: {stdout}{stderr}");
    let run = entry(&results.path().join("results"), "2", "").unwrap();
    let trial = entry(&run.join("trials"), "00", "").unwrap();
    let read = |dir: &Path, name: &str| -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(dir.join(name)).unwrap()).unwrap()
    };
    let mut dirs = vec![trial.clone()];
    dirs.extend((2..).map_while(|n| entry(&trial.join("members"), &format!("{n}-"), "")));
    let of = |dir: PathBuf| {
        let counted =
            |name: &str| read(&dir, name)["status"]["com_commit"].as_str().unwrap().parse::<u64>().unwrap();
        counted("snapshot-after.json") - counted("snapshot-before.json")
    };
    dirs.into_iter().map(of).collect()
}

/// With several servers that take writes each of them has its share of the clients.
#[test]
fn clients_are_spread_over_servers_that_all_take_writes() {
    let own = "innodb_buffer_pool_size=128M";
    for (target, servers) in [
        (format!("sandbox:mariadb?instances=2&{own}"), 2),
        (format!("sandbox:mysql?topology=group&multi_primary=on&{own}"), 3),
        (format!("sandbox:mariadb?topology=galera&multi-primary=on&{own}"), 3),
    ] {
        let commits = commits(&target);
        assert_eq!(commits.len(), servers, "{target}");
        assert!(commits.iter().all(|count| *count > 10), "{target}: {commits:?}");
    }
}

/// Transactions per second of four clients that commit each statement, with a round trip of 20 ms between the servers.
fn commits_over_a_slow_link(topology: &str) -> f64 {
    let results = tempfile::tempdir().unwrap();
    let target = format!("sandbox:mysql?topology={topology}&link_delay=10ms&innodb_buffer_pool_size=128M");
    let line = format!(
        "run oltp_update_index --target {target} --threads 4 --time 4 --warmup-time 1 --tables 1 \
                --table-size 1000"
    );
    let words: Vec<&str> = line.split_whitespace().collect();
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    let cell = &report["cells"][0];
    let network = cell["simulated_network"]["en"].as_str().unwrap_or_default();
    assert!(network.starts_with("Simulated network between the servers: 10.0 ms one way."), "{cell}");
    cell["throughput_per_s"]["mean"].as_f64().unwrap()
}

/// Each commit of semisynchronous replication waits for a round trip; those of asynchronous replication do not.
#[test]
fn a_slow_link_bounds_semisynchronous_commits_only() {
    if let Err(error) = network::check() {
        println!("not shown here: {error}");
        return;
    }
    let bound = 4.0 / 0.020;
    let semisync = commits_over_a_slow_link("semisync");
    assert!(semisync <= 1.05 * bound, "{semisync} transactions/s, at most {bound} are possible");
    let asynchronous = commits_over_a_slow_link("async");
    assert!(asynchronous > 1.05 * bound, "{asynchronous} transactions/s");
}

/// Clients that are 10 ms away from a server wait 20 ms for each answer, whatever it does.
#[test]
fn distant_clients_wait_for_a_round_trip() {
    if let Err(error) = network::check() {
        println!("not shown here: {error}");
        return;
    }
    let results = tempfile::tempdir().unwrap();
    let words: Vec<&str> = "run oltp_point_select --target \
                far=sandbox:mariadb?client_delay=10ms&innodb_buffer_pool_size=128M --threads 4 --time 3 \
                --warmup-time 1 --tables 1 --table-size 1000"
        .split_whitespace()
        .collect();
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    let cell = &report["cells"][0];
    let network = cell["simulated_network"]["en"].as_str().unwrap_or_default();
    assert!(
        network.starts_with("Simulated network between clients and servers: 10.0 ms one way."),
        "{network}"
    );
    let per_s = cell["throughput_per_s"]["mean"].as_f64().unwrap();
    let least_ms = cell["operations"][0]["response"]["min_ms"].as_f64().unwrap();
    assert!(least_ms >= 20.0 && per_s <= 4.0 / 0.020, "{least_ms} ms, {per_s}/s");
    assert!(stdout.contains("TCP, round trip 20."), "{stdout}");
}

/// A semisynchronous primary that is cut off commits nothing until its replica is there again, and nothing is lost.
#[test]
fn a_cut_stops_semisynchronous_commits_and_heals() {
    if let Err(error) = network::check() {
        println!("not shown here: {error}");
        return;
    }
    let results = tempfile::tempdir().unwrap();
    let words: Vec<&str> = "run oltp_update_index --target \
                ha=sandbox:mariadb?topology=semisync&link_cut=1s+2s&innodb_buffer_pool_size=128M --threads 4 \
                --time 6 --warmup-time 0 --tables 1 --table-size 1000"
        .split_whitespace()
        .collect();
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    let cell = &report["cells"][0];
    assert_eq!(cell["together"]["compared"], 1, "{stdout}");
    let said = cell["simulated_network"]["en"].as_str().unwrap_or_default();
    assert!(said.contains(": ha was cut off from the others at 1 s of the load, for 2 s."), "{said}");
    let run = entry(&results.path().join("results"), "20", "").unwrap();
    let trial = entry(&run.join("trials"), "", "").unwrap();
    let trial: serde_json::Value =
        serde_json::from_slice(&std::fs::read(trial.join("trial.json")).unwrap()).unwrap();
    let stalls = trial["stalls"]["longest"].as_array().unwrap();
    let of = |stall: &serde_json::Value| {
        (
            stall["from_s"].as_f64().unwrap(),
            stall["from_s"].as_f64().unwrap() + stall["length_s"].as_f64().unwrap(),
        )
    };
    let cut = stalls.iter().map(of).find(|(from, to)| to - from > 1.5);
    let (from, to) = cut.unwrap_or_else(|| panic!("{stalls:?}"));
    assert!((0.8..1.5).contains(&from) && (2.8..5.0).contains(&to), "{stalls:?}");
}

/// Waits for something that is there within a minute.
pub(crate) fn found<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "it was not there within a minute");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The entries of a directory whose names begin and end so.
pub(crate) fn entry(dir: &Path, begins: &str, ends: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path());
    let is_it = |path: &PathBuf| {
        path.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.starts_with(begins) && name.ends_with(ends)
        })
    };
    entries.into_iter().find(is_it)
}

/// A run of five seconds on a primary with its replica, and the directory of the replica once the load goes on.
fn begun(results: &tempfile::TempDir) -> (std::process::Child, PathBuf) {
    begun_on(results, "sandbox:mariadb?topology=async&innodb_buffer_pool_size=128M")
}

fn begun_on(results: &tempfile::TempDir, target: &str) -> (std::process::Child, PathBuf) {
    let line =
        format!("run oltp_write_only --target {target} --threads 2 --time 5 --tables 1 --table-size 10000");
    let words: Vec<&str> = line.split_whitespace().collect();
    let run = mydyno(results, &words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let servers = home().0.join("servers");
    let label = if target.contains("semisync") { "semisync" } else { "async" };
    let replica = found(|| entry(&servers, &format!("run-{label}-2-"), &format!("-{}", run.id())));
    found(|| {
        let trials = entry(&results.path().join("results"), "", "")?.join("trials");
        entry(&trials, "", "")?.join("members/2-replica/observations.jsonl").exists().then_some(())
    });
    (run, replica)
}

pub(crate) fn signal(signal: &str, process: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), process]).status();
    assert!(sent.unwrap().success(), "{signal} to {process}");
}

/// A replica that stood still for three seconds in the middle is named, and seen to be behind when it goes on.
#[test]
fn a_replica_that_stands_still_is_named_and_behind() {
    let results = tempfile::tempdir().unwrap();
    let (mut run, replica) = begun(&results);
    let process = std::fs::read_to_string(replica.join("pid")).unwrap().trim().to_owned();
    signal("STOP", &process);
    std::thread::sleep(Duration::from_secs(3));
    signal("CONT", &process);
    run.wait().unwrap();
    let report = json(&results);
    let caveats = report["cells"][0]["caveats"].to_string();
    assert!(caveats.contains("async:2 did not answer"), "{caveats}");
    let lag = report["cells"][0]["trials"][0]["others"][0]["series"].as_array().unwrap();
    let lag = lag.iter().find(|line| line["id"] == "lag").unwrap()["values"].as_array().unwrap();
    assert!(lag.iter().filter_map(serde_json::Value::as_f64).any(|s| s > 1.0), "{lag:?}");
}

/// Readings of a server in the only trial of the only run.
fn readings(results: &tempfile::TempDir, of: &str) -> Vec<serde_json::Value> {
    let trial = only_trial(results);
    let text = std::fs::read_to_string(trial.join(of).join("observations.jsonl")).unwrap();
    // The first line says the format.
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn only_trial(results: &tempfile::TempDir) -> PathBuf {
    let run = entry(&results.path().join("results"), "20", "").unwrap();
    entry(&run.join("trials"), "", "").unwrap()
}

/// On the time axis of the recording: a replica that stands still shows as lag before it answers again.
#[test]
fn a_frozen_replica_shows_as_lag_within_two_seconds() {
    let results = tempfile::tempdir().unwrap();
    let line = "run oltp_write_only --target sandbox:mariadb?topology=async&innodb_buffer_pool_size=128M \
                --threads 2 --time 13 --warmup-time 0 --tables 1 --table-size 1000";
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words.extend(["--event", "2s freeze 2 for 8s"]);
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let result = std::fs::read(only_trial(&results).join("trial.json")).unwrap();
    let result: serde_json::Value = serde_json::from_slice(&result).unwrap();
    let [from_s, until_s] = ["at_s", "until_s"].map(|end| result["events"][0][end].as_f64().unwrap());
    let seen = readings(&results, "members/2-replica");
    let at_s = |one: &serde_json::Value| one["at_s"].as_f64().unwrap();
    let lag_s = |one: &serde_json::Value| one["lag_s"].as_f64().unwrap_or_default();
    let is_answer = |one: &serde_json::Value| !one["status"].as_object().unwrap().is_empty();
    assert!(seen.is_sorted_by_key(at_s), "{seen:?}");
    let within = |one: &&serde_json::Value| (from_s..=from_s + 2.0).contains(&at_s(one));
    let early: Vec<f64> = seen.iter().filter(within).map(lag_s).collect();
    assert!(early.iter().any(|lag_s| *lag_s > 1.0), "stopped at {from_s} s: {early:?}");
    // It goes on to rise as long as the replica stands still, beyond what an answer is waited for.
    let last = seen.iter().rfind(|one| at_s(one) < until_s && !is_answer(one)).unwrap();
    assert!(lag_s(last) > 6.0 && at_s(last) > until_s - 2.0, "{last}, until {until_s} s");
    // And is read again once it answers.
    assert!(seen.iter().any(|one| at_s(one) > until_s && is_answer(one)), "{seen:?}");
    let lag_max_s = result["together"]["lag_max_s"].as_f64().unwrap();
    assert!(lag_max_s > 6.0, "{lag_max_s}");
}

/// Semisynchronous replication that is asynchronous between two looks only is not what the label says either.
#[test]
fn a_short_fallback_of_semisynchronous_replication_is_seen() {
    let results = tempfile::tempdir().unwrap();
    let target = "sandbox:mysql?topology=semisync&primary.rpl_semi_sync_source_timeout=100&innodb_buffer_pool_size=128M";
    let (mut run, replica) = begun_on(&results, target);
    let process = std::fs::read_to_string(replica.join("pid")).unwrap().trim().to_owned();
    signal("STOP", &process);
    std::thread::sleep(Duration::from_millis(400));
    signal("CONT", &process);
    run.wait().unwrap();
    let report = json(&results);
    let cell = &report["cells"][0];
    let caveats = cell["caveats"].as_array().unwrap();
    let degraded = caveats.iter().find(|one| one["id"] == "topology_degraded");
    let degraded = degraded.unwrap_or_else(|| panic!("{caveats:?}"));
    assert_eq!(degraded["severity"], "invalid", "{degraded}");
    let result = std::fs::read(only_trial(&results).join("trial.json")).unwrap();
    let result: serde_json::Value = serde_json::from_slice(&result).unwrap();
    let faults = result["together"]["faults"].as_array().unwrap();
    let fell = faults.iter().find(|one| one["kind"] == "fell_back" || one["kind"] == "semisync_off");
    assert!(fell.is_some_and(|one| one["server"] == "semisync"), "{faults:?}");
}

/// A row that only the primary has is found after the load.
#[test]
fn rows_that_differ_between_servers_fail_the_run() {
    let results = tempfile::tempdir().unwrap();
    let (mut run, replica) = begun(&results);
    let mut servers = std::fs::read_dir(home().0.join("servers")).unwrap().flatten().map(|one| one.path());
    let is_primary = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        *path != replica && name.starts_with("run-async-") && name.ends_with(&format!("-{}", run.id()))
    };
    let primary = servers.find(is_primary).unwrap();
    let sql = "SET sql_log_bin = 0; UPDATE sbtest1 SET pad = 'only here' WHERE id > 9000";
    let update = Command::new("mariadb")
        .arg(format!("--defaults-file={}", primary.join("client.cnf").display()))
        .args(["-D", "sbtest", "-e", sql])
        .status();
    assert!(update.unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(3));
    let report = json(&results);
    let caveats = report["cells"][0]["caveats"].as_array().unwrap();
    let differ = caveats.iter().find(|one| one["id"] == "servers_differ");
    let differ = differ.unwrap_or_else(|| panic!("{caveats:?}"));
    assert_eq!(differ["severity"], "invalid");
    let said = differ["text"]["en"].as_str().unwrap();
    assert!(said.contains("table sbtest1 of async:2 differs from the primary"), "{said}");
}

#[test]
fn a_replica_that_dies_is_named() {
    let results = tempfile::tempdir().unwrap();
    let (mut run, replica) = begun(&results);
    signal("KILL", std::fs::read_to_string(replica.join("pid")).unwrap().trim());
    assert_eq!(run.wait().unwrap().code(), Some(1));
    let (_, text, _) = output(&results, &["report", "latest", "--format", "text"]);
    assert!(
        text.contains("Not valid") && text.contains("async:2: the server died: killed by signal 9"),
        "{text}"
    );
}

#[test]
fn a_replica_that_stops_applying_is_named() {
    let results = tempfile::tempdir().unwrap();
    let (mut run, replica) = begun(&results);
    let stop = Command::new("mariadb")
        .arg(format!("--defaults-file={}", replica.join("client.cnf").display()))
        .args(["-e", "STOP SLAVE SQL_THREAD"])
        .status();
    assert!(stop.unwrap().success());
    // It waits a minute for a replica to catch up, which this one does not: Ctrl-C ends the wait.
    std::thread::sleep(Duration::from_secs(6));
    signal("INT", &run.id().to_string());
    run.wait().unwrap();
    let (_, text, _) = output(&results, &["report", "latest", "--format", "text"]);
    assert!(text.contains("Not valid") && text.contains("async:2 did not apply transactions"), "{text}");
    assert!(text.contains("unknown whether the servers hold the same rows"), "{text}");
    // What it received and did not apply queued up, second by second.
    let series = json(&results)["cells"][0]["trials"][0]["others"][0]["series"].clone();
    let queue = series.as_array().unwrap().iter().find(|line| line["id"] == "to_apply");
    let queue: Vec<f64> =
        queue.unwrap()["values"].as_array().unwrap().iter().filter_map(serde_json::Value::as_f64).collect();
    let most = queue.iter().copied().fold(0.0, f64::max);
    assert!(most > 100.0 && queue.last() == Some(&most), "{queue:?}");
}
