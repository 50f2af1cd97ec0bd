//! Transactions that replicas had and lacked after crashes of their primary, over the trials of a cell.

use messages::message;
use model::{BesidePrimary, ComparedReplica, Crash, ReplicaState};
use serde::{Deserialize, Serialize};

use super::bound::bound;
use crate::Words;

/// Replicas after crashes of their primary, held against it and the journal, over the trials of a cell. Where there are several
/// replicas, the figures are those of the one with the most.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrashReplicasSummary {
    /// Crashes after which a replica was compared with its primary.
    pub compared: u32,
    /// Crashes after which a replica could not be read.
    pub unreadable: u32,
    /// Why not, of the first of them.
    pub trouble: Option<String>,
    /// Crashes after which a replica had transactions that the primary had lost.
    pub ahead_in: u32,
    /// Upper end of the one-sided 95 % interval of the share of crashes after which a replica is ahead, where none ever was.
    pub ahead_bound: Option<f64>,
    /// The most such transactions after a crash.
    pub ahead_most: u64,
    /// The most acknowledged commits of the journal after a crash that the primary had lost and a replica had.
    pub saved_most: u64,
    /// Crashes after which replication from the primary did not go on.
    pub stopped_in: u32,
    /// Why not, of the first of them.
    pub stopped: Option<String>,
    /// Crashes after which replication went on although a replica and the primary held different transactions.
    pub diverged_in: u32,
    /// Crashes after which a replica never got transactions that the tables of the primary had.
    pub lacking_in: u32,
    /// The most of them, of the journal.
    pub lacking_most: u64,
    /// Crashes after which every replica lacked acknowledged commits of the journal.
    pub lost_in: u32,
    /// The most that the best replica lacked after a crash: what a failover to it would have lost.
    pub lost_most: u64,
    /// Crashes after which a replica told what it had.
    pub told: u32,
}

impl CrashReplicasSummary {
    /// Summarises the replicas; none where no server had any.
    pub(super) fn of(crashes: &[&Crash]) -> Option<Self> {
        let with: Vec<&&Crash> = crashes.iter().filter(|crash| !crash.replicas.is_empty()).collect();
        let beside: Vec<Vec<&BesidePrimary>> = with
            .iter()
            .map(|crash| crash.compared_replicas().filter_map(|one| one.beside_primary.as_ref()).collect())
            .filter(|own: &Vec<_>| !own.is_empty())
            .collect();
        let count = |so: fn(&BesidePrimary) -> bool| {
            beside.iter().filter(|own| own.iter().any(|one| so(one))).count() as u32
        };
        let most =
            |of: fn(&BesidePrimary) -> u64| beside.iter().flatten().map(|one| of(one)).max().unwrap_or(0);
        let unread = |crash: &Crash| {
            crash.replicas.iter().find_map(|replica| match &replica.state {
                ReplicaState::Unreadable(why) => Some(first_line(why)),
                ReplicaState::Compared(_) => None,
            })
        };
        let lost: Vec<u64> = with.iter().filter_map(|crash| least_lost(crash)).collect();
        let (compared, ahead_in) = (beside.len() as u32, count(is_ahead));
        (!with.is_empty()).then(|| Self {
            compared,
            unreadable: with.iter().filter(|crash| unread(crash).is_some()).count() as u32,
            trouble: with.iter().find_map(|crash| unread(crash)),
            ahead_in,
            ahead_bound: bound(ahead_in, compared),
            ahead_most: most(ahead),
            saved_most: most(|one| one.saved),
            stopped_in: count(|one| one.stopped.is_some()),
            stopped: beside.iter().flatten().find_map(|one| one.stopped.as_deref().map(gist)),
            diverged_in: count(|one| one.stopped.is_none() && one.only_here + one.only_on_primary > 0),
            lacking_in: count(|one| one.only_on_primary > 0),
            lacking_most: most(|one| one.only_on_primary),
            lost_in: lost.iter().filter(|lost| **lost > 0).count() as u32,
            lost_most: lost.iter().copied().max().unwrap_or(0),
            told: lost.len() as u32,
        })
    }

    /// Sentences about them. `promised`: the settings of the primary promise that a replica has no more than it.
    pub(super) fn says(&self, promised: bool) -> Vec<Words> {
        let ahead = message!(
            "crash-replicas-ahead",
            most = Count(self.ahead_most),
            ahead = Count(self.ahead_in),
            compared = Count(self.compared),
            saved = Count(self.saved_most)
        );
        let equal = message!(
            "crash-replicas-equal",
            compared = Count(self.compared),
            bound = Percent?(self.ahead_bound)
        );
        let stopped = message!(
            "crash-replicas-stopped",
            stopped = Count(self.stopped_in),
            compared = Count(self.compared),
            trouble = Text(self.stopped.clone().unwrap_or_default())
        );
        let diverged = message!(
            "crash-replicas-diverged",
            diverged = Count(self.diverged_in),
            compared = Count(self.compared)
        );
        let lacking = message!(
            "crash-replicas-lacking",
            most = Count(self.lacking_most),
            lacking = Count(self.lacking_in),
            compared = Count(self.compared)
        );
        let promoted = message!(
            "crash-replicas-promoted",
            most = Count(self.lost_most),
            lost = Count(self.lost_in),
            told = Count(self.told)
        );
        let clauses = [
            (self.ahead_in > 0, ahead),
            (self.compared > 0 && self.ahead_in == 0, equal),
            (self.stopped_in > 0, stopped),
            (self.diverged_in > 0, diverged),
            (self.lacking_in > 0, lacking),
            (promised && self.harmed(), message!("crash-replicas-broken")),
            (self.told > 0, promoted),
        ];
        let unread = self.trouble.as_deref().map(|trouble| {
            message!("crash-replicas-unread", count = Count(self.unreadable), trouble = Text(trouble))
        });
        clauses.into_iter().filter_map(|(so, words)| so.then_some(words)).chain(unread).collect()
    }

    fn harmed(&self) -> bool {
        self.ahead_in + self.stopped_in + self.lacking_in > 0
    }
}

fn is_ahead(one: &BesidePrimary) -> bool {
    ahead(one) > 0
}

/// Transactions that a replica has and the primary lacks. GTIDs count all transactions. One that the primary's binary log
/// has and its tables lack has the same GTID on both.
fn ahead(one: &BesidePrimary) -> u64 {
    one.ahead.max(one.only_here)
}

/// Commits that a failover to the best of its replicas would have lost; none where no replica is known.
fn least_lost(crash: &Crash) -> Option<u64> {
    crash.compared_replicas().map(|one: &ComparedReplica| one.lost).min()
}

/// The reason in a replica's error: `Got fatal error 1236 ...: 'Replica has more GTIDs than the source has. This may ...'`.
fn gist(text: &str) -> String {
    let reason = text.split_once(": '").map_or(text, |(_, reason)| reason);
    first_line(reason.split(". ").next().unwrap_or(reason))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use model::{CrashKind, CrashReplica, Journal, RecoveredRows, Recovery};

    use super::*;

    fn crash(beside: Option<BesidePrimary>, lost: u64) -> Crash {
        let found = ComparedReplica { beside_primary: beside, lost, ..ComparedReplica::default() };
        Crash {
            kind: CrashKind::Power,
            at_s: 2.0,
            journal: Journal { clients: 4, acknowledged: 100, unknown: 4 },
            disk: None,
            recovery: Recovery::Recovered(RecoveredRows::default()),
            replicas: vec![CrashReplica { server: "it:2".to_owned(), state: ReplicaState::Compared(found) }],
        }
    }

    fn says(crashes: &[Crash], promised: bool) -> (CrashReplicasSummary, String) {
        let all: Vec<&Crash> = crashes.iter().collect();
        let found = CrashReplicasSummary::of(&all).expect("there are replicas");
        let says = Words::clauses(found.says(promised)).en;
        (found, says)
    }

    #[test]
    fn a_replica_that_is_ahead_breaks_replication_or_differs_unnoticed() {
        let refused =
            "Got fatal error 1236 from source: 'Replica has more GTIDs than the source has. This may be'";
        let stopped = Some(refused.to_owned());
        let by_gtid = BesidePrimary { ahead: 7, only_here: 2, saved: 1, stopped, ..BesidePrimary::default() };
        // The binary log has them, and the tables have not.
        let unnoticed = BesidePrimary { only_here: 9, saved: 9, ..BesidePrimary::default() };
        let crashes = [crash(Some(by_gtid), 0), crash(Some(unnoticed), 3), crash(None, 5)];
        let (found, says) = says(&crashes, false);
        assert_eq!((found.compared, found.told, found.ahead_in, found.ahead_most), (2, 3, 2, 9));
        assert_eq!((found.stopped_in, found.diverged_in, found.saved_most, found.lost_most), (1, 1, 9, 5));
        assert_eq!(
            says,
            "a replica had up to 9 transactions that it had lost, in 2 of 2 (with up to 9 acknowledged commits of the journal); \
             replication did not resume after 1 of 2 (Replica has more GTIDs than the source has); replication resumed after 1 of 2 \
             although a replica and it held different transactions; a failover to a replica would have lost up to 5 acknowledged \
             commits, in 2 of 3"
        );
    }

    #[test]
    fn a_promise_is_broken_only_where_a_replica_differs() {
        let (found, said) = says(&[crash(Some(BesidePrimary::default()), 0)], true);
        assert_eq!((found.ahead_in, found.ahead_bound.map(|bound| bound > 0.9)), (0, Some(true)));
        assert!(said.starts_with("no replica was ahead of it after 1 of them"), "{said}");
        assert!(!said.contains("promise"), "{said}");
        let ahead = BesidePrimary { ahead: 1, ..BesidePrimary::default() };
        let (_, said) = says(&[crash(Some(ahead), 0)], true);
        assert!(said.contains("; its settings promise that replicas have neither more nor less"), "{said}");
    }

    #[test]
    fn a_server_without_replicas_has_no_summary() {
        let alone = Crash { replicas: Vec::new(), ..crash(None, 0) };
        assert_eq!(CrashReplicasSummary::of(&[&alone]), None);
    }
}
