//! Whether the measured window is long and steady enough for a conclusion.

use messages::message;

use super::interruptions::stood_still;
use super::kind::Severity;
use super::rule::{Context, Found};
use crate::input::TrialInput;
use crate::over_time::RunOverTime;

/// Seconds below which a window cannot show flushing, checkpoints or rotation.
pub(super) const WINDOW_S_MIN: f64 = 10.0;
pub(super) const TRANSACTIONS_MIN: u64 = 100;
/// A percentile p needs 10 / (1 - p) values for ten to lie beyond it: 1,000 for p99.
pub(super) const TRANSACTIONS_FOR_P99: u64 = 1_000;
pub(super) const TREND_MAX: f64 = 0.1;
pub(super) const WARMUP_CHANGE_MAX: f64 = 0.1;
/// Maximum change of level within the window for a meaningful mean.
pub(super) const CHANGE_MAX: f64 = 0.05;

/// A trial that ended as planned and did nothing measured nothing.
pub(super) fn no_transactions(c: &Context<'_>) -> Option<Found> {
    // What another tool did not count is unknown.
    let none = |t: &&TrialInput<'_>| match &t.result.stated {
        Some(stated) => stated.transactions == Some(0),
        None => t.result.measured.transactions == 0,
    };
    c.completed.iter().any(none).then(|| Found {
        severity: Severity::Invalid,
        text: message!("no-transactions"),
        evidence: Vec::new(),
    })
}

/// The trials over time, as far as they are known.
fn runs<'a>(c: &'a Context<'_>) -> &'a [RunOverTime] {
    c.cell.over_time.as_ref().map_or(&[], |over_time| &over_time.runs)
}

fn varies_by_itself(c: &Context<'_>) -> bool {
    c.load().rate.as_ref().is_some_and(|rate| !rate.is_steady())
}

/// The beginning of the window differs from the rest, for example while a cache fills: MSER finds its end.
pub(super) fn warmup_not_over(c: &Context<'_>) -> Option<Found> {
    if varies_by_itself(c) {
        return None;
    }
    let beginning = |run: &RunOverTime| {
        let steady = run.steady.filter(|s| s.found && s.change.abs() > WARMUP_CHANGE_MAX)?;
        Some((steady.cut_s, steady.change))
    };
    let (cut_s, change) = runs(c).iter().filter_map(beginning).max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Found {
        severity: Severity::Warn,
        text: message!(
            "warmup-not-over",
            cut = Seconds(cut_s),
            share = Percent(change.abs()),
            direction = Word(if change < 0.0 { "slower" } else { "faster" }),
            enough = Whole((c.load().warmup_s + cut_s).ceil()),
        ),
        evidence: vec![("unsettled_s", cut_s), ("change", change)],
    })
}

/// A level that changed within the window: the mean is one of two states that the server was never in together.
pub(super) fn change_point(c: &Context<'_>) -> Option<Found> {
    if warmup_not_over(c).is_some() {
        return None;
    }
    let all = runs(c).iter().flat_map(|run| &run.changes);
    let worst = all.max_by(|a, b| a.size().total_cmp(&b.size()))?;
    (worst.size() > CHANGE_MAX).then(|| Found {
        severity: Severity::Warn,
        text: message!(
            "change-point",
            direction = Word(if worst.ratio > 1.0 { "rose" } else { "dropped" }),
            share = Percent(worst.size()),
            at = Seconds(worst.at_s.round()),
        ),
        evidence: vec![("change", worst.ratio - 1.0), ("ratio", worst.ratio), ("at_s", worst.at_s)],
    })
}

/// The last third of the window against the first: a cache still warming, or data still growing.
pub(super) fn trend(c: &Context<'_>) -> Option<Found> {
    // What is offered differs from second to second, and so does what is done.
    if varies_by_itself(c) || warmup_not_over(c).is_some() || change_point(c).is_some() {
        return None;
    }
    let change = |t: &TrialInput<'_>| {
        if !stood_still(t).is_empty() {
            return None;
        }
        let measured: Vec<_> = t.intervals.iter().filter(|i| !i.warmup).collect();
        let third = measured.len() / 3;
        if third < 3 {
            return None;
        }
        let sum = |part: &[&model::Interval]| {
            let length_s: f64 = part.iter().map(|i| i.length_s).sum();
            let transactions = part.iter().map(|i| i.transactions).sum::<u64>() as f64;
            (transactions, transactions / length_s)
        };
        let (first, first_per_s) = sum(&measured[..third]);
        let (last, last_per_s) = sum(&measured[measured.len() - third..]);
        if first < 1.0 || last < 1.0 {
            return None;
        }
        let change = last_per_s / first_per_s - 1.0;
        // Counting alone scatters: three standard errors of the ratio of two Poisson counts.
        let chance = 3.0 * (1.0 / first + 1.0 / last).sqrt();
        (change.abs() > TREND_MAX.max(chance)).then_some(change)
    };
    let worst = c.completed.iter().filter_map(|t| change(t)).max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
    // Caches that fill make it rise, and a longer warm-up helps; what makes it fall goes on after any warm-up.
    let direction = if worst > 0.0 { "rose" } else { "fell" };
    let text = message!("trend", direction = Word(direction), share = Percent(worst.abs()));
    Some(Found { severity: Severity::Warn, text, evidence: vec![("change", worst)] })
}

pub(super) fn short_window(c: &Context<'_>) -> Option<Found> {
    let known =
        c.completed.iter().filter(|t| t.result.stated.is_none() || t.result.measured.measured_s > 0.0);
    let shortest = known.map(|t| t.result.measured.measured_s).fold(f64::INFINITY, f64::min);
    // A limit of transactions is the user's own choice of when to stop.
    (c.load().events == 0 && shortest < WINDOW_S_MIN).then(|| Found {
        severity: Severity::Warn,
        text: message!("short-window", window = Seconds(shortest)),
        evidence: vec![("measured_s", shortest)],
    })
}

pub(super) fn few_transactions(c: &Context<'_>) -> Option<Found> {
    if c.completed
        .iter()
        .any(|t| t.result.stated.as_ref().is_some_and(|stated| stated.transactions.is_none()))
    {
        return None;
    }
    let transactions: u64 = c.completed.iter().map(|t| t.result.measured.transactions).sum();
    let (severity, percentiles) = match transactions {
        0..TRANSACTIONS_MIN => (Severity::Warn, "all"),
        TRANSACTIONS_MIN..TRANSACTIONS_FOR_P99 => (Severity::Note, "high"),
        _ => return None,
    };
    Some(Found {
        severity,
        text: message!(
            "few-transactions",
            transactions = Count(transactions),
            percentiles = Word(percentiles)
        ),
        evidence: vec![("transactions", transactions as f64)],
    })
}
