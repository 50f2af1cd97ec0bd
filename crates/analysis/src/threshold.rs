//! Absolute thresholds for a measurement: what a cell must not show, such as a p99 above 20 ms.

use std::fmt;

use serde::Serialize;

use crate::bound::read;
use crate::capacity::{Capacity, CapacityStanding};
use crate::caveat::Severity;
use crate::contest::Standing;
use crate::input::Measure;
use crate::metric::{Metric, MetricUnit};
use crate::summary::CellSummary;

/// A threshold that must not be crossed, such as `p99>20ms` or `throughput<500`.
#[derive(Debug, Clone)]
pub struct Threshold {
    /// The threshold as written.
    pub text: String,
    /// The metric.
    pub metric: &'static Metric,
    /// The bound, in the unit of the metric.
    pub bound: f64,
    /// The metric must not be below; otherwise it must not be above.
    pub below: bool,
}

/// The judgement of a threshold in a cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// The threshold as written.
    pub threshold: String,
    /// Label of the target.
    pub target: String,
    /// Label of the workload.
    pub workload: String,
    /// Clients.
    pub threads: u32,
    /// Mean over the completed trials with its interval, in the unit of the metric; none where nothing was measured.
    pub measured: Option<Measure>,
    /// The standing.
    pub standing: Standing,
    /// The reason it is inconclusive, in English.
    pub why: Option<String>,
}

impl Threshold {
    /// Reads `METRIC<VALUE` or `METRIC>VALUE`, latencies with their unit.
    ///
    /// # Errors
    /// A sentence about what cannot be read.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "write METRIC<VALUE or METRIC>VALUE, such as p99>20ms, throughput<500 or errors>0";
        let (metric, bound, below) = read(text, form)?;
        Ok(Self { text: text.to_owned(), metric, bound, below })
    }

    /// Judges the threshold against the capacity that a search found: its interval decides.
    pub fn judge_capacity(&self, capacity: &Capacity) -> Judged {
        let interval = capacity.low_per_s.zip(capacity.high_per_s);
        let rates = || capacity.rates.iter().map(|rate| rate.per_s);
        // Of a capacity beyond the rates that were tried one end is known.
        let (low, high) = match (capacity.standing, interval) {
            (CapacityStanding::Below, _) => (Some(0.0), rates().reduce(f64::min)),
            (CapacityStanding::Above, _) => (rates().reduce(f64::max), Some(f64::INFINITY)),
            (_, Some((low, high))) => (Some(low), Some(high)),
            (_, None) => (None, None),
        };
        let (standing, why) = match low.zip(high) {
            None => (Standing::CannotTell, Some("the search found no capacity".to_owned())),
            Some((_, high)) if self.below && high < self.bound => (Standing::Failed, None),
            Some((low, _)) if self.below && low >= self.bound => (Standing::Holds, None),
            Some((low, _)) if !self.below && low > self.bound => (Standing::Failed, None),
            Some((_, high)) if !self.below && high <= self.bound => (Standing::Holds, None),
            Some(_) if interval.is_none() => (Standing::CannotTell, Some(capacity.says.en.clone())),
            Some(_) => (Standing::CannotTell, Some("the interval contains the bound".to_owned())),
        };
        let n = capacity.rates.iter().map(|rate| rate.trials).sum();
        Judged {
            threshold: self.text.clone(),
            target: capacity.target.clone(),
            workload: capacity.workload.clone(),
            threads: capacity.threads,
            measured: capacity.per_s.map(|mean| Measure {
                mean,
                low: capacity.low_per_s,
                high: capacity.high_per_s,
                n,
            }),
            standing,
            why,
        }
    }

    /// Judges the threshold in a cell. The mean over the completed trials decides; a cell that is not valid decides nothing.
    pub fn judge(&self, cell: &CellSummary) -> Judged {
        let values: Vec<f64> = cell.values(self.metric).map(|(_, value)| value).collect();
        let measured = Measure::of(&values);
        let invalid = cell.caveats.iter().find(|caveat| caveat.severity == Severity::Invalid);
        let (standing, why) = match (&measured, invalid) {
            (None, _) if cell.completed() == 0 => {
                (Standing::CannotTell, Some("no trial completed".to_owned()))
            }
            (None, _) => (Standing::CannotTell, Some(format!("the cell has no {}", self.metric.label().en))),
            (Some(_), Some(caveat)) => {
                (Standing::CannotTell, Some(format!("the cell is not valid: {}", caveat.text.en)))
            }
            (Some(measured), None) => {
                let beyond = if self.below { measured.mean < self.bound } else { measured.mean > self.bound };
                (if beyond { Standing::Failed } else { Standing::Holds }, None)
            }
        };
        Judged {
            threshold: self.text.clone(),
            target: cell.target.clone(),
            workload: cell.workload.clone(),
            threads: cell.threads,
            measured,
            standing,
            why,
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Judged {
    /// The measured value, with its unit and its interval.
    pub fn figure(&self, unit: MetricUnit) -> Option<String> {
        let measured = self.measured?;
        let one = |value: f64| match unit {
            MetricUnit::Nanoseconds => format!("{:.2}", value / 1e6),
            _ => format!("{value:.1}"),
        };
        let unit = match unit {
            MetricUnit::Nanoseconds => " ms",
            MetricUnit::PerSecond => "/s",
            MetricUnit::PerMinute => "/min",
            MetricUnit::Microseconds => " us",
        };
        let interval = measured.low.zip(measured.high);
        let interval = interval.map(|(low, high)| format!(" [{}, {}]", one(low), one(high)));
        Some(format!("{}{unit}{}", one(measured.mean), interval.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Words;
    use crate::capacity::{RateStanding, RateTried};
    use crate::summary::RunFigures;

    /// A cell of one trial that did 100 transactions a second.
    fn cell() -> CellSummary {
        let values = [("throughput".to_owned(), 100.0)].into();
        CellSummary { runs: vec![RunFigures { index: 0, repeat: 1, values }], ..CellSummary::default() }
    }

    #[test]
    fn a_cell_that_is_not_valid_or_has_no_figure_decides_nothing() {
        let standing = |text: &str, cell: &CellSummary| {
            Threshold::parse(text).map(|threshold| threshold.judge(cell).standing)
        };
        assert_eq!(standing("throughput<101", &cell()), Ok(Standing::Failed));
        assert_eq!(standing("throughput<100", &cell()), Ok(Standing::Holds));
        assert_eq!(standing("throughput>99", &cell()), Ok(Standing::Failed));
        assert_eq!(standing("tpmc<1", &cell()), Ok(Standing::CannotTell));
        assert_eq!(standing("throughput<1", &CellSummary::default()), Ok(Standing::CannotTell));
        let (id, text) = ("x".to_owned(), crate::Words::new("x", "x"));
        let caveat = crate::Caveat {
            id,
            severity: Severity::Invalid,
            text,
            evidence: Vec::new(),
            trials: None,
            worst: None,
        };
        let invalid = CellSummary { caveats: vec![caveat], ..cell() };
        assert_eq!(standing("throughput<101", &invalid), Ok(Standing::CannotTell));
    }

    /// A search that found 500 [480, 520], or ended at a side of the rates 100 to 900.
    fn searched(standing: CapacityStanding) -> Capacity {
        let within = matches!(standing, CapacityStanding::Confirmed).then_some(());
        let rate = |per_s: f64| RateTried {
            per_s,
            trials: 2,
            held: 1,
            set_aside: 0,
            confirms: false,
            standing: RateStanding::Undecided,
            missed: Vec::new(),
            done_per_s: None,
            p95_ms: None,
            values: Vec::new(),
        };
        Capacity {
            target: "t".to_owned(),
            workload: "w".to_owned(),
            threads: 64,
            standing,
            per_s: within.map(|()| 500.0),
            low_per_s: within.map(|()| 480.0),
            high_per_s: within.map(|()| 520.0),
            closed_loop_per_s: None,
            conditions: Vec::new(),
            rates: vec![rate(100.0), rate(900.0)],
            says: Words::new("in words", "in words"),
            evidence: Words::new("", ""),
        }
    }

    #[test]
    fn a_capacity_is_judged_by_its_interval() {
        let judged = |text: &str, standing: CapacityStanding| {
            let judged = Threshold::parse(text).map(|one| one.judge_capacity(&searched(standing)));
            judged.map(|judged| (judged.standing, judged.why))
        };
        let confirmed = |text: &str| judged(text, CapacityStanding::Confirmed);
        assert_eq!(confirmed("capacity<470"), Ok((Standing::Holds, None)));
        assert_eq!(confirmed("capacity<530"), Ok((Standing::Failed, None)));
        let open = Some("the interval contains the bound".to_owned());
        assert_eq!(confirmed("capacity<500"), Ok((Standing::CannotTell, open.clone())));
        assert_eq!(confirmed("capacity>470"), Ok((Standing::Failed, None)));
        assert_eq!(confirmed("capacity>510"), Ok((Standing::CannotTell, open)));
        // Beyond the rates that were tried one end is known.
        let says = Some("in words".to_owned());
        assert_eq!(judged("capacity<800", CapacityStanding::Above), Ok((Standing::Holds, None)));
        assert_eq!(
            judged("capacity<1000", CapacityStanding::Above),
            Ok((Standing::CannotTell, says.clone()))
        );
        assert_eq!(judged("capacity<200", CapacityStanding::Below), Ok((Standing::Failed, None)));
        assert_eq!(judged("capacity<50", CapacityStanding::Below), Ok((Standing::CannotTell, says)));
        let none = Some("the search found no capacity".to_owned());
        assert_eq!(judged("capacity<50", CapacityStanding::Unknown), Ok((Standing::CannotTell, none)));
        let one = Threshold::parse("capacity<470")
            .map(|one| one.judge_capacity(&searched(CapacityStanding::Confirmed)));
        let figure = one.map(|one| one.figure(MetricUnit::PerSecond));
        assert_eq!(figure, Ok(Some("500.0/s [480.0, 520.0]".to_owned())));
    }

    #[test]
    fn thresholds_are_absolute_and_have_units() {
        let read = |text| Threshold::parse(text).map(|one| (one.metric.id, one.bound, one.below));
        assert_eq!(read("p99>20ms"), Ok(("response_p99", 20e6, false)));
        assert_eq!(read("p95 > 1.5s"), Ok(("response_p95", 1.5e9, false)));
        assert_eq!(read("max>800us"), Ok(("response_max", 8e5, false)));
        assert_eq!(read("throughput<500"), Ok(("throughput", 500.0, true)));
        assert_eq!(read("errors>0"), Ok(("errors", 0.0, false)));
        for (text, why) in [
            ("p99", "neither < nor >"),
            ("p98>1ms", "no metric 'p98'"),
            ("p99>20", "a time with its unit"),
            ("throughput<-3%", "mydyno compare"),
            ("throughput<x", "not a number"),
        ] {
            assert!(read(text).is_err_and(|error| error.contains(why)), "{text}");
        }
    }
}
