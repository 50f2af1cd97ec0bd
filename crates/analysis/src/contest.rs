//! One set of cells against another: every point that both have, by several metrics, corrected for looking so often; and
//! gates over what comes out.

use serde::{Deserialize, Serialize};
use stats::Pairing;

use crate::compare::{Comparison, Judgement, Verdict, compare_cells};
use crate::metric::{self, Metric, Unit};
use crate::summary::CellSummary;

/// A point of a contest: one workload and number of clients, by one metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The comparison. Its verdict is one of all points together: where a difference is not significant after Holm's
    /// correction, it is inconclusive.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// Mean over the runs of the base.
    pub base_value: f64,
    /// Mean over the runs of the other.
    pub other_value: f64,
    /// Two-sided p-value of no difference, after Holm's correction over all points; none without an interval.
    pub p_adjusted: Option<f64>,
}

/// Differences count as such up to this chance that any of them is false.
const FALSE_ALARMS: f64 = 0.05;

/// Compares `other` with `base` wherever both completed, by every metric, points of one metric together.
pub fn contest(
    base: &[CellSummary],
    other: &[CellSummary],
    metrics: &[&Metric],
    judgement: Judgement,
) -> Vec<Point> {
    let mut points = Vec::new();
    for metric in metrics {
        for b in base {
            let same = |o: &&CellSummary| o.workload == b.workload && o.threads == b.threads;
            points.extend(other.iter().find(same).and_then(|o| point(b, o, metric, judgement)));
        }
    }
    let known: Vec<(usize, f64)> =
        points.iter().enumerate().filter_map(|(at, p)| Some((at, p.p_adjusted?))).collect();
    let adjusted = stats::holm(&known.iter().map(|(_, p)| *p).collect::<Vec<_>>());
    for ((at, _), p) in known.into_iter().zip(adjusted) {
        let point = &mut points[at];
        point.p_adjusted = Some(p);
        let differs = matches!(point.comparison.verdict, Verdict::Better | Verdict::Worse);
        if differs && p > FALSE_ALARMS {
            point.comparison.verdict = Verdict::Inconclusive;
        }
    }
    points
}

fn point(base: &CellSummary, other: &CellSummary, metric: &Metric, judgement: Judgement) -> Option<Point> {
    let comparison = compare_cells(base, other, metric, judgement)?;
    let values = |cell: &CellSummary| cell.values(metric).map(|(_, value)| value).collect::<Vec<_>>();
    let (b, o) = (values(base), values(other));
    let pairing = comparison.pairing;
    Some(Point {
        base_value: stats::mean(&b)?,
        other_value: stats::mean(&o)?,
        // A rule that may be looked at after every block has paid for its looks and its points already.
        p_adjusted: comparison
            .low
            .filter(|_| !comparison.sequential)
            .and_then(|_| stats::ratio_p_value(&o, &b, pairing)),
        comparison,
    })
}

/// What must not happen, such as `throughput<-3%` or `p99>+10%`.
#[derive(Debug, Clone)]
pub struct Gate {
    /// As it was written.
    pub text: String,
    /// By which metric.
    pub metric: &'static Metric,
    /// A change of this much, as a share of the base.
    pub change: f64,
    /// It must not fall below; otherwise it must not rise above.
    pub below: bool,
}

/// How a gate stands at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// What must not happen has not happened.
    Holds,
    /// It has, and it is no accident.
    Failed,
    /// There is no interval, or the estimate is beyond the bound and may be an accident.
    CannotTell,
}

/// Short names of the metrics, as gates and options have them.
pub const NAMES: [(&str, &str); 10] = [
    ("throughput", "throughput"),
    ("queries", "queries"),
    ("tpmc", "tpmc"),
    ("mean", "response_mean"),
    ("p50", "response_p50"),
    ("p95", "response_p95"),
    ("p99", "response_p99"),
    ("p99.9", "response_p999"),
    ("p99.99", "response_p9999"),
    ("max", "response_max"),
];

/// The metric of that short name.
pub fn metric_of(name: &str) -> Option<&'static Metric> {
    let (_, id) = NAMES.iter().find(|(short, _)| *short == name)?;
    metric::by_id(id)
}

impl Gate {
    /// Reads `METRIC<CHANGE%` or `METRIC>CHANGE%`.
    ///
    /// # Errors
    /// A sentence about what cannot be read.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "write METRIC<CHANGE% or METRIC>CHANGE%, such as throughput<-3% or p99>+10%";
        let at = text.find(['<', '>']).ok_or_else(|| format!("it has neither < nor >: {form}"))?;
        let name = text[..at].trim();
        let names = || NAMES.map(|(short, _)| short).join(", ");
        let metric = metric_of(name)
            .ok_or_else(|| format!("there is no metric '{name}': it is one of {}", names()))?;
        let number = text[at + 1..].trim();
        let percent = number.strip_suffix('%').ok_or_else(|| format!("the change is in percent: {form}"))?;
        let change: f64 = percent.trim().parse().map_err(|_| format!("'{percent}' is no number: {form}"))?;
        if !change.is_finite() || change <= -100.0 {
            return Err(format!("{change} % cannot be"));
        }
        let below = text[at..].starts_with('<');
        Ok(Self { text: text.to_owned(), metric, change: change / 100.0, below })
    }

    /// How it stands at a point; none of another metric.
    pub fn standing(&self, point: &Point) -> Option<Standing> {
        let c = &point.comparison;
        if c.metric != self.metric.id {
            return None;
        }
        let bound = 1.0 + self.change;
        let beyond = if self.below { c.ratio < bound } else { c.ratio > bound };
        Some(match c.verdict {
            Verdict::SingleRun | Verdict::Withheld => Standing::CannotTell,
            _ if !beyond => Standing::Holds,
            Verdict::Better | Verdict::Worse => Standing::Failed,
            Verdict::Same | Verdict::Inconclusive => Standing::CannotTell,
        })
    }
}

/// A value in the unit in which it is read: latencies in milliseconds.
pub fn shown(metric: &Metric, value: f64) -> f64 {
    if metric.unit == Unit::Nanoseconds { value / 1e6 } else { value }
}

/// Repeats of separate runs have nothing to do with each other; those of one run were interleaved.
pub fn pairing(same_run: bool) -> Option<Pairing> {
    (!same_run).then_some(Pairing::Independent)
}
