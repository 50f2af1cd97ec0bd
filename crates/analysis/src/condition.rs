//! Conditions that a trial must meet: service level objectives, such as a p99 below 20 ms.

use std::fmt;

use model::TrialResult;

use crate::bound::read;
use crate::metric::{CAPACITY, Metric};

/// A required condition, such as `p99<20ms` or `lag<1s`.
#[derive(Debug, Clone)]
pub struct SloCondition {
    /// The condition as written.
    pub text: String,
    /// The metric.
    pub metric: &'static Metric,
    /// The bound, in the unit of the metric.
    pub bound: f64,
    /// The metric must be below; otherwise it must be above.
    pub below: bool,
}

impl SloCondition {
    /// Reads `METRIC<VALUE` or `METRIC>VALUE`, latencies with their unit.
    ///
    /// # Errors
    /// A sentence about what cannot be read.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "write METRIC<VALUE or METRIC>VALUE, such as p99<20ms, lag<1s or errors<1";
        let (metric, bound, below) = read(text, form)?;
        if metric.id == CAPACITY.id {
            return Err(format!("capacity is what the search finds, not a condition: {form}"));
        }
        Ok(Self { text: text.trim().to_owned(), metric, bound, below })
    }

    /// The value of the metric in a trial; none if it was not measured.
    pub fn value(&self, trial: &TrialResult) -> Option<f64> {
        (self.metric.value)(trial).filter(|value| value.is_finite())
    }

    /// Whether it holds at this value.
    pub fn holds(&self, value: f64) -> bool {
        if self.below { value < self.bound } else { value > self.bound }
    }
}

impl fmt::Display for SloCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_holds_on_its_side_of_the_bound() {
        let holds = |text: &str, value: f64| SloCondition::parse(text).map(|one| one.holds(value));
        assert_eq!((holds("p99<20ms", 19.9e6), holds("p99<20ms", 20e6)), (Ok(true), Ok(false)));
        assert_eq!((holds("throughput > 500", 501.0), holds("throughput>500", 500.0)), (Ok(true), Ok(false)));
        assert!(SloCondition::parse("capacity>500").is_err_and(|why| why.contains("what the search finds")));
        assert!(SloCondition::parse("p99=20ms").is_err_and(|why| why.contains("p99<20ms")));
    }
}
