//! Histograms of latency: their range, and their few numbers.

use hdrhistogram::{Counter, Histogram};
use model::LatencySummary;

/// The longest latency that a histogram resolves: an hour. Longer ones are counted at this value, and as saturated.
pub const HISTOGRAM_MAX_NS: u64 = 3_600_000_000_000;
/// Significant decimal digits of every histogram.
pub const HISTOGRAM_SIGNIFICANT_DIGITS: u8 = 3;

/// An empty histogram of nanoseconds.
pub fn new_histogram<T: Counter>() -> Histogram<T> {
    Histogram::new_with_bounds(1, HISTOGRAM_MAX_NS, HISTOGRAM_SIGNIFICANT_DIGITS)
        .expect("the bounds are constants that satisfy the histogram's rules")
}

/// The summary of one histogram, given its exact sum and the number of saturated values.
pub fn summarise(histogram: &Histogram<u64>, sum_ns: f64, saturated: u64) -> LatencySummary {
    if histogram.is_empty() {
        return LatencySummary::default();
    }
    let count = histogram.len();
    let at = |quantile| histogram.value_at_quantile(quantile);
    LatencySummary {
        count,
        saturated,
        sum_ns,
        mean_ns: sum_ns / count as f64,
        min_ns: histogram.min(),
        p50_ns: at(0.50),
        p90_ns: at(0.90),
        p95_ns: at(0.95),
        p99_ns: at(0.99),
        p999_ns: at(0.999),
        p9999_ns: at(0.9999),
        max_ns: histogram.max(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_keep_three_digits_from_a_microsecond_to_an_hour() {
        let mut histogram = new_histogram::<u64>();
        for value in [1_000u64, 123_456, 9_876_543_210, HISTOGRAM_MAX_NS - 1] {
            histogram.clear();
            histogram.saturating_record(value);
            let seen = summarise(&histogram, value as f64, 0).p50_ns;
            assert!(seen.abs_diff(value) as f64 <= value as f64 / 1_000.0, "{value} came back as {seen}");
        }
    }

    #[test]
    fn nothing_recorded_is_all_zero() {
        assert_eq!(summarise(&new_histogram(), 0.0, 0), LatencySummary::default());
    }
}
