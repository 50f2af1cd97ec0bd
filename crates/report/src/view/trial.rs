//! One trial of a cell, and its course over time.

use analysis::Words;
use serde::{Deserialize, Serialize};

use super::{Histogram, Latency, StatedRow};

/// One run of a cell.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Position in [`super::View::runs`].
    pub run: usize,
    /// Position in the plan of that run.
    pub index: u32,
    /// Which repeat, from 1.
    pub repeat: u32,
    /// How it ended; none: not reached.
    pub outcome: Option<TrialOutcome>,
    /// Why it failed.
    pub failure: Option<model::Failure>,
    /// Why it does not count although it completed: it is not valid, and another trial of the cell is. Empty: it counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<Words>,
    /// When its clients started, RFC 3339 in UTC.
    pub started_at: Option<String>,
    /// Seconds it took to connect all clients.
    pub connect_s: f64,
    /// Seconds of warm-up.
    pub warmup_s: f64,
    /// Seconds measured.
    pub measured_s: f64,
    /// Transactions completed.
    pub transactions: u64,
    /// Statements answered, by kind.
    pub queries: model::QueryCounts,
    /// Errors that the policy forgave; of an imported run those that its tool stated.
    pub errors_forgiven: u64,
    /// Another tool measured, and did not state how many errors there were.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub errors_unknown: bool,
    /// Connections opened again.
    pub reconnects: u64,
    /// Response time of transactions.
    pub response: Option<Latency>,
    /// Service time of transactions.
    #[serde(default)]
    pub service: Option<Latency>,
    /// TPC-C: New-Order transactions per minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tpmc: Option<f64>,
    /// How evenly the clients shared the work.
    pub fairness: model::Fairness,
    /// True if the data were restored before it.
    pub data_restored: bool,
    /// When the whole generator stood still, on the time axis of [`TrialSeries`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stood_still: Vec<model::Stretch>,
    /// What was done to a server meanwhile, on the same axis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Its seconds; of a long run its stretches.
    pub series: TrialSeries,
    /// What was seen of server and machine meanwhile.
    #[serde(default, skip_serializing_if = "Observed::is_empty")]
    pub observed: Observed,
    /// The same of the other servers of a topology, in their order, without what is of the machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Observed>,
    /// Response times in sysbench's log-scaled buckets.
    pub histogram: Histogram,
    /// What another tool stated: all transactions, then each type of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stated: Vec<StatedRow>,
}

/// How a trial ended.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialOutcome {
    /// It ran to its limit.
    Completed,
    /// It could not run, or not to its end.
    Failed,
    /// The user stopped it.
    Interrupted,
}

/// A trial over time, columns of one length: every second with the warm-up, or of a run of more than 1,500 seconds the
/// measured window in at most 1,500 stretches.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialSeries {
    /// End of each interval, seconds since the clients started.
    pub end_s: Vec<f64>,
    /// Transactions per second.
    pub throughput_per_s: Vec<f64>,
    /// 95th percentile of response time; null where nothing completed.
    pub response_p95_ms: Vec<Option<f64>>,
    /// Errors per second.
    pub errors_per_s: Vec<f64>,
    /// Transactions due per second in the middle of each interval, as the timetable asks for; empty for a closed loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offered_per_s: Vec<f64>,
    /// Transactions due and not started at the end of each interval; empty for a closed loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub backlog: Vec<u64>,
    /// The first so many intervals are warm-up; none of a long run, which begins with the measured window.
    pub warmup_intervals: usize,
}

/// Server and machine over time, on the time axis of [`TrialSeries`].
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// When each reading was complete, seconds since the clients started.
    pub at_s: Vec<f64>,
    /// Columns of that length.
    pub series: Vec<ObservedSeries>,
}

impl Observed {
    /// True if nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.series.is_empty()
    }
}

/// One line.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ObservedSeries {
    /// Which: stable, for files.
    pub id: String,
    /// With which others it shares an axis.
    pub panel: Panel,
    /// What it is.
    pub label: Words,
    /// Its unit; empty for a plain number.
    pub unit: String,
    /// At each reading; null where it could not be told.
    pub values: Vec<Option<f64>>,
}

/// Lines that share an axis.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Panel {
    /// CPU of server and machine, percent of all CPUs.
    Cpu,
    /// Disks and network.
    Disk,
    /// What the server did.
    Server,
    /// How many were at work.
    State,
    /// What InnoDB has still to write or to clean up.
    Pages,
    /// How far a replica is behind.
    Replication,
    /// What waits between the servers of a topology.
    Queues,
    /// What replicas receive and apply, and what their primary waits for.
    Applied,
    /// The round trip of an empty request.
    RoundTrip,
}

/// Something that was done at a known second of the load.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// When, seconds since the clients started.
    pub at_s: f64,
    /// What, in two words.
    pub says: analysis::Words,
    /// Which event of the load it is, counted from 1; none of a failover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<u32>,
    /// This is where the event is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_end: bool,
}
