//! The parts of one trial.

use std::collections::BTreeMap;

use model::{EventUse, OperationKind, OperationSummary, Snapshot};

use crate::input::TrialInput;
use crate::machine::{readings, seconds_between, snapshots};
use crate::threads;

/// Before a transaction begins: it was due, and no client was free.
pub(super) const QUEUE: &str = "queue";
/// Between statements: the generator itself.
pub(super) const CLIENT: &str = "client";

/// The name of the operation that ends a transaction.
const COMMIT: &str = "commit";
/// Threads that serve a client are called so, by MySQL itself and in snapshots of MariaDB.
const CLIENTS: &str = "connection";

/// What time is spent on, besides what every trial tells.
pub(super) const RESOURCES: [&str; 7] =
    ["network", "cpu", "cpu_wait", "row_locks", "data_io", "replication", "commit_wait"];

/// Milliseconds of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TrialParts {
    /// Which repeat.
    pub repeat: u32,
    /// The whole.
    pub response_ms: f64,
    /// By statement: adds up to the whole.
    pub statements: Vec<(String, f64)>,
    /// By what the time was spent on, as far as it is known: without the remainder.
    pub resources: Vec<(String, f64)>,
}

/// None where no statement was timed.
pub(super) fn parts(trial: &TrialInput<'_>) -> Option<TrialParts> {
    let measured = &trial.result.measured;
    let whole = measured.operations.first().filter(|whole| whole.response.count > 0)?;
    let timed: Vec<Timed<'_>> = measured.operations.iter().filter_map(|one| Timed::of(one, whole)).collect();
    if timed.is_empty() || trial.result.stated.is_some() {
        return None;
    }
    let response_ms = whole.response.mean_ns / 1e6;
    let service_ms = whole.service.mean_ns / 1e6;
    let queue = (QUEUE.to_owned(), response_ms - service_ms);
    let in_statements: f64 = timed.iter().map(|one| one.ms).sum();
    let client = (CLIENT.to_owned(), service_ms - in_statements);
    // In a closed loop nothing waits for a client.
    let has_queue = queue.1 > 0.005 * response_ms;
    let around =
        || if has_queue { vec![queue.clone(), client.clone()] } else { vec![with(&client, queue.1)] };
    let statements = timed.iter().map(|one| (one.name.to_owned(), one.ms)).chain(around()).collect();
    let known = resources(trial, &timed).into_iter().filter(|(_, ms)| ms.is_finite());
    let resources = around().into_iter().chain(known.map(|(id, ms)| (id.to_owned(), ms))).collect();
    Some(TrialParts { repeat: trial.result.cell.repeat, response_ms, statements, resources })
}

fn with(part: &(String, f64), more: f64) -> (String, f64) {
    (part.0.clone(), part.1 + more)
}

/// A statement, per transaction.
struct Timed<'a> {
    name: &'a str,
    executions: f64,
    ms: f64,
}

impl<'a> Timed<'a> {
    fn of(one: &'a OperationSummary, whole: &OperationSummary) -> Option<Self> {
        let asked = one.kind == OperationKind::Statement && one.service.count > 0;
        let executions = one.service.count as f64 / whole.response.count as f64;
        asked.then(|| Self { name: &one.name, executions, ms: executions * one.service.mean_ns / 1e6 })
    }
}

/// A request that asks for nothing takes less than this on one machine: CPU and waiting for one, which are parts of their own.
const NEAR_MS: f64 = 0.15;

/// Milliseconds of a round trip to a server of another machine, or at a simulated distance, while it was idle; otherwise
/// zero. None where nobody looked whether its process is of this machine.
fn round_trip_ms(trial: &TrialInput<'_>) -> Option<f64> {
    let idle_ms = trial.result.server().and_then(|facts| facts.round_trip_ms)?;
    let seen = readings(trial, trial.watched);
    if seen.is_empty() {
        return None;
    }
    let is_here = seen.iter().any(|reading| reading.process.is_some());
    Some(if is_here && idle_ms <= NEAR_MS { 0.0 } else { idle_ms })
}

/// What is known of the time in statements. What follows is not part of what comes before.
fn resources(trial: &TrialInput<'_>, timed: &[Timed<'_>]) -> Vec<(&'static str, f64)> {
    let executions: f64 = timed.iter().map(|one| one.executions).sum();
    let round_trip_ms = round_trip_ms(trial);
    let per_s = trial.result.measured.transactions as f64 / trial.result.measured.measured_s;
    let (cpu, cpu_wait) = threads_of_clients(trial, per_s);
    let replication = status_ms(trial, &SEMISYNC_WAIT, 1e-3, per_s);
    // COMMIT without its round trip, its own CPU (that of a mean statement) and what is known of other servers.
    let commit = timed.iter().find(|one| one.name == COMMIT).map(|commit| {
        let own_cpu = (cpu.unwrap_or(0.0) + cpu_wait.unwrap_or(0.0)) / executions;
        let trip = round_trip_ms.unwrap_or(0.0);
        (commit.ms - commit.executions * (trip + own_cpu) - replication.unwrap_or(0.0)).max(0.0)
    });
    let found = [
        round_trip_ms.map(|trip| trip * executions),
        cpu,
        cpu_wait,
        status_ms(trial, &["innodb_row_lock_time"], 1.0, per_s),
        data_io(trial, per_s),
        replication.filter(|ms| *ms > 0.0),
        commit,
    ];
    RESOURCES.into_iter().zip(found).filter_map(|(id, ms)| Some((id, ms?))).collect()
}

/// Microseconds of waiting for acknowledgements of replicas, summed over transactions; by version.
const SEMISYNC_WAIT: [&str; 2] = ["rpl_semi_sync_source_tx_wait_time", "rpl_semi_sync_master_tx_wait_time"];

/// CPU of the threads that serve clients, and their waiting for one, milliseconds per transaction.
fn threads_of_clients(trial: &TrialInput<'_>, per_s: f64) -> (Option<f64>, Option<f64>) {
    let (mut cpu, mut wait) = (Some(0.0), Some(0.0));
    for watched in trial.used() {
        let named = threads::named(trial, watched);
        let own = named.as_ref().and_then(|(_, named)| named.get(CLIENTS)).filter(|own| own.cpus > 0.0);
        cpu = cpu.zip(own).map(|(sum, own)| sum + own.cpus);
        wait = wait.zip(own.and_then(|own| own.waiting)).map(|(sum, own)| sum + own);
    }
    let ms = |per_second: f64| per_second / per_s * 1e3;
    (cpu.map(ms), wait.map(ms))
}

/// A status variable that counts time, of which `unit_ms` is one, per transaction; the first of these names that a server has.
fn status_ms(trial: &TrialInput<'_>, names: &[&str], unit_ms: f64, per_s: f64) -> Option<f64> {
    let of_server = |watched| {
        let readings = readings(trial, watched);
        let (first, last) = (readings.first()?, readings.last()?);
        let name = names.iter().find(|name| first.status.contains_key(**name))?;
        let counted = *last.status.get(*name)? as f64 - first.status[*name] as f64;
        let seconds = seconds_between(trial, first.at_s, last.at_s)?;
        (counted >= 0.0).then_some(counted * unit_ms / seconds / per_s)
    };
    trial.used().map(of_server).sum()
}

/// Waits of clients' threads for files other than those of the redo and binary logs.
fn data_io(trial: &TrialInput<'_>, per_s: f64) -> Option<f64> {
    let of_server = |watched| {
        let (before, after, seconds) = snapshots(trial, watched)?;
        let seconds_waited = waited(before, after)?;
        Some(seconds_waited / seconds / per_s * 1e3)
    };
    trial.used().map(of_server).sum()
}

fn waited(before: &Snapshot, after: &Snapshot) -> Option<f64> {
    let is_log = |event: &str| event.ends_with("/innodb_log_file") || event.ends_with("/binlog");
    let sum = |waits: &BTreeMap<String, EventUse>| {
        waits.iter().filter(|(event, _)| !is_log(event)).map(|(_, one)| one.time_s).sum::<f64>()
    };
    (!after.client_waits.is_empty()).then(|| (sum(&after.client_waits) - sum(&before.client_waits)).max(0.0))
}

/// The part of that name; zero if there is none.
pub(crate) fn of(parts: &[(String, f64)], id: &str) -> f64 {
    parts.iter().find(|(name, _)| name == id).map_or(0.0, |(_, ms)| *ms)
}
