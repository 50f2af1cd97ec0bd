//! The one linear stream of what happened. Screen and recording are equal consumers of it.

use serde::{Deserialize, Serialize};

use crate::{CellKey, Failure, Interval, Observation, PlannedTrial, ServerFacts, TrialResult};

/// An event, with its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Wall clock, RFC 3339 in UTC with milliseconds.
    pub at: String,
    /// Milliseconds since the run began (monotonic).
    pub elapsed_ms: u64,
    /// The event.
    pub kind: EventKind,
}

/// The reason a run waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wait {
    /// The server stops cleanly, and its data become a dataset snapshot.
    Snapshot,
    /// The data are restored: a sandbox restarts on its snapshot.
    Restore,
    /// The tables are dropped and loaded again.
    Reload,
    /// Disks and kernel come to rest between trials.
    CoolDown,
    /// Replicas apply the rest of what they have received, and are compared with the primary.
    CatchUp,
    /// The load continues until the server is crashed; then it restarts on the remaining data, and acknowledged commits are
    /// searched for.
    Crash,
    /// The load with a failover is over: the old primary rejoins, and acknowledged commits are searched for.
    Failover,
    /// The sampled stacks of a server are summed up.
    Profile,
    /// The consistency conditions are checked.
    Check,
    /// The server stops.
    Stop,
}

fn is_entry(member: &u32) -> bool {
    *member == 0
}

/// The kind of an event, with its data. Consumers must tolerate kinds they do not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// The run began.
    RunStarted {
        /// Run id.
        run: String,
        /// Trials planned.
        trials: u32,
        /// Trials already done by an earlier, broken attempt.
        done: u32,
    },
    /// A server is being started.
    ServerStarting {
        /// Label of the target.
        target: String,
    },
    /// A server answers.
    ServerReady {
        /// Label of the target.
        target: String,
        /// Facts reported by the server.
        facts: ServerFacts,
        /// The address on which it listens.
        address: String,
    },
    /// A sandbox was stopped.
    ServerStopped {
        /// Label of the target.
        target: String,
    },
    /// Data are being put on a server.
    DataStarted {
        /// Label of the target.
        target: String,
        /// Rows to load in all.
        rows: u64,
    },
    /// Progress of loading, at most a few times a second.
    DataProgress {
        /// Label of the target.
        target: String,
        /// Rows loaded so far.
        rows_done: u64,
        /// Rows in all.
        rows: u64,
    },
    /// A wait for something other than load or loading.
    Waiting {
        /// Label of the target.
        target: String,
        /// The reason for the wait.
        wait: Wait,
    },
    /// Data are there and checked.
    DataReady {
        /// Label of the target.
        target: String,
        /// Seconds it took.
        seconds: f64,
        /// True if they came from a kept copy or were there already.
        reused: bool,
    },
    /// A caution that a reader of the results must know.
    Caution {
        /// Label of the target concerned, if one.
        target: Option<String>,
        /// The sentence.
        text: String,
    },
    /// Trials were added to the plan, because of the results so far.
    PlanGrown {
        /// The trials.
        trials: Vec<PlannedTrial>,
        /// The reason, as a sentence.
        text: String,
    },
    /// A trial began.
    TrialStarted {
        /// Index in the plan.
        index: u32,
        /// The cell.
        cell: CellKey,
    },
    /// All clients of the trial are connected.
    TrialConnected {
        /// Index in the plan.
        index: u32,
        /// Seconds it took.
        seconds: f64,
    },
    /// One second of a trial.
    Interval {
        /// Index in the plan.
        index: u32,
        /// The figures.
        interval: Interval,
    },
    /// A reading of the server while a trial runs.
    Observation {
        /// Index in the plan.
        index: u32,
        /// Position of the server in the target; 0 is the one that clients connect to.
        #[serde(default, skip_serializing_if = "is_entry")]
        member: u32,
        /// The reading.
        observation: Box<Observation>,
    },
    /// A trial ended; its result is on disk.
    TrialFinished {
        /// Index in the plan.
        index: u32,
        /// The result.
        result: Box<TrialResult>,
    },
    /// The whole run failed (a server that cannot be started, a full disk).
    RunFailed {
        /// The cause.
        failure: Failure,
    },
    /// The user interrupted.
    Interrupted,
    /// The run is over.
    RunFinished {
        /// Trials completed.
        completed: u32,
        /// Trials failed.
        failed: u32,
    },
}
