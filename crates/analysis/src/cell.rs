//! The summary of one cell: a target, a workload and a number of clients.

use std::collections::BTreeMap;

use model::{ErrorCount, Failure, GeneratorUse, OperationKind, OperationSummary, TlsUse};
use serde::{Deserialize, Serialize};

use crate::breakdown::Breakdown;
use crate::caveat::{Caveat, Severity};
use crate::costs::Cost;
use crate::crash::CrashSummary;
use crate::events::EventSummary;
use crate::failover::FailoverSummary;
use crate::input::Measure;
use crate::machine::MachineUse;
use crate::metric::Metric;
use crate::open_loop::OpenSummary;
use crate::over_time::OverTime;
use crate::plans::PlanSummary;
use crate::router::RouterSummary;
use crate::sequence;
use crate::timeline::Timeline;
use crate::together::TogetherSummary;
use crate::tops::Tops;
use crate::tpcc::TpccSummary;

/// One cell: a target, a workload and a number of clients, with all its trials.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CellSummary {
    /// Label of the target.
    pub target: String,
    /// Label of the workload.
    pub workload: String,
    /// Clients.
    pub threads: u32,
    /// Trials planned.
    pub planned: u32,
    /// The completed trials that count, by repeat. Only they count in the figures below.
    pub runs: Vec<RunFigures>,
    /// The completed trials that were not valid and do not count, as long as another one is valid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
    /// The failed runs.
    pub failures: Vec<FailedRun>,
    /// Runs that the user stopped.
    pub interrupted: u32,
    /// Transactions per second.
    pub throughput_per_s: Option<Measure>,
    /// Statements per second.
    pub queries_per_s: Option<Measure>,
    /// Latency per operation, the transaction first: merged over the runs, percentiles are never averaged. Empty if
    /// the histograms of several runs are lost.
    pub operations: Vec<OperationSummary>,
    /// Errors by code and statement, summed.
    pub errors: Vec<ErrorCount>,
    /// Resource use of the generator: CPU and waiting summed, shares and memory of the worst trial.
    pub generator: Option<GeneratorUse>,
    /// Traffic over the sockets.
    pub network: Option<Network>,
    /// Activity of a simulated network, in a sentence; none without one.
    pub simulated_network: Option<crate::Words>,
    /// Breakdown of the mean response time; none where statements were not timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<Breakdown>,
    /// Cost of a transaction to the server.
    pub costs: Vec<Cost>,
    /// The largest consumers of the server's time.
    pub tops: Option<Tops>,
    /// Activity of the server's machine meanwhile.
    pub machine: Option<MachineUse>,
    /// The execution plans of the workload's statements.
    pub plans: Vec<PlanSummary>,
    /// Figures that only TPC-C has.
    pub tpcc: Option<TpccSummary>,
    /// Figures that only an open loop has.
    pub open_loop: Option<OpenSummary>,
    /// State of the servers of a topology after the load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<TogetherSummary>,
    /// Cost of MySQL Router; none where clients connected to the servers directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub router: Option<RouterSummary>,
    /// Losses in planned crashes; none where there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<CrashSummary>,
    /// Cost of failovers; none where no primary was lost on purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failover: Option<FailoverSummary>,
    /// Effects of the planned events, in order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventSummary>,
    /// The completed runs over time: those of TPC-C, and of other workloads those that are long enough to judge whether
    /// the throughput was sustained.
    pub timelines: Vec<Timeline>,
    /// The rule by which repeats were added; none if their number was fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<sequence::Rule>,
    /// Behaviour over time: whether throughput settled, held its level, stalled, dipped periodically, or changed its level.
    pub over_time: Option<OverTime>,
    /// Caveats for the reader of these figures, worst first.
    pub caveats: Vec<Caveat>,
}

/// What went over the sockets of all clients, over the completed runs. Bytes are those of the sockets: TLS is included,
/// TCP and IP are not.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Network {
    /// To the server, per transaction.
    pub sent_bytes: f64,
    /// From the server, per transaction.
    pub received_bytes: f64,
    /// What TLS agreed on; none without TLS.
    pub tls: Option<TlsUse>,
}

/// The figures of one completed run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFigures {
    /// Index in the plan.
    pub index: u32,
    /// The repeat, from 1.
    pub repeat: u32,
    /// Every metric that the run determines, by id.
    pub values: BTreeMap<String, f64>,
}

/// A completed trial that does not count, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetAside {
    /// Index in the plan.
    pub index: u32,
    /// The repeat, from 1.
    pub repeat: u32,
    /// The caveats that make it invalid.
    pub reasons: Vec<Caveat>,
}

/// A run that failed, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedRun {
    /// Index in the plan.
    pub index: u32,
    /// The repeat, from 1.
    pub repeat: u32,
    /// The cause.
    pub failure: Failure,
}

impl CellSummary {
    /// Completed trials that count.
    pub fn completed(&self) -> u32 {
        self.runs.len() as u32
    }

    /// Whether no caveat makes its figures invalid.
    pub fn is_valid(&self) -> bool {
        self.invalid().is_none()
    }

    /// The caveat that makes its figures invalid, if there is one.
    pub fn invalid(&self) -> Option<&Caveat> {
        self.caveats.iter().find(|caveat| caveat.severity == Severity::Invalid)
    }

    /// True for an open loop that kept up: its throughput is the offered rate, and shows nothing about the server.
    pub fn throughput_is_offered(&self) -> bool {
        self.open_loop.as_ref().is_some_and(|open| !open.overloaded())
    }

    /// A metric over the completed runs; none if no run determines it.
    pub fn measure(&self, metric: &Metric) -> Option<Measure> {
        Measure::of(&self.values(metric).map(|(_, value)| value).collect::<Vec<_>>())
    }

    /// A metric run by run, with the repeat it belongs to.
    pub fn values<'a>(&'a self, metric: &'a Metric) -> impl Iterator<Item = (u32, f64)> + 'a {
        self.runs.iter().filter_map(|run| Some((run.repeat, *run.values.get(metric.id)?)))
    }

    /// The transaction as a whole, merged over the trials; none if none completed. Of several kinds of transaction, the whole
    /// comes first.
    pub fn transaction(&self) -> Option<&OperationSummary> {
        self.operations.iter().find(|o| o.kind == OperationKind::Transaction && o.response.count > 0)
    }
}
