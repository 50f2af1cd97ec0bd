//! Response times of several seconds, merged: percentiles must not be averaged.

use std::collections::BTreeMap;

/// Number of occurrences by value, nanoseconds.
#[derive(Debug, Default)]
pub struct Counts(BTreeMap<u64, u64>);

impl Counts {
    /// Adds (value, how often).
    pub fn add(&mut self, counts: &[(u64, u64)]) {
        for (value, count) in counts {
            *self.0.entry(*value).or_default() += count;
        }
    }

    /// All values together.
    pub fn sum_ns(&self) -> f64 {
        self.0.iter().map(|(value, count)| *value as f64 * *count as f64).sum()
    }

    /// The smallest value that this percentage of the values does not exceed; none without values.
    pub fn percentile_ns(&self, percentile: f64) -> Option<u64> {
        let total: u64 = self.0.values().sum();
        let rank = (total as f64 * percentile / 100.0).ceil().max(1.0) as u64;
        let mut seen = 0;
        let reaches = |(_, count): &(&u64, &u64)| {
            seen += **count;
            seen >= rank
        };
        self.0.iter().find(reaches).map(|(value, _)| *value)
    }
}
