//! Queues between the servers of a topology in the measured window of a trial, and what held its commits back.

use model::Observation;

use crate::input::TrialInput;
use crate::machine::{readings, seconds_between};

/// Queues between servers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Queues {
    /// The most transactions that waited on one server to be applied.
    pub waiting_max: Option<u64>,
    /// Transactions that certification refused, or that others' write sets aborted.
    pub conflicts: Option<u64>,
    /// Mean time that a commit waited for an acknowledgement, ms.
    pub acknowledgement_ms: Option<f64>,
    /// The server for which commits were held back most.
    pub flow_control: Option<FlowControl>,
}

/// Commits that were held back for a server that could not apply them as fast.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FlowControl {
    /// Share of the window.
    pub share: f64,
    /// The server that commits were held back for.
    pub server: String,
    /// Time at which it first exceeded [`HELD_BACK_MIN`], seconds since the clients started.
    pub from_s: Option<f64>,
}

/// Share of a time above which commits were held back in it. Below it, Galera smooths bursts with it.
pub(crate) const HELD_BACK_MIN: f64 = 0.05;

pub(crate) fn queues(trial: &TrialInput<'_>) -> Queues {
    let servers: Vec<(String, &[Observation])> =
        trial.servers().map(|(name, watched)| (name, readings(trial, watched))).collect();
    let all = || servers.iter().map(|(_, readings)| *readings);
    let certified = all().filter_map(|own| between(own, |one| Some(one.group?.conflicts))).max();
    let aborted = all().filter_map(|own| between(own, aborted)).reduce(|a, b| a + b);
    Queues {
        waiting_max: all().flatten().filter_map(Observation::waiting).max(),
        conflicts: certified.or(aborted),
        acknowledgement_ms: all().find_map(acknowledgement_ms),
        flow_control: paused(trial, &servers).or_else(|| throttled(&servers)),
    }
}

/// Growth of a counter.
fn between(own: &[Observation], of: fn(&Observation) -> Option<u64>) -> Option<u64> {
    of(own.last()?)?.checked_sub(of(own.first()?)?)
}

/// Galera: write sets that failed certification, and transactions that gave way to those of other nodes.
fn aborted(one: &Observation) -> Option<u64> {
    Some(one.status.get("wsrep_local_cert_failures")? + one.status.get("wsrep_local_bf_aborts")?)
}

fn acknowledgement_ms(own: &[Observation]) -> Option<f64> {
    let waits = between(own, |one| one.acknowledged().map(|(waits, _)| waits)).filter(|waits| *waits > 0)?;
    Some(between(own, |one| one.acknowledged().map(|(_, us)| us))? as f64 / waits as f64 / 1e3)
}

/// Galera pauses all nodes as soon as one requests it; each counts its paused time, and its requests.
fn paused(trial: &TrialInput<'_>, servers: &[(String, &[Observation])]) -> Option<FlowControl> {
    let share = |own: &[Observation]| {
        let (first, last) = (own.first()?, own.last()?);
        seconds_between(trial, first.at_s, last.at_s)?;
        Some((paused_s(own)? / (last.at_s - first.at_s)).min(1.0))
    };
    let share = servers.iter().filter_map(|(_, own)| share(own)).reduce(f64::max)?;
    let asked = |own: &[Observation]| between(own, |one| one.status.get("wsrep_flow_control_sent").copied());
    let (server, _) = servers.iter().max_by_key(|(_, own)| asked(own))?;
    let began = servers.iter().filter_map(|(_, own)| {
        let mut pairs = own.windows(2).filter(|pair| {
            let length_s = pair[1].at_s - pair[0].at_s;
            paused_s(pair).is_some_and(|paused_s| paused_s > HELD_BACK_MIN * length_s)
        });
        Some(pairs.next()?[0].at_s)
    });
    Some(FlowControl { share, server: server.clone(), from_s: began.reduce(f64::min) })
}

/// Time that a Galera node was paused, seconds.
fn paused_s(own: &[Observation]) -> Option<f64> {
    Some(between(own, |one| one.status.get("wsrep_flow_control_paused_ns").copied())? as f64 / 1e9)
}

/// Group Replication lowers what all members may commit while a queue of one is longer than its threshold.
fn throttled(servers: &[(String, &[Observation])]) -> Option<FlowControl> {
    let share = |own: &[Observation]| {
        let known: Vec<bool> = own.iter().filter_map(|one| Some(one.group?.throttles)).collect();
        (!known.is_empty()).then(|| known.iter().filter(|is| **is).count() as f64 / known.len() as f64)
    };
    let each = servers.iter().filter_map(|(name, own)| Some((name, own, share(own)?)));
    let (server, own, share) = each.max_by(|a, b| a.2.total_cmp(&b.2))?;
    let began = own.iter().find(|one| one.group.is_some_and(|group| group.throttles));
    Some(FlowControl { share, server: server.clone(), from_s: began.map(|one| one.at_s) })
}
