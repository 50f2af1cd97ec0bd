//! One set of cells against another: every point that both have, by several metrics, corrected for looking so often; and
//! gates over what comes out.

use messages::message;
use serde::{Deserialize, Serialize};
use stats::Pairing;

use crate::Words;
use crate::capacity::{self, Capacity};
use crate::compare::{Comparison, Family, Judgement, Verdict, compare_all, verdict};
use crate::metric::{self, Metric, MetricUnit};
pub use crate::metric::{NAMES, metric_of};
use crate::summary::CellSummary;
use messages::number::RATIO_MAX;

/// A point of a contest: one workload and number of clients, by one metric.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The comparison, its verdict corrected over its family.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// Mean over the trials of the base.
    pub base_value: f64,
    /// Mean over the trials of the other.
    pub other_value: f64,
}

/// Compares `other` with `base` wherever both completed, by every metric, points of one metric together.
pub fn contest(
    base: &[CellSummary],
    other: &[CellSummary],
    metrics: &[&Metric],
    judgement: Judgement,
) -> Vec<Point> {
    let all =
        compare_all(&base.iter().collect::<Vec<_>>(), &other.iter().collect::<Vec<_>>(), metrics, judgement);
    let point = |comparison: Comparison| {
        let value = |cells: &[CellSummary]| {
            let (workload, threads) = (&comparison.workload, comparison.threads);
            let cell = cells.iter().find(|c| c.workload == *workload && c.threads == threads)?;
            Some(cell.measure(metric::by_id(&comparison.metric)?)?.mean)
        };
        Some(Point { base_value: value(base)?, other_value: value(other)?, comparison })
    };
    all.into_iter().filter_map(point).collect()
}

/// The capacity of one search against that of another, with the same workload and as many clients; none unless both are known.
pub fn contest_of_capacities(base: &Capacity, other: &Capacity, margin: f64) -> Option<Point> {
    let (ratio, low, high) = capacity::ratio(base, other)?;
    let comparison = Comparison {
        metric: metric::CAPACITY.id.to_owned(),
        workload: base.workload.clone(),
        threads: base.threads,
        base: base.target.clone(),
        other: other.target.clone(),
        ratio,
        low: Some(low),
        high: Some(high),
        verdict: verdict(low, high, metric::CAPACITY.direction, margin),
        pairing: Pairing::Independent,
        sequential: false,
        margin,
        runs_needed: None,
        p_adjusted: None,
        p_value: None,
        family: Family::Primary,
        family_size: 1,
        detectable: Some((high / low).sqrt()),
        withheld: None,
        not_valid: Vec::new(),
    };
    Some(Point { comparison, base_value: base.per_s?, other_value: other.per_s? })
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
    /// The change is within the bound.
    Holds,
    /// The change exceeds the bound and is significant.
    Failed,
    /// There is no interval, a cell is not valid, or the change exceeds the bound and is not significant.
    CannotTell,
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
        let change: f64 =
            percent.trim().parse().map_err(|_| format!("'{percent}' is not a number: {form}"))?;
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

impl Gate {
    /// The least change that would have failed the gate at a point, as a share of the base: none without an interval.
    pub fn detectable(&self, point: &Point) -> Option<f64> {
        let c = &point.comparison;
        let far = c.detectable.filter(|_| c.metric == self.metric.id)?;
        Some(if self.below { self.change.min(1.0 / far - 1.0) } else { self.change.max(far - 1.0) })
    }

    /// What a gate that holds at these points would have detected at all of them, as the end of a sentence:
    /// `; it would have detected a rise of 120 % or more`. None where there is an interval too few.
    pub fn power<'a>(&self, points: impl Iterator<Item = &'a Point>) -> Option<Words> {
        let own = points.filter(|point| point.comparison.metric == self.metric.id);
        let own: Vec<&Point> = own.collect();
        let changes: Vec<f64> = own.iter().map(|point| self.detectable(point)).collect::<Option<_>>()?;
        let worst = changes.into_iter().max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
        if own.iter().any(|point| point.comparison.detectable > Some(RATIO_MAX)) {
            return Some(message!("nothing-detectable"));
        }
        let way = if worst < 0.0 { "fall" } else { "rise" };
        Some(message!("detectable", way = Word(way), size = Percent(worst.abs())))
    }
}

/// A value in the unit in which it is read: latencies in milliseconds.
pub fn shown(metric: &Metric, value: f64) -> f64 {
    if metric.unit == MetricUnit::Nanoseconds { value / 1e6 } else { value }
}

/// Repeats of separate runs have nothing to do with each other; those of one run were interleaved.
pub fn pairing(same_run: bool) -> Option<Pairing> {
    (!same_run).then_some(Pairing::Independent)
}
