//! Numbers that describe a sample. All return none for a sample that does not determine them.

/// Arithmetic mean; none for an empty slice.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Standard deviation of the population the values are a sample of (divisor n - 1); none below two values.
pub fn sd(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan, "Sample Quantiles in
/// Statistical Packages", 1996; the default of R and NumPy). `p` from 0 to 1; none for an empty slice.
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile_of_sorted(&sorted, p)
}

/// The quantile of values in ascending order.
pub(crate) fn quantile_of_sorted(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = p.clamp(0.0, 1.0) * last as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    Some(sorted[below] + (position - below as f64) * (sorted[above] - sorted[below]))
}

/// Geometric mean, the mean for ratios; none for an empty slice or one that holds a value that is not positive.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    Some(mean(&logs(values)?)?.exp())
}

/// Natural logarithms; none if a value has none.
pub(crate) fn logs(values: &[f64]) -> Option<Vec<f64>> {
    values.iter().map(|v| (*v > 0.0 && v.is_finite()).then(|| v.ln())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("determined");
        assert!((found - expected).abs() <= expected.abs() * 1e-12, "{found} is not {expected}");
    }

    /// Expected values from NumPy 2.4.6 and SciPy 1.17.1: mean, std(ddof=1), quantile, gmean.
    #[test]
    fn known_samples_give_known_values() {
        close(mean(&[868.0, 861.5, 874.2]), 867.9);
        close(sd(&[868.0, 861.5, 874.2]), 6.350590523722993);
        let sample = [10.0, 12.0, 9.0, 11.0, 30.0];
        for (p, expected) in [(0.0, 9.0), (0.25, 10.0), (0.5, 11.0), (0.9, 22.8), (1.0, 30.0)] {
            close(quantile(&sample, p), expected);
        }
        close(geometric_mean(&sample), 12.893996235304948);
    }

    #[test]
    fn too_small_a_sample_gives_nothing() {
        assert_eq!((mean(&[]), quantile(&[], 0.5), geometric_mean(&[])), (None, None, None));
        assert_eq!(sd(&[1.0]), None);
        assert_eq!(geometric_mean(&[1.0, 0.0]), None);
        assert_eq!(quantile(&[3.0], 0.99), Some(3.0));
    }
}
