//! What was seen of a server while it worked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How much is looked at beside the load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observe {
    /// Nothing.
    #[default]
    Off,
    /// Counters of the server and of its process, at most once a second.
    Light,
}

impl Observe {
    /// True for `Off`.
    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }
}

/// One reading. A line of `observations.jsonl`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// Seconds since the load began, when the reading was complete.
    pub at_s: f64,
    /// How long it took, seconds.
    pub took_s: f64,
    /// How much later than due it was begun, seconds.
    pub late_s: f64,
    /// Status variables that count, by name in lower case.
    pub status: BTreeMap<String, u64>,
    /// The server's process; none if it is not one of this machine that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<ProcessUse>,
}

/// What a process has used since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessUse {
    /// CPU, seconds.
    pub cpu_s: f64,
    /// Context switches of all its threads that live; none of a process with so many that counting would cost too much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_switches: Option<u64>,
    /// Read from disks.
    pub read_bytes: u64,
    /// Written to disks.
    pub written_bytes: u64,
}
