//! The subject and the method of the measurement: recordings, servers, workloads.

use std::collections::BTreeMap;

use analysis::Words;
use serde::{Deserialize, Serialize};

/// A recording: how and when it was made.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Run id; also the name of its directory.
    pub id: String,
    /// Name of its plan: that of the workloads, or as `--name` gave it.
    #[serde(default)]
    pub name: String,
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
    /// What was asked for, as the recording keeps it: a file for `mydyno run`.
    #[serde(default)]
    pub spec: String,
    /// The machine that offered the load.
    pub host: model::HostFacts,
    /// Trials planned.
    pub trials_planned: u32,
    /// Trials with a result.
    pub trials_done: u32,
    /// Why the recording ends early, if it does.
    pub truncated: Option<String>,
    /// Why it could not go on, if its latest attempt ended so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<model::Failure>,
    /// What the user says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where it comes from, if another tool measured it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<model::Imported>,
    /// What was said during the run.
    pub cautions: Vec<RunWarning>,
}

/// A caution raised during a run.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunWarning {
    /// Label of the target concerned, if one.
    pub target: Option<String>,
    /// The sentence.
    pub text: String,
}

/// A server under test.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetView {
    /// Label, unique in the view.
    pub label: String,
    /// How its servers belong together.
    #[serde(default)]
    pub topology: model::Topology,
    /// The servers of a topology, the one that clients connect to first; empty of a single server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberView>,
    /// What the server that clients connect to said of itself; none if it never answered.
    pub server: Option<model::ServerFacts>,
    /// True if mydyno started it on the machine of the generator.
    pub sandbox: bool,
    /// CPUs, memory nodes and limits that it was given, in the words of the command line; none: as the machine has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Unix socket, or TCP.
    pub transport: TransportView,
    /// Encryption of the load's connections as configured, MySQL's spelling.
    pub ssl_mode: String,
    /// What a crash can lose, in words.
    pub durability: Option<Words>,
    /// What the user said of it: class, region, storage, price.
    pub instance: BTreeMap<String, String>,
    /// One line: version, place, memory, durability, encryption, transport.
    pub summary: Words,
}

/// A server of a topology.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemberView {
    /// The target's label, with its number behind it: `ha`, `ha:2`.
    pub name: String,
    /// What it does in the topology.
    pub role: model::Role,
    /// One line: its role, version, memory, durability, encryption, transport, and what differs from the entry point.
    pub summary: Words,
    /// Variables that matter to a load and are not as those of the server that clients connect to.
    pub differs: Vec<MemberDifference>,
}

/// A variable of a server that is not as that of the server that clients connect to.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberDifference {
    /// The variable.
    pub name: String,
    /// Its value.
    pub value: String,
    /// That of the server that clients connect to.
    pub of_entry: String,
}

/// How the load reaches a server.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransportView {
    /// Unix socket.
    Socket,
    /// TCP.
    Tcp,
    /// Another tool measured and did not say.
    Unknown,
}

/// A workload as it was run.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkloadView {
    /// Label, unique in the view.
    pub label: String,
    /// Name that users type.
    pub name: String,
    /// What one transaction does.
    pub summary: String,
    /// The same in Simplified Chinese.
    #[serde(default)]
    pub summary_zh: String,
    /// What decides how it behaves: data, keys, statements.
    pub facts: Vec<Fact>,
    /// Every option, by its name on the command line.
    pub options: BTreeMap<String, String>,
}

/// One thing worth knowing.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is about.
    pub name: Words,
    /// What it is.
    pub value: Words,
}
