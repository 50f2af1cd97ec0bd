//! Whether the servers of a topology stayed together during a trial, and were equal after it.

use serde::{Deserialize, Serialize};

use crate::arrangement::LinkCut;

/// Whether the servers of a topology stayed together during a trial, and were equal after it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Together {
    /// Violations of what the topology promises during the load, in order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<TopologyFault>,
    /// Seconds from the end of the load until every server had applied all transactions; none: they had not when the wait was
    /// given up, or it cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caught_up_s: Option<f64>,
    /// The longest that a replica was behind within the measured window, seconds, by the heartbeat; none without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag_max_s: Option<f64>,
    /// Growth of the lag within the measured window, on the replica where it grew fastest; none where there are too few readings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag_growth: Option<LagGrowth>,
    /// Stale reads on replicas that clients read from; empty if not measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale_reads: Vec<StaleReads>,
    /// Tables whose contents were compared on all servers.
    #[serde(default)]
    pub compared: u32,
    /// Tables of servers that hold something else than the primary.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differing: Vec<DifferingTable>,
    /// The reason part of this is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// A straight line through the lag of a replica.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LagGrowth {
    /// Seconds of lag that are added in a second.
    pub per_s: f64,
    /// Lower end of its 95 % interval.
    pub low_per_s: f64,
}

/// Stale reads on a replica: reads sent to it as soon as a commit was acknowledged that did not show the commit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaleReads {
    /// The replica, by its name.
    pub server: String,
    /// Reads within the measured window.
    pub reads: u64,
    /// Reads that did not show the commit.
    pub stale: u64,
    /// Time from the acknowledgement until a read was sent that showed the commit, microseconds: median over all reads; 0: the
    /// first one did.
    pub until_seen_p50_us: u64,
    /// The 99th percentile of that time, microseconds.
    pub until_seen_p99_us: u64,
    /// The longest such time, microseconds. A commit not seen until the end counts with the time waited for it.
    pub until_seen_max_us: u64,
}

/// Totals of a simulated network since its servers were started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct NetworkUse {
    /// The requested one-way delay between servers, microseconds; none: nothing was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_us: Option<u64>,
    /// The one-way delay between clients and servers that was asked for, microseconds; none: nothing was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_delay_us: Option<u64>,
    /// The server that was cut off, with the time and length of the cut; none: there was no cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<LinkCut>,
    /// Packets delivered.
    pub packets: u64,
    /// Their bytes, with IP headers.
    pub bytes: u64,
    /// Delivery delay beyond the one asked for, nanoseconds: median.
    pub late_p50_ns: u64,
    /// Delivery delay beyond the one asked for, nanoseconds: 99th percentile.
    pub late_p99_ns: u64,
    /// Delivery delay beyond the one asked for, nanoseconds: maximum.
    pub late_max_ns: u64,
    /// CPU time of the router, seconds; none where the kernel does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_s: Option<f64>,
}

/// A fault of a server in a topology, with its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TopologyFault {
    /// Time it was first seen, seconds since the clients started.
    pub from_s: f64,
    /// Time it was last seen, seconds since the clients started.
    pub until_s: f64,
    /// The server, by its name.
    pub server: String,
    /// The kind of fault.
    pub kind: FaultKind,
    /// Details reported by the server, or the number affected out of the total.
    pub detail: String,
}

/// The kind of fault of a server in a topology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A replica without a source.
    NoSource,
    /// A replica does not receive what the primary sends.
    NotReceiving,
    /// A replica does not apply what it has received.
    NotApplying,
    /// A primary no longer waits for acknowledgements.
    SemisyncOff,
    /// Commits went on without an acknowledgement, though replication is or soon was semisynchronous again.
    FellBack,
    /// Fewer replicas acknowledge than there are.
    FewAcknowledge,
    /// A member of a group or cluster is in another state than online.
    MemberState,
    /// A member sees fewer members than there are.
    FewMembers,
    /// A server does not answer.
    NoAnswer,
}

impl FaultKind {
    /// Its id in messages.
    pub fn id(self) -> &'static str {
        match self {
            Self::NoSource => "no_source",
            Self::NotReceiving => "not_receiving",
            Self::NotApplying => "not_applying",
            Self::SemisyncOff => "semisync_off",
            Self::FellBack => "fell_back",
            Self::FewAcknowledge => "few_acknowledge",
            Self::MemberState => "member_state",
            Self::FewMembers => "few_members",
            Self::NoAnswer => "no_answer",
        }
    }
}

/// A table that holds something else on a server than on the primary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferingTable {
    /// The server, by its name.
    pub server: String,
    /// The table.
    pub table: String,
}
