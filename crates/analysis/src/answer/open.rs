//! Answers about open loops. They complete what was offered, so the question is which target keeps up with the rate, and
//! which has the lower response time while doing so.

use messages::message;

use super::stretch::{Judge, Place, Standing, Stretch, spread};
use crate::Words;
use crate::compare::Comparison;
use crate::input::Measure;
use crate::metric::{RESPONSE_P95, THROUGHPUT};
use crate::summary::CellSummary;

/// Whether any cell is an open loop.
pub(super) fn is_open(cells: &[&CellSummary]) -> bool {
    cells.iter().any(|c| c.open_loop.is_some())
}

/// The rate that cells were offered.
fn rate(cells: &[&CellSummary]) -> f64 {
    cells.iter().find_map(|c| c.open_loop.as_ref()).map_or(0.0, |open| open.rate_per_s)
}

/// Response time, 95th percentile of all trials together, milliseconds; for other tools the mean of the reported percentiles.
fn p95_ms(cell: &CellSummary) -> Option<f64> {
    let pooled = cell.transaction().map(|t| t.response.p95_ns as f64);
    Some(pooled.or_else(|| Some(cell.measure(&RESPONSE_P95)?.mean))? / 1e6)
}

/// The answer for one cell: throughput completed out of the offered rate.
pub(super) fn single_cell(target: &str, cell: &CellSummary, done: &Measure) -> Words {
    message!(
        "open-cell",
        target = Text(target),
        value = Figure(done.mean),
        spread = Message(spread(done)),
        rate = Figure(rate(&[cell])),
        p95 = Figure?(p95_ms(cell)),
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
        parts.push(message!(
            "open-kept",
            target = Text(target),
            rate = Figure(rate),
            place = Message(place(&kept)),
            p95 = Figure(p95),
            best = Message?((kept.len() > 1).then(|| Place::of(&[threads]))),
        ));
    }
    if let Some(most) = most {
        parts.push(message!(
            "open-behind",
            target = Text?(parts.is_empty().then_some(target)),
            rate = Figure(rate),
            place = Message(place(&behind)),
            most = Figure(most),
        ));
    }
    Words::clauses(parts)
}

/// The comparison of these cells at one number of clients; none unless two targets completed.
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
pub(super) fn keeps_up_clause(kept: &[String], behind: &[String], rate: f64, place: &Words) -> Words {
    message!(
        "keeps-up",
        kept = List(kept),
        keepers = Count(kept.len() as u64),
        behind = List(behind),
        laggards = Count(behind.len() as u64),
        rate = Figure(rate),
        place = Message(place.clone()),
    )
}

/// Numbers of clients at which no target kept up, so that throughput is compared.
pub(super) fn overloaded_everywhere(cells: &[&CellSummary], compared: &[Stretch]) -> Option<Words> {
    let threads: Vec<u32> = compared
        .iter()
        .filter(|s| s.comparisons.iter().any(|c: &Comparison| c.metric == THROUGHPUT.id))
        .flat_map(|s| s.threads.iter().copied())
        .collect();
    if threads.is_empty() {
        return None;
    }
    Some(message!("none-keeps-up", rate = Figure(rate(cells)), place = Message(Place::of(&threads))))
}
