//! State of the servers of a topology after the load, over the trials of a cell.

use std::collections::BTreeMap;

use messages::message;
use model::{LinkCut, StaleReads};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::input::TrialInput;
use crate::queues::{Queues, queues};

/// What became of the servers of a topology after the load, over the trials of a cell.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TogetherSummary {
    /// How long it took at most until all servers had applied everything, seconds.
    pub caught_up_s: f64,
    /// Tables whose rows were compared on all servers; 0: none, as nothing was written, or the servers are not ours.
    pub compared: u32,
    /// The longest that a replica was behind within the measured window, seconds; none where no heartbeat tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag_max_s: Option<f64>,
    /// All of it in a sentence.
    pub says: Words,
    /// What waited between them within the measured window, in a sentence; none where nothing tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queues: Option<Words>,
    /// Whether replicas that clients read from showed what had been committed, in a sentence; none where that was not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads: Option<Words>,
}

/// Summarises it; none where no trial has data, or where some table differs, which is a caveat.
pub(crate) fn together(completed: &[&TrialInput<'_>]) -> Option<TogetherSummary> {
    let each = || completed.iter().filter_map(|trial| trial.result.together.as_ref());
    let caught_up_s = each().filter_map(|one| one.caught_up_s).reduce(f64::max)?;
    if each().any(|one| !one.differing.is_empty() || one.unknown.is_some()) {
        return None;
    }
    let compared = each().map(|one| one.compared).min().unwrap_or_default();
    let lag_max_s = each().filter_map(|one| one.lag_max_s).reduce(f64::max);
    let says = message!(
        "together",
        lag = Figure?(lag_max_s),
        after = Figure(caught_up_s),
        compared = Count(compared)
    );
    let reads = stale_reads(each().flat_map(|one| &one.stale_reads));
    Some(TogetherSummary { caught_up_s, compared, lag_max_s, says, queues: waited(completed), reads })
}

/// The server that was cut off, and the time.
fn link_cut(target: &str, cut: &LinkCut) -> Words {
    message!(
        "link-cut",
        server = Text(model::member_name(target, cut.server as usize - 1)),
        from = Seconds(cut.from_ms as f64 / 1e3),
        length = Seconds(cut.length_ms as f64 / 1e3)
    )
}

/// The activity of a cell's simulated network, in the trial with the latest packets.
pub(crate) fn simulated_network(completed: &[&TrialInput<'_>]) -> Option<Words> {
    let each = completed.iter().filter_map(|trial| trial.result.network);
    let used = each.max_by_key(|used| used.late_p99_ns)?;
    let ms = |us: Option<u64>| us.map(|us| us as f64 / 1e3);
    Some(message!(
        "simulated-network",
        delay = Figure?(ms(used.delay_us)),
        clients = Figure?(ms(used.client_delay_us)),
        cut = Message?(used.cut.map(|cut| link_cut(&completed[0].result.cell.target, &cut))),
        median = Figure(used.late_p50_ns as f64 / 1e6),
        p99 = Figure(used.late_p99_ns as f64 / 1e6),
        cpu = Figure?(used.cpu_s)
    ))
}

/// How often each replica missed a commit, and how late the slowest showed it.
fn stale_reads<'a>(all: impl Iterator<Item = &'a StaleReads>) -> Option<Words> {
    let mut of_servers: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let (mut p50_us, mut p99_us, mut max_us) = (0, 0, 0);
    for one in all.filter(|one| one.reads > 0) {
        let (reads, stale) = of_servers.entry(&one.server).or_default();
        (*reads, *stale) = (*reads + one.reads, *stale + one.stale);
        p50_us = p50_us.max(one.until_seen_p50_us);
        p99_us = p99_us.max(one.until_seen_p99_us);
        max_us = max_us.max(one.until_seen_max_us);
    }
    let each = of_servers.iter().map(|(server, (reads, stale))| {
        message!("stale-reads-of", server = Text(*server), reads = Count(*reads), stale = Count(*stale))
    });
    let stale: u64 = of_servers.values().map(|(_, stale)| stale).sum();
    let ms = |us: u64| us as f64 / 1e3;
    (!of_servers.is_empty()).then(|| {
        message!(
            "stale-reads",
            stale = Count(stale),
            servers = Enumeration(each.collect::<Vec<_>>()),
            median = Figure(ms(p50_us)),
            p99 = Figure(ms(p99_us)),
            max = Figure(ms(max_us))
        )
    })
}

/// The longest queue, the conflicts and the acknowledgements of a cell.
fn waited(completed: &[&TrialInput<'_>]) -> Option<Words> {
    let each: Vec<Queues> = completed.iter().map(|trial| queues(trial)).collect();
    let most = each.iter().filter_map(|one| one.waiting_max).max();
    let conflicts = each.iter().filter_map(|one| one.conflicts).reduce(|a, b| a + b);
    let waits: Vec<f64> = each.iter().filter_map(|one| one.acknowledgement_ms).collect();
    let paused = each.iter().filter_map(|one| Some(one.flow_control.as_ref()?.share)).reduce(f64::max);
    let parts = [
        most.map(|most| message!("queue-longest", transactions = Count(most))),
        stats::mean(&waits).map(|ms| message!("acknowledgement-mean", ms = Figure(ms))),
        paused
            .filter(|share| *share > 0.0)
            .map(|share| message!("flow-control-share", share = Percent(share))),
        conflicts.map(|conflicts| message!("conflicts-found", transactions = Count(conflicts))),
    ];
    let parts: Vec<Words> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| message!("queues", parts = Sentences(parts)))
}
