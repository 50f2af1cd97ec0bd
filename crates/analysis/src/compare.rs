//! One target against another: ratio, interval, verdict.
//!
//! With many differences, some look significant by chance, so verdicts are corrected by Holm's method. This is the place
//! that defines a family of comparisons: all workloads and numbers of clients of one target against another, by the primary
//! metric. Further metrics are a family of their own. Sweeps, pages and `compare` all use [`compare_all`] and therefore
//! agree.

use serde::{Deserialize, Serialize};
use stats::Pairing;

use crate::CONFIDENCE;
use crate::Words;
use crate::caveat::IMPORTED;
use crate::metric::{Direction, Metric, RESPONSE_P95, THROUGHPUT};
use crate::summary::CellSummary;
pub use crate::verdict::Verdict;

/// Comparisons that are corrected together.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// By what a pair of targets is compared first: throughput, or the p95 response time of open loops that kept up.
    #[default]
    Primary,
    /// By every other metric.
    Secondary,
}

/// Differences count as such up to this chance that any of a family is false.
pub const FALSE_ALARMS: f64 = 0.05;

/// One target against another in one cell.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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
    /// For an inconclusive comparison, about how many trials of each might decide it; none if more than a hundred.
    pub runs_needed: Option<u32>,
    /// Two-sided p-value of no difference, after Holm's correction over its family; none without an interval.
    #[serde(default)]
    pub p_adjusted: Option<f64>,
    /// The same before the correction.
    #[serde(skip)]
    pub p_value: Option<f64>,
    /// With which others it was corrected.
    #[serde(default)]
    pub family: Family,
    /// How many those are, with itself.
    #[serde(default)]
    pub family_size: u32,
    /// Ratios this far from 1, up or down, would have been significant after correction; none without an interval.
    #[serde(default)]
    pub detectable: Option<f64>,
    /// Why no verdict is given, where that is so although both completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<Words>,
    /// The targets whose cells are not valid: those that `withheld` gives the reasons of.
    #[serde(skip)]
    pub not_valid: Vec<String>,
}

impl Comparison {
    /// The comparison with base and other exchanged.
    pub fn flipped(&self) -> Self {
        let verdict = match self.verdict {
            Verdict::Better => Verdict::Worse,
            Verdict::Worse => Verdict::Better,
            same => same,
        };
        Self {
            base: self.other.clone(),
            other: self.base.clone(),
            ratio: 1.0 / self.ratio,
            low: self.high.map(f64::recip),
            high: self.low.map(f64::recip),
            verdict,
            ..self.clone()
        }
    }

    /// Whether its uncorrected interval excludes 1.
    pub fn excludes_one(&self) -> bool {
        self.low.is_some_and(|low| low > 1.0) || self.high.is_some_and(|high| high < 1.0)
    }
}

fn independent() -> Pairing {
    Pairing::Independent
}

/// Default equivalence margin.
pub const MARGIN: f64 = 0.02;

/// The parameters of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// Equivalence margin: ratios within this distance of 1 are equivalent.
    pub margin: f64,
    /// Whether trials are paired; none: paired if both sides have the same repeats.
    pub pairing: Option<Pairing>,
}

impl Default for Judgement {
    fn default() -> Self {
        Self { margin: MARGIN, pairing: None }
    }
}

/// Compares `other` with `base` by `metric`, wherever both completed at the same workload and number of clients.
pub fn compare(cells: &[CellSummary], metric: &Metric, base: &str, other: &str) -> Vec<Comparison> {
    let of = |label: &str| cells.iter().filter(|c| c.target == label).collect::<Vec<_>>();
    compare_all(&of(base), &of(other), &[metric], Judgement::default())
}

/// The primary metric for two cells: throughput, or response time for two open loops that kept up, whose throughput is the
/// offered rate.
pub fn primary(base: &CellSummary, other: &CellSummary) -> &'static Metric {
    if base.throughput_is_offered() && other.throughput_is_offered() { &RESPONSE_P95 } else { &THROUGHPUT }
}

/// Compares cells of one target with those of another by every metric, wherever both completed at the same workload and
/// number of clients: verdicts are corrected for the whole family, whichever metrics are requested.
pub fn compare_all(
    base: &[&CellSummary],
    other: &[&CellSummary],
    metrics: &[&Metric],
    judgement: Judgement,
) -> Vec<Comparison> {
    let pairs: Vec<(&CellSummary, &CellSummary)> = base
        .iter()
        .filter_map(|b| {
            let o = other.iter().find(|o| o.workload == b.workload && o.threads == b.threads)?;
            Some((*b, *o))
        })
        .collect();
    let asked = metrics.iter().flat_map(|metric| pairs.iter().map(move |pair| (*metric, *pair)));
    // The primary family is the same whether it was asked for or not.
    let primaries = pairs.iter().map(|pair| (primary(pair.0, pair.1), *pair));
    let unasked = primaries.filter(|(metric, _)| !metrics.iter().any(|asked| asked.id == metric.id));
    let (mut found, mut wanted) = (Vec::new(), 0);
    for (at, (metric, (b, o))) in asked.chain(unasked).enumerate() {
        if let Some((mut comparison, values)) = compared(b, o, metric, judgement) {
            comparison.family = match metric.id == primary(b, o).id {
                true => Family::Primary,
                false => Family::Secondary,
            };
            wanted += usize::from(at < metrics.len() * pairs.len());
            found.push((comparison, values));
        }
    }
    for family in [Family::Primary, Family::Secondary] {
        correct(found.iter_mut().filter(|(comparison, _)| comparison.family == family).collect());
    }
    found.into_iter().take(wanted).map(|(comparison, _)| comparison).collect()
}

/// Values of both sides, trial by trial.
struct Values {
    base: Vec<f64>,
    other: Vec<f64>,
}

/// Holm's correction over one family.
fn correct(mut family: Vec<&mut (Comparison, Values)>) {
    family.retain(|(comparison, _)| comparison.p_adjusted.is_some());
    let p: Vec<f64> = family.iter().filter_map(|(comparison, _)| comparison.p_adjusted).collect();
    let size = p.len() as u32;
    for ((comparison, values), p) in family.into_iter().zip(stats::holm(&p)) {
        (comparison.p_adjusted, comparison.family_size) = (Some(p), size);
        if matches!(comparison.verdict, Verdict::Better | Verdict::Worse) && p > FALSE_ALARMS {
            comparison.verdict = Verdict::Inconclusive;
        }
        // The least difference that passes the strictest step of the correction.
        let strictest = 1.0 - FALSE_ALARMS / f64::from(size);
        let interval = interval(values, comparison.pairing, strictest);
        comparison.detectable = interval.map(|i| (i.high / i.low).sqrt()).filter(|ratio| ratio.is_finite());
    }
}

fn interval(values: &Values, pairing: Pairing, confidence: f64) -> Option<stats::Estimate> {
    match pairing {
        Pairing::Paired => stats::paired_ratio_interval(&values.other, &values.base, confidence),
        Pairing::Independent => stats::ratio_interval(&values.other, &values.base, confidence),
    }
}

/// Compares two cells of the same workload and number of clients; none if either has no value of this metric, or if no
/// ratio can be formed. An open loop that kept up has no throughput in this sense: it is the offered rate. The p-value is
/// not corrected yet.
fn compared(
    base: &CellSummary,
    other: &CellSummary,
    metric: &Metric,
    judgement: Judgement,
) -> Option<(Comparison, Values)> {
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
    let of = |runs: &[(u32, f64)]| runs.iter().map(|(_, v)| *v).collect::<Vec<_>>();
    let values = Values { base: of(&base_runs), other: of(&other_runs) };
    let ratio = stats::geometric_mean(&values.other)? / stats::geometric_mean(&values.base)?;
    // Repeats are run in blocks: what disturbs one block disturbs both targets alike, and pairing takes it out.
    let same_repeats = base_runs.iter().map(|(r, _)| r).eq(other_runs.iter().map(|(r, _)| r));
    // Imported trials have no known order, so they cannot be paired.
    let imported = |c: &CellSummary| c.caveats.iter().any(|c| c.id == IMPORTED);
    let in_blocks = same_repeats && !imported(base) && !imported(other);
    let pairing = if in_blocks { Pairing::Paired } else { Pairing::Independent };
    let pairing = judgement.pairing.unwrap_or(pairing);
    // Repeats that were added until it was sure are judged by the rule that added them.
    let sequence = base.rule.filter(|_| is_sequence && pairing == Pairing::Paired);
    let look = sequence.and_then(|rule| rule.look(&values.other, &values.base, metric.direction));
    let margin = sequence.map_or(judgement.margin, |rule| rule.margin);
    let interval = match sequence {
        // Endless while there are too few blocks.
        Some(_) => look.map(|(interval, _)| interval).filter(|interval| interval.high.is_finite()),
        None => self::interval(&values, pairing, CONFIDENCE),
    };
    let withheld = why_withheld(base, other);
    let verdict = match interval {
        _ if withheld.is_some() => Verdict::Withheld,
        _ if look.is_some() => look.map_or(Verdict::Inconclusive, |(_, verdict)| verdict),
        None => Verdict::SingleRun,
        Some(i) => verdict(i.low, i.high, metric.direction, margin),
    };
    let runs = values.base.len().min(values.other.len());
    // A rule that may be looked at after every block has paid for its looks and its points already.
    let p = interval.filter(|_| sequence.is_none() && verdict != Verdict::Withheld);
    let p = p.and_then(|_| stats::ratio_p_value(&values.other, &values.base, pairing));
    let comparison = Comparison {
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
        p_adjusted: p,
        p_value: p,
        family: Family::Primary,
        family_size: 0,
        detectable: None,
        withheld,
        not_valid: [base, other]
            .iter()
            .filter(|cell| cell.invalid().is_some())
            .map(|cell| cell.target.clone())
            .collect(),
    };
    Some((comparison, values))
}

/// The reason a cell is not valid: `b: the generator was the bottleneck`.
fn why_withheld(base: &CellSummary, other: &CellSummary) -> Option<Words> {
    let of = |cell: &CellSummary| Some(cell.invalid()?.of_target(&cell.target));
    let mut reasons: Vec<Words> = [base, other].into_iter().filter_map(of).collect();
    reasons.dedup();
    (!reasons.is_empty()).then(|| Words::clauses(reasons))
}

/// The verdict on a ratio with this interval.
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
