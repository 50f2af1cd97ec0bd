//! Whether the measured window is long and level enough to tell something.

use super::interruptions::stood_still;
use super::{Context, Found, Severity};
use crate::Words;
use crate::input::TrialInput;
use crate::over_time::RunOverTime;
use crate::text::{count, percent, seconds};

/// Seconds below which a window cannot show flushing, checkpoints or rotation.
pub(super) const WINDOW_S_MIN: f64 = 10.0;
pub(super) const TRANSACTIONS_MIN: u64 = 100;
/// A percentile p needs 10 / (1 - p) values for ten to lie beyond it: 1,000 for p99.
pub(super) const TRANSACTIONS_FOR_P99: u64 = 1_000;
pub(super) const TREND_MAX: f64 = 0.1;
pub(super) const WARMUP_CHANGE_MAX: f64 = 0.1;
/// A level that changes by more within the window has no mean worth the name.
pub(super) const CHANGE_MAX: f64 = 0.05;

/// A trial that ended as planned and did nothing measured nothing.
pub(super) fn no_transactions(c: &Context<'_>) -> Option<Found> {
    // What another tool did not count is unknown.
    let none = |t: &&TrialInput<'_>| match &t.result.stated {
        Some(stated) => stated.transactions == Some(0),
        None => t.result.transactions == 0,
    };
    c.completed.iter().any(none).then(|| Found {
        severity: Severity::Invalid,
        text: Words::new("no transaction completed", "没有事务完成"),
        evidence: Vec::new(),
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
                 warm up for {enough} s"
            ),
            format!("预热不足：测量窗口的前 {cut} 比其余部分{zh} {share}；建议预热 {enough} 秒"),
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
    let (en, zh) = if worst.ratio > 1.0 { ("rose", "上升") } else { ("dropped", "下降") };
    let (share, at) = (percent(worst.size()), seconds(worst.at_s.round()));
    let at_zh = at.replace('s', "秒");
    (worst.size() > CHANGE_MAX).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("throughput {en} by {share} at {at}: the mean mixes two levels"),
            format!("第 {at_zh}吞吐量{zh} {share}：均值混合了两个水平"),
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
    let share = percent(worst.abs());
    // Caches that fill make it rise, and a longer warm-up helps; what makes it fall goes on after any warm-up.
    let text = if worst > 0.0 {
        Words::new(
            format!(
                "throughput rose by {share} from the first third of the window to the last: the server was still warming \
                 up; use a longer warm-up"
            ),
            format!(
                "从测量窗口的前三分之一到后三分之一，吞吐量上升了 {share}：服务器仍在预热，请延长预热时间"
            ),
        )
    } else {
        Words::new(
            format!(
                "throughput fell by {share} from the first third of the window to the last: the server slowed down under \
                 this load; a longer window shows where it settles"
            ),
            format!(
                "从测量窗口的前三分之一到后三分之一，吞吐量下降了 {share}：服务器在此负载下变慢，更长的测量窗口可显示其稳定水平"
            ),
        )
    };
    Some(Found { severity: Severity::Warn, text, evidence: vec![("change", worst)] })
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
    if c.completed
        .iter()
        .any(|t| t.result.stated.as_ref().is_some_and(|stated| stated.transactions.is_none()))
    {
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
