//! Judges one trial over time, question by question.

use model::{LoadShape, Stretch};
use stats::Wandering;

use super::figures::{Jitter, LevelChange, NEEDS, Period, Question, RunOverTime, Stall, Steady, Trend};
use super::seconds::Seconds;
use crate::CONFIDENCE;
use crate::caveat::interruptions::stood_still;
use crate::input::TrialInput;
use crate::timeline::{SLOTS, Timeline, WINDOW};

/// A beginning that differs by less is no finding.
const BEGINNING_MIN: f64 = 0.05;
/// A trend of less is no finding, whatever its interval.
const TREND_MIN: f64 = 0.02;
/// Seconds on either side of a change-point.
const PART_S: usize = 10;
/// Chance to find a change-point or a stall in a run that has none.
const FALSE_ALARMS: f64 = 0.01;
/// Fixed seed: the same recording gives the same judgement.
const SEED: u64 = 20_260_711;
/// Stalls that are kept one by one.
const STRETCHES_MAX: usize = 100;

/// Judges a run; none without its seconds.
pub(super) fn run(
    trial: &TrialInput<'_>,
    timeline: Option<&Timeline>,
    load: &LoadShape,
) -> Option<RunOverTime> {
    // A load that was interrupted says nothing about the server over time.
    if !stood_still(trial).is_empty() {
        return None;
    }
    let seconds = Seconds::of(trial.intervals)?;
    let measured_s = seconds.measured_s();
    // A second may last a little less than one.
    let enough =
        |question| NEEDS.iter().any(|(known, needs_s)| *known == question && measured_s >= needs_s - 0.5);
    let seed = SEED + u64::from(trial.result.cell.repeat);
    let sustained = timeline.and_then(|t| t.sustained.as_ref());
    let mut found = RunOverTime {
        repeat: trial.result.cell.repeat,
        from_s: seconds.at_s(0),
        measured_s,
        transactions: seconds.transactions,
        too_short_for: NEEDS.iter().filter(|(q, _)| !enough(*q)).map(|(q, _)| *q).collect(),
        steady: None,
        jitter: timeline.and_then(jitter),
        trend: None,
        growth: sustained.and_then(|s| s.growth),
        period: None,
        silence: stalls(trial, &seconds, load),
        changes: Vec::new(),
    };
    // Of ramps and bursts only stalls can be told from what is offered.
    if !load.rate.as_ref().is_none_or(model::Rate::is_steady) {
        return Some(found);
    }
    if enough(Question::SteadyState) {
        found.steady = steady(&seconds);
    }
    if enough(Question::ChangePoints) {
        found.changes = changes(&seconds, seed);
    }
    settle(&mut found, &seconds);
    if enough(Question::Trend) {
        let cut_s = found.steady.filter(|s| s.found).map_or(0.0, |s| s.cut_s);
        found.trend = trend(&seconds, (cut_s / seconds.length_s).round() as usize);
    }
    if enough(Question::Period) {
        found.period = period(&seconds, seed);
    }
    Some(found)
}

/// The cut of MSER, and how the removed beginning differs from the rest.
fn steady(seconds: &Seconds) -> Option<Steady> {
    /// Seconds of which one value is made in long runs.
    const BATCH: usize = 5;
    const LONG: usize = 100;
    /// Share of the window. A change in the middle is no beginning.
    const BEGINNING: f64 = 0.4;
    let per_s = &seconds.per_s;
    let cut = stats::warmup(per_s, if per_s.len() < LONG { 1 } else { BATCH })?;
    let (first, rest) = per_s.split_at(cut);
    let level = Steady { cut_s: 0.0, change: 0.0, chance: 0.0, found: false };
    let (Some(first_mean), Some(rest_mean)) = (stats::mean(first), stats::mean(rest)) else {
        return Some(level);
    };
    if rest_mean <= 0.0 {
        return Some(level);
    }
    let change = first_mean / rest_mean - 1.0;
    let chance = 3.0 * stats::sd(rest)? / rest_mean / (cut as f64).sqrt();
    let is_beginning = (cut as f64) < BEGINNING * per_s.len() as f64;
    Some(Steady {
        cut_s: seconds.at_s(cut) - seconds.at_s(0),
        change,
        chance,
        found: is_beginning && change.abs() > BEGINNING_MIN.max(chance),
    })
}

/// A beginning that is level and ends in a change point is reported as such; change points of a climbing beginning are part
/// of it.
fn settle(found: &mut RunOverTime, seconds: &Seconds) {
    const NEAR_S: f64 = 3.0;
    let Some(steady) = found.steady.as_mut().filter(|steady| steady.found) else { return };
    let end_s = seconds.at_s(0) + steady.cut_s;
    let half = (steady.cut_s / seconds.length_s / 2.0) as usize;
    let climb = match (stats::mean(&seconds.per_s[..half]), stats::mean(&seconds.per_s[half..2 * half])) {
        (Some(first), Some(second)) if first > 0.0 => (second / first - 1.0).abs(),
        _ => 0.0,
    };
    let ends_it = |change: &LevelChange| (change.at_s - end_s).abs() <= NEAR_S;
    if found.changes.iter().any(ends_it) && climb < steady.change.abs() / 2.0 {
        steady.found = false;
    } else {
        found.changes.retain(|change| change.at_s > end_s + NEAR_S);
    }
}

/// The slots' largest spread within a window, where there are enough of them to ask.
fn jitter(timeline: &Timeline) -> Option<Jitter> {
    let sustained = timeline.sustained.as_ref()?;
    let slots: Vec<f64> = timeline.slots.iter().map(|s| s.throughput_per_s).collect();
    let found = stats::jitter(&slots, WINDOW).filter(|_| slots.len() == SLOTS)?;
    Some(Jitter {
        variation: found.variation,
        from_s: timeline.slots[found.from].end_s - timeline.slot_s,
        window_s: sustained.window_s,
        chance: found.chance,
        kept: sustained.steady(),
    })
}

fn changes(seconds: &Seconds, seed: u64) -> Vec<LevelChange> {
    let how = Wandering { significance: FALSE_ALARMS, part_min: PART_S, confidence: CONFIDENCE, seed };
    let change = |shift: stats::LevelShift| LevelChange {
        at_s: seconds.at_s(shift.index),
        before_per_s: shift.mean_before,
        after_per_s: shift.mean_after,
        ratio: if shift.mean_before > 0.0 { shift.mean_after / shift.mean_before } else { 1.0 },
        low: shift.ratio.map(|r| r.low),
        high: shift.ratio.map(|r| r.high),
        p_value: shift.p_value,
    };
    stats::shifts(&seconds.per_s, &how).into_iter().map(change).collect()
}

fn trend(seconds: &Seconds, cut: usize) -> Option<Trend> {
    let rest = &seconds.per_s[cut.min(seconds.per_s.len())..];
    let x: Vec<f64> = (0..rest.len()).map(|i| i as f64).collect();
    let line = stats::line(&x, rest, CONFIDENCE)?;
    let sure = stats::line(&x, rest, 0.99)?.slope;
    let start = line.intercept;
    if start <= 0.0 {
        return None;
    }
    let share = |slope: f64| slope * (rest.len() - 1) as f64 / start;
    let change = share(line.slope.value);
    let is_sure = sure.low > 0.0 || sure.high < 0.0;
    Some(Trend {
        change,
        low: share(line.slope.low),
        high: share(line.slope.high),
        found: is_sure && change.abs() > TREND_MIN,
    })
}

fn period(seconds: &Seconds, seed: u64) -> Option<Period> {
    /// Maximum number of seconds examined: in longer trials, merging neighbours would lose a period of a minute.
    const LAST: usize = 3_600;
    let last = &seconds.per_s[seconds.per_s.len().saturating_sub(LAST)..];
    let found = stats::period(last, seed).filter(stats::DetectedPeriod::is_significant)?;
    let usual = stats::quantile(last, 0.5).filter(|usual| *usual > 0.0)?;
    let (length, folded) = folded(last, found.length);
    let least = folded.iter().copied().fold(f64::INFINITY, f64::min);
    let most = folded.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(Period {
        period_s: length * seconds.length_s,
        dip: (1.0 - least / usual).max(0.0),
        peak: (most / usual - 1.0).max(0.0),
        strength: found.strength,
        p_value: found.p_value,
    })
}

/// All periods laid over each other, second by second. A slightly wrong length smears them more the longer the trial is, so
/// lengths around it are tried; the one that leaves the highest contrast is kept.
fn folded(values: &[f64], length: f64) -> (f64, Vec<f64>) {
    const TRIED: i32 = 20;
    let fold = |length: f64| -> (f64, f64, Vec<f64>) {
        let places = length.floor().max(1.0) as usize;
        let (mut sums, mut counts) = (vec![0.0; places], vec![0.0_f64; places]);
        for (i, value) in values.iter().enumerate() {
            let place = ((i as f64 % length) as usize).min(places - 1);
            sums[place] += value;
            counts[place] += 1.0;
        }
        let means: Vec<f64> = sums.iter().zip(&counts).map(|(sum, count)| sum / count.max(1.0)).collect();
        (length, stats::sd(&means).unwrap_or(0.0), means)
    };
    // Half a value over the whole series.
    let step = length / values.len() as f64 / 2.0;
    let tried = (-TRIED..=TRIED).map(|i| fold(length + f64::from(i) * step)).filter(|(l, ..)| *l >= 2.0);
    let best = tried.max_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or_else(|| (length, values.to_vec()), |(length, _, means)| (length, means))
}

/// The stalls as measured by the engine, in tenths of a second; for recordings without them, and for rows that are buffered
/// before they are sent, the seconds without a transaction.
fn stalls(trial: &TrialInput<'_>, seconds: &Seconds, load: &LoadShape) -> Option<Stall> {
    let is_buffered =
        trial.result.measured.operations.iter().any(|operation| operation.name == "bulk_insert");
    let Some(stalls) = trial.result.measured.stalls.as_ref().filter(|_| !is_buffered) else {
        return silence(seconds);
    };
    let longest = stalls.longest.iter().max_by(|a, b| a.length_s.total_cmp(&b.length_s))?;
    let transactions = trial.result.measured.transactions as f64;
    let working_s = (trial.result.measured.measured_s - stalls.stalled_s).max(f64::MIN_POSITIVE);
    // Where few are completed at random times, a while without one is no wonder (Poisson); nor is it where few are due.
    let phases = load.rate.iter().flat_map(|rate| &rate.phases);
    let least_per_s = phases.map(|phase| phase.from_per_s.min(phase.to_per_s)).fold(f64::INFINITY, f64::min);
    let per_s = (transactions / working_s).min(least_per_s);
    let by_chance = transactions * (-per_s * longest.length_s).exp();
    let stretches = stalls.longest.iter().map(|one| (one.from_s, one.from_s + one.length_s)).collect();
    Some(Stall {
        silent_s: stalls.stalled_s,
        stretches,
        count: stalls.count as u32,
        longest_s: longest.length_s,
        longest_from_s: longest.from_s,
        recovery_s: recovery_s(seconds, longest),
        found: transactions > 0.0 && by_chance < FALSE_ALARMS,
    })
}

/// Time from the beginning of a stall until 90 % of the median before it is reached again, seconds.
fn recovery_s(seconds: &Seconds, stall: &Stretch) -> Option<f64> {
    let end_s = stall.from_s + stall.length_s;
    let before = (0..seconds.per_s.len()).take_while(|index| seconds.at_s(index + 1) <= stall.from_s);
    let before: Vec<f64> = before.map(|index| seconds.per_s[index]).collect();
    let usual = stats::quantile(&before, 0.5)?;
    let after = (0..seconds.per_s.len()).filter(|index| seconds.at_s(index + 1) > end_s);
    let recovered = after.into_iter().find(|index| seconds.per_s[*index] >= 0.9 * usual)?;
    Some(seconds.at_s(recovered).max(end_s) - stall.from_s)
}

fn silence(seconds: &Seconds) -> Option<Stall> {
    let found = stats::silence(&seconds.per_s)?;
    let mut stretches = Vec::new();
    let mut from = 0;
    for stretch in seconds.per_s.chunk_by(|a, b| (*a <= 0.0) == (*b <= 0.0)) {
        if stretch[0] <= 0.0 {
            stretches.push((seconds.at_s(from), seconds.at_s(from + stretch.len())));
        }
        from += stretch.len();
    }
    stretches.sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
    stretches.truncate(STRETCHES_MAX);
    stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Where few are completed at random times, a second without one is no wonder (Poisson).
    let each = seconds.transactions / seconds.per_s.len() as f64;
    let by_chance = seconds.per_s.len() as f64 * (-each * found.longest as f64).exp();
    let since = |count: usize| seconds.at_s(found.longest_from + count) - seconds.at_s(found.longest_from);
    Some(Stall {
        silent_s: found.count as f64 * seconds.length_s,
        stretches,
        count: found.stretches as u32,
        longest_s: since(found.longest),
        longest_from_s: seconds.at_s(found.longest_from),
        recovery_s: found.recovery.map(since),
        found: seconds.transactions > 0.0 && by_chance < FALSE_ALARMS,
    })
}
