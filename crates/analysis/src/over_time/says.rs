//! What the runs of a cell say together. A change-point or a silence is one of its run; a period, a trend or growth is said
//! of the cell only where every run has it.

use super::{Change, Finding, NEEDS, Period, Question, RunOverTime};
use crate::Words;
use crate::text::{count, figure, list, percent, seconds};

/// A change of the level below this is not said, only kept.
const CHANGE_MIN: f64 = 0.02;
/// A period that moves throughput by less is not said.
const DEPTH_MIN: f64 = 0.05;
/// Jitter below is not said: the 2 % of clause 5.5 are for two hours.
const JITTER_MIN: f64 = 0.1;
/// Growth below cannot be told from a decline that follows the clock.
const GROWTH_MIN: f64 = 0.1;
/// Change-points of a run that are said, the largest of them.
const CHANGES_MAX: usize = 3;

/// What there is to say, in the order of [`Question`].
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

/// `run 2: `, where there are several.
fn of_run(runs: &[RunOverTime], run: &RunOverTime) -> Words {
    match runs.len() {
        1 => Words::new("", ""),
        _ => Words::new(format!("repeat {}: ", run.repeat), format!("第 {} 次重复：", run.repeat)),
    }
}

/// `, in all 3 runs`, where there are several.
fn in_all(runs: &[RunOverTime]) -> Words {
    match runs.len() {
        1 => Words::new("", ""),
        n => Words::new(format!(", in all {n} trials"), format!("，{n} 次试验均如此")),
    }
}

/// The same of every run; none if one has it not.
fn of_all<T>(runs: &[RunOverTime], of: impl Fn(&RunOverTime) -> Option<T>) -> Option<Vec<T>> {
    runs.iter().map(of).collect()
}

/// The run that was silent longest, and how many others were.
fn silence(runs: &[RunOverTime]) -> Option<Words> {
    let silent: Vec<_> =
        runs.iter().filter_map(|run| Some((run, run.silence.as_ref().filter(|s| s.found)?))).collect();
    let (run, worst) = silent.iter().max_by(|a, b| a.1.silent_s.total_cmp(&b.1.silent_s))?;
    let (all, longest) = (seconds(worst.silent_s), seconds(worst.longest_s));
    let from = seconds(worst.longest_from_s);
    let from_zh = from.replace('s', "秒");
    let (stretches, stretches_zh) = match worst.count {
        1 => (format!("from {from} on"), format!("自第 {from_zh}起")),
        n => (
            format!("in {n} stretches, the longest {longest} from {from} on"),
            format!("共 {n} 段，最长 {longest}，自第 {from_zh}起"),
        ),
    };
    let recovered = worst.recovery_s.map(seconds);
    let (back, back_zh) = match recovered {
        Some(after) => (
            format!("; throughput recovered to 90 % within {after}"),
            format!("；{after} 内吞吐量恢复到 90 %"),
        ),
        // Before the first second there was nothing to come back to.
        None if worst.longest_from_s <= run.from_s => (String::new(), String::new()),
        None => ("; throughput never recovered to 90 %".to_owned(), "；吞吐量此后未恢复到 90 %".to_owned()),
    };
    let (others, others_zh) = match (runs.len(), silent.len()) {
        (1, _) => (String::new(), String::new()),
        (all, 1) => (format!(" (1 of {all} trials)"), format!("（{all} 次试验中的 1 次）")),
        (all, some) => (
            format!(" ({some} of {all} trials, this is the worst)"),
            format!("（{all} 次试验中有 {some} 次，此为最严重的一次）"),
        ),
    };
    let of = of_run(runs, run);
    Some(Words::new(
        format!("{}no transaction completed in {all}, {stretches}{back}{others}", of.en),
        format!("{}{all} 没有事务完成，{stretches_zh}{back_zh}{others_zh}", of.zh),
    ))
}

/// The longest beginning of all runs, if every run has one and all to the same side.
fn steady(runs: &[RunOverTime]) -> Option<Words> {
    let all = of_all(runs, |run| run.steady.filter(|s| s.found))?;
    let worst = all.iter().max_by(|a, b| a.cut_s.total_cmp(&b.cut_s))?;
    if all.iter().any(|s| (s.change > 0.0) != (worst.change > 0.0)) {
        return None;
    }
    let (cut, share, among) = (seconds(worst.cut_s), percent(worst.change.abs()), in_all(runs));
    let (en, zh) = if worst.change > 0.0 { ("higher", "高") } else { ("lower", "低") };
    let up_to = if runs.len() > 1 { "up to " } else { "" };
    Some(Words::new(
        format!(
            "throughput in the first {up_to}{cut} of the window is {share} {en} than in the rest: not settled{}",
            among.en
        ),
        format!("测量窗口开头 {cut} 的吞吐比其余部分{zh} {share}：尚未稳定{}", among.zh),
    ))
}

fn trend(runs: &[RunOverTime]) -> Option<Words> {
    let all = of_all(runs, |run| run.trend.filter(|t| t.found))?;
    let worst = all.iter().max_by(|a, b| a.change.abs().total_cmp(&b.change.abs()))?;
    if all.iter().any(|t| (t.change > 0.0) != (worst.change > 0.0)) {
        return None;
    }
    let signed = |share: f64| format!("{:+.1}", share * 100.0);
    let (change, low, high) = (signed(worst.change), signed(worst.low), signed(worst.high));
    let (en, zh) = if worst.change > 0.0 { ("rises", "上升") } else { ("falls", "下降") };
    let (most, most_zh, among) = match runs.len() {
        1 => ("", "", in_all(runs)),
        _ => ("at most ", "最大", in_all(runs)),
    };
    Some(Words::new(
        format!("throughput {en} steadily, {most}by {change} % [{low}, {high}] over the window{}", among.en),
        format!("吞吐持续{zh}，窗口内{most_zh} {change} % [{low}, {high}]{}", among.zh),
    ))
}

/// One sentence if every run changed once, at the same time and to the same side; otherwise one for each run that changed.
fn changes(runs: &[RunOverTime]) -> Vec<Words> {
    let said = |run: &RunOverTime| {
        let mut large: Vec<Change> =
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
        let (of, joined) = (of_run(runs, run), Words::join(&parts, ", ", "，"));
        let (more, more_zh) = match left_out {
            0 => (String::new(), String::new()),
            n => (format!(", and {n} smaller changes"), format!("，另有 {n} 处较小变化")),
        };
        (!parts.is_empty()).then(|| {
            Words::new(format!("{}{}{more}", of.en, joined.en), format!("{}{}{more_zh}", of.zh, joined.zh))
        })
    };
    runs.iter().filter_map(sentence).collect()
}

/// `throughput fell from 1,000/s to 900/s at 61 s (0.90x [0.89, 0.91])`.
fn change(change: &Change) -> Words {
    let (before, after) = (figure(change.before_per_s), figure(change.after_per_s));
    let (at, times) = (format!("{:.0} s", change.at_s), ratio_of(change));
    let at_zh = at.replace('s', "秒");
    let (en, zh) = if change.ratio > 1.0 { ("rose", "升") } else { ("fell", "降") };
    Words::new(
        format!("throughput {en} from {before}/s to {after}/s at {at} ({times})"),
        format!("第 {at_zh}吞吐从 {before}/秒{zh}到 {after}/秒（{times}）"),
    )
}

/// `0.90x [0.88, 0.92]`, with as many digits as tell the ends of the interval apart.
fn ratio_of(change: &Change) -> String {
    match (change.low, change.high) {
        (Some(low), Some(high)) => {
            let digits = if high - low < 0.03 { 3 } else { 2 };
            format!("{:.digits$}x [{low:.digits$}, {high:.digits$}]", change.ratio)
        }
        _ => format!("{:.2}x", change.ratio),
    }
}

/// The same change in every run, with the interval over them.
fn together(runs: &[RunOverTime], changes: &[Vec<Change>]) -> Option<Words> {
    /// Share of the window within which changes are the same one, and the least of it in seconds.
    const SAME: f64 = 0.05;
    const SAME_S: f64 = 5.0;
    let all: Vec<Change> = changes
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
    let mean = |of: fn(&Change) -> f64| stats::mean(&all.iter().map(of).collect::<Vec<_>>());
    let ratios: Vec<f64> = all.iter().map(|c| c.ratio).collect();
    let ones = vec![1.0; ratios.len()];
    let interval = stats::paired_ratio_interval(&ratios, &ones, crate::CONFIDENCE)?;
    let one = Change {
        at_s: least,
        before_per_s: mean(|c| c.before_per_s)?,
        after_per_s: mean(|c| c.after_per_s)?,
        ratio: interval.value,
        low: Some(interval.low),
        high: Some(interval.high),
        p_value: first.p_value,
    };
    let (before, after, times) = (figure(one.before_per_s), figure(one.after_per_s), ratio_of(&one));
    let (en, zh) = if one.ratio > 1.0 { ("rose", "升") } else { ("fell", "降") };
    let (least, most) = (format!("{least:.0}"), format!("{most:.0}"));
    let (at, at_zh) = if least == most {
        (format!("at {least} s"), format!("第 {least} 秒"))
    } else {
        (format!("at {least} to {most} s"), format!("第 {least} 到 {most} 秒"))
    };
    let among = in_all(runs);
    Some(Words::new(
        format!("throughput {en} from {before}/s to {after}/s {at} ({times}){}", among.en),
        format!("{at_zh}吞吐从 {before}/秒{zh}到 {after}/秒（{times}）{}", among.zh),
    ))
}

/// Something that every run has at about the same distance.
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
    let every = if middle < 10.0 { format!("{middle:.1} s") } else { format!("{middle:.0} s") };
    let (share, among) = (percent(depth(deepest)), in_all(runs));
    let (en, zh) = if deepest.dip >= deepest.peak { ("dips", "下降") } else { ("rises", "上升") };
    Some(Words::new(
        format!("throughput {en} every {every}, by {share}{}", among.en),
        format!("吞吐每 {every} {zh}一次，幅度 {share}{}", among.zh),
    ))
}

fn jitter(runs: &[RunOverTime]) -> Option<Words> {
    let all = of_all(runs, |run| run.jitter.filter(|j| j.variation > JITTER_MIN.max(j.chance)))?;
    let worst = all.iter().max_by(|a, b| a.variation.total_cmp(&b.variation))?;
    let (share, window, among) = (percent(worst.variation), seconds(worst.window_s), in_all(runs));
    Some(Words::new(
        format!("throughput varies by up to {share} within {window}, significantly{}", among.en),
        format!("吞吐量在 {window} 内波动最大 {share}，显著{}", among.zh),
    ))
}

fn growth(runs: &[RunOverTime]) -> Option<Words> {
    let all = of_all(runs, |run| {
        let growth = run.growth.filter(|growth| growth.found)?;
        let share = growth.per_million * run.transactions / 1e6;
        (share >= GROWTH_MIN).then_some((share, run.transactions))
    })?;
    let (share, transactions) = all.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (share, done, among) = (percent(*share), count(transactions.round() as u64), in_all(runs));
    let (up_to, up_to_zh) = if runs.len() > 1 { ("up to ", "最多") } else { ("", "") };
    Some(Words::new(
        format!(
            "a transaction takes {up_to}{share} longer after {done} transactions: the work grows with the data{}",
            among.en
        ),
        format!(
            "完成 {done} 个事务后单个事务耗时{up_to_zh}增长 {share}，与已完成事务数成正比：工作量随数据增长{}",
            among.zh
        ),
    ))
}

/// What all runs are too short for, with the seconds that it needs.
pub(super) fn too_short(runs: &[RunOverTime]) -> Option<Words> {
    let missed: Vec<(Question, f64)> =
        NEEDS.iter().copied().filter(|(q, _)| runs.iter().all(|run| run.too_short_for.contains(q))).collect();
    let named = |pick: fn(&Words) -> &String| -> Vec<String> {
        missed.iter().map(|(q, needs_s)| format!("{} ({needs_s:.0} s)", pick(&q.name()))).collect()
    };
    let longest = runs.iter().map(|run| run.measured_s).fold(0.0, f64::max);
    let length = seconds(longest);
    (!missed.is_empty()).then(|| {
        let (en, zh) = (list(&named(|w| &w.en)).en, list(&named(|w| &w.zh)).zh);
        Words::new(
            format!("Trials of {length} are too short to judge: {en}"),
            format!("{length} 的试验太短，无法判断：{zh}"),
        )
    })
}

impl Question {
    /// What is asked, as a noun.
    pub fn name(self) -> Words {
        match self {
            Self::Silence => Words::new("stalls", "停顿"),
            Self::SteadyState => Words::new("steady state", "稳态"),
            Self::Trend => Words::new("trend", "趋势"),
            Self::ChangePoints => Words::new("change-points", "变点"),
            Self::Period => Words::new("periods", "周期"),
            Self::Jitter => Words::new("jitter", "抖动"),
            Self::Growth => Words::new("growth with the data", "随数据增长"),
        }
    }
}
