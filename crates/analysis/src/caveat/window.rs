//! Whether the measured window is long and level enough to tell something.

use super::{Context, Found, Severity};
use crate::Words;
use crate::input::TrialInput;
use crate::over_time::RunOverTime;
use crate::text::{count, percent, seconds};

/// Seconds below which a window cannot show flushing, checkpoints or rotation.
const WINDOW_S_MIN: f64 = 10.0;
const TRANSACTIONS_MIN: u64 = 100;
/// A percentile p needs 10 / (1 - p) values for ten to lie beyond it: 1,000 for p99.
pub(super) const TRANSACTIONS_FOR_P99: u64 = 1_000;
const TREND_MAX: f64 = 0.1;
const WARMUP_CHANGE_MAX: f64 = 0.1;
/// A level that changes by more within the window has no mean worth the name.
const CHANGE_MAX: f64 = 0.05;
/// Share of the window without a transaction.
const SILENT_MAX: f64 = 0.02;

/// A run that ended as planned and did nothing measured nothing.
pub(super) fn no_transactions(c: &Context<'_>) -> Option<Found> {
    // What another tool did not count is unknown.
    let none = |t: &&&TrialInput<'_>| match &t.result.stated {
        Some(stated) => stated.transactions == Some(0),
        None => t.result.transactions == 0,
    };
    let runs = c.completed.iter().filter(none).count();
    let of = c.completed.len();
    (runs > 0).then(|| Found {
        severity: Severity::Invalid,
        text: Words::new(
            format!("no transaction completed in {runs} of {of} runs"),
            format!("{of} 次运行中有 {runs} 次没有事务完成"),
        ),
        evidence: vec![("runs_without_transactions", runs as f64)],
    })
}

/// The runs over time that are known.
fn runs<'a>(c: &'a Context<'_>) -> &'a [RunOverTime] {
    c.cell.over_time.as_ref().map_or(&[], |over_time| &over_time.runs)
}

fn varies_by_itself(c: &Context<'_>) -> bool {
    c.load().rate.as_ref().is_some_and(|rate| !rate.is_steady())
}

/// The beginning of the window differs from the rest, as a cache that fills makes it: MSER says where it ends.
pub(super) fn warmup_not_over(c: &Context<'_>) -> Option<Found> {
    if varies_by_itself(c) {
        return None;
    }
    let beginning = |run: &RunOverTime| {
        let steady = run.steady.filter(|s| s.found && s.change.abs() > WARMUP_CHANGE_MAX)?;
        Some((steady.cut_s, steady.change))
    };
    let (cut_s, change) = runs(c).iter().filter_map(beginning).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (en, zh) = if change < 0.0 { ("slower", "低") } else { ("faster", "高") };
    let (share, cut) = (percent(change.abs()), seconds(cut_s));
    let enough = (c.load().warmup_s + cut_s).ceil();
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "the warm-up was not over: the first {cut} of the window were {share} {en} than the rest; \
                 --warmup-time {enough}"
            ),
            format!("预热不足：测量窗口的前 {cut} 比其余部分{zh} {share}；建议 --warmup-time {enough}"),
        ),
        evidence: vec![("unsettled_s", cut_s), ("change", change)],
    })
}

/// A level that changed within the window: the mean is one of two states that the server was never in together.
pub(super) fn change_point(c: &Context<'_>) -> Option<Found> {
    if warmup_not_over(c).is_some() {
        return None;
    }
    let all = runs(c).iter().flat_map(|run| run.changes.iter().map(move |change| (run, change)));
    let (run, worst) = all.max_by(|a, b| a.1.size().total_cmp(&b.1.size()))?;
    let having = runs(c).iter().filter(|run| run.changes.iter().any(|c| c.size() > CHANGE_MAX)).count();
    let (en, zh) = if worst.ratio > 1.0 { ("rose", "上升") } else { ("fell", "下降") };
    let (share, at) = (percent(worst.size()), seconds(worst.at_s.round()));
    let at_zh = at.replace('s', "秒");
    let (repeat, of) = (run.repeat, runs(c).len());
    let (where_, where_zh) = match of {
        1 => (String::new(), String::new()),
        _ => (
            format!(" in run {repeat} (such a change in {having} of {of} runs)"),
            format!("（运行 {repeat}；{of} 次运行中 {having} 次有此变化）"),
        ),
    };
    (worst.size() > CHANGE_MAX).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "the level of throughput {en} by {share} at {at}{where_}: the mean is one of different levels"
            ),
            format!("吞吐水平在第 {at_zh}{zh}了 {share}{where_zh}：均值混合了不同水平"),
        ),
        evidence: vec![("ratio", worst.ratio), ("at_s", worst.at_s), ("runs", having as f64)],
    })
}

/// Seconds in which nothing was completed: the mean is that of working and standing still.
pub(super) fn silent(c: &Context<'_>) -> Option<Found> {
    let silent = runs(c).iter().filter_map(|run| Some((run.silence.as_ref()?, run.measured_s)));
    let shares =
        silent.filter(|(silence, _)| silence.found).map(|(s, measured_s)| (s.silent_s / measured_s, s));
    let (share, worst) = shares.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (shown, all, longest) = (percent(share), seconds(worst.silent_s), seconds(worst.longest_s));
    let severity = if share > SILENT_MAX { Severity::Warn } else { Severity::Note };
    Some(Found {
        severity,
        text: Words::new(
            format!("no transaction completed in {all} of a run ({shown}), {longest} at a time"),
            format!("某次运行中有 {all}（{shown}）没有事务完成，最长连续 {longest}"),
        ),
        evidence: vec![("silent_s", worst.silent_s), ("silent_longest_s", worst.longest_s)],
    })
}

/// The last third of the window against the first: a cache still warming, or data still growing.
pub(super) fn trend(c: &Context<'_>) -> Option<Found> {
    // What is offered differs from second to second, and so does what is done.
    if varies_by_itself(c) || warmup_not_over(c).is_some() || change_point(c).is_some() {
        return None;
    }
    let change = |t: &TrialInput<'_>| {
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
    let (en, zh) = if worst > 0.0 { ("rose", "上升") } else { ("fell", "下降") };
    let share = percent(worst.abs());
    Some(Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "throughput {en} by {share} within the window: it had not settled; warm up or run longer"
            ),
            format!("测量期间吞吐量{zh}了 {share}：尚未稳定，请延长预热或测量时间"),
        ),
        evidence: vec![("change", worst)],
    })
}

pub(super) fn short_window(c: &Context<'_>) -> Option<Found> {
    let known = c.completed.iter().filter(|t| t.result.stated.is_none() || t.result.measured_s > 0.0);
    let shortest = known.map(|t| t.result.measured_s).fold(f64::INFINITY, f64::min);
    // A limit of transactions is the user's own choice of when to stop.
    (c.load().events == 0 && shortest < WINDOW_S_MIN).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("a window of {} is too short to show checkpoints and log rotation", seconds(shortest)),
            format!("测量时间只有 {}，看不到检查点和日志轮换的影响", seconds(shortest)),
        ),
        evidence: vec![("measured_s", shortest)],
    })
}

pub(super) fn few_transactions(c: &Context<'_>) -> Option<Found> {
    if c.completed.iter().any(|t| t.result.stated.is_some_and(|stated| stated.transactions.is_none())) {
        return None;
    }
    let transactions: u64 = c.completed.iter().map(|t| t.result.transactions).sum();
    let (severity, percentiles) = match transactions {
        0..TRANSACTIONS_MIN => (Severity::Warn, "every percentile"),
        TRANSACTIONS_MIN..TRANSACTIONS_FOR_P99 => (Severity::Note, "p99 and beyond"),
        _ => return None,
    };
    let zh = if severity == Severity::Warn { "所有百分位数" } else { "p99 及以上" };
    Some(Found {
        severity,
        text: Words::new(
            format!("only {} transactions: too few samples for {percentiles}", count(transactions)),
            format!("只有 {} 个事务：样本太少，{zh}不可靠", count(transactions)),
        ),
        evidence: vec![("transactions", transactions as f64)],
    })
}
