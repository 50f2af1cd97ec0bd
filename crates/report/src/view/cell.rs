//! One target, workload and number of clients, with all its runs.

use serde::{Deserialize, Serialize};

use super::{Distribution, Operation, Trial};

/// One target, workload and number of clients, with all its runs.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Name for addresses, such as `mysql-oltp_read_write-16`.
    pub id: String,
    /// Position in [`super::View::targets`].
    pub target: usize,
    /// Position in [`super::View::workloads`].
    pub workload: usize,
    /// Clients.
    pub threads: u32,
    /// How it went.
    pub status: CellStatus,
    /// Trials that completed and count.
    pub runs_completed: u32,
    /// Trials planned.
    pub runs_planned: u32,
    /// Why it failed, if a run of it did.
    pub failure: Option<model::Failure>,
    /// Transactions per second.
    pub throughput_per_s: Option<EstimateView>,
    /// Statements per second.
    pub queries_per_s: Option<EstimateView>,
    /// Median response time of transactions, of all trials together.
    pub response_p50_ms: Option<EstimateView>,
    /// 95th percentile of response time, of all trials together: the same as in `totals` and `operations`.
    pub response_p95_ms: Option<EstimateView>,
    /// 99th percentile of response time, of all trials together.
    pub response_p99_ms: Option<EstimateView>,
    /// Sums and merged figures over the completed runs.
    pub totals: Option<TotalsView>,
    /// Latency per operation over the completed runs; the first is the transaction.
    pub operations: Vec<Operation>,
    /// What each server was asked, in a sentence; none where clients connect to one only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_server: Option<analysis::Words>,
    /// Percentile curve of transactions over the completed runs.
    pub distribution: Option<Distribution>,
    /// Errors over the completed and the failed runs.
    pub errors: Vec<ErrorRow>,
    /// What the generator used.
    pub generator: Option<Generator>,
    /// What went over the sockets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<analysis::Network>,
    /// What a simulated network did, in a sentence; none without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated_network: Option<analysis::Words>,
    /// What became of the servers of a topology after the load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<analysis::TogetherSummary>,
    /// What MySQL Router between clients and servers cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub router: Option<analysis::RouterSummary>,
    /// What crashes on purpose lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<analysis::CrashSummary>,
    /// What failovers cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failover: Option<analysis::FailoverSummary>,
    /// What events during the load did to it, in the order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<analysis::EventSummary>,
    /// Where the mean response time of a transaction goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<analysis::Breakdown>,
    /// What a transaction cost the server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<analysis::Cost>,
    /// What took the server's time: statements, waits, threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tops: Option<analysis::Tops>,
    /// What the machine did meanwhile, and what the watching cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<analysis::MachineUse>,
    /// How the workload's statements are executed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<analysis::PlanSummary>,
    /// New-Order transactions per minute, as another tool stated them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tpmc: Option<EstimateView>,
    /// What TPC-C asks for besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tpcc: Option<analysis::TpccSummary>,
    /// What an open loop adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_loop: Option<analysis::OpenSummary>,
    /// Its runs over time: those of TPC-C, and of other workloads those of two minutes and more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timelines: Vec<analysis::Timeline>,
    /// Whether throughput settled, held its level, fell silent, came back at equal distances, or changed its level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_time: Option<analysis::OverTime>,
    /// What a reader must know about this cell, worst first.
    pub caveats: Vec<analysis::Caveat>,
    /// Its runs.
    pub trials: Vec<Trial>,
}

impl Cell {
    /// The 95th percentile of response time.
    pub fn p95_ms(&self) -> Option<f64> {
        self.response_p95_ms.map(|estimate| estimate.mean)
    }
}

/// How a cell went.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellStatus {
    /// Every planned run completed.
    Completed,
    /// Some trials count; others failed, were interrupted, not reached, or completed and are not valid.
    Partial,
    /// No run completed and at least one failed.
    Failed,
    /// Not reached, or interrupted.
    Missing,
}

/// A figure of a cell with its 95 % interval over the trials.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EstimateView {
    /// Rates: mean over the trials. Percentiles: of all trials together, or where their histograms are lost the mean over
    /// the trials. Of one trial: its value.
    pub mean: f64,
    /// Lower end of the 95 % interval over the trials; none for a single trial, and where there are too few for one.
    pub low: Option<f64>,
    /// Upper end of it.
    pub high: Option<f64>,
    /// Trials.
    pub n: u32,
}

/// Sums over the completed runs of a cell, as in the tables of published comparisons.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TotalsView {
    /// Transactions.
    pub transactions: u64,
    /// Statements; none if another tool measured and did not say.
    pub queries: Option<u64>,
    /// Seconds measured.
    pub time_s: f64,
    /// Mean response time of a transaction; none if another tool measured and did not say.
    pub response_avg_ms: Option<f64>,
    /// 95th percentile of all response times together; percentiles of runs are not averaged.
    pub response_p95_ms: Option<f64>,
    /// Connections opened again.
    pub reconnects: u64,
}

/// Errors of one kind.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorRow {
    /// MySQL error code.
    pub code: u16,
    /// SQLSTATE.
    pub state: String,
    /// The first message seen.
    pub message: String,
    /// The statement it came from.
    pub statement: String,
    /// The type of transaction it came from; empty if there is only one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub transaction: String,
    /// How often.
    pub count: u64,
    /// How often per second of measured time.
    pub per_s: Option<f64>,
    /// True if the run went on.
    pub forgiven: bool,
}

/// What the generator itself cost.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Generator {
    /// CPU per statement.
    pub cpu_us_per_query: Option<f64>,
    /// Share of that CPU spent in user space, 0 to 1.
    pub user_share: Option<f64>,
    /// Share of the host's CPUs, 0 to 1.
    pub host_share: f64,
    /// Share of one CPU that the busiest worker used, 0 to 1.
    pub busiest_worker: f64,
    /// Worker threads.
    pub workers: u32,
    /// Seconds runnable but not running, all workers and runs together.
    pub run_queue_wait_s: f64,
    /// Peak resident memory, bytes.
    pub memory_peak_bytes: u64,
}
