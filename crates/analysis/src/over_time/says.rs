//! The findings of a cell's trials together. A change point or a stall belongs to its trial; a period, a trend or growth is
//! reported for the cell only where every trial has it.

use messages::message;

use super::figures::{Finding, LevelChange, NEEDS, Period, Question, RunOverTime};
use crate::Words;

/// Minimum change of the level that is reported; smaller ones are only stored.
const CHANGE_MIN: f64 = 0.02;
/// Minimum effect of a period on throughput that is reported.
const DEPTH_MIN: f64 = 0.05;
/// Minimum jitter that is reported: the 2 % of clause 5.5 are for two hours.
const JITTER_MIN: f64 = 0.1;
/// Growth below cannot be told from a decline that follows the clock.
const GROWTH_MIN: f64 = 0.1;
/// Maximum number of change points reported per trial: the largest ones.
const CHANGES_MAX: usize = 3;

/// All findings, in the order of [`Question`].
pub(super) fn findings(runs: &[RunOverTime]) -> Vec<Finding> {
    let silence = silence(runs).map(|text| (Question::Silence, text));
    let steady = steady(runs).map(|text| (Question::SteadyState, text));
    let growth = growth(runs).map(|text| (Question::Growth, text));
    let changes: Vec<(Question, Words)> =
        changes(runs).into_iter().map(|text| (Question::ChangePoints, text)).collect();
    let period = period(runs).map(|text| (Question::Period, text));
    // A step looks like a trend, and so does work that grows.
    let explained = growth.is_some() || !changes.is_empty();
    let trend = trend(runs).filter(|_| !explained).map(|text| (Question::Trend, text));
    let calm = !explained && trend.is_none() && period.is_none() && silence.is_none() && steady.is_none();
    let jitter = jitter(runs).filter(|_| calm).map(|text| (Question::Jitter, text));
    let all = silence.into_iter().chain(steady).chain(trend).chain(changes).chain(period).chain(jitter);
    all.chain(growth).map(|(question, text)| Finding { question, text }).collect()
}

/// The repeat of this trial, where there are several.
fn repeat(runs: &[RunOverTime], run: &RunOverTime) -> Option<u32> {
    (runs.len() > 1).then_some(run.repeat)
}

/// The value of every trial; none if one lacks it.
fn of_all<T>(runs: &[RunOverTime], of: impl Fn(&RunOverTime) -> Option<T>) -> Option<Vec<T>> {
    runs.iter().map(of).collect()
}

/// The trial with the most stalled time, and the number of trials with stalls.
fn silence(runs: &[RunOverTime]) -> Option<Words> {
    let silent: Vec<_> =
        runs.iter().filter_map(|run| Some((run, run.silence.as_ref().filter(|s| s.found)?))).collect();
    let (run, worst) = silent.iter().max_by(|a, b| a.1.silent_s.total_cmp(&b.1.silent_s))?;
    // Before the first second there was nothing to come back to.
    let recovery = if worst.longest_from_s <= run.from_s { "unknown" } else { "never" };
    Some(message!(
        "stalled",
        repeat = Count?(repeat(runs, run)),
        all = Seconds(worst.silent_s),
        stretches = Count(worst.count),
        longest = Seconds(worst.longest_s),
        from = Seconds(worst.longest_from_s),
        recovery = Word(recovery),
        after = Seconds?(worst.recovery_s),
        having = Count(silent.len() as u64),
        trials = Count(runs.len() as u64),
    ))
}

/// The longest beginning of all trials, if every trial has one and all in the same direction.
fn steady(runs: &[RunOverTime]) -> Option<Words> {
    let all = of_all(runs, |run| run.steady.filter(|s| s.found))?;
    let worst = all.iter().max_by(|a, b| a.cut_s.total_cmp(&b.cut_s))?;
    if all.iter().any(|s| (s.change > 0.0) != (worst.change > 0.0)) {
        return None;
    }
    Some(message!(
        "not-settled",
        cut = Seconds(worst.cut_s),
        share = Percent(worst.change.abs()),
        direction = Word(if worst.change > 0.0 { "higher" } else { "lower" }),
        trials = Count(runs.len() as u64),
    ))
}

fn trend(runs: &[RunOverTime]) -> Option<Words> {
    let all = of_all(runs, |run| run.trend.filter(|t| t.found))?;
    let worst = all.iter().max_by(|a, b| a.change.abs().total_cmp(&b.change.abs()))?;
    if all.iter().any(|t| (t.change > 0.0) != (worst.change > 0.0)) {
        return None;
    }
    Some(message!(
        "steady-trend",
        direction = Word(if worst.change > 0.0 { "rises" } else { "falls" }),
        change = Change(1.0 + worst.change),
        low = Change(1.0 + worst.low),
        high = Change(1.0 + worst.high),
        trials = Count(runs.len() as u64),
    ))
}

/// One sentence if every trial changed once, at the same time and in the same direction; otherwise one for each trial that
/// changed.
fn changes(runs: &[RunOverTime]) -> Vec<Words> {
    let said = |run: &RunOverTime| {
        let mut large: Vec<LevelChange> =
            run.changes.iter().copied().filter(|change| change.size() >= CHANGE_MIN).collect();
        let left_out = large.len().saturating_sub(CHANGES_MAX);
        large.sort_by(|a, b| b.size().total_cmp(&a.size()));
        large.truncate(CHANGES_MAX);
        large.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        (large, left_out)
    };
    if let Some(together) = together(runs, &runs.iter().map(|run| said(run).0).collect::<Vec<_>>()) {
        return vec![together];
    }
    let sentence = |run: &RunOverTime| {
        let (large, left_out) = said(run);
        let parts: Vec<Words> = large.iter().map(change).collect();
        (!parts.is_empty()).then(|| {
            message!(
                "level-changes",
                repeat = Count?(repeat(runs, run)),
                changes = Parts(parts),
                more = Count(left_out as u64),
            )
        })
    };
    runs.iter().filter_map(sentence).collect()
}

/// `throughput fell from 1,000/s to 900/s at 61 s (0.90x [0.89, 0.91])`.
fn change(change: &LevelChange) -> Words {
    message!(
        "level-change",
        direction = Word(way(change)),
        before = Figure(change.before_per_s),
        after = Figure(change.after_per_s),
        at = Whole(change.at_s),
        ratio = Text(ratio_of(change)),
    )
}

fn way(change: &LevelChange) -> &'static str {
    if change.ratio > 1.0 { "rose" } else { "fell" }
}

/// `0.90x [0.88, 0.92]`, with enough digits to distinguish the ends of the interval.
fn ratio_of(change: &LevelChange) -> String {
    match (change.low, change.high) {
        (Some(low), Some(high)) => {
            let digits = if high - low < 0.03 { 3 } else { 2 };
            format!("{:.digits$}x [{low:.digits$}, {high:.digits$}]", change.ratio)
        }
        _ => format!("{:.2}x", change.ratio),
    }
}

/// The common change of every trial, with the interval over them.
fn together(runs: &[RunOverTime], changes: &[Vec<LevelChange>]) -> Option<Words> {
    /// Distance, as a share of the window, within which changes count as the same one, and its minimum in seconds.
    const SAME: f64 = 0.05;
    const SAME_S: f64 = 5.0;
    let all: Vec<LevelChange> = changes
        .iter()
        .map(|of| if let [one] = of.as_slice() { Some(*one) } else { None })
        .collect::<Option<_>>()?;
    let first = all.first().filter(|_| all.len() > 1)?;
    let least = all.iter().map(|c| c.at_s).fold(f64::INFINITY, f64::min);
    let most = all.iter().map(|c| c.at_s).fold(0.0, f64::max);
    let near_s = SAME_S.max(SAME * runs.first()?.measured_s);
    if most - least > near_s || all.iter().any(|c| (c.ratio > 1.0) != (first.ratio > 1.0)) {
        return None;
    }
    let mean = |of: fn(&LevelChange) -> f64| stats::mean(&all.iter().map(of).collect::<Vec<_>>());
    let ratios: Vec<f64> = all.iter().map(|c| c.ratio).collect();
    let ones = vec![1.0; ratios.len()];
    let interval = stats::paired_ratio_interval(&ratios, &ones, crate::CONFIDENCE)?;
    let one = LevelChange {
        at_s: least,
        before_per_s: mean(|c| c.before_per_s)?,
        after_per_s: mean(|c| c.after_per_s)?,
        ratio: interval.value,
        low: Some(interval.low),
        high: Some(interval.high),
        p_value: first.p_value,
    };
    let span = if format!("{least:.0}") == format!("{most:.0}") { "one" } else { "range" };
    Some(message!(
        "level-change-together",
        direction = Word(way(&one)),
        before = Figure(one.before_per_s),
        after = Figure(one.after_per_s),
        span = Word(span),
        least = Whole(least),
        most = Whole(most),
        ratio = Text(ratio_of(&one)),
        trials = Count(runs.len() as u64),
    ))
}

/// A period that every trial has, of about the same length.
fn period(runs: &[RunOverTime]) -> Option<Words> {
    const SAME: f64 = 0.1;
    let depth = |p: &Period| p.dip.max(p.peak);
    let all = of_all(runs, |run| run.period.filter(|p| depth(p) >= DEPTH_MIN))?;
    let lengths: Vec<f64> = all.iter().map(|p| p.period_s).collect();
    let middle = stats::quantile(&lengths, 0.5)?;
    if lengths.iter().any(|length| (length / middle - 1.0).abs() > SAME) {
        return None;
    }
    let deepest = all.iter().max_by(|a, b| depth(a).total_cmp(&depth(b)))?;
    let every_s = if middle < 10.0 { middle } else { middle.round() };
    Some(message!(
        "periodic",
        direction = Word(if deepest.dip >= deepest.peak { "dips" } else { "rises" }),
        every = Seconds(every_s),
        share = Percent(depth(deepest)),
        trials = Count(runs.len() as u64),
    ))
}

fn jitter(runs: &[RunOverTime]) -> Option<Words> {
    let all = of_all(runs, |run| run.jitter.filter(|j| j.variation > JITTER_MIN.max(j.chance)))?;
    let worst = all.iter().max_by(|a, b| a.variation.total_cmp(&b.variation))?;
    Some(message!(
        "jitter",
        share = Percent(worst.variation),
        window = Seconds(worst.window_s),
        trials = Count(runs.len() as u64),
    ))
}

fn growth(runs: &[RunOverTime]) -> Option<Words> {
    let all = of_all(runs, |run| {
        let growth = run.growth.filter(|growth| growth.found)?;
        let share = growth.per_million * run.transactions / 1e6;
        (share >= GROWTH_MIN).then_some((share, run.transactions))
    })?;
    let (share, transactions) = all.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(message!(
        "growth",
        share = Percent(*share),
        transactions = Count(transactions.round() as u64),
        trials = Count(runs.len() as u64),
    ))
}

/// The questions that all trials are too short for, with the seconds needed.
pub(super) fn too_short(runs: &[RunOverTime]) -> Option<Words> {
    let missed: Vec<(Question, f64)> =
        NEEDS.iter().copied().filter(|(q, _)| runs.iter().all(|run| run.too_short_for.contains(q))).collect();
    let longest = runs.iter().map(|run| run.measured_s).fold(0.0, f64::max);
    let needs = |(question, needs_s): &(Question, f64)| {
        message!("needs-seconds", question = Message(question.name()), needs = Whole(*needs_s))
    };
    let questions: Vec<Words> = missed.iter().map(needs).collect();
    (!missed.is_empty())
        .then(|| message!("too-short", length = Seconds(longest), questions = Enumeration(questions)))
}

impl Question {
    /// The question as a noun.
    pub fn name(self) -> Words {
        let question = match self {
            Self::Silence => "stalls",
            Self::SteadyState => "steady-state",
            Self::Trend => "trend",
            Self::ChangePoints => "change-points",
            Self::Period => "periods",
            Self::Jitter => "jitter",
            Self::Growth => "growth",
        };
        message!("question-over-time", question = Word(question))
    }
}
