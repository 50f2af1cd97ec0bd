//! Answers about open loops. What they complete is what was offered, so the question is who keeps up with the rate, and who
//! answers sooner while doing so.

use super::{Judge, Place, Standing, Stretch, spread};
use crate::Words;
use crate::compare::Comparison;
use crate::input::Measure;
use crate::metric::{RESPONSE_P95, THROUGHPUT};
use crate::summary::CellSummary;
use crate::text::{figure, list};

/// Whether any cell was offered a rate.
pub(super) fn is_open(cells: &[&CellSummary]) -> bool {
    cells.iter().any(|c| c.open_loop.is_some())
}

/// The rate that cells were offered, in words.
fn rate(cells: &[&CellSummary]) -> String {
    figure(cells.iter().find_map(|c| c.open_loop.as_ref()).map_or(0.0, |open| open.rate_per_s))
}

/// Response time, 95th percentile of all trials together, milliseconds; of other tools the mean of what they reported.
fn p95_ms(cell: &CellSummary) -> Option<f64> {
    let pooled = cell.transaction().map(|t| t.response.p95_ns as f64);
    Some(pooled.or_else(|| Some(cell.measure(&RESPONSE_P95)?.mean))? / 1e6)
}

/// One cell: what was completed of what was offered.
pub(super) fn single_cell(target: &str, cell: &CellSummary, done: &Measure) -> Words {
    let (value, rate, spread) = (figure(done.mean), rate(&[cell]), spread(done));
    let p95 = p95_ms(cell).map(figure).unwrap_or_default();
    Words::new(
        format!(
            "{target}: {value} transactions/s {} of {rate} offered, p95 {p95} ms from when they were due",
            spread.en
        ),
        format!("{target}：提供 {rate} 事务/秒，完成 {value}{}，从应开始时计 p95 {p95} 毫秒", spread.zh),
    )
}

/// Several numbers of clients on one target: with which of them it kept up.
pub(super) fn single_target(target: &str, curve: &[(&CellSummary, Measure)]) -> Words {
    let cells: Vec<&CellSummary> = curve.iter().map(|(cell, _)| *cell).collect();
    let rate = rate(&cells);
    let (kept, behind): (Vec<_>, Vec<_>) = curve.iter().partition(|(cell, _)| cell.throughput_is_offered());
    let place = |of: &[(&CellSummary, Measure)]| {
        Place::of(&of.iter().map(|(cell, _)| cell.threads).collect::<Vec<_>>())
    };
    let soonest = kept
        .iter()
        .filter_map(|(cell, _)| Some((cell.threads, p95_ms(cell)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    let most = behind.iter().map(|(_, done)| done.mean).reduce(f64::max);
    let mut parts = Vec::new();
    if let Some((threads, p95)) = soonest {
        let (at, p95) = (place(&kept), figure(p95));
        let with = Place::of(&[threads]);
        let which = if kept.len() > 1 {
            Words::new(
                format!("p95 at its least {p95} ms {}", with.en),
                format!("{} p95 最低，为 {p95} 毫秒", with.zh),
            )
        } else {
            Words::new(format!("p95 {p95} ms"), format!("p95 {p95} 毫秒"))
        };
        parts.push(Words::new(
            format!("{target} keeps up with {rate}/s {}, {}", at.en, which.en),
            format!("{target} 在{}能跟上 {rate} 事务/秒，{}", at.zh, which.zh),
        ));
    }
    if let Some(most) = most {
        let (at, most) = (place(&behind), figure(most));
        let (who, who_zh) = if parts.is_empty() {
            (format!("{target} does not keep up with {rate}/s"), format!("{target} 跟不上 {rate} 事务/秒："))
        } else {
            ("it does not".to_owned(), "跟不上：".to_owned())
        };
        parts.push(Words::new(
            format!("{who} {}, where it completes {most}/s at most", at.en),
            format!("{who_zh}{}最多完成 {most} 事务/秒", at.zh),
        ));
    }
    Words::join(&parts, "; ", "；")
}

/// What may be said of these cells of one number of clients; none unless two targets completed.
pub(super) fn best_and_next(judge: &Judge<'_>, cells: &[&CellSummary]) -> Option<Stretch> {
    let own: Vec<&CellSummary> = cells.iter().copied().filter(|c| c.throughput_per_s.is_some()).collect();
    if own.len() < 2 {
        return None;
    }
    let names = |of: &[&CellSummary]| of.iter().map(|c| c.target.clone()).collect::<Vec<_>>();
    let (kept, behind): (Vec<&CellSummary>, Vec<&CellSummary>) =
        own.iter().partition(|c| c.throughput_is_offered());
    if !kept.is_empty() && !behind.is_empty() {
        let standing = Standing::KeepsUp { kept: names(&kept), behind: names(&behind), rate: rate(&own) };
        return Some(Stretch { standing, threads: vec![own[0].threads], comparisons: Vec::new() });
    }
    let (metric, mut sorted) = if behind.is_empty() { (&RESPONSE_P95, kept) } else { (&THROUGHPUT, behind) };
    let value = |c: &CellSummary| c.measure(metric).map_or(f64::NAN, |measure| measure.mean);
    sorted.sort_by(|a, b| value(a).total_cmp(&value(b)));
    if metric.id == THROUGHPUT.id {
        sorted.reverse();
    }
    judge.between(sorted[1], sorted[0], metric).map(Stretch::of)
}

/// `mysql keeps up with 1,000/s, mariadb does not, at 16 clients`.
pub(super) fn keeps_up_clause(kept: &[String], behind: &[String], rate: &str, place: &Words) -> Words {
    let (winners, others) = (list(kept), list(behind));
    let verb = if kept.len() == 1 { "keeps" } else { "keep" };
    let does = if behind.len() == 1 { "does" } else { "do" };
    Words::new(
        format!("{} {verb} up with {rate}/s {}, {} {does} not", winners.en, place.en, others.en),
        format!("{}{} 能跟上 {rate} 事务/秒，{} 跟不上", place.zh, winners.zh, others.zh),
    )
}

/// Numbers of clients at which no target kept up, so that throughput is what they are compared by.
pub(super) fn overloaded_everywhere(cells: &[&CellSummary], compared: &[Stretch]) -> Option<Words> {
    let threads: Vec<u32> = compared
        .iter()
        .filter(|s| s.comparisons.iter().any(|c: &Comparison| c.metric == THROUGHPUT.id))
        .flat_map(|s| s.threads.iter().copied())
        .collect();
    if threads.is_empty() {
        return None;
    }
    let (place, rate) = (Place::of(&threads), rate(cells));
    Some(Words::new(
        format!("no target keeps up with {rate}/s {}, so throughput is compared there", place.en),
        format!("{}没有目标能跟上 {rate} 事务/秒，因此比较吞吐量", place.zh),
    ))
}
