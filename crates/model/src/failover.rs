//! A primary that is lost under load, and what its topology made of that.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Journal, RecoveredRows};

/// How a primary is lost.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrimaryLoss {
    /// Its process is killed (SIGKILL).
    Kill,
    /// It is shut down (SIGTERM).
    Stop,
    /// It stands still (SIGSTOP): it keeps its connections and answers nobody.
    Freeze,
    /// It is cut off from the other servers; clients still reach it.
    Cut,
}

impl PrimaryLoss {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Kill, Self::Stop, Self::Freeze, Self::Cut];

    /// The name in a specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Stop => "stop",
            Self::Freeze => "freeze",
            Self::Cut => "cut",
        }
    }
}

/// A primary that is to be lost during a load.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlannedFailover {
    /// The way the primary is lost.
    pub loss: PrimaryLoss,
    /// Time of the loss, seconds into the measured window.
    pub at_s: f64,
}

/// Who makes another server the primary.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromotedBy {
    /// The topology itself: a group elects a new primary, and any node of a Galera cluster can take writes.
    Topology,
    /// mydyno, as an administrator would: the replica with most transactions, once it has applied what it received.
    Mydyno,
}

/// The result of a failover: write outage, lost commits, and the fate of the old primary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failover {
    /// The way the primary was lost.
    pub loss: PrimaryLoss,
    /// Time of the loss, seconds since the load began.
    pub at_s: f64,
    /// The party that promotes a new primary.
    pub by: PromotedBy,
    /// Whether the topology promises that no acknowledged commit is lost.
    pub promised: bool,
    /// Semisynchronous replication had fallen back to asynchronous before clients were told of the new primary.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fell_back: bool,
    /// Time from the loss until it was noticed, seconds; none if unknown, as with a group that elects by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noticed_s: Option<f64>,
    /// The new primary, and since when clients were told of it.
    pub promotion: Promotion,
    /// The longest stretch without an acknowledged commit from just before the loss on, seconds.
    pub without_commit_s: f64,
    /// Transactions per second of the load before the loss.
    pub before_per_s: f64,
    /// Time from the loss until throughput was back at 90 % of that, seconds; none if that did not happen during the load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovered_s: Option<f64>,
    /// The journal of the clients that record acknowledged commits.
    pub journal: Journal,
    /// Commits that the old primary acknowledged after the new one had accepted writes (split brain), to a journal client that
    /// stayed connected to it. They do not count as lost. None if no client stayed, or if there was no new primary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_brain: Option<u64>,
    /// Errors of the load's clients by code, from the second of the loss on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<u16, u64>,
    /// The journal held against the new primary; none where there is none, or it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survivor: Option<RecoveredRows>,
    /// The fate of the old primary.
    pub rejoin: Rejoin,
}

/// The outcome of the search for a new primary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Promotion {
    /// A new primary was promoted.
    Promoted {
        /// Name of the server.
        server: String,
        /// Time from the loss until clients were told, seconds.
        after_s: f64,
    },
    /// No primary was promoted, with the reason.
    Failed(String),
}

/// The state of an old primary at the end of the load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rejoin {
    /// It is a replica of the new primary, with all of its transactions.
    Rejoined {
        /// Time since its start, or since the end of what kept it away, seconds.
        after_s: f64,
    },
    /// It has this many transactions that the new primary lacks, so it can only be rebuilt.
    Diverged {
        /// Number of transactions.
        transactions: u64,
    },
    /// It failed to rejoin, or rejoining was not tried, with the reason.
    Failed(String),
}

impl Failover {
    /// Whether an acknowledged commit is missing on the new primary, its rows are wrong, or a topology that elects its primary
    /// by itself had two of them.
    pub fn is_harmful(&self) -> bool {
        let has_two = self.by == PromotedBy::Topology && self.split_brain.is_some_and(|commits| commits > 0);
        has_two || self.survivor.as_ref().is_some_and(|rows| rows.lost > 0 || rows.is_damaged())
    }

    /// Whether the topology lost commits that it promised to keep.
    pub fn breaks_promise(&self) -> bool {
        self.promised && self.is_harmful()
    }
}
