//! The figure that an experiment of several arms or workloads is remembered by: its largest difference that is no chance.

use crate::Words;
use crate::compare::{Comparison, Judgement, MARGIN, Verdict, compare_cells};
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;
use crate::text::{clients, count, percent, ratio};

/// Chance that any point is called different that is not.
const FALSE_ALARMS: f64 = 0.05;

/// The largest difference of any arm from the base, over all workloads and numbers of clients, corrected for looking at all
/// of them (Holm). None where there is only one arm and one workload, whose own clause says as much, or nothing to compare.
pub(super) fn lead(cells: &[CellSummary], base: &str) -> Option<Words> {
    let points: Vec<(Comparison, Option<f64>)> = cells
        .iter()
        .filter(|cell| cell.target != base)
        .filter_map(|other| {
            let same = |b: &&CellSummary| {
                b.target == base && b.workload == other.workload && b.threads == other.threads
            };
            point(cells.iter().find(same)?, other)
        })
        .collect();
    let several = |of: fn(&Comparison) -> &str| points.iter().any(|(c, _)| of(c) != of(&points[0].0));
    let workloads = several(|c| &c.workload);
    if !workloads && !several(|c| &c.other) {
        return None;
    }
    let (known, p): (Vec<&Comparison>, Vec<f64>) =
        points.iter().filter_map(|(c, p)| Some((c, (*p)?))).unzip();
    if known.is_empty() {
        return None;
    }
    let adjusted = stats::holm(&p);
    let sure = known
        .iter()
        .zip(adjusted)
        .filter(|(c, p)| matches!(c.verdict, Verdict::Better | Verdict::Worse) && *p <= FALSE_ALARMS);
    let largest = sure.max_by(|a, b| a.0.ratio.ln().abs().total_cmp(&b.0.ratio.ln().abs()));
    Some(match largest {
        Some((most, _)) => sentence(most, base, workloads),
        None if known.iter().all(|c| c.verdict == Verdict::Same) => {
            let margin = percent(MARGIN);
            Words::new(
                format!("every arm is the same as {base} within ±{margin}"),
                format!("各方案与 {base} 相同（±{margin} 以内）"),
            )
        }
        None => Words::new(
            format!("no arm differs from {base} by more than chance"),
            format!("没有方案与 {base} 的差异超出偶然"),
        ),
    })
}

/// A comparison and the p-value of no difference; none where it has no interval or is not to be judged.
fn point(base: &CellSummary, other: &CellSummary) -> Option<(Comparison, Option<f64>)> {
    let comparison = compare_cells(base, other, &THROUGHPUT, Judgement::default())?;
    let values = |cell: &CellSummary| cell.values(&THROUGHPUT).map(|(_, v)| v).collect::<Vec<_>>();
    let judged = comparison.low.filter(|_| comparison.verdict != Verdict::Withheld);
    let p = judged.and_then(|_| stats::ratio_p_value(&values(other), &values(base), comparison.pairing));
    Some((comparison, p))
}

fn sentence(most: &Comparison, base: &str, workloads: bool) -> Words {
    let interval = match (most.low, most.high) {
        (Some(low), Some(high)) => format!(" [{}, {}]", ratio(low), ratio(high)),
        _ => String::new(),
    };
    let (other, value) = (&most.other, ratio(most.ratio));
    let (at, n) = (clients(most.threads), count(most.threads.into()));
    let (with, with_zh) = if workloads {
        (format!(" with {}", most.workload), format!("{}、", most.workload))
    } else {
        Default::default()
    };
    Words::new(
        format!("the largest difference: {other} does {value}x{interval} what {base} does, at {at}{with}"),
        format!("最大差异：{with_zh}{n} 个客户端时 {other} 为 {base} 的 {value} 倍{interval}"),
    )
}
