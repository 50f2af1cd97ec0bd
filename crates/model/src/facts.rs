//! Facts about host and server, taken beside every trial.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Calibration, Flavour};

/// All global variables of a server by name. Values of variables that hold secrets are replaced by `***` before they
/// get here.
pub type Variables = BTreeMap<String, String>;

/// The machine that offers the load (and, for sandboxes, carries the server too).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HostFacts {
    /// Format version of the file.
    pub format: u32,
    /// Kernel host name.
    pub hostname: String,
    /// Pretty name from os-release.
    pub os: String,
    /// Kernel release.
    pub kernel: String,
    /// Machine architecture (`x86_64`, `aarch64`).
    pub architecture: String,
    /// CPU model as the kernel names it.
    pub cpu_model: String,
    /// CPUs this process may use.
    pub cpus: u32,
    /// Memory, bytes.
    pub memory_bytes: u64,
    /// NUMA nodes.
    pub numa_nodes: u32,
    /// Frequency governor, where the kernel shows one.
    pub governor: Option<String>,
    /// Hypervisor, where the CPU flags show one.
    pub virtualised: bool,
    /// CPU limit from a cgroup, in CPUs.
    pub cgroup_cpus: Option<f64>,
    /// Memory limit from a cgroup, bytes.
    pub cgroup_memory_bytes: Option<u64>,
    /// mydyno's own version.
    pub mydyno_version: String,
    /// The generator's calibration on this machine, if there is one of this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// What a server says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerFacts {
    /// Whose server.
    pub flavour: Flavour,
    /// `VERSION()`.
    pub version: String,
    /// `@@version_comment`.
    pub version_comment: String,
    /// Cipher of the probing connection; none: not encrypted.
    pub tls_cipher: Option<String>,
    /// What a crash can lose.
    pub durability: Durability,
    /// True if the binary log is written.
    pub binlog: bool,
    /// `innodb_buffer_pool_size`, bytes.
    pub buffer_pool_bytes: u64,
    /// `max_connections`.
    pub max_connections: u64,
    /// Median round trip of a request that asks for nothing (COM_PING), while there is no load, ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip_ms: Option<f64>,
}

/// What a crash can lose, by the two durability settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// Redo flushed at each commit, and the binary log (if on) synced before it.
    Durable,
    /// A power failure or OS crash loses commits (flush_log 2, or sync_binlog not 1 with the binary log on).
    LosesOnOsCrash,
    /// A crash of the server process alone loses up to a second of commits (flush_log 0).
    LosesOnProcessCrash,
}

impl Durability {
    /// As a report says it.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Durable => "durable",
            Self::LosesOnOsCrash => "loses on power or OS crash",
            Self::LosesOnProcessCrash => "loses on process crash",
        }
    }
}

/// What a user knows of an instance and mydyno cannot see: class, region, storage, price. Free keys, shown above tables.
pub type Instance = BTreeMap<String, String>;
