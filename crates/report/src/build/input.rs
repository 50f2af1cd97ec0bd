//! The input of a view: recordings, with their histograms already read.
//!
//! It stands between `store` and the view so that building a view touches no file, and so that tests can make up recordings
//! of their own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use analysis::OperationHistograms;
use model::{Event, Examination, HostFacts, Interval, Plan, PlannedTrial, TrialResult, Variables, Watched};

/// One recording.
#[derive(Debug, Clone)]
pub struct RunInput {
    /// Run id.
    pub id: String,
    /// Its directory.
    pub path: PathBuf,
    /// The specification as recorded.
    pub spec_toml: String,
    /// Its plan.
    pub plan: Plan,
    /// The machine that offered the load.
    pub host: HostFacts,
    /// The events.
    pub events: Vec<Event>,
    /// The examination of each server at start-up, by its name (`model::member_name`).
    pub examinations: BTreeMap<String, Examination>,
    /// Trials of the plan, done or not.
    pub trials: Vec<TrialRecord>,
    /// The reason it ends early, if it does.
    pub truncated: Option<String>,
    /// The user's note on it.
    pub note: Option<String>,
    /// Files beside the trials that are damaged, a sentence each.
    pub damaged: Vec<String>,
}

/// One trial of a recording.
#[derive(Debug, Clone)]
pub struct TrialRecord {
    /// The planned trial.
    pub planned: PlannedTrial,
    /// The result.
    pub result: Option<TrialResult>,
    /// Its seconds.
    pub intervals: Vec<Interval>,
    /// Observations of the server meanwhile.
    pub watched: Watched,
    /// Server variables before it, or after it where those before are missing.
    pub variables: Option<Arc<Variables>>,
    /// Observations of the other servers of a topology, in their order.
    pub others: Vec<Watched>,
    /// Their variables, likewise.
    pub variables_of_others: Vec<Option<Arc<Variables>>>,
    /// Latencies in the measured window, in nanoseconds, per operation.
    pub histograms: Vec<OperationHistograms>,
    /// The stacks of the server that were sampled, folded, behind the path of their file.
    pub stacks: Option<(PathBuf, String)>,
    /// Its files that are damaged although it completed, a sentence each.
    pub damaged: Vec<String>,
}

impl TrialRecord {
    /// The histograms of one operation.
    pub fn histograms(&self, operation: &str) -> Option<&OperationHistograms> {
        self.histograms.iter().find(|h| h.name == operation)
    }
}
