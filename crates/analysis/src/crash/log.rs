//! Transactions missing from the binary log or in excess there after crashes, over the trials of a cell.

use messages::message;
use model::{BinaryLog, ComparedLog, RecoveredRows};
use serde::{Deserialize, Serialize};

use super::bound::bound;
use crate::Words;

/// The binary log after crashes, held against the journal and the tables, over the trials of a cell.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogSummary {
    /// Crashes after which it was compared.
    pub compared: u32,
    /// Crashes after which it could not be read.
    pub unreadable: u32,
    /// Why not, of the first of them.
    pub trouble: Option<String>,
    /// Crashes after which it lacked an acknowledged commit.
    pub lost_in: u32,
    /// Those of them after which it lacked every acknowledged commit: the loss may go back further than the journal.
    pub all_lost_in: u32,
    /// The most acknowledged commits that it lacked after a crash.
    pub lost_most: u64,
    /// The age of the oldest commit that it lacked, milliseconds since its acknowledgement: worst; none if it was never read.
    pub lost_ms_worst: Option<f64>,
    /// Upper end of the one-sided 95 % interval of the share of crashes after which it lacks something, where it never did.
    pub lost_bound: Option<f64>,
    /// Crashes after which it and the tables held different transactions.
    pub differs_in: u32,
    /// The same interval for that.
    pub differs_bound: Option<f64>,
    /// The most transactions after a crash that the tables had and it lacked.
    pub only_in_tables_most: u64,
    /// The most transactions after a crash that it had and the tables lacked.
    pub only_in_log_most: u64,
    /// Crashes after which a file of it ended in an event that cannot be read.
    pub damaged_end_in: u32,
}

impl LogSummary {
    /// Summarises the logs; none where no server wrote a binary log. Each crash comes with the number of commits that had been
    /// acknowledged before it.
    pub(super) fn of(crashes: &[(&RecoveredRows, u64)]) -> Option<Self> {
        let all: Vec<(&BinaryLog, u64)> = crashes
            .iter()
            .filter_map(|(rows, acknowledged)| Some((rows.binary_log.as_ref()?, *acknowledged)))
            .collect();
        let compared: Vec<(&ComparedLog, u64)> = crashes
            .iter()
            .filter_map(|(rows, acknowledged)| Some((rows.compared_log()?, *acknowledged)))
            .collect();
        let trouble = all.iter().find_map(|(log, _)| match log {
            BinaryLog::Compared(_) => None,
            BinaryLog::Unreadable(why) => Some(why.lines().next().unwrap_or_default().to_owned()),
        });
        let count = |so: fn(&ComparedLog) -> bool| compared.iter().filter(|(log, _)| so(log)).count() as u32;
        let most =
            |of: fn(&ComparedLog) -> u64| compared.iter().map(|(log, _)| of(log)).max().unwrap_or_default();
        let (lost_in, differs_in) = (count(|log| log.lost > 0), count(ComparedLog::differs));
        let crashes = compared.len() as u32;
        (!all.is_empty()).then(|| Self {
            compared: crashes,
            unreadable: all.len() as u32 - crashes,
            trouble,
            lost_in,
            all_lost_in: compared
                .iter()
                .filter(|(log, acknowledged)| log.lost > 0 && log.lost == *acknowledged)
                .count() as u32,
            lost_most: most(|log| log.lost),
            lost_ms_worst: compared.iter().map(|(log, _)| log.lost_ms.unwrap_or(0.0)).reduce(f64::max),
            lost_bound: bound(lost_in, crashes),
            differs_in,
            differs_bound: bound(differs_in, crashes),
            only_in_tables_most: most(|log| log.only_in_tables),
            only_in_log_most: most(|log| log.only_in_log),
            damaged_end_in: count(|log| log.damaged_end.is_some()),
        })
    }

    /// Whether it was compared each time, lacked nothing and agreed with the tables.
    pub(super) fn is_whole(&self) -> bool {
        self.compared > 0 && self.lost_in == 0 && self.differs_in == 0
    }

    /// Sentences about it, following those about the tables in this number of crashes. `promised`: the settings promise that it
    /// agrees.
    pub(super) fn says(&self, crashes: u32, promised: bool) -> Vec<Words> {
        let compared = Some(self.compared).filter(|compared| *compared < crashes);
        let lacks = message!(
            "crash-log-lacks",
            most = Count(self.lost_most),
            worst = Figure(self.lost_ms_worst.unwrap_or(0.0)),
            lost = Count(self.lost_in),
            compared = Count(self.compared),
            whole = Count(self.all_lost_in)
        );
        let is_same = self.lost_in > 0 && self.differs_in == 0;
        let only_tables = self.lost_in == 0 && self.only_in_tables_most > 0;
        let clauses = [
            (self.is_whole(), message!("crash-log-agrees", compared = Count?(compared))),
            (self.lost_in > 0, lacks),
            (is_same, message!("crash-log-same")),
            (only_tables, message!("crash-log-only-tables", most = Count(self.only_in_tables_most))),
            (self.only_in_log_most > 0, message!("crash-log-only-log", most = Count(self.only_in_log_most))),
            (promised && self.compared > 0 && !self.is_whole(), message!("crash-log-broken")),
            (self.damaged_end_in > 0, message!("crash-log-damaged", count = Count(self.damaged_end_in))),
        ];
        let unread = self.trouble.as_deref().map(|trouble| {
            message!("crash-log-unread", count = Count(self.unreadable), trouble = Text(trouble))
        });
        clauses.into_iter().filter_map(|(so, words)| so.then_some(words)).chain(unread).collect()
    }
}
