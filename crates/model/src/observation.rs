//! Observations of a server under load.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The extent of observation during the load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observe {
    /// No observation.
    #[default]
    Off,
    /// Counters of server, process and host, at most once a second; what took the server's time, at both ends of the
    /// measured window; plans before and after.
    Light,
    /// Like the previous level, with the server's instruments for internal waits and for stages switched on meanwhile, which
    /// costs some throughput.
    Full,
}

impl Observe {
    /// Every level.
    pub const ALL: [Self; 3] = [Self::Off, Self::Light, Self::Full];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Light => "light",
            Self::Full => "full",
        }
    }

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
    /// Duration of the reading, seconds.
    pub took_s: f64,
    /// Delay of its start, seconds.
    pub late_s: f64,
    /// Round trip of a request that asks for nothing (COM_PING), seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip_s: Option<f64>,
    /// Status variables, by name in lower case.
    pub status: BTreeMap<String, u64>,
    /// Replication lag, seconds: the age difference between the newest heartbeat applied by the replica and the newest one
    /// committed by its primary, which writes ten a second. While a replica does not answer, its last known heartbeat counts.
    /// None on a server without a heartbeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag_s: Option<f64>,
    /// Transactions received from other servers and applied; none on a server that is no replica.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applier: Option<ApplierUse>,
    /// Transactions certified and applied by a member of a replication group; none on other servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupUse>,
    /// Statements that have run for a second or more, now, those of one verb and state together; the most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub long_statements: Vec<LongStatements>,
    /// Use of this machine: the server's only if the server is here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<HostUse>,
    /// The server's process; none if it is not known, or not on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<ProcessUse>,
}

impl Observation {
    /// Whether the server answered. If it did not, only its lag is known.
    pub fn is_answer(&self) -> bool {
        let is_empty = self.status.is_empty() && self.process.is_none() && self.host.is_none();
        !(is_empty && self.lag_s.is_some() && self.applier.is_none() && self.group.is_none())
    }

    /// Transactions received from other servers that wait to be applied, or write sets with Galera.
    pub fn waiting(&self) -> Option<u64> {
        let replica = self.applier.map(|applier| applier.waiting);
        let group = self.group.map(|group| group.waiting);
        replica.or(group).or_else(|| self.status.get("wsrep_local_recv_queue").copied())
    }

    /// Commits of a semisynchronous primary that have waited for an acknowledgement, and their total wait, microseconds.
    pub fn acknowledged(&self) -> Option<(u64, u64)> {
        let of = |word: &str| {
            let value = |what: &str| self.status.get(&format!("rpl_semi_sync_{word}_{what}")).copied();
            Some((value("tx_waits")?, value("tx_wait_time")?))
        };
        of("source").or_else(|| of("master"))
    }
}

/// Statements that have run for a second or more.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LongStatements {
    /// First word of the statements, in capital letters: `ALTER`, `SELECT`.
    pub verb: String,
    /// What they do, as the server says: `Waiting for table metadata lock`.
    pub state: String,
    /// How many.
    pub statements: u64,
    /// How long the longest has run, whole seconds.
    pub longest_s: u64,
}

/// Transactions that a replica has received and applied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplierUse {
    /// Transactions received from the beginning on, counted by their GTIDs.
    pub received: u64,
    /// Received transactions not yet applied, now.
    pub waiting: u64,
    /// Applier workers that are applying a transaction, now; none where the server does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers_busy: Option<u64>,
    /// Size of the relay logs not yet purged, bytes, now; none where the server does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relay_log_bytes: Option<u64>,
}

/// Transactions that a member of a replication group certifies and applies (performance_schema.replication_group_member_stats).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupUse {
    /// Transactions that wait for certification, now.
    pub certifying: u64,
    /// Transactions of other members that wait to be applied, now.
    pub waiting: u64,
    /// Transactions certified since the member joined.
    pub certified: u64,
    /// Certified transactions that conflicted and were rolled back.
    pub conflicts: u64,
    /// Transactions of other members applied since the member joined.
    pub applied: u64,
    /// Rows that certification can look up, now.
    pub rows_validating: u64,
    /// Whether a queue exceeds the flow control limit, so that the group commits more slowly, now.
    pub throttles: bool,
}

/// Resource use of a machine since it was booted, and its current state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct HostUse {
    /// CPU time of all CPUs by mode, seconds: programs.
    pub cpu_user_s: f64,
    /// The kernel, interrupts included.
    pub cpu_system_s: f64,
    /// Idle while something waited for a disk.
    pub cpu_iowait_s: f64,
    /// Wanted, and given to other guests by the hypervisor.
    pub cpu_steal_s: f64,
    /// Idle.
    pub cpu_idle_s: f64,
    /// Context switches.
    pub context_switches: u64,
    /// Threads that run or want to, now.
    pub run_queue: u32,
    /// Threads that wait for a disk, now.
    pub blocked: u32,
    /// Memory that programs could still have, bytes, now.
    pub memory_available_bytes: u64,
    /// All disks together, without their partitions and the devices stacked upon them.
    pub disk: DiskUse,
    /// Received over all network interfaces but the loopback, bytes.
    pub network_received_bytes: u64,
    /// Sent likewise.
    pub network_sent_bytes: u64,
    /// Time in which some thread waited for a CPU, seconds; none where the kernel does not report it (PSI).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_cpu_s: Option<f64>,
    /// Pressure stall time of I/O, seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_io_s: Option<f64>,
    /// Pressure stall time of memory, seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_memory_s: Option<f64>,
}

/// Totals of the disks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct DiskUse {
    /// Reads completed.
    pub reads: u64,
    /// Writes completed.
    pub writes: u64,
    /// Read.
    pub read_bytes: u64,
    /// Written.
    pub written_bytes: u64,
    /// Time that reads took, queueing included, seconds.
    pub read_s: f64,
    /// Time that writes took, queueing included, seconds.
    pub write_s: f64,
    /// Time in which something was under way, seconds, summed over disks.
    pub busy_s: f64,
}

/// Resource use of a process since it started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessUse {
    /// CPU, seconds.
    pub cpu_s: f64,
    /// Context switches of all its living threads; none for a process with so many threads that counting would cost too much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_switches: Option<u64>,
    /// Time in which the control group of the process was kept from running for having used up its quota, seconds, mean over
    /// the CPUs that it may use; none without a quota.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttled_s: Option<f64>,
    /// Read from disks.
    pub read_bytes: u64,
    /// Written to disks.
    pub written_bytes: u64,
}
