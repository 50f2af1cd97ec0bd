//! The figure that an experiment of several arms or workloads is remembered by: its largest significant difference.

use messages::message;

use crate::Words;
use crate::compare::{Comparison, FALSE_ALARMS, Verdict, compare};
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;

/// The largest difference between any arm and the base, over all workloads and numbers of clients. Verdicts are corrected
/// arm by arm; selecting the largest over all arms is corrected for once more. None with only one arm and one workload,
/// whose own clause says as much, or if there is nothing to compare.
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
            let difference = sentence(most, base, workloads);
            message!(
                "largest-not-significant",
                difference = Message(difference),
                comparisons = Count(known.len() as u64),
            )
        }
        (None, None) if known.iter().all(|c| c.verdict == Verdict::Same) => {
            message!("every-arm-equivalent", base = Text(base), margin = Percent(known[0].margin))
        }
        (None, None) => cannot_tell(&known, base),
    })
}

/// No difference is significant, and what the intervals leave open.
fn cannot_tell(known: &[&Comparison], base: &str) -> Words {
    let least = known.iter().filter_map(|c| c.low).fold(f64::INFINITY, f64::min);
    let most = known.iter().filter_map(|c| c.high).fold(0.0, f64::max);
    message!("no-arm-differs", base = Text(base), interval = RatioInterval((least, most)))
}

/// `largest difference: RC is 1.41x [1.34, 1.49] as fast as RR (4 clients)`.
fn sentence(most: &Comparison, base: &str, workloads: bool) -> Words {
    message!(
        "largest-difference",
        other = Text(&most.other),
        ratio = Ratio(most.ratio),
        interval = RatioInterval?(most.low.zip(most.high)),
        base = Text(base),
        workload = Text?(workloads.then_some(&most.workload)),
        clients = Count(most.threads),
    )
}
