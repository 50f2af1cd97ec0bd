//! Cost of MySQL Router between clients and servers, over the trials of a cell.

use messages::message;
use model::{RouterCpu, RouterRoundTrip, RouterUse};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::input::TrialInput;

/// What MySQL Router between clients and servers cost, over the trials of a cell. Of each figure: the median of the trials.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RouterSummary {
    /// Its version.
    pub version: String,
    /// A small request sent directly, and through the router, just before the trials; none where that could not be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip: Option<RouterAdds>,
    /// CPUs that it used within the measured window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus: Option<f64>,
    /// Its CPU time for each transaction, microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us_per_transaction: Option<f64>,
    /// Its resident memory at the end of the load, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// All of it in a sentence.
    pub says: Words,
}

/// What a router adds to a round trip, microseconds.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RouterAdds {
    /// Directly: median.
    pub direct_p50_us: f64,
    /// Directly: 99th percentile.
    pub direct_p99_us: f64,
    /// Through the router: median.
    pub through_p50_us: f64,
    /// Through the router: 99th percentile.
    pub through_p99_us: f64,
    /// What it adds to the median.
    pub added_p50_us: f64,
}

/// Summarises the router; none where clients connected to the servers directly.
pub(crate) fn router(completed: &[&TrialInput<'_>]) -> Option<RouterSummary> {
    let used: Vec<(&RouterUse, u64, f64)> = completed
        .iter()
        .filter_map(|trial| {
            let measured = &trial.result.measured;
            Some((trial.result.router.as_ref()?, measured.transactions, measured.measured_s))
        })
        .collect();
    let version = used.first()?.0.version.clone();
    let trips: Vec<RouterRoundTrip> = used.iter().filter_map(|(one, ..)| one.round_trip).collect();
    let us = |of: fn(&RouterRoundTrip) -> f64| Some(median(trips.iter().map(of))? / 1e3);
    let round_trip = (|| {
        Some(RouterAdds {
            direct_p50_us: us(|one| one.direct_p50_ns as f64)?,
            direct_p99_us: us(|one| one.direct_p99_ns as f64)?,
            through_p50_us: us(|one| one.through_p50_ns as f64)?,
            through_p99_us: us(|one| one.through_p99_ns as f64)?,
            added_p50_us: us(RouterRoundTrip::added_p50_ns)?,
        })
    })();
    let cpus = median(used.iter().filter_map(|(one, ..)| cpus(&one.cpu?)));
    let per_transaction = used.iter().filter_map(|(one, transactions, measured_s)| {
        (*transactions > 0).then_some(cpus_of(one)? * measured_s / *transactions as f64 * 1e6)
    });
    let cpu_us_per_transaction = median(per_transaction);
    let memory_bytes = used.iter().filter_map(|(one, ..)| one.memory_bytes).max();
    let adds = round_trip.map(|one| {
        message!(
            "router-adds",
            added = Figure(one.added_p50_us),
            direct = Figure(one.direct_p50_us),
            directtail = Figure(one.direct_p99_us),
            through = Figure(one.through_p50_us),
            throughtail = Figure(one.through_p99_us)
        )
    });
    let uses = cpus.zip(cpu_us_per_transaction).zip(memory_bytes).map(|((cpus, each), memory)| {
        message!("router-uses", cpus = Hundredths(cpus), each = Figure(each), memory = Bytes(memory))
    });
    let parts: Vec<Words> = [Some(message!("router-version", version = Text(&version))), adds, uses]
        .into_iter()
        .flatten()
        .collect();
    let says = message!("router", parts = Sentences(parts));
    Some(RouterSummary { version, round_trip, cpus, cpu_us_per_transaction, memory_bytes, says })
}

fn cpus_of(used: &RouterUse) -> Option<f64> {
    cpus(&used.cpu?)
}

fn cpus(cpu: &RouterCpu) -> Option<f64> {
    (cpu.window_s > 0.0).then(|| cpu.cpu_s / cpu.window_s)
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    stats::quantile(&values.collect::<Vec<_>>(), 0.5)
}
