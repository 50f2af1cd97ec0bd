//! What came of sampling the CPUs of a server.

use serde::{Deserialize, Serialize};

/// What came of sampling the CPUs of a server in a trial that was made for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Sampling {
    /// Stacks were sampled. They are in a file beside the result.
    Sampled(SampledStacks),
    /// They were not, and no load was offered if that was known before.
    NotSampled(NotSampled),
}

/// How the stacks of a server were sampled.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SampledStacks {
    /// Samples per second of each CPU that the server uses.
    pub frequency_hz: u32,
    /// What the kernel samples by, such as `cycles` or `cpu-clock`.
    pub event: String,
    /// For how long, seconds.
    pub time_s: f64,
    /// Samples taken.
    pub samples: u64,
    /// Samples that the kernel could not hand over.
    pub lost: u64,
    /// The kernel let only the server's own code be sampled, not its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_kernel: bool,
}

/// Why nothing was sampled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum NotSampled {
    /// There is no `perf` on this machine.
    NotInstalled,
    /// The kernel forbids it.
    Forbidden {
        /// `kernel.perf_event_paranoid`; none if it cannot be read.
        paranoid: Option<i32>,
    },
    /// The server is no process of this machine that mydyno knows.
    UnknownProcess,
    /// The server used no CPU, or ended.
    NoSamples,
    /// `perf` failed in another way.
    Failed {
        /// What it said, one line.
        message: String,
    },
}
