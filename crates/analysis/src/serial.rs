//! What limits commits over a simulated link: round trips, CPUs, or a stage that transactions pass one at a time.
//!
//! While a commit waits for a round trip, N clients complete at most N / D transactions per second, and throughput grows
//! with N. Where it stops growing although CPUs are idle, a stage that takes one transaction at a time may be the limit; if
//! so, each transaction occupies it for 1 / X at a throughput of X. The data do not show what that stage is: a thread, a
//! lock, a synced disk.

use model::{Plan, Reads, Target, Topology};
use serde::{Deserialize, Serialize};

use crate::CONFIDENCE;
use crate::caveat::IDLE_MIN;
use crate::input::Measure;
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;

/// Throughput no longer grows if the 95 % interval of what any greater number of clients adds to it is below this.
pub const GROWTH_MIN: f64 = 0.1;

/// What limits the commits of a target over a simulated link, with one workload.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SerialStage {
    /// Label of the target.
    pub target: String,
    /// Label of the workload.
    pub workload: String,
    /// Round trip between the servers, ms: twice the delay of the link.
    pub round_trip_ms: f64,
    /// The number of clients from which on throughput no longer grows; if it grows to the end, the greatest.
    pub threads: u32,
    /// Throughput there.
    pub per_s: Measure,
    /// The most that this many clients can commit if each commit waits for one round trip; none where commits do not wait, or some
    /// transactions only read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound_per_s: Option<f64>,
    /// Share of the machine's CPU time that was used, the most from there on; none where that was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_busy: Option<f64>,
    /// What may be said.
    pub standing: SerialStanding,
    /// Time of a transaction in a stage that they pass one at a time, if that is the limit, microseconds: 1 / throughput. Of
    /// `Serial` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_us: Option<Measure>,
}

/// What limits commits.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SerialStanding {
    /// Throughput no longer grows, and CPUs are idle.
    Serial,
    /// It no longer grows, and no CPU is idle.
    Cpus,
    /// It no longer grows; how busy the CPUs are is not known.
    CpusUnknown,
    /// It grows up to the greatest number of clients, or may.
    Grows,
    /// Single trials.
    SingleTrials,
}

impl SerialStanding {
    /// Its word in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Serial => "serial",
            Self::Cpus => "cpus",
            Self::CpusUnknown => "cpus-unknown",
            Self::Grows => "grows",
            Self::SingleTrials => "single",
        }
    }
}

/// The serial stages of every target whose servers are at a distance from each other, with every workload that writes and
/// was measured with several numbers of clients.
pub fn serial_stages(plan: &Plan, cells: &[CellSummary]) -> Vec<SerialStage> {
    let workloads = plan.spec.workloads.iter().filter(|workload| workload.reads() != Reads::All);
    let each =
        workloads.flat_map(|workload| plan.spec.targets.iter().map(move |one| (workload, &one.target)));
    each.filter_map(|(workload, target)| {
        let all_write = workload.reads() != Reads::Types;
        of_target(target, workload.label(), all_write, cells)
    })
    .collect()
}

fn of_target(target: &Target, workload: &str, all_write: bool, cells: &[CellSummary]) -> Option<SerialStage> {
    let delay_us = target.arrangement.link_delay_us.filter(|us| *us > 0 && target.topology.replicates())?;
    let counts = |cell: &&CellSummary| {
        cell.target == target.label
            && cell.workload == workload
            && cell.is_valid()
            && !cell.throughput_is_offered()
            && cell.throughput_per_s.as_ref().is_some_and(|per_s| per_s.mean > 0.0)
    };
    let mut own: Vec<&CellSummary> = cells.iter().filter(counts).collect();
    own.sort_by_key(|cell| cell.threads);
    own.dedup_by_key(|cell| cell.threads);
    let last = own.len().checked_sub(1).filter(|last| *last > 0)?;
    let is_level = |at: &usize| own[at + 1..].iter().all(|more| is_no_growth(own[*at], more));
    let level = (0..last).find(is_level);
    let at = level.unwrap_or(last);
    let (cell, per_s) = (own[at], own[at].throughput_per_s?);
    let busy: Option<Vec<f64>> = own[at..].iter().map(|cell| busy(cell)).collect();
    let cpu_busy = busy.and_then(|all| all.into_iter().reduce(f64::max));
    let standing = match (level, cpu_busy) {
        _ if own.iter().any(|cell| cell.runs.len() < 2) => SerialStanding::SingleTrials,
        (None, _) => SerialStanding::Grows,
        (Some(_), None) => SerialStanding::CpusUnknown,
        (Some(_), Some(busy)) if busy > 1.0 - IDLE_MIN => SerialStanding::Cpus,
        (Some(_), Some(_)) => SerialStanding::Serial,
    };
    let round_trip_s = 2.0 * delay_us as f64 / 1e6;
    let waits = matches!(target.topology, Topology::Semisync | Topology::Group | Topology::Galera);
    Some(SerialStage {
        target: target.label.clone(),
        workload: workload.to_owned(),
        round_trip_ms: round_trip_s * 1e3,
        threads: cell.threads,
        bound_per_s: (waits && all_write).then(|| f64::from(cell.threads) / round_trip_s),
        cpu_busy,
        standing,
        service_us: (standing == SerialStanding::Serial).then(|| inverse_us(per_s)),
        per_s,
    })
}

/// Whether more clients add less than [`GROWTH_MIN`] to the throughput, by the whole interval of the ratio.
fn is_no_growth(fewer: &CellSummary, more: &CellSummary) -> bool {
    let both = more.values(&THROUGHPUT).filter_map(|(repeat, value)| {
        let of_fewer = fewer.values(&THROUGHPUT).find(|(one, _)| *one == repeat)?.1;
        Some((value, of_fewer))
    });
    let (more, fewer): (Vec<f64>, Vec<f64>) = both.filter(|(a, b)| *a > 0.0 && *b > 0.0).unzip();
    stats::paired_ratio_interval(&more, &fewer, CONFIDENCE).is_some_and(|ratio| ratio.high < 1.0 + GROWTH_MIN)
}

fn busy(cell: &CellSummary) -> Option<f64> {
    let machine = cell.machine.as_ref().filter(|machine| machine.server_is_here)?;
    Some((1.0 - machine.cpu_idle - machine.cpu_iowait).clamp(0.0, 1.0))
}

/// The time from one to the next, of a rate.
fn inverse_us(per_s: Measure) -> Measure {
    let us = |per_s: f64| 1e6 / per_s;
    // A throughput whose interval reaches zero bounds the time on one side alone.
    let ends = per_s.low.filter(|low| *low > 0.0).zip(per_s.high);
    Measure {
        mean: us(per_s.mean),
        low: ends.map(|(_, high)| us(high)),
        high: ends.map(|(low, _)| us(low)),
        n: per_s.n,
    }
}
