//! The view model: everything a report shows, as plain data.
//!
//! Renderers and the page only arrange what is here, so that a figure on the screen can always be found in the JSON.
//! Units are part of the key names; a number that does not exist is `null`, never zero. Latencies are milliseconds
//! because readers of these reports think in them; recordings keep nanoseconds.

use std::collections::BTreeMap;

use analysis::Words;
use serde::{Deserialize, Serialize};

use crate::words::Lang;

/// Version of this structure. It grows when a key changes meaning or goes away; new keys do not change it.
pub const SCHEMA_VERSION: u32 = 1;

/// Everything a report shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// [`SCHEMA_VERSION`] of the program that made it.
    pub schema_version: u32,
    /// mydyno's version.
    pub mydyno_version: String,
    /// Language to show first.
    pub lang: Lang,
    /// Workloads and targets in a few words.
    pub title: String,
    /// The experiment that all of it comes from, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<model::About>,
    /// The answer in one sentence, with its figure and interval.
    pub answer: Words,
    /// Whether it can be trusted.
    pub trust: Trust,
    /// Recordings that went into this view.
    pub runs: Vec<Run>,
    /// Servers under test. Cells refer to them by position.
    pub targets: Vec<Target>,
    /// Workloads. Cells refer to them by position.
    pub workloads: Vec<Workload>,
    /// One per target, workload and number of clients; ordered by workload, target, clients.
    pub cells: Vec<Cell>,
    /// Ratios of throughput to that of the first target, per workload and number of clients.
    pub comparisons: Vec<Comparison>,
    /// How each target scales over the number of clients, and where it breaks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<analysis::Curve>,
    /// Where one target overtakes another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overtakings: Vec<analysis::Overtaking>,
    /// What differs between the targets, in words, durability first.
    pub differences: Vec<Words>,
    /// Server variables, side by side.
    pub variables: Vec<Variable>,
    /// What the doctor says of each target that was watched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<TargetAdvice>,
    /// How much of its machine the generator used, in a sentence.
    pub generator_share: Option<Words>,
}

/// What the doctor says of a target, from what was seen of its server while it was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetAdvice {
    /// Position of the target.
    pub target: usize,
    /// Findings, worst first.
    pub items: Vec<analysis::CellAdvice>,
    /// What could not be seen, and why.
    pub unseen: Vec<model::Unseen>,
}

/// How far the figures can be relied on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trust {
    /// The worst level among the reasons.
    pub level: Level,
    /// The line under the chart.
    pub summary: Words,
    /// What was found, worst first.
    pub reasons: Vec<Reason>,
}

/// Fit to decide on, with caveats, or not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Fit to decide on.
    Green,
    /// Usable with the caveats named.
    Amber,
    /// Not valid.
    Red,
}

/// One reason for a level of trust.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Which rule found it: a stable name.
    pub id: String,
    /// How bad it is; green for a merit.
    pub level: Level,
    /// What it is.
    pub text: Words,
    /// Cells concerned; 0: not about cells.
    pub cells: u32,
}

/// A recording: how and when it was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Run id; also the name of its directory.
    pub id: String,
    /// When it began, RFC 3339 in UTC.
    pub started_at: Option<String>,
    /// SHA-256 of its plan.
    pub plan_hash: String,
    /// Seed of everything random in it.
    pub seed: u64,
    /// Seconds before each measured window.
    pub warmup_s: f64,
    /// Seconds of each measured window.
    pub time_s: f64,
    /// Limit of transactions per trial; 0: none.
    pub events: u64,
    /// Mean of the offered rate; none: closed loop.
    pub rate_per_s: Option<f64>,
    /// Transactions in flight at the same time, at most; none: as many as there are clients.
    #[serde(default)]
    pub in_flight: Option<u32>,
    /// Mean seconds that a client thinks.
    #[serde(default)]
    pub think_s: f64,
    /// Runs planned per cell.
    pub repeats: u32,
    /// A command that repeats it.
    pub command: String,
    /// The machine that offered the load.
    pub host: model::HostFacts,
    /// Trials planned.
    pub trials_planned: u32,
    /// Trials with a result.
    pub trials_done: u32,
    /// Why the recording ends early, if it does.
    pub truncated: Option<String>,
    /// Where it comes from, if another tool measured it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<model::Imported>,
    /// What was said during the run.
    pub cautions: Vec<Caution>,
}

/// A caution raised during a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caution {
    /// Label of the target concerned, if one.
    pub target: Option<String>,
    /// The sentence.
    pub text: String,
}

/// A server under test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// Label, unique in the view.
    pub label: String,
    /// What the server said of itself; none if it never answered.
    pub server: Option<model::ServerFacts>,
    /// True if mydyno started it on the machine of the generator.
    pub sandbox: bool,
    /// CPUs, memory nodes and limits that it was given, in the words of the command line; none: as the machine has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Unix socket, or TCP.
    pub transport: Transport,
    /// Encryption of the load's connections as configured, MySQL's spelling.
    pub ssl_mode: String,
    /// What a crash can lose, in words.
    pub durability: Option<Words>,
    /// What the user said of it: class, region, storage, price.
    pub instance: BTreeMap<String, String>,
    /// One line: version, place, memory, durability, encryption, transport.
    pub summary: Words,
}

/// How the load reaches a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// Unix socket.
    Socket,
    /// TCP.
    Tcp,
    /// Another tool measured and did not say.
    Unknown,
}

/// A workload as it was run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Workload {
    /// Label, unique in the view.
    pub label: String,
    /// Name that users type.
    pub name: String,
    /// What one transaction does.
    pub summary: String,
    /// What decides how it behaves: data, keys, statements.
    pub facts: Vec<Fact>,
    /// Every option, by its name on the command line.
    pub options: BTreeMap<String, String>,
}

/// One thing worth knowing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is about.
    pub name: Words,
    /// What it is.
    pub value: Words,
}

/// One target, workload and number of clients, with all its runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Name for addresses, such as `mysql-oltp_read_write-16`.
    pub id: String,
    /// Position in [`View::targets`].
    pub target: usize,
    /// Position in [`View::workloads`].
    pub workload: usize,
    /// Clients.
    pub threads: u32,
    /// How it went.
    pub status: CellStatus,
    /// Runs that completed.
    pub runs_completed: u32,
    /// Runs planned.
    pub runs_planned: u32,
    /// Why it failed, if a run of it did.
    pub failure: Option<model::Failure>,
    /// Transactions per second.
    pub throughput_per_s: Option<Estimate>,
    /// Statements per second.
    pub queries_per_s: Option<Estimate>,
    /// Median response time of transactions.
    pub response_p50_ms: Option<Estimate>,
    /// 95th percentile of response time.
    pub response_p95_ms: Option<Estimate>,
    /// 99th percentile of response time.
    pub response_p99_ms: Option<Estimate>,
    /// Sums and merged figures over the completed runs.
    pub totals: Option<Totals>,
    /// Latency per operation over the completed runs; the first is the transaction.
    pub operations: Vec<Operation>,
    /// Percentile curve of transactions over the completed runs.
    pub distribution: Option<Distribution>,
    /// Errors over the completed and the failed runs.
    pub errors: Vec<ErrorRow>,
    /// What the generator used.
    pub generator: Option<Generator>,
    /// What went over the sockets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<analysis::Network>,
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
    /// What TPC-C asks for besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tpcc: Option<analysis::TpccSummary>,
    /// What an open loop adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_loop: Option<analysis::OpenSummary>,
    /// Its runs over time: those of TPC-C, and of other workloads those of two minutes and more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timelines: Vec<analysis::Timeline>,
    /// What a reader must know about this cell, worst first.
    pub caveats: Vec<analysis::Caveat>,
    /// Its runs.
    pub trials: Vec<Trial>,
}

/// How a cell went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellStatus {
    /// Every planned run completed.
    Completed,
    /// Some runs completed; others failed, were interrupted or not reached.
    Partial,
    /// No run completed and at least one failed.
    Failed,
    /// Not reached, or interrupted.
    Missing,
}

/// A mean over runs with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Mean over the runs; of one run: its value.
    pub mean: f64,
    /// Lower end of the 95 % interval; none for a single run.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval; none for a single run.
    pub high: Option<f64>,
    /// Runs.
    pub n: u32,
}

impl Estimate {
    /// Half the width of the interval as a share of the mean; none for a single run or a mean of zero.
    pub fn relative_half_width(&self) -> Option<f64> {
        let (low, high) = (self.low?, self.high?);
        (self.mean > 0.0).then(|| (high - low) / 2.0 / self.mean)
    }
}

/// Sums over the completed runs of a cell, as in the tables of published comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Totals {
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

/// Latency of one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Name, such as `point_select`.
    pub name: String,
    /// What it is.
    pub kind: model::OperationKind,
    /// How often it was run.
    pub count: u64,
    /// How often per transaction.
    pub per_transaction: f64,
    /// From due to done. Only transactions have a due time.
    pub response: Option<Latency>,
    /// From sent to done.
    pub service: Latency,
}

/// A latency distribution in a few numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the names say it
pub struct Latency {
    pub min_ms: f64,
    pub avg_ms: f64,
    pub p50_ms: f64,
    pub p90_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub p999_ms: f64,
    pub p9999_ms: f64,
    pub max_ms: f64,
    pub sum_ms: f64,
}

/// A percentile curve: three columns of one length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// Percentiles, 0 to 100, ascending. It ends where fewer than one value lies beyond.
    pub percentile: Vec<f64>,
    /// Response time at each.
    pub response_ms: Vec<f64>,
    /// Service time at each; empty if it was not recorded.
    pub service_ms: Vec<f64>,
}

/// Errors of one kind.
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

/// One run of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Position in [`View::runs`].
    pub run: usize,
    /// Position in the plan of that run.
    pub index: u32,
    /// Which repeat, from 1.
    pub repeat: u32,
    /// How it ended; none: not reached.
    pub outcome: Option<TrialOutcome>,
    /// Why it failed.
    pub failure: Option<model::Failure>,
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
    /// Errors that the policy forgave.
    pub errors_forgiven: u64,
    /// Connections opened again.
    pub reconnects: u64,
    /// Response time of transactions.
    pub response: Option<Latency>,
    /// Service time of transactions.
    #[serde(default)]
    pub service: Option<Latency>,
    /// How evenly the clients shared the work.
    pub fairness: model::Fairness,
    /// True if the data were put back before it.
    pub data_restored: bool,
    /// Its seconds; of a long run its stretches.
    pub series: Series,
    /// What was seen of server and machine meanwhile.
    #[serde(default, skip_serializing_if = "Observed::is_empty")]
    pub observed: Observed,
    /// Response times in sysbench's log-scaled buckets.
    pub histogram: Histogram,
}

/// How a trial ended.
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// End of each interval, seconds since the clients started.
    pub end_s: Vec<f64>,
    /// Transactions per second.
    pub throughput_per_s: Vec<f64>,
    /// 95th percentile of response time; null where nothing completed.
    pub response_p95_ms: Vec<Option<f64>>,
    /// Errors per second.
    pub errors_per_s: Vec<f64>,
    /// Transactions due and not started at the end of each interval; empty for a closed loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub backlog: Vec<u64>,
    /// The first so many intervals are warm-up; none of a long run, which begins with the measured window.
    pub warmup_intervals: usize,
}

/// sysbench's latency histogram without its empty buckets: two columns of one length.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Value of each bucket, ascending.
    pub value_ms: Vec<f64>,
    /// Transactions in it.
    pub count: Vec<u64>,
}

/// Throughput of one target over that of another at the same workload and clients.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Position in [`View::workloads`].
    pub workload: usize,
    /// Clients.
    pub threads: u32,
    /// The target divided by, position in [`View::targets`].
    pub base: usize,
    /// The target compared with it.
    pub other: usize,
    /// Throughput of `other` over that of `base`.
    pub throughput_ratio: f64,
    /// Lower end of the 95 % interval; none when either is a single run.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// What may be said of `other` against `base`.
    pub verdict: analysis::Verdict,
    /// For an inconclusive comparison, about how many runs of each cell might decide it.
    pub runs_needed: Option<u32>,
}

/// One server variable in all targets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value per target; none: the server has no such variable.
    pub values: Vec<Option<String>>,
    /// What it decides.
    pub group: analysis::Group,
    /// True if it makes a difference between the targets. Paths, ports and ids differ without making one.
    pub differs: bool,
    /// Unit of its values, where it is known and there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<analysis::variables::Unit>,
    /// Its values as people say them, with unit; empty where that says no more than the values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Option<String>>,
    /// Its default in each target's version, as people say it; empty where none is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub default: Vec<Option<String>>,
    /// Whether each target has that default; empty where none is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub is_default: Vec<bool>,
    /// What it is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<Words>,
    /// What a difference is likely to do, and to which part of a load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Words>,
}

/// Server and machine over time, on the time axis of [`Series`].
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
    /// The round trip of an empty request.
    RoundTrip,
}
