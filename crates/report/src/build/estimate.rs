//! Means over runs and ratios of paired runs, with 95 % intervals from Student's t.

use super::latency::significant;
use crate::view::Estimate;

/// Two-sided 95 % quantiles of Student's t for 1 to 30 degrees of freedom.
const T_975: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// Mean of the runs; none without runs. An interval needs two.
pub fn over_runs(values: &[f64]) -> Option<Estimate> {
    let (mean, half_width) = mean_and_half_width(values)?;
    Some(Estimate {
        mean: significant(mean, 6),
        low: half_width.map(|h| significant((mean - h).max(0.0), 6)),
        high: half_width.map(|h| significant(mean + h, 6)),
        n: values.len() as u32,
    })
}

/// Ratio of paired runs: geometric mean with an interval on the log scale. Each pair is (base, other).
pub fn ratio(pairs: &[(f64, f64)]) -> Option<(f64, Option<(f64, f64)>)> {
    let logs: Vec<f64> = pairs.iter().filter(|p| p.0 > 0.0 && p.1 > 0.0).map(|p| (p.1 / p.0).ln()).collect();
    let (mean, half_width) = mean_and_half_width(&logs)?;
    let at = |log: f64| significant(log.exp(), 5);
    Some((at(mean), half_width.map(|h| (at(mean - h), at(mean + h)))))
}

fn mean_and_half_width(values: &[f64]) -> Option<(f64, Option<f64>)> {
    let n = values.len();
    if n == 0 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n as f64;
    if n == 1 {
        return Some((mean, None));
    }
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1) as f64;
    let t = T_975.get(n - 2).copied().unwrap_or(1.96);
    Some((mean, Some(t * (variance / n as f64).sqrt())))
}
