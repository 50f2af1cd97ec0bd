//! A server that is made to crash under load, and what was there when it had started again.

use serde::{Deserialize, Serialize};

use crate::{DiskKind, Durability};

/// How a server is made to crash.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CrashKind {
    /// Its process is killed (SIGKILL). What it had written is in the page cache, and survives.
    Kill,
    /// The operating system crashes, or power fails under a disk with a protected write cache: what was not flushed is lost, but for
    /// writes that bypass the page cache (O_DIRECT).
    Os,
    /// Power fails under a disk with a volatile write cache: whatever was not flushed is lost.
    Power,
    /// The same under a disk that answers a flush and does not obey it: the positive control, against which no setting helps.
    Lying,
}

impl CrashKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Kill, Self::Os, Self::Power, Self::Lying];

    /// The disk that it takes; none: any will do.
    pub fn disk(self) -> Option<DiskKind> {
        match self {
            Self::Kill => None,
            Self::Os => Some(DiskKind::Protected),
            Self::Power => Some(DiskKind::Volatile),
            Self::Lying => Some(DiskKind::Lying),
        }
    }

    /// As it is written in a specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Os => "os",
            Self::Power => "power",
            Self::Lying => "lying",
        }
    }
}

/// A crash, what was acknowledged before it, and what of that was there after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Crash {
    /// How.
    pub kind: CrashKind,
    /// When, seconds since the clients of that load had connected.
    pub at_s: f64,
    /// The journal of the clients that know what was acknowledged to them.
    pub journal: Journal,
    /// What the simulated disk lost; none if the server was only killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk: Option<DiskLoss>,
    /// What came of the start on what was left.
    pub recovery: Recovery,
    /// The replicas of the server that crashed, held against it and the journal; none of a single server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replicas: Vec<CrashReplica>,
}

/// A replica after the crash of its primary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrashReplica {
    /// Its name.
    pub server: String,
    /// What it held once it had applied all that it had received before the crash.
    pub state: ReplicaState,
}

/// What a replica held after the crash of its primary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplicaState {
    /// It was read.
    Compared(ComparedReplica),
    /// It could not be read, or did not apply what it had received; why.
    Unreadable(String),
}

/// A replica after the crash of its primary, held against it and the journal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedReplica {
    /// Its GTID set.
    pub gtids: String,
    /// Commits of the journal that were acknowledged and that it lacks.
    pub lost: u64,
    /// What it is beside its primary; none where that did not recover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside_primary: Option<BesidePrimary>,
}

/// What a replica has and lacks beside its primary that has recovered from a crash.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BesidePrimary {
    /// The GTID set of the primary.
    pub primary_gtids: String,
    /// Transactions by their GTIDs that it has and the primary lost, those of the load with those of the journal.
    pub ahead: u64,
    /// Transactions of the journal that it has and the tables of the primary lack.
    pub only_here: u64,
    /// Those of them whose commit was acknowledged: the primary lost them, and they are not lost altogether.
    pub saved: u64,
    /// Transactions of the journal that it lacks although it has all that its primary can send: the tables of the primary have them.
    pub only_on_primary: u64,
    /// Why replication from the primary did not go on; none: it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// What the journal holds at the moment of a crash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// Clients that kept it.
    pub clients: u32,
    /// Commits that were acknowledged.
    pub acknowledged: u64,
    /// Transactions under way, whose outcome nobody knew.
    pub unknown: u64,
}

/// What a simulated disk lost in a power cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskLoss {
    /// Files with writes that had not been flushed.
    pub files: u64,
    /// Bytes of them.
    pub unflushed_bytes: u64,
    /// Those of these bytes that were lost.
    pub lost_bytes: u64,
    /// Blocks of 16 KiB, the usual page of InnoDB, of which a part was lost and a part kept.
    pub torn_pages: u64,
    /// Creations, removals and renames of files without effect.
    pub names_lost: u64,
    /// What the disk wrote whole or not at all, bytes, in a crash that kept a part of what was not flushed; none where all of it was
    /// lost, and in older recordings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torn_at: Option<u64>,
}

/// What came of the start after a crash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// The server answered, and its rows were compared with the journal.
    Recovered(RecoveredRows),
    /// It did not start; what it said.
    Failed(String),
    /// It answered, and its rows could not be read; what it said.
    Unreadable(String),
}

/// The rows of a server that has recovered, held against the journal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RecoveredRows {
    /// From its start until it answered, seconds.
    pub took_s: f64,
    /// Commits that were acknowledged and are missing.
    pub lost: u64,
    /// The age that the oldest of them had at the crash, milliseconds since its acknowledgement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_ms: Option<f64>,
    /// Those of them that a later commit of the same client has outlived.
    pub out_of_order: u64,
    /// Accounts whose balance is not what the transactions that are there make it, and rows that are not as they were sent: a part of a
    /// transaction is there.
    pub partial: u64,
    /// Transactions that are there although they were never acknowledged, which is allowed.
    pub unacknowledged: u64,
    /// Transactions that are there although nobody sent them.
    pub never_sent: u64,
    /// What CHECK TABLE says of tables that are damaged, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<String>,
    /// The binary log, held against the journal and the tables; none: there is none. Older recordings have none, either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binary_log: Option<BinaryLog>,
}

/// The binary log of a server that has recovered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryLog {
    /// It was read.
    Compared(ComparedLog),
    /// It could not be read; why.
    Unreadable(String),
}

/// The binary log of a server that has recovered, held against the journal and the tables.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparedLog {
    /// Commits that were acknowledged and are missing in it, whether the tables have them or not.
    pub lost: u64,
    /// The age that the oldest of them had at the crash, milliseconds since its acknowledgement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_ms: Option<f64>,
    /// Transactions that the tables have and the log lacks.
    pub only_in_tables: u64,
    /// Transactions that the log has and the tables lack.
    pub only_in_log: u64,
    /// Where a file of it ends in an event that cannot be read, and what the server says of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damaged_end: Option<String>,
}

impl Durability {
    /// Whether no commit may be lost in such a crash, by the manuals, and the binary log may not differ from the tables. On a disk
    /// that ignores flushes nothing is promised.
    pub fn keeps_commits(self, kind: CrashKind) -> bool {
        match (kind, self) {
            (CrashKind::Kill, Self::LosesOnProcessCrash | Self::LosesOnProcessCrashAndTearsPages) => false,
            (CrashKind::Kill, _) => true,
            (CrashKind::Os | CrashKind::Power, Self::Durable) => true,
            (CrashKind::Os | CrashKind::Power, _) | (CrashKind::Lying, _) => false,
        }
    }
}

impl Crash {
    /// Whether something is missing or wrong that the server had acknowledged, in its tables or its binary log, or a replica is no copy
    /// of it any more, or it does not start.
    pub fn is_harmful(&self) -> bool {
        let log = self.rows().and_then(RecoveredRows::compared_log);
        self.harms_tables()
            || log.is_some_and(|log| log.lost > 0 || log.differs())
            || self.compared_replicas().any(ComparedReplica::differs)
    }

    /// The replicas that were read.
    pub fn compared_replicas(&self) -> impl Iterator<Item = &ComparedReplica> {
        self.replicas.iter().filter_map(|replica| match &replica.state {
            ReplicaState::Compared(found) => Some(found),
            ReplicaState::Unreadable(_) => None,
        })
    }

    /// The same of the tables alone.
    pub fn harms_tables(&self) -> bool {
        self.rows().is_none_or(|rows| rows.lost > 0 || rows.is_damaged())
    }

    /// The rows of the server, if it has recovered.
    pub fn rows(&self) -> Option<&RecoveredRows> {
        match &self.recovery {
            Recovery::Recovered(rows) => Some(rows),
            Recovery::Failed(_) | Recovery::Unreadable(_) => None,
        }
    }
}

impl RecoveredRows {
    /// Whether rows are there that may not be, or not as they should be.
    pub fn is_damaged(&self) -> bool {
        self.partial > 0 || self.never_sent > 0 || !self.damaged.is_empty()
    }

    /// The binary log, if it was read.
    pub fn compared_log(&self) -> Option<&ComparedLog> {
        match self.binary_log.as_ref()? {
            BinaryLog::Compared(log) => Some(log),
            BinaryLog::Unreadable(_) => None,
        }
    }
}

impl ComparedReplica {
    /// Whether it and its primary hold different transactions, or it does not follow it any more.
    pub fn differs(&self) -> bool {
        self.beside_primary.as_ref().is_some_and(|beside| {
            beside.ahead + beside.only_here + beside.only_on_primary > 0 || beside.stopped.is_some()
        })
    }
}

impl ComparedLog {
    /// Whether it and the tables hold different transactions.
    pub fn differs(&self) -> bool {
        self.only_in_tables > 0 || self.only_in_log > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_promises_what_the_manuals_say() {
        use Durability::{Durable, LosesOnOsCrash, LosesOnProcessCrash, TearsPages};
        let kept = |class: Durability| CrashKind::ALL.map(|kind| class.keeps_commits(kind));
        assert_eq!(kept(Durable), [true, true, true, false]);
        assert_eq!(kept(TearsPages), [true, false, false, false]);
        assert_eq!(kept(LosesOnOsCrash), [true, false, false, false]);
        assert_eq!(kept(LosesOnProcessCrash), [false; 4]);
    }

    fn crash(log: ComparedLog) -> Crash {
        let binary_log = Some(BinaryLog::Compared(log));
        Crash {
            kind: CrashKind::Power,
            at_s: 2.0,
            journal: Journal { clients: 4, acknowledged: 10, unknown: 0 },
            disk: None,
            recovery: Recovery::Recovered(RecoveredRows { binary_log, ..RecoveredRows::default() }),
            replicas: Vec::new(),
        }
    }

    #[test]
    fn a_replica_that_is_ahead_of_its_primary_is_harm_although_the_primary_is_whole() {
        let of = |beside: Option<BesidePrimary>| {
            let replica = ComparedReplica { beside_primary: beside, ..ComparedReplica::default() };
            let state = ReplicaState::Compared(replica);
            let replicas = vec![CrashReplica { server: "it:2".to_owned(), state }];
            Crash { replicas, ..crash(ComparedLog::default()) }.is_harmful()
        };
        assert!(!of(None) && !of(Some(BesidePrimary::default())));
        assert!(of(Some(BesidePrimary { ahead: 1, ..BesidePrimary::default() })));
        assert!(of(Some(BesidePrimary { stopped: Some("1236".to_owned()), ..BesidePrimary::default() })));
    }

    #[test]
    fn a_binary_log_that_lacks_or_has_too_much_is_harm_although_the_tables_are_whole() {
        let of = |log: ComparedLog| {
            let crash = crash(log);
            (crash.is_harmful(), crash.harms_tables())
        };
        assert_eq!(of(ComparedLog::default()), (false, false));
        assert_eq!(of(ComparedLog { lost: 1, ..ComparedLog::default() }), (true, false));
        assert_eq!(of(ComparedLog { only_in_tables: 1, ..ComparedLog::default() }), (true, false));
        assert_eq!(of(ComparedLog { only_in_log: 1, ..ComparedLog::default() }), (true, false));
    }

    #[test]
    fn recordings_from_before_the_binary_log_was_read_stay_readable() {
        let rows = RecoveredRows { lost: 3, ..RecoveredRows::default() };
        let text = serde_json::to_string(&rows).expect("it is plain");
        assert!(!text.contains("binary_log"), "{text}");
        assert_eq!(serde_json::from_str::<RecoveredRows>(&text).expect("it is its own"), rows);
    }
}
