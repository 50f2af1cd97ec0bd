//! What crashes under load lost, over the trials of a cell.

use messages::message;
use model::{Crash, CrashKind, Durability, Outcome, RecoveredRows, Recovery};
use serde::{Deserialize, Serialize};

use crate::input::TrialInput;
use crate::{CONFIDENCE, Words};

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
    /// Those of them after which an acknowledged commit was missing.
    pub lost_in: u32,
    /// Those of them after which the server did not start, or could not be read.
    pub not_recovered: u32,
    /// Those of them after which rows were there that may not be, or not as they should be.
    pub damaged: u32,
    /// Commits that had been acknowledged, over all crashes.
    pub acknowledged: u64,
    /// The most acknowledged commits that were missing after a crash.
    pub lost_most: u64,
    /// The age of the oldest missing commit, milliseconds since its acknowledgement: median over the crashes, 0 of those that lost
    /// nothing; none if no crash tells.
    pub lost_ms_median: Option<f64>,
    /// The same: worst.
    pub lost_ms_worst: Option<f64>,
    /// Upper end of the one-sided 95 % interval of the share of crashes that lose something, where none did.
    pub bound: Option<f64>,
    /// From the start of the server until it answered, seconds: median.
    pub recovery_s: Option<f64>,
    /// How what was lost stands to what the settings promise.
    pub standing: CrashStanding,
    /// All of it in a sentence.
    pub says: Words,
}

/// How what was lost stands to what the settings promise.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CrashStanding {
    /// They promise to keep every commit, and every commit was kept.
    Kept,
    /// They promise to keep every commit, and something was lost or damaged.
    Broken,
    /// They promise nothing, and something was lost or damaged.
    Lost,
    /// They promise nothing, and nothing was lost in these crashes.
    Spared,
}

/// None where nothing crashed on purpose. All trials with a crash count: whether their throughput is valid is another question.
pub(crate) fn crashes(target: &str, own: &[&TrialInput<'_>]) -> Option<CrashSummary> {
    let completed = own.iter().filter(|trial| trial.result.outcome == Outcome::Completed);
    let crashed: Vec<(&Crash, Durability)> = completed
        .filter_map(|trial| Some((trial.result.crash.as_ref()?, trial.result.server()?.durability)))
        .collect();
    let (first, class) = *crashed.first()?;
    let all = || crashed.iter().map(|(crash, _)| *crash);
    let recovered: Vec<&RecoveredRows> = all().filter_map(rows).collect();
    let lost_ms: Vec<f64> = recovered.iter().map(|rows| rows.lost_ms.unwrap_or(0.0)).collect();
    let took_s: Vec<f64> = recovered.iter().map(|rows| rows.took_s).collect();
    let (promised, is_harmful) = (class.keeps_commits(first.kind), all().any(Crash::is_harmful));
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
        bound: (!is_harmful).then(|| bound(crashed.len() as u32)),
        recovery_s: stats::quantile(&took_s, 0.5),
        standing: match (promised, is_harmful) {
            (true, false) => CrashStanding::Kept,
            (true, true) => CrashStanding::Broken,
            (false, true) => CrashStanding::Lost,
            (false, false) => CrashStanding::Spared,
        },
        says: Words::new("", ""),
    };
    summary.says = says(target, &summary, all().find_map(trouble));
    Some(summary)
}

fn rows(crash: &Crash) -> Option<&RecoveredRows> {
    match &crash.recovery {
        Recovery::Recovered(rows) => Some(rows),
        Recovery::Failed(_) | Recovery::Unreadable(_) => None,
    }
}

/// What the server said that did not recover, or of a table that is damaged; its first line.
fn trouble(crash: &Crash) -> Option<&str> {
    let text = match &crash.recovery {
        Recovery::Recovered(rows) => rows.damaged.first()?,
        Recovery::Failed(text) | Recovery::Unreadable(text) => text,
    };
    text.lines().next()
}

/// Where none of n crashes lost anything: the share of crashes below which that would be less likely than 5 % (Clopper and Pearson,
/// Biometrika 26, 1934, for no success).
pub(crate) fn bound(crashes: u32) -> f64 {
    1.0 - (1.0 - CONFIDENCE).powf(1.0 / f64::from(crashes))
}

fn says(target: &str, found: &CrashSummary, trouble: Option<&str>) -> Words {
    message!(
        "crash-says",
        target = Text(target),
        kind = Word(found.kind.name()),
        crashes = Count(found.crashes),
        lost = Count(found.lost_in),
        most = Count(found.lost_most),
        worst = Figure?(found.lost_ms_worst.filter(|_| found.lost_in > 0)),
        bound = Percent?(found.bound),
        failed = Count(found.not_recovered),
        damaged = Count(found.damaged),
        trouble = Text?(trouble),
        broken = Word(if found.standing == CrashStanding::Broken { "yes" } else { "no" })
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
    let is_harmless =
        |one: &&CrashSummary| matches!(one.standing, CrashStanding::Kept | CrashStanding::Spared);
    let broken = cells.iter().filter(|one| one.standing == CrashStanding::Broken);
    let by_loss = |a: &&CrashSummary, b: &&CrashSummary| {
        a.lost_ms_worst.unwrap_or(0.0).total_cmp(&b.lost_ms_worst.unwrap_or(0.0))
    };
    let lead = message!(
        "crash-lead",
        harmless = Count(cells.iter().filter(is_harmless).count() as u64),
        cells = Count(cells.len() as u64)
    );
    let worst = cells.iter().max_by(by_loss).filter(|one| one.lost_in > 0);
    let clauses: Vec<Words> = std::iter::once(lead)
        .chain(worst.map(|one| message!("crash-worst", says = Message(one.says.clone()))))
        .chain(broken.map(|one| one.says.clone()))
        .collect();
    Some(message!("answer", clauses = Sentences(clauses)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_loss_in_sixty_crashes_bounds_the_share_at_five_percent() {
        assert!((bound(60) - 0.0487).abs() < 1e-4 && (bound(1) - 0.95).abs() < 1e-9);
    }
}
