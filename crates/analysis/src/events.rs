//! Effects of planned events on a load, over the trials of a cell.

use messages::message;
use model::{EventAction, EventOutcome, Interval, Outcome, Stretch};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::input::TrialInput;

/// Length of load before and after an event whose throughputs are compared, seconds.
const AROUND_S: f64 = 5.0;
/// Share of the earlier throughput at which it counts as recovered.
const BACK: f64 = 0.9;

/// What an event during the load did to it, over the trials of a cell: medians, unless something else is said.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventSummary {
    /// The event, as it was asked for.
    pub event: String,
    /// When it happened, seconds since the load began.
    pub at_s: f64,
    /// Trials in which it happened.
    pub trials: u32,
    /// How long it lasted, seconds; none where it has no length.
    pub lasted_s: Option<f64>,
    /// Transactions per second in the five seconds before it.
    pub before_per_s: f64,
    /// The same in the worst second between it and the next event, or the end of the load.
    pub lowest_per_s: f64,
    /// The same in the last five seconds before the next event, or the end of the load.
    pub after_per_s: f64,
    /// The longest stretch without a transaction, if it is a tenth of a second or more, seconds: worst.
    pub silent_s: f64,
    /// Until throughput was back at 90 % of what it was, seconds: worst; none where it was not back once.
    pub back_s: Option<f64>,
    /// Trials in which it was.
    pub back_in: u32,
    /// Errors until the next event, or the end of the load.
    pub errors: f64,
    /// All of it in a sentence.
    pub says: Words,
}

/// The effect of one event in one trial.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Effect {
    before_per_s: f64,
    lowest_per_s: f64,
    after_per_s: f64,
    silent_s: f64,
    back_s: Option<f64>,
    errors: u64,
}

/// The effect of each event, in order of time; none where there were none. Trials that are set aside count too: the effect
/// is visible in them all the same.
pub(crate) fn events(target: &str, own: &[&TrialInput<'_>]) -> Vec<EventSummary> {
    let completed: Vec<_> =
        own.iter().filter(|trial| trial.result.outcome == Outcome::Completed).copied().collect();
    let most = completed.iter().map(|trial| trial.result.events.len()).max().unwrap_or_default();
    (0..most).filter_map(|number| summary(target, &completed, number)).collect()
}

fn summary(target: &str, trials: &[&TrialInput<'_>], number: usize) -> Option<EventSummary> {
    let mut effects = Vec::new();
    let mut outcomes: Vec<&EventOutcome> = Vec::new();
    for trial in trials {
        let events = &trial.result.events;
        let Some(outcome) = events.get(number).filter(|one| one.trouble.is_none()) else { continue };
        let Some(at_s) = outcome.at_s else { continue };
        let next_s = events[number + 1..].iter().find_map(|next| next.at_s).unwrap_or(f64::INFINITY);
        let stretches = trial.result.measured.stalls.as_ref().map_or(&[][..], |stalls| &stalls.longest);
        if let Some(effect) = effect((trial.intervals, stretches), at_s, next_s) {
            effects.push(effect);
            outcomes.push(outcome);
        }
    }
    let first = outcomes.first()?;
    let median = |of: &dyn Fn(&Effect) -> f64| {
        let values: Vec<f64> = effects.iter().map(of).collect();
        stats::quantile(&values, 0.5).unwrap_or_default()
    };
    let has_length = !matches!(first.event.action, EventAction::Set { .. });
    let lasted = outcomes.iter().filter(|_| has_length).filter_map(|one| Some(one.until_s? - one.at_s?));
    let lasted: Vec<f64> = lasted.collect();
    let at: Vec<f64> = outcomes.iter().filter_map(|one| one.at_s).collect();
    let back: Vec<f64> = effects.iter().filter_map(|one| one.back_s).collect();
    let back_in = back.len() as u32;
    let mut summary = EventSummary {
        event: first.event.describe(),
        at_s: stats::quantile(&at, 0.5)?,
        trials: effects.len() as u32,
        lasted_s: stats::quantile(&lasted, 0.5),
        before_per_s: median(&|one| one.before_per_s),
        lowest_per_s: median(&|one| one.lowest_per_s),
        after_per_s: median(&|one| one.after_per_s),
        silent_s: effects.iter().map(|one| one.silent_s).fold(0.0, f64::max),
        back_s: back.into_iter().reduce(f64::max).filter(|_| back_in as usize == effects.len()),
        back_in,
        errors: median(&|one| one.errors as f64),
        says: Words::new("", ""),
    };
    summary.says = message!(
        "event-says",
        target = Text(target),
        event = Text(&summary.event),
        trials = Count(summary.trials),
        before = Figure(summary.before_per_s),
        lowest = Figure(summary.lowest_per_s),
        after = Figure(summary.after_per_s),
        fell = Word(if summary.lowest_per_s < BACK * summary.before_per_s { "yes" } else { "no" }),
        silent = Figure?((summary.silent_s > 0.0).then_some(summary.silent_s)),
        back = Figure?(summary.back_s),
        returned = Count(summary.back_in)
    );
    Some(summary)
}

/// The effect; none where nothing was measured before or after the event.
fn effect((intervals, stretches): (&[Interval], &[Stretch]), at_s: f64, next_s: f64) -> Option<Effect> {
    // An event falls on the end of a second but for some milliseconds.
    let slack = |one: &Interval| 0.1 * one.length_s;
    let from_s = |one: &Interval| one.end_s - one.length_s;
    let before: Vec<&Interval> = intervals
        .iter()
        .filter(|one| one.end_s <= at_s + slack(one) && from_s(one) >= at_s - AROUND_S - slack(one))
        .collect();
    let since: Vec<&Interval> = intervals
        .iter()
        .filter(|one| from_s(one) >= at_s - slack(one) && one.end_s <= next_s + slack(one))
        .collect();
    let before_per_s = per_s(&before)?;
    let end_s = since.last()?.end_s;
    let last: Vec<&Interval> =
        since.iter().filter(|one| from_s(one) >= end_s - AROUND_S - slack(one)).copied().collect();
    let rate = |one: &Interval| one.transactions as f64 / one.length_s;
    let (worst, lowest) = since.iter().enumerate().min_by(|(_, a), (_, b)| rate(a).total_cmp(&rate(b)))?;
    let is_back = |one: &&&Interval| rate(one) >= BACK * before_per_s;
    let back = since[worst..].iter().find(is_back).map(|one| one.end_s - one.length_s - at_s);
    let fell = rate(lowest) < BACK * before_per_s;
    Some(Effect {
        before_per_s,
        lowest_per_s: rate(lowest),
        after_per_s: per_s(&last)?,
        silent_s: stretches.iter().map(|one| one.within(at_s, next_s)).fold(0.0, f64::max),
        back_s: if fell { back.map(|s| s.max(0.0)) } else { Some(0.0) },
        errors: since.iter().flat_map(|one| one.errors.values()).sum(),
    })
}

fn per_s(intervals: &[&Interval]) -> Option<f64> {
    let length_s: f64 = intervals.iter().map(|one| one.length_s).sum();
    let transactions: u64 = intervals.iter().map(|one| one.transactions).sum();
    (length_s > 0.0).then(|| transactions as f64 / length_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(transactions: &[u64]) -> Vec<Interval> {
        let interval = |(at, &transactions): (usize, &u64)| Interval {
            end_s: (at + 1) as f64,
            length_s: 1.0,
            transactions,
            ..Interval::default()
        };
        transactions.iter().enumerate().map(interval).collect()
    }

    #[test]
    fn an_event_is_seen_in_the_seconds_around_it() {
        let load = [50, 90, 100, 110, 100, 100, 0, 0, 40, 95, 104, 100, 96, 100, 100];
        let silence = [Stretch { from_s: 3.0, length_s: 0.5 }, Stretch { from_s: 6.1, length_s: 2.2 }];
        let found =
            effect((&seconds(&load), &silence), 6.004, f64::INFINITY).expect("seconds before and after");
        assert_eq!((found.before_per_s, found.lowest_per_s, found.after_per_s), (100.0, 0.0, 100.0));
        assert!((found.silent_s - 2.2).abs() < 1e-9, "{found:?}");
        assert!((found.back_s.expect("back") - 2.996).abs() < 1e-9, "{found:?}");
        // The next event ends what is looked at.
        let cut = effect((&seconds(&load), &silence), 6.004, 8.0).expect("seconds before and after");
        assert_eq!((cut.after_per_s, cut.back_s), (0.0, None));
        // Nothing became worse.
        let none = effect((&seconds(&load), &silence), 9.5, f64::INFINITY).expect("seconds before and after");
        assert_eq!((none.silent_s, none.back_s), (0.0, Some(0.0)));
        assert_eq!(effect((&seconds(&load), &silence), 0.0, f64::INFINITY), None);
        assert_eq!(effect((&seconds(&load), &silence), 15.0, f64::INFINITY), None);
    }
}
