//! Absolute thresholds for a measurement: what a cell must not show, such as a p99 above 20 ms.

use std::fmt;

use serde::Serialize;

use crate::caveat::Severity;
use crate::contest::{NAMES, Standing, metric_of};
use crate::input::Measure;
use crate::metric::{self, Metric, MetricUnit};
use crate::summary::CellSummary;

/// What must not be, such as `p99>20ms` or `throughput<500`.
#[derive(Debug, Clone)]
pub struct Threshold {
    /// As it was written.
    pub text: String,
    /// By which metric.
    pub metric: &'static Metric,
    /// The bound, in the unit of the metric.
    pub bound: f64,
    /// The metric must not be below; otherwise it must not be above.
    pub below: bool,
}

/// How a threshold stands in a cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// The threshold as it was written.
    pub threshold: String,
    /// Label of the target.
    pub target: String,
    /// Label of the workload.
    pub workload: String,
    /// Clients.
    pub threads: u32,
    /// Mean over the completed trials with its interval, in the unit of the metric; none where nothing was measured.
    pub measured: Option<Measure>,
    /// How it stands.
    pub standing: Standing,
    /// Why it cannot be told, in English.
    pub why: Option<String>,
}

/// The metric of that name: those of gates, and errors.
fn metric_named(name: &str) -> Option<&'static Metric> {
    if name == "errors" { metric::by_id(name) } else { metric_of(name) }
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

    /// How it stands in a cell. The mean over the completed trials decides; a cell that is not valid decides nothing.
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

/// The metric of `METRIC<VALUE` or `METRIC>VALUE`, the value in its unit, and whether it is `<`.
pub(crate) fn read(text: &str, form: &str) -> Result<(&'static Metric, f64, bool), String> {
    let at = text.find(['<', '>']).ok_or_else(|| format!("it has neither < nor >: {form}"))?;
    let name = text[..at].trim();
    let names = || NAMES.map(|(short, _)| short).join(", ");
    let metric = metric_named(name)
        .ok_or_else(|| format!("there is no metric '{name}': it is one of {}, errors", names()))?;
    let value = text[at + 1..].trim();
    if value.ends_with('%') {
        return Err(
            "a change in percent needs something to compare with: mydyno compare and mydyno history \
                    take it"
                .to_owned(),
        );
    }
    let bound = match metric.unit {
        MetricUnit::Nanoseconds => nanoseconds(value),
        _ => value.trim_end_matches("/s").trim().parse().ok(),
    };
    let bound = bound.filter(|bound: &f64| bound.is_finite() && *bound >= 0.0);
    let unit = if metric.unit == MetricUnit::Nanoseconds {
        "a time with its unit (ms, us or s)"
    } else {
        "a number"
    };
    let bound = bound.ok_or_else(|| format!("'{value}' is not {unit}: {form}"))?;
    Ok((metric, bound, text[at..].starts_with('<')))
}

fn nanoseconds(text: &str) -> Option<f64> {
    const UNITS: [(&str, f64); 5] = [("ms", 1e6), ("us", 1e3), ("µs", 1e3), ("ns", 1.0), ("s", 1e9)];
    let (number, scale) = UNITS.iter().find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, *scale)))?;
    Some(number.trim().parse::<f64>().ok()? * scale)
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Judged {
    /// What was measured, with its unit and its interval.
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
