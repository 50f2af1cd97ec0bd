//! Cost of failovers under load, over the trials of a cell.

use std::collections::BTreeMap;

use messages::message;
use model::{Failover, Outcome, PrimaryLoss, PromotedBy, Promotion, Rejoin};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::crash::bound::bound;
use crate::input::TrialInput;

/// What failovers under load cost, over the trials of a cell.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailoverSummary {
    /// How the primary was lost.
    pub loss: PrimaryLoss,
    /// Who promotes.
    pub by: PromotedBy,
    /// Whether the topology promises that no acknowledged commit is lost.
    pub promised: bool,
    /// Whether it broke that promise once.
    pub broken: bool,
    /// Those failovers before which semisynchronous replication had fallen back to asynchronous, so that nothing was promised.
    pub fell_back: u32,
    /// Failovers.
    pub failovers: u32,
    /// Those of them with a new primary before the load ended.
    pub promoted: u32,
    /// From the loss until clients were told of a new primary, seconds: median.
    pub promoted_s: Option<f64>,
    /// The longest stretch without an acknowledged commit, seconds: median.
    pub without_commit_s_median: f64,
    /// The same: worst.
    pub without_commit_s_worst: f64,
    /// From the loss until the throughput was back at 90 %, seconds: worst; none where it was not back once.
    pub recovered_s: Option<f64>,
    /// Those failovers after which an acknowledged commit was missing on the new primary.
    pub lost_in: u32,
    /// The most acknowledged commits that were missing.
    pub lost_most: u64,
    /// The age of the oldest of them when clients were told of the new primary, milliseconds: worst; none where none was missing.
    pub lost_ms_worst: Option<f64>,
    /// The most commits that the old primary acknowledged after the new one had taken writes, which do not count as lost; none where no
    /// client stayed with it.
    pub split_brain_most: Option<u64>,
    /// Upper end of the one-sided 95 % interval of the share of failovers that lose a commit, where none did.
    pub bound: Option<f64>,
    /// Commits whose outcome clients do not know, since the connection ended before the answer: the most.
    pub unknown_most: u64,
    /// Errors of the load's clients from the loss on, over all failovers, the most frequent first.
    pub errors: Vec<FailoverErrors>,
    /// Those after which rows were there that may not be, or not as they should be.
    pub damaged: u32,
    /// Those after which the old primary followed the new one.
    pub rejoined: u32,
    /// How long that took, seconds: worst.
    pub rejoined_s: Option<f64>,
    /// Those after which it had transactions that the new one lacks.
    pub diverged: u32,
    /// The most of them.
    pub diverged_most: u64,
    /// All of it in a sentence.
    pub says: Words,
}

/// Errors of one code.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailoverErrors {
    /// The code.
    pub code: u16,
    /// How many.
    pub count: u64,
}

/// Summarises the failovers; none where no primary was lost on purpose. All trials with a failover count, whether or not
/// their throughput is valid.
pub(crate) fn failovers(target: &str, own: &[&TrialInput<'_>]) -> Option<FailoverSummary> {
    let completed = own.iter().filter(|trial| trial.result.outcome == Outcome::Completed);
    let all: Vec<&Failover> = completed.filter_map(|trial| trial.result.failover.as_ref()).collect();
    let first = *all.first()?;
    let survivors = || all.iter().filter_map(|one| one.survivor.as_ref());
    let median = |values: Vec<f64>| stats::quantile(&values, 0.5);
    let promoted_s = all.iter().filter_map(|one| match &one.promotion {
        Promotion::Promoted { after_s, .. } => Some(*after_s),
        Promotion::Failed(_) => None,
    });
    let promoted_s: Vec<f64> = promoted_s.collect();
    let rejoined_s = all.iter().filter_map(|one| match one.rejoin {
        Rejoin::Rejoined { after_s } => Some(after_s),
        Rejoin::Diverged { .. } | Rejoin::Failed(_) => None,
    });
    let rejoined_s: Vec<f64> = rejoined_s.collect();
    let diverged = all.iter().filter_map(|one| match one.rejoin {
        Rejoin::Diverged { transactions } => Some(transactions),
        Rejoin::Rejoined { .. } | Rejoin::Failed(_) => None,
    });
    let diverged: Vec<u64> = diverged.collect();
    let without: Vec<f64> = all.iter().map(|one| one.without_commit_s).collect();
    let recovered: Option<Vec<f64>> = all.iter().map(|one| one.recovered_s).collect();
    let lost_in = survivors().filter(|rows| rows.lost > 0).count() as u32;
    let mut summary = FailoverSummary {
        loss: first.loss,
        by: first.by,
        promised: all.iter().any(|one| one.promised),
        broken: all.iter().any(|one| one.breaks_promise()),
        fell_back: all.iter().filter(|one| one.fell_back).count() as u32,
        failovers: all.len() as u32,
        promoted: promoted_s.len() as u32,
        promoted_s: median(promoted_s),
        without_commit_s_worst: without.iter().copied().fold(0.0, f64::max),
        without_commit_s_median: median(without).unwrap_or_default(),
        recovered_s: recovered.and_then(|all| all.into_iter().reduce(f64::max)),
        lost_in,
        lost_most: survivors().map(|rows| rows.lost).max().unwrap_or_default(),
        lost_ms_worst: survivors().filter_map(|rows| rows.lost_ms).reduce(f64::max),
        split_brain_most: all.iter().filter_map(|one| one.split_brain).max(),
        // Of a single one it would say nothing.
        bound: bound(lost_in, survivors().count() as u32).filter(|_| survivors().count() > 1),
        unknown_most: all.iter().map(|one| one.journal.unknown).max().unwrap_or_default(),
        errors: errors(&all),
        damaged: survivors().filter(|rows| rows.is_damaged()).count() as u32,
        rejoined: rejoined_s.len() as u32,
        rejoined_s: rejoined_s.into_iter().reduce(f64::max),
        diverged: diverged.len() as u32,
        diverged_most: diverged.into_iter().max().unwrap_or_default(),
        says: Words::new("", ""),
    };
    summary.says = says(target, &summary, all.iter().find_map(|one| trouble(one)));
    Some(summary)
}

/// The most frequent first.
fn errors(all: &[&Failover]) -> Vec<FailoverErrors> {
    let mut by_code: BTreeMap<u16, u64> = BTreeMap::new();
    for (code, count) in all.iter().flat_map(|one| &one.errors) {
        *by_code.entry(*code).or_default() += count;
    }
    let mut errors: Vec<_> =
        by_code.into_iter().map(|(code, count)| FailoverErrors { code, count }).collect();
    errors.sort_by_key(|one| std::cmp::Reverse(one.count));
    errors
}

/// The reason there was no new primary, or the old one could not rejoin; the first line.
fn trouble(failover: &Failover) -> Option<&str> {
    let text = match (&failover.promotion, &failover.rejoin) {
        (Promotion::Failed(why), _) | (_, Rejoin::Failed(why)) => why,
        _ => return None,
    };
    text.lines().next()
}

fn says(target: &str, found: &FailoverSummary, trouble: Option<&str>) -> Words {
    message!(
        "failover-says",
        target = Text(target),
        loss = Word(found.loss.name()),
        failovers = Count(found.failovers),
        worst = Figure(found.without_commit_s_worst),
        median = Figure(found.without_commit_s_median),
        failed = Count(found.failovers - found.promoted),
        back = Figure?(found.recovered_s),
        promoted = Count(found.promoted),
        lost = Count(found.lost_in),
        most = Count(found.lost_most),
        age = Figure?(found.lost_ms_worst),
        bound = Percent?(found.bound),
        damaged = Count(found.damaged),
        split = Count?(found.split_brain_most),
        diverged = Count(found.diverged),
        beyond = Count(found.diverged_most),
        rejoined = Figure?(found.rejoined_s),
        trouble = Text?(trouble),
        back_to_async = Count(found.fell_back),
        broken = Word(if found.broken { "yes" } else { "no" })
    )
}

/// The answer of a recording whose servers failed over: for several cells their losses and outages, and then a sentence for
/// each cell. Each comes with the label of its target.
pub fn failover_answer(cells: &[(&str, &FailoverSummary)]) -> Option<Words> {
    let clauses = (cells.len() > 1)
        .then(|| lead(cells))
        .into_iter()
        .chain(cells.iter().map(|(_, one)| one.says.clone()));
    let clauses: Vec<Words> = clauses.collect();
    (!clauses.is_empty()).then(|| message!("answer", clauses = Sentences(clauses)))
}

fn lead(cells: &[(&str, &FailoverSummary)]) -> Words {
    let (lost, kept): (Vec<_>, Vec<_>) = cells.iter().partition(|(_, one)| one.lost_in > 0);
    let how_many = |(target, one): &(&str, &FailoverSummary)| {
        message!("failover-lead-lost", target = Text(*target), most = Count(one.lost_most))
    };
    let gap = |(target, one): &(&str, &FailoverSummary)| {
        message!("failover-lead-gap", target = Text(*target), worst = Figure(one.without_commit_s_worst))
    };
    message!(
        "failover-lead",
        lost = Parts(lost.into_iter().map(how_many).collect::<Vec<_>>()),
        losers = Count(cells.iter().filter(|(_, one)| one.lost_in > 0).count() as u64),
        keepers = Count(kept.len() as u64),
        kept = Parts(kept.into_iter().map(|(target, _)| Words::from(*target)).collect::<Vec<_>>()),
        gaps = Parts(cells.iter().map(gap).collect::<Vec<_>>())
    )
}
