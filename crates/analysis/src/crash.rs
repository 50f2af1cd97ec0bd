//! Losses in crashes under load, over the trials of a cell.

pub(crate) mod bound;
mod conditions;
mod log;
mod replicas;

use std::collections::BTreeMap;

use messages::message;
use model::{Crash, CrashKind, Durability, Outcome, RecoveredRows, Recovery};
use serde::{Deserialize, Serialize};

use self::bound::bound;
pub use self::conditions::CrashConditionsSummary;
pub use self::log::LogSummary;
pub use self::replicas::CrashReplicasSummary;
use crate::Words;
use crate::input::TrialInput;

/// What crashes under load lost, over the trials of a cell.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrashSummary {
    /// How the server was made to crash.
    pub kind: CrashKind,
    /// What its settings promise.
    pub class: Durability,
    /// Crashes.
    pub crashes: u32,
    /// Those of them after which the tables lacked an acknowledged commit.
    pub lost_in: u32,
    /// Those of them after which the server did not start, or could not be read.
    pub not_recovered: u32,
    /// Those of them after which rows were there that may not be, or not as they should be.
    pub damaged: u32,
    /// Commits that had been acknowledged, over all crashes.
    pub acknowledged: u64,
    /// The most acknowledged commits that the tables lacked after a crash.
    pub lost_most: u64,
    /// The age of the oldest commit that they lacked, milliseconds since its acknowledgement: median over the crashes, 0 of those that lost
    /// nothing; none if no crash tells.
    pub lost_ms_median: Option<f64>,
    /// The same: worst.
    pub lost_ms_worst: Option<f64>,
    /// Upper end of the one-sided 95 % interval of the share of crashes after which the tables are harmed, where they never were.
    pub bound: Option<f64>,
    /// From the start of the server until it answered, seconds: median.
    pub recovery_s: Option<f64>,
    /// The binary log, compared with the tables; none: there is none, or the recordings are older than the comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub binary_log: Option<LogSummary>,
    /// Its replicas, compared with it; none where it had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub replicas: Option<CrashReplicasSummary>,
    /// The consistency conditions of TPC-C after the crashes; none where they were not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub conditions: Option<CrashConditionsSummary>,
    /// Crashes in which the disk kept a part of what was not flushed, by the number of bytes that it wrote whole or not at all.
    #[serde(default)]
    pub torn: Vec<TornAt>,
    /// How what was lost stands to what the settings promise.
    pub standing: CrashStanding,
    /// All of it in a sentence.
    pub says: Words,
}

/// Crashes of a disk that tore writes at so many bytes.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TornAt {
    /// What it wrote whole or not at all, bytes.
    pub bytes: u64,
    /// How many crashes.
    pub crashes: u32,
}

/// How what was lost stands to what the settings promise.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CrashStanding {
    /// They promise to keep every commit, in the tables and in the binary log, and every commit was kept.
    Kept,
    /// They promise that, and something was lost or damaged, or the binary log differed from the tables.
    Broken,
    /// They promise nothing, and something was lost or damaged, or the binary log differed from the tables.
    Lost,
    /// They promise nothing, and nothing was lost in these crashes.
    Spared,
}

/// Summarises the crashes; none where nothing crashed on purpose. All trials with a crash count, whether or not their
/// throughput is valid.
pub(crate) fn crashes(target: &str, own: &[&TrialInput<'_>]) -> Option<CrashSummary> {
    let completed = own.iter().filter(|trial| trial.result.outcome == Outcome::Completed);
    let crashed: Vec<(&Crash, Durability)> = completed
        .clone()
        .filter_map(|trial| Some((trial.result.crash.as_ref()?, trial.result.server()?.durability)))
        .collect();
    let of_tpcc = completed
        .filter(|trial| trial.result.crash.is_some())
        .filter_map(|trial| trial.result.measured.tpcc.as_ref());
    let conditions = CrashConditionsSummary::of(&of_tpcc.collect::<Vec<_>>());
    summarised(target, &crashed, conditions)
}

fn summarised(
    target: &str,
    crashed: &[(&Crash, Durability)],
    conditions: Option<CrashConditionsSummary>,
) -> Option<CrashSummary> {
    let (first, class) = *crashed.first()?;
    let all = || crashed.iter().map(|(crash, _)| *crash);
    let recovered: Vec<&RecoveredRows> = all().filter_map(Crash::rows).collect();
    let with_journal: Vec<(&RecoveredRows, u64)> =
        all().filter_map(|crash| Some((crash.rows()?, crash.journal.acknowledged))).collect();
    let lost_ms: Vec<f64> = recovered.iter().map(|rows| rows.lost_ms.unwrap_or(0.0)).collect();
    let took_s: Vec<f64> = recovered.iter().map(|rows| rows.took_s).collect();
    let promised = class.keeps_commits(first.kind);
    let is_violated = conditions.as_ref().is_some_and(|found| found.violated_in > 0);
    let is_harmful = is_violated || all().any(Crash::is_harmful);
    let harmed = all().filter(|crash| crash.harms_tables()).count() as u32;
    let mut summary = CrashSummary {
        kind: first.kind,
        class,
        crashes: crashed.len() as u32,
        lost_in: recovered.iter().filter(|rows| rows.lost > 0).count() as u32,
        not_recovered: (crashed.len() - recovered.len()) as u32,
        damaged: recovered.iter().filter(|rows| rows.is_damaged()).count() as u32,
        acknowledged: all().map(|crash| crash.journal.acknowledged).sum(),
        lost_most: recovered.iter().map(|rows| rows.lost).max().unwrap_or_default(),
        lost_ms_median: stats::quantile(&lost_ms, 0.5),
        lost_ms_worst: lost_ms.iter().copied().reduce(f64::max),
        bound: bound(harmed, crashed.len() as u32),
        recovery_s: stats::quantile(&took_s, 0.5),
        binary_log: LogSummary::of(&with_journal),
        replicas: CrashReplicasSummary::of(&all().collect::<Vec<_>>()),
        conditions,
        torn: torn(crashed),
        standing: match (promised, is_harmful) {
            (true, false) => CrashStanding::Kept,
            (true, true) => CrashStanding::Broken,
            (false, true) => CrashStanding::Lost,
            (false, false) => CrashStanding::Spared,
        },
        says: Words::new("", ""),
    };
    let tables = tables_say(target, &summary, promised && harmed > 0, all().find_map(trouble));
    let log = summary.binary_log.iter().flat_map(|log| log.says(summary.crashes, promised));
    let conditions = summary.conditions.iter().flat_map(|found| found.says(summary.crashes));
    let replicas = summary.replicas.iter().flat_map(|found| found.says(promised));
    summary.says =
        Words::clauses(std::iter::once(tables).chain(conditions).chain(log).chain(replicas).collect());
    Some(summary)
}

/// Number of crashes in which part of an unflushed write was kept, by the unit that the disk writes atomically.
fn torn(crashed: &[(&Crash, Durability)]) -> Vec<TornAt> {
    let mut counts = BTreeMap::new();
    let torn_at = crashed.iter().filter_map(|(crash, _)| crash.disk.as_ref()?.torn_at);
    torn_at.for_each(|bytes| *counts.entry(bytes).or_default() += 1);
    counts.into_iter().map(|(bytes, crashes)| TornAt { bytes, crashes }).collect()
}

/// The error of a server that did not recover, or of a damaged table; its first line.
fn trouble(crash: &Crash) -> Option<&str> {
    let text = match &crash.recovery {
        Recovery::Recovered(rows) => rows.damaged.first()?,
        Recovery::Failed(text) | Recovery::Unreadable(text) => text,
    };
    text.lines().next()
}

fn tables_say(target: &str, found: &CrashSummary, is_broken: bool, trouble: Option<&str>) -> Words {
    // Without "from its tables" it would be said of the binary log as well.
    let is_whole = found.binary_log.as_ref().is_none_or(LogSummary::is_whole);
    message!(
        "crash-says",
        target = Text(target),
        kind = Word(found.kind.name()),
        crashes = Count(found.crashes),
        lost = Count(found.lost_in),
        most = Count(found.lost_most),
        worst = Figure?(found.lost_ms_worst.filter(|_| found.lost_in > 0)),
        of = Word(if is_whole { "server" } else { "tables" }),
        bound = Percent?(found.bound),
        failed = Count(found.not_recovered),
        damaged = Count(found.damaged),
        trouble = Text?(trouble),
        broken = Word(if is_broken { "yes" } else { "no" })
    )
}

/// The answer of a recording whose servers crashed: a sentence for each cell, or the best and the worst of many.
pub fn crash_answer(cells: &[CrashSummary]) -> Option<Words> {
    const SENTENCES_MAX: usize = 4;
    if cells.is_empty() {
        return None;
    }
    if cells.len() <= SENTENCES_MAX {
        let clauses: Vec<Words> = cells.iter().map(|one| one.says.clone()).collect();
        return Some(message!("answer", clauses = Sentences(clauses)));
    }
    let is_whole = |one: &&CrashSummary| one.lost_in + one.damaged + one.not_recovered == 0;
    let broken = cells.iter().filter(|one| one.standing == CrashStanding::Broken);
    let logs: Vec<&LogSummary> =
        cells.iter().filter_map(|one| one.binary_log.as_ref()).filter(|log| log.compared > 0).collect();
    let lead = message!(
        "crash-lead",
        harmless = Count(cells.iter().filter(is_whole).count() as u64),
        cells = Count(cells.len() as u64),
        agreed = Count(logs.iter().filter(|log| log.differs_in == 0).count() as u64),
        compared = Count?(Some(logs.len() as u64).filter(|compared| *compared > 0))
    );
    let log_ms =
        |one: &CrashSummary| one.binary_log.as_ref().and_then(|log| log.lost_ms_worst).unwrap_or(0.0);
    let most = |of: &dyn Fn(&CrashSummary) -> f64| {
        let worst = cells.iter().max_by(|a, b| of(a).total_cmp(&of(b)))?;
        (of(worst) > 0.0).then_some(worst)
    };
    let worst = most(&|one| one.lost_ms_worst.unwrap_or(0.0));
    let worst_log = most(&log_ms).filter(|log| !worst.is_some_and(|worst| std::ptr::eq(*log, worst)));
    let clauses: Vec<Words> = std::iter::once(lead)
        .chain(worst.map(|one| message!("crash-worst", says = Message(one.says.clone()))))
        .chain(worst_log.map(|one| message!("crash-worst-log", says = Message(one.says.clone()))))
        .chain(broken.map(|one| one.says.clone()))
        .collect();
    Some(message!("answer", clauses = Sentences(clauses)))
}

#[cfg(test)]
mod tests {
    use model::{BinaryLog, ComparedLog, Journal};

    use super::*;

    fn crash(lost: u64, log: Option<BinaryLog>) -> Crash {
        let lost_ms = (lost > 0).then_some(3.0);
        let rows = RecoveredRows { took_s: 1.0, lost, lost_ms, binary_log: log, ..RecoveredRows::default() };
        Crash {
            kind: CrashKind::Power,
            at_s: 2.0,
            journal: Journal { clients: 4, acknowledged: 100, unknown: 4 },
            disk: None,
            recovery: Recovery::Recovered(rows),
            replicas: Vec::new(),
        }
    }

    fn compared(lost: u64, only_in_tables: u64, only_in_log: u64) -> Option<BinaryLog> {
        let lost_ms = (lost > 0).then_some(278.0);
        Some(BinaryLog::Compared(ComparedLog {
            lost,
            lost_ms,
            only_in_tables,
            only_in_log,
            ..ComparedLog::default()
        }))
    }

    fn summary(class: Durability, crashes: &[Crash]) -> CrashSummary {
        let crashed: Vec<(&Crash, Durability)> = crashes.iter().map(|crash| (crash, class)).collect();
        summarised("it", &crashed, None).expect("there are crashes")
    }

    #[test]
    fn losses_of_the_tables_and_of_the_binary_log_are_told_apart() {
        let lacking =
            [crash(0, compared(100, 104, 0)), crash(0, compared(60, 60, 0)), crash(0, compared(0, 0, 0))];
        let found = summary(Durability::LosesOnOsCrash, &lacking);
        assert_eq!((found.standing, found.lost_in), (CrashStanding::Lost, 0));
        assert!(found.bound.is_some());
        let log = found.binary_log.as_ref().expect("it was compared");
        assert_eq!(
            (log.lost_in, log.all_lost_in, log.lost_most, log.lost_ms_worst),
            (2, 1, 100, Some(278.0))
        );
        assert_eq!((log.differs_in, log.only_in_tables_most, log.lost_bound), (2, 104, None));
        assert_eq!(
            found.says.en,
            "it lost no acknowledged commit from its tables in 3 power failures (95 % upper bound 63 % per crash); its binary \
             log lacked up to 100 acknowledged commits, the oldest 278 ms old, in 2 of 3 (in 1 of them every commit that was \
             looked for): replicas and point-in-time recovery can no longer get them from it"
        );
    }

    #[test]
    fn a_binary_log_that_differs_breaks_the_promise_of_durable_settings() {
        let extra = summary(Durability::Durable, &[crash(0, compared(0, 0, 2)), crash(0, compared(0, 0, 0))]);
        assert_eq!(extra.standing, CrashStanding::Broken);
        let says = &extra.says.en;
        assert!(says.contains("its binary log had up to 2 transactions that its tables lacked"), "{says}");
        assert!(says.ends_with("; its settings promise that binary log and tables agree"), "{says}");
        let kept = summary(Durability::Durable, &[crash(0, compared(0, 0, 0))]);
        assert_eq!(kept.standing, CrashStanding::Kept);
        let says = &kept.says.en;
        assert!(says.contains("lost no acknowledged commit in 1 power failure"), "{says}");
        assert!(says.ends_with("; its binary log agreed with its tables"), "{says}");
    }

    #[test]
    fn a_binary_log_that_cannot_be_read_is_no_loss_and_is_said() {
        let unread = || Some(BinaryLog::Unreadable("Access denied\nfor you".to_owned()));
        let found = summary(Durability::Durable, &[crash(0, unread()), crash(0, compared(0, 0, 0))]);
        assert_eq!(found.standing, CrashStanding::Kept);
        let says = &found.says.en;
        assert!(says.contains("; its binary log agreed with its tables after 1 of them"), "{says}");
        assert!(
            says.ends_with("; its binary log could not be read after 1 of them (Access denied)"),
            "{says}"
        );
        assert_eq!(summary(Durability::Durable, &[crash(0, None)]).binary_log, None);
    }

    #[test]
    fn the_answer_over_many_cells_counts_tables_and_binary_logs_apart() {
        let of = |lost: u64, log| summary(Durability::LosesOnOsCrash, &[crash(lost, log)]);
        let mut cells: Vec<CrashSummary> = (0..4).map(|_| of(0, compared(0, 0, 0))).collect();
        cells.extend([of(0, compared(50, 50, 0)), of(7, compared(0, 0, 7)), of(0, None)]);
        let says = crash_answer(&cells).expect("there are cells").en;
        let lead = "No acknowledged commit was lost from the tables in 6 of 7 combinations of settings and crash, and the binary \
                    log agreed with them in 4 of 6. The worst for the tables: it lost up to 3.00 ms of acknowledged commits";
        assert!(says.starts_with(lead), "{says}");
        assert!(
            says.contains(". The worst for the binary log: it lost no acknowledged commit from its tables"),
            "{says}"
        );
    }
}
