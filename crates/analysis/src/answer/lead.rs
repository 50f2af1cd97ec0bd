//! The figure that an experiment of several arms or workloads is remembered by: its largest significant difference.

use super::clause::interval_of;
use crate::Words;
use crate::compare::{Comparison, FALSE_ALARMS, Verdict, compare};
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;
use crate::text::{clients, count, percent, ratio, ratio_interval};

/// The largest difference of any arm from the base, over all workloads and numbers of clients. Verdicts are corrected arm by
/// arm; that this one is the largest of all arms is corrected for once more. None where there is only one arm and one
/// workload, whose own clause says as much, or nothing to compare.
pub(super) fn lead(cells: &[CellSummary], base: &str) -> Option<Words> {
    let mut arms: Vec<&str> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.target != base) {
        if !arms.contains(&cell.target.as_str()) {
            arms.push(&cell.target);
        }
    }
    let points: Vec<Comparison> =
        arms.iter().flat_map(|arm| compare(cells, &THROUGHPUT, base, arm)).collect();
    let workloads = points.iter().any(|c| c.workload != points[0].workload);
    if !workloads && !points.iter().any(|c| c.other != points[0].other) {
        return None;
    }
    // Blocks that were added until it was sure have paid for all their points already.
    let p = |c: &Comparison| c.low.and(if c.sequential { Some(0.0) } else { c.p_value });
    let (known, p): (Vec<&Comparison>, Vec<f64>) = points.iter().filter_map(|c| Some((c, p(c)?))).unzip();
    if known.is_empty() {
        return None;
    }
    let size = |c: &Comparison| c.ratio.ln().abs();
    let differs = |c: &Comparison| matches!(c.verdict, Verdict::Better | Verdict::Worse);
    let adjusted = stats::holm(&p);
    let all = || known.iter().copied().zip(&adjusted);
    let sure = all().filter(|(c, p)| differs(c) && **p <= FALSE_ALARMS).map(|(c, _)| c);
    let largest = sure.max_by(|a, b| size(a).total_cmp(&size(b)));
    let doubtful = known.iter().filter(|c| differs(c) || c.excludes_one() && !c.sequential);
    let doubtful = doubtful.max_by(|a, b| size(a).total_cmp(&size(b)));
    Some(match (largest, doubtful) {
        (Some(most), _) => sentence(most, base, workloads),
        (None, Some(most)) => {
            let (said, n) = (sentence(most, base, workloads), known.len());
            Words::new(
                format!(
                    "{}; not significant after correction for {n} comparisons, more repeats would settle it",
                    said.en
                ),
                format!("{}；对 {n} 项比较校正后不显著，增加重复次数可以判定", said.zh),
            )
        }
        (None, None) if known.iter().all(|c| c.verdict == Verdict::Same) => {
            let margin = percent(known[0].margin);
            Words::new(
                format!("every arm is equivalent to {base} within {margin}"),
                format!("各方案与 {base} 相当（{margin} 以内）"),
            )
        }
        (None, None) => cannot_tell(&known, base),
    })
}

/// No difference is significant, and what the intervals leave open.
fn cannot_tell(known: &[&Comparison], base: &str) -> Words {
    let least = known.iter().filter_map(|c| c.low).fold(f64::INFINITY, f64::min);
    let most = known.iter().filter_map(|c| c.high).fold(0.0, f64::max);
    let open = ratio_interval(least, most);
    Words::new(
        format!("cannot tell yet whether an arm differs from {base}: the intervals leave {} open", open.en),
        format!("尚不能判断各方案与 {base} 是否不同：区间范围为 {}", open.zh),
    )
}

/// `largest difference: RC is 1.41x [1.34, 1.49] as fast as RR (4 clients)`.
fn sentence(most: &Comparison, base: &str, workloads: bool) -> Words {
    let (other, value, interval) = (&most.other, ratio(most.ratio), interval_of(most));
    let (at, n) = (clients(most.threads), count(most.threads.into()));
    let (with, with_zh) = match workloads {
        true => (format!("{}, ", most.workload), format!("{}、", most.workload)),
        false => Default::default(),
    };
    Words::new(
        format!("largest difference: {other} is {value}x{} as fast as {base} ({with}{at})", interval.en),
        format!("最大差异：{with_zh}{n} 个客户端时 {other} 为 {base} 的 {value} 倍{}", interval.zh),
    )
}
