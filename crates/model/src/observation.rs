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
    /// Counters of server, process and host, at most once a second; what took the server's time, at both ends of the
    /// measured window; plans before and after.
    Light,
    /// The same, with the server's instruments for waits inside it and for stages switched on meanwhile, which costs it
    /// some of its throughput.
    Full,
}

impl Observe {
    /// Every level.
    pub const ALL: [Self; 3] = [Self::Off, Self::Light, Self::Full];

    /// As it is typed.
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
    /// How long it took, seconds.
    pub took_s: f64,
    /// How much later than due it was begun, seconds.
    pub late_s: f64,
    /// Round trip of a request that asks for nothing (COM_PING), seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip_s: Option<f64>,
    /// Status variables, by name in lower case.
    pub status: BTreeMap<String, u64>,
    /// How much older the newest heartbeat is that a replica has applied than the newest that its primary has committed, seconds;
    /// the primary writes ten a second. While a replica does not answer, the newest one that it was seen to have applied counts.
    /// None of a server on which there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag_s: Option<f64>,
    /// What a server applies that it received from others; none of one that is no replica.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applier: Option<ApplierUse>,
    /// What a member of a replication group certifies and applies; none of a server that is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupUse>,
    /// Statements that have run for a second or more, now, those of one verb and state together; the most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub long_statements: Vec<LongStatements>,
    /// This machine: the server's only if the server is here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<HostUse>,
    /// The server's process; none if it is not one of this machine that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<ProcessUse>,
}

impl Observation {
    /// Whether the server answered: of one that does not, only its lag is known.
    pub fn is_answer(&self) -> bool {
        let is_empty = self.status.is_empty() && self.process.is_none() && self.host.is_none();
        !(is_empty && self.lag_s.is_some() && self.applier.is_none() && self.group.is_none())
    }

    /// Transactions received from other servers that wait to be applied; of Galera the write sets.
    pub fn waiting(&self) -> Option<u64> {
        let replica = self.applier.map(|applier| applier.waiting);
        let group = self.group.map(|group| group.waiting);
        replica.or(group).or_else(|| self.status.get("wsrep_local_recv_queue").copied())
    }

    /// Of a semisynchronous primary: commits that have waited for an acknowledgement, and how long in all, microseconds.
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

/// What a replica has received and applied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplierUse {
    /// Transactions received from the beginning on, counted by their GTIDs.
    pub received: u64,
    /// Those of them that have not been applied, now.
    pub waiting: u64,
    /// Applier workers that are at work on a transaction, now; none where the server does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers_busy: Option<u64>,
    /// Relay logs, those among them that are not purged yet, bytes, now; none where the server does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relay_log_bytes: Option<u64>,
}

/// What a member of a replication group certifies and applies (performance_schema.replication_group_member_stats).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupUse {
    /// Transactions that wait for certification, now.
    pub certifying: u64,
    /// Transactions of other members that wait to be applied, now.
    pub waiting: u64,
    /// Transactions certified since the member joined.
    pub certified: u64,
    /// Those of them that conflicted and were rolled back.
    pub conflicts: u64,
    /// Transactions of other members applied since the member joined.
    pub applied: u64,
    /// Rows that certification can look up, now.
    pub rows_validating: u64,
    /// Whether a queue is longer than flow control allows, so that the group commits more slowly, now.
    pub throttles: bool,
}

/// What a machine has done since it was started, and how it is.
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
    /// All disks together, without their partitions and what is stacked upon them.
    pub disk: DiskUse,
    /// Received over all network interfaces but the loopback, bytes.
    pub network_received_bytes: u64,
    /// Sent likewise.
    pub network_sent_bytes: u64,
    /// Time in which some thread waited for a CPU, seconds; none where the kernel does not tell (PSI).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_cpu_s: Option<f64>,
    /// For disks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_io_s: Option<f64>,
    /// For memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure_memory_s: Option<f64>,
}

/// What disks have done.
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

/// What a process has used since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessUse {
    /// CPU, seconds.
    pub cpu_s: f64,
    /// Context switches of all its threads that live; none of a process with so many that counting would cost too much.
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
