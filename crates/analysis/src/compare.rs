//! One target against another: ratio, interval, verdict.

use serde::{Deserialize, Serialize};
use stats::Pairing;

use crate::CONFIDENCE;
use crate::caveat::{GENERATOR_BOTTLENECK, IMPORTED};
use crate::metric::{Direction, Metric, THROUGHPUT};
use crate::summary::CellSummary;

/// What may be said of a ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The other target is better than the base.
    Better,
    /// The other target is worse than the base.
    Worse,
    /// The whole interval lies within the margin that counts as equal.
    Same,
    /// The interval allows more than one of these.
    Inconclusive,
    /// One of them has a single run, so that there is no interval.
    SingleRun,
    /// The generator was the bottleneck: the ratio would be its own.
    Withheld,
}

/// One target against another in one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Id of the metric.
    pub metric: String,
    /// Label of the workload.
    pub workload: String,
    /// Clients.
    pub threads: u32,
    /// Label of the target divided by.
    pub base: String,
    /// Label of the target compared with it.
    pub other: String,
    /// Other over base.
    pub ratio: f64,
    /// Lower end of the 95 % interval; none with a single run.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval; none with a single run.
    pub high: Option<f64>,
    /// What may be said.
    pub verdict: Verdict,
    /// Whether the runs were taken in pairs.
    #[serde(skip, default = "independent")]
    pub pairing: Pairing,
    /// Whether the rule by which repeats were added decided it.
    #[serde(skip)]
    pub sequential: bool,
    /// The distance from 1 that counted as the same.
    #[serde(skip)]
    pub margin: f64,
    /// For an inconclusive comparison, about how many runs of each might decide it; none if more than a hundred.
    pub runs_needed: Option<u32>,
}

fn independent() -> Pairing {
    Pairing::Independent
}

/// Ratios within this distance of 1 count as the same, unless the user says another.
pub const MARGIN: f64 = 0.02;

/// How a comparison is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// Ratios within this distance of 1 count as the same.
    pub margin: f64,
    /// Whether runs belong together in pairs; none: if both sides have the same repeats.
    pub pairing: Option<Pairing>,
}

impl Default for Judgement {
    fn default() -> Self {
        Self { margin: MARGIN, pairing: None }
    }
}

/// Compares `other` with `base` by `metric`, wherever both completed at the same workload and number of clients.
pub fn compare(cells: &[CellSummary], metric: &Metric, base: &str, other: &str) -> Vec<Comparison> {
    let pairs = cells.iter().filter(|c| c.target == base).filter_map(|b| {
        let o =
            cells.iter().find(|o| o.target == other && o.workload == b.workload && o.threads == b.threads)?;
        compare_cells(b, o, metric, Judgement::default())
    });
    pairs.collect()
}

/// Compares two cells of the same workload and number of clients; none if either has no value of this metric, or one
/// that no ratio can be made of. Throughput is none of an open loop that kept up: it is what was offered.
pub fn compare_cells(
    base: &CellSummary,
    other: &CellSummary,
    metric: &Metric,
    judgement: Judgement,
) -> Option<Comparison> {
    if metric.id == THROUGHPUT.id && (base.throughput_is_offered() || other.throughput_is_offered()) {
        return None;
    }
    let (mut base_runs, mut other_runs): (Vec<_>, Vec<_>) =
        (base.values(metric).collect(), other.values(metric).collect());
    // Of arms that were repeated until sure one may be decided sooner; what is compared are the blocks of both.
    let is_sequence = base.rule.is_some() && base.rule == other.rule && judgement.pairing.is_none();
    if is_sequence {
        let has = |runs: &[(u32, f64)], repeat: u32| runs.iter().any(|(own, _)| *own == repeat);
        let of_other = other_runs.clone();
        other_runs.retain(|(repeat, _)| has(&base_runs, *repeat));
        base_runs.retain(|(repeat, _)| has(&of_other, *repeat));
    }
    let values = |runs: &[(u32, f64)]| runs.iter().map(|(_, v)| *v).collect::<Vec<_>>();
    let (base_values, other_values) = (values(&base_runs), values(&other_runs));
    let ratio = stats::geometric_mean(&other_values)? / stats::geometric_mean(&base_values)?;
    // Repeats are run in blocks: what disturbs one block disturbs both targets alike, and pairing takes it out.
    let same_repeats = base_runs.iter().map(|(r, _)| r).eq(other_runs.iter().map(|(r, _)| r));
    // Of what others measured nobody knows in which order.
    let imported = |c: &CellSummary| c.caveats.iter().any(|c| c.id == IMPORTED);
    let in_blocks = same_repeats && !imported(base) && !imported(other);
    let pairing = if in_blocks { Pairing::Paired } else { Pairing::Independent };
    let pairing = judgement.pairing.unwrap_or(pairing);
    let interval = match pairing {
        Pairing::Paired => stats::paired_ratio_interval(&other_values, &base_values, CONFIDENCE),
        Pairing::Independent => stats::ratio_interval(&other_values, &base_values, CONFIDENCE),
    };
    // Repeats that were added until it was sure are judged by the rule that added them.
    let sequence = base.rule.filter(|_| is_sequence && pairing == Pairing::Paired);
    let look = sequence.and_then(|rule| rule.look(&other_values, &base_values, metric.direction));
    let margin = sequence.map_or(judgement.margin, |rule| rule.margin);
    let interval = match sequence {
        // Endless while there are too few blocks.
        Some(_) => look.map(|(interval, _)| interval).filter(|interval| interval.high.is_finite()),
        None => interval,
    };
    let bottleneck = |c: &CellSummary| c.caveats.iter().any(|c| c.id == GENERATOR_BOTTLENECK);
    let verdict = match interval {
        _ if bottleneck(base) || bottleneck(other) => Verdict::Withheld,
        _ if look.is_some() => look.map_or(Verdict::Inconclusive, |(_, verdict)| verdict),
        None => Verdict::SingleRun,
        Some(i) => verdict(i.low, i.high, metric.direction, margin),
    };
    let runs = base_values.len().min(other_values.len());
    Some(Comparison {
        metric: metric.id.to_owned(),
        workload: base.workload.clone(),
        threads: base.threads,
        base: base.target.clone(),
        other: other.target.clone(),
        ratio,
        low: interval.map(|i| i.low),
        high: interval.map(|i| i.high),
        verdict,
        pairing,
        sequential: sequence.is_some(),
        margin,
        runs_needed: interval
            .filter(|_| verdict == Verdict::Inconclusive)
            .and_then(|i| runs_needed(runs, ratio, (i.high / i.low).ln() / 2.0, margin)),
    })
}

/// What may be said of a ratio with this interval.
pub(crate) fn verdict(low: f64, high: f64, direction: Direction, margin: f64) -> Verdict {
    let (more, less) = match direction {
        Direction::Higher => (Verdict::Better, Verdict::Worse),
        Direction::Lower => (Verdict::Worse, Verdict::Better),
    };
    if low >= 1.0 / (1.0 + margin) && high <= 1.0 + margin {
        Verdict::Same
    } else if low > 1.0 {
        more
    } else if high < 1.0 {
        less
    } else {
        Verdict::Inconclusive
    }
}

/// The width of an interval shrinks with the square root of the number of runs. `half_width` is of the logarithm.
fn runs_needed(runs: usize, ratio: f64, half_width: f64, margin: f64) -> Option<u32> {
    const RUNS_MAX: f64 = 100.0;
    let (distance, margin) = (ratio.ln().abs(), (1.0 + margin).ln());
    // Far from 1 the interval has to leave 1 out; near 1 it has to fit into the margin.
    let wanted = distance.max(margin - distance);
    let needed = (runs as f64 * (half_width / wanted).powi(2)).ceil();
    (needed <= RUNS_MAX).then_some((needed as u32).max(runs as u32 + 1))
}
