//! Results: one trial, its seconds, its operations.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    CellKey, Crash, EventOutcome, Failover, NetworkUse, Role, RouterUse, Sampling, ServerFacts, Stated,
    Together, TpccResult,
};

/// The result of one trial. Stored as `trial.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialResult {
    /// Format version.
    pub format: u32,
    /// Index in the plan.
    pub index: u32,
    /// The cell it belongs to.
    pub cell: CellKey,
    /// The way it ended.
    pub outcome: Outcome,
    /// Wall clock of the first client's start, RFC 3339 in UTC.
    pub started_at: String,
    /// The measurements of the load; all 0 and empty if it did not begin.
    #[serde(flatten)]
    pub measured: Measured,
    /// The servers of its target, beginning with the one that clients connect to; empty if they could not be queried.
    #[serde(alias = "server", deserialize_with = "members_or_server")]
    pub members: Vec<MemberFacts>,
    /// True if the data were restored to their initial state before the trial.
    pub data_restored: bool,
    /// Other activity on the generator's machine; none if the load did not begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surroundings: Option<Surroundings>,
    /// The state of the topology; none for a single server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
    /// Totals of the simulated network since its servers were started; none without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkUse>,
    /// The cost of MySQL Router; none where clients connected to the servers directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub router: Option<RouterUse>,
    /// The crash after the measured window; none if none was planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<Crash>,
    /// The failover during the load; none if none was planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failover: Option<Failover>,
    /// The planned events of the load with their outcomes, in order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventOutcome>,
    /// What came of sampling the CPUs of its server; none of a trial that was not made for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
    /// Figures reported by another tool; none for a trial of our own. A value that is 0 or empty in `measured` is then unknown
    /// unless it is reported here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Stated>,
}

impl TrialResult {
    /// The server that clients connected to; none if it could not be queried.
    pub fn server(&self) -> Option<&ServerFacts> {
        self.members.first().map(|member| &member.facts)
    }
}

/// Facts reported by one server of a target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemberFacts {
    /// Its role in the topology.
    pub role: Role,
    /// The facts it reported.
    #[serde(flatten)]
    pub facts: ServerFacts,
}

impl From<ServerFacts> for MemberFacts {
    fn from(facts: ServerFacts) -> Self {
        Self { role: Role::Primary, facts }
    }
}

/// mydyno 0.1 kept one server.
fn members_or_server<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<MemberFacts>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Members(Vec<MemberFacts>),
        Server(Option<Box<ServerFacts>>),
    }
    Ok(match Either::deserialize(from)? {
        Either::Members(members) => members,
        Either::Server(server) => server.map(|facts| (*facts).into()).into_iter().collect(),
    })
}

/// The measurements of a load. Figures refer to the measured window unless they say otherwise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Seconds it took to connect all clients.
    pub connect_s: f64,
    /// Seconds of warm-up before the measured window.
    pub warmup_s: f64,
    /// Actual length of the measured window, seconds.
    pub measured_s: f64,
    /// Transactions completed.
    pub transactions: u64,
    /// Statements answered.
    pub queries: QueryCounts,
    /// Latency per operation. The first one is the transaction as a whole; `connect`, of the whole trial, is the last.
    pub operations: Vec<OperationSummary>,
    /// Errors by code, and by type of transaction where there are several.
    pub errors: Vec<ErrorCount>,
    /// Connections that were lost and opened again.
    pub reconnects: u64,
    /// Resource use of the generator itself.
    pub generator: GeneratorUse,
    /// Transactions of the client that did least and most (sysbench's fairness), mean and standard deviation.
    pub fairness: Fairness,
    /// Transactions in flight when the window closed; they are not counted.
    #[serde(default)]
    pub in_flight: u64,
    /// Age of the oldest of them, nanoseconds.
    #[serde(default)]
    pub in_flight_longest_ns: Option<u64>,
    /// Transactions that straddle the ends of the window; none in recordings of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub straddling: Option<Straddling>,
    /// Periods in which the whole generator stood still, including the warm-up: it was stopped, or its machine was suspended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stood_still: Vec<Stretch>,
    /// Stalls; none in recordings of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalls: Option<Stalls>,
    /// Bytes over all sockets.
    #[serde(default)]
    pub traffic: Traffic,
    /// The TLS parameters negotiated, over all connections of the trial; none without TLS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<TlsUse>,
    /// Figures that only TPC-C has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tpcc: Option<TpccResult>,
    /// Figures that only an open loop has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_loop: Option<OpenLoop>,
}

/// A stretch of time.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// Its beginning, seconds since the clients started.
    pub from_s: f64,
    /// Its length, seconds.
    pub length_s: f64,
}

impl Stretch {
    /// Length of its overlap with the interval between two instants, seconds.
    pub fn within(&self, from_s: f64, to_s: f64) -> f64 {
        ((self.from_s + self.length_s).min(to_s) - self.from_s.max(from_s)).max(0.0)
    }
}

/// Stretches of at least a tenth of a second in which no client completed a transaction.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Stalls {
    /// All of them, seconds.
    pub stalled_s: f64,
    /// Number of stalls.
    pub count: u64,
    /// The hundred longest, in order of time.
    pub longest: Vec<Stretch>,
}

/// Transactions that were due before an end of the window and completed after it. Those at the beginning count in the window
/// as a whole, those at the end not at all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Straddling {
    /// Total time that those at the beginning had been due by then, seconds.
    pub before_s: f64,
    /// Total time that those at the end had been due by then, seconds.
    pub at_end_s: f64,
}

/// Bytes over the sockets of all clients: those of TLS included, those of TCP and IP not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Bytes sent to the server.
    pub sent_bytes: u64,
    /// Bytes received from the server.
    pub received_bytes: u64,
}

impl Traffic {
    /// Adds another count.
    pub fn add(&mut self, more: Traffic) {
        self.sent_bytes += more.sent_bytes;
        self.received_bytes += more.received_bytes;
    }
}

/// What TLS agreed on.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TlsUse {
    /// `TLSv1.2` or `TLSv1.3`.
    pub version: String,
    /// The cipher suite by its IANA name.
    pub cipher: String,
    /// Handshakes made.
    pub handshakes: u64,
    /// Those of them that resumed an earlier session.
    pub resumed: u64,
}

/// Other activity on the generator's machine, from the beginning of the load to its end.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Surroundings {
    /// Length of that period, seconds.
    pub time_s: f64,
    /// CPUs that the generator, and a server on the same machine, may use. The CPU seconds below refer to them.
    pub cpus: u32,
    /// CPU of other processes than the generator and the server, seconds; none if a server on this machine cannot be
    /// told from them.
    pub others_cpu_s: Option<f64>,
    /// The program that used most of it, all its processes that live together.
    pub busiest_other: Option<String>,
    /// CPU time of that program, seconds.
    pub busiest_other_cpu_s: f64,
    /// CPU that the hypervisor gave to other machines, seconds.
    pub steal_s: f64,
    /// Read from swap.
    pub swap_in_bytes: u64,
    /// Written to swap.
    pub swap_out_bytes: u64,
    /// Adjustment of the wall clock, seconds. Durations do not depend on it.
    pub wall_clock_step_s: f64,
}

/// How evenly the clients shared the work.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Fairness {
    /// Mean transactions per client.
    pub transactions_mean: f64,
    /// Standard deviation of transactions per client.
    pub transactions_stddev: f64,
    /// Mean seconds a client spent in transactions.
    pub busy_s_mean: f64,
    /// Standard deviation of those seconds.
    pub busy_s_stddev: f64,
}

/// The way a trial ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It ran to its limit.
    #[default]
    Completed,
    /// It could not run, or not to its end.
    Failed(Failure),
    /// The user stopped it; the measurements until then are kept.
    Interrupted,
}

impl Outcome {
    /// True for `Completed`.
    pub fn is_completed(&self) -> bool {
        matches!(self, Self::Completed)
    }
}

/// Why something failed, in words for a user.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of failure.
    pub code: FailureCode,
    /// One clear sentence.
    pub message: String,
    /// What to do about it, if anything is known.
    pub hint: Option<String>,
    /// The server's error code, if it came from the server.
    pub server_error: Option<u16>,
}

/// Kinds of failure, for grouping and for exit codes.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// Clients could not connect.
    Connect,
    /// The server went away, or was found dead.
    ServerGone,
    /// The server answered with an error that the policy does not forgive.
    ServerError,
    /// Tables are missing or differ.
    Data,
    /// A limit of this machine (open files, memory).
    Machine,
    /// A sandboxed server could not be started.
    Sandbox,
    /// The server broke the protocol.
    Protocol,
    /// Anything else.
    Other,
}

/// Statements by kind, as sysbench counts them.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryCounts {
    /// SELECT.
    pub read: u64,
    /// INSERT, UPDATE, DELETE.
    pub write: u64,
    /// BEGIN, COMMIT and everything else.
    pub other: u64,
}

impl QueryCounts {
    /// All statements.
    pub fn total(&self) -> u64 {
        self.read + self.write + self.other
    }

    /// Adds another count.
    pub fn add(&mut self, more: QueryCounts) {
        self.read += more.read;
        self.write += more.write;
        self.other += more.other;
    }
}

/// What an operation is.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperationKind {
    /// A transaction: it has a due time, so response and service both mean something.
    Transaction,
    /// A statement inside a transaction: only service time.
    Statement,
    /// Opening a connection.
    Connect,
    /// What one of several servers was asked: transactions, each under its own number, such as `transaction@2`; or
    /// statements, `statement@2`, where those of one transaction go to different servers.
    Server,
}

/// Latency of one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationSummary {
    /// Name, such as `transaction`, `point_select`, `commit`; also the tag in `load.hlog`.
    pub name: String,
    /// The kind of operation.
    pub kind: OperationKind,
    /// Response time: from due to done.
    pub response: LatencySummary,
    /// Service time: from sent to done.
    pub service: LatencySummary,
}

impl OperationSummary {
    /// Position in the target of the server it concerns; none unless its kind is [`OperationKind::Server`].
    pub fn server(&self) -> Option<usize> {
        let (_, number) = self.name.split_once('@').filter(|_| self.kind == OperationKind::Server)?;
        number.parse::<usize>().ok()?.checked_sub(1)
    }
}

/// A latency distribution in a few numbers. All nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the names say it
pub struct LatencySummary {
    pub count: u64,
    /// Values beyond the histogram's range (an hour), counted at its end.
    pub saturated: u64,
    pub sum_ns: f64,
    pub mean_ns: f64,
    pub min_ns: u64,
    pub p50_ns: u64,
    pub p90_ns: u64,
    pub p95_ns: u64,
    pub p99_ns: u64,
    pub p999_ns: u64,
    #[serde(default)]
    pub p9999_ns: u64,
    pub max_ns: u64,
}

/// An error with its message and number of occurrences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorCount {
    /// MySQL error code; 2000 and above are the client's.
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
    /// Number of occurrences.
    pub count: u64,
    /// True if the policy let the run go on.
    pub forgiven: bool,
}

/// One second of a trial. A line of `intervals.jsonl`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// End of the interval, seconds since the trial's clients started.
    pub end_s: f64,
    /// Its length, seconds.
    pub length_s: f64,
    /// True if it belongs to the warm-up.
    pub warmup: bool,
    /// Clients running.
    pub threads: u32,
    /// Transactions completed.
    pub transactions: u64,
    /// Statements answered.
    pub queries: QueryCounts,
    /// Response time of transactions.
    pub response: LatencySummary,
    /// The response times as (value in nanoseconds, count), so that a screen can merge several seconds exactly: percentiles
    /// must not be averaged. Not stored in this form: `load.hlog` holds the histogram.
    #[serde(skip)]
    pub response_counts: Vec<(u64, u64)>,
    /// Errors by code.
    pub errors: BTreeMap<u16, u64>,
    /// Connections opened again.
    pub reconnects: u64,
    /// Bytes over all sockets.
    #[serde(default)]
    pub traffic: Traffic,
    /// CPU the generator used, seconds.
    pub generator_cpu_s: f64,
    /// Open loop: transactions that were due and not yet started at the end of the interval, estimated from the rate and
    /// the due time of the latest one that was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backlog: Option<u64>,
}

/// Additional figures of an open loop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OpenLoop {
    /// Transactions due in the measured window.
    pub offered: u64,
    /// Due transactions that had not started by the end. Nothing due is skipped: they were next.
    pub unstarted: u64,
    /// The largest backlog at any time of the load, warm-up included.
    pub backlog_max: u64,
    /// Delay from due to start, of the transactions started in the window, whatever their outcome.
    pub lateness: LatencySummary,
    /// Start delay of the transactions for which a client was waiting: the delay added by the generator's own timers.
    pub timer: LatencySummary,
}

/// Resource use of the generator itself in the measured window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct GeneratorUse {
    /// User CPU, seconds, of the worker threads.
    pub user_s: f64,
    /// System CPU, seconds, of the worker threads.
    pub system_s: f64,
    /// Worker threads.
    pub workers: u32,
    /// Share of one CPU that the busiest worker used, 0 to 1.
    pub busiest_worker: f64,
    /// Share of the host's CPUs that the generator used, 0 to 1.
    pub host_share: f64,
    /// Time runnable but not running, seconds, of all workers together.
    pub run_queue_wait_s: f64,
    /// Peak resident memory of the process, bytes.
    pub memory_peak_bytes: u64,
    /// Backward movement of the clock used for durations, seconds: 0 unless the machine is broken.
    #[serde(default)]
    pub clock_set_back_s: f64,
}
