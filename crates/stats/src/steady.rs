//! Detection of the steady state of a series.

/// The number of values to leave out at the beginning: the truncation with the least standard error of the remainder (MSER;
/// White, An Effective Truncation Heuristic for Bias Reduction in Simulation Output, 1997), over means of `batch` values
/// each (MSER-5 with five). At most half of the series; `None` if it has fewer than eight batches.
pub fn warmup(values: &[f64], batch: usize) -> Option<usize> {
    const BATCHES_MIN: usize = 8;
    let batch = batch.max(1);
    let means: Vec<f64> =
        values.chunks_exact(batch).map(|chunk| chunk.iter().sum::<f64>() / batch as f64).collect();
    if means.len() < BATCHES_MIN || means.iter().any(|mean| !mean.is_finite()) {
        return None;
    }
    let error = |cut: usize| {
        let rest = &means[cut..];
        let mean = rest.iter().sum::<f64>() / rest.len() as f64;
        rest.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (rest.len() as f64).powi(2)
    };
    // Of equal errors the shortest cut: a constant series has nothing to leave out.
    let cut = (0..=means.len() / 2).min_by(|a, b| error(*a).total_cmp(&error(*b)))?;
    Some(cut * batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scatter without a pattern.
    fn noise(i: usize) -> f64 {
        ((i as f64 * 12.9898).sin() * 43_758.545_3).fract()
    }

    #[test]
    fn a_ramp_at_the_beginning_is_left_out() {
        let values: Vec<f64> = (0..60)
            .map(|i| if i < 12 { 500.0 + 40.0 * i as f64 } else { 1_000.0 } + 5.0 * noise(i))
            .collect();
        let cut = warmup(&values, 1).expect("it is long enough");
        assert!((11..=14).contains(&cut), "{cut}");
        let cut = warmup(&values, 5).expect("it is long enough");
        assert!((10..=15).contains(&cut), "{cut}");
    }

    #[test]
    fn what_has_settled_is_kept_and_what_is_too_short_is_not_judged() {
        assert_eq!(warmup(&[7.0; 40], 1), Some(0));
        assert_eq!(warmup(&[1.0; 39], 5), None);
        assert_eq!(warmup(&[f64::NAN; 40], 1), None);
    }
}
