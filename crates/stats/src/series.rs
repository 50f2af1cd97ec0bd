//! A series over time: its jitter, its stretches of zeros, and its effective sample size.
//!
//! The steady state is in `steady`, trends in `line` and `growth`, periods in `period`, jumps in `changepoint`.

use statrs::distribution::{Continuous, ContinuousCDF};

use crate::bootstrap::normal;
use crate::describe::{mean, quantile};
use crate::estimate::{Estimate, mean_interval};

/// Variation within two hours that clause 5.5 of TPC-C allows.
pub const JITTER_MAX: f64 = 0.02;

/// Variation of a series within a sliding window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlidingVariation {
    /// Largest difference between two values of one window, as a share of the window's mean.
    pub variation: f64,
    /// Index at which that window begins.
    pub from: usize,
    /// The variation that independent values with this scatter exceed by chance in one window of a thousand.
    pub chance: f64,
}

impl SlidingVariation {
    /// Whether the rule of 2 % is met.
    pub fn is_within(&self) -> bool {
        self.variation < JITTER_MAX
    }
}

/// Jitter of the means of equal slots, `window` of which make two hours (or what stands for them in a shorter run). The
/// scatter that chance is derived from is that of neighbours (von Neumann, "Distribution of the Ratio of the Mean Square
/// Successive Difference to the Variance", 1941), which a trend hardly touches. None for fewer values than a window, a window
/// below two, or a window whose mean is not positive.
pub fn jitter(slots: &[f64], window: usize) -> Option<SlidingVariation> {
    if window < 2 || slots.len() < window {
        return None;
    }
    let (mut variation, mut from) = (0.0, 0);
    for (start, part) in slots.windows(window).enumerate() {
        let high = part.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let low = part.iter().copied().fold(f64::INFINITY, f64::min);
        let level = mean(part).filter(|m| *m > 0.0)?;
        if (high - low) / level > variation {
            (variation, from) = ((high - low) / level, start);
        }
    }
    let steps: Vec<f64> = slots.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).collect();
    let scatter = (mean(&steps)? / 2.0).sqrt() / mean(slots)?;
    Some(SlidingVariation { variation, from, chance: range_quantile(window, 0.999) * scatter })
}

/// Quantile of the range of `count` standard normal values (Tukey's studentized range with endless degrees of freedom), from
/// its integral by Simpson's rule and bisection.
fn range_quantile(count: usize, p: f64) -> f64 {
    const STEPS: usize = 400;
    const EDGE: f64 = 8.0;
    let normal = normal();
    let below = |range: f64| {
        let at = |x: f64| normal.pdf(x) * (normal.cdf(x + range) - normal.cdf(x)).powi(count as i32 - 1);
        let width = 2.0 * EDGE / STEPS as f64;
        let weighted = |i: usize| {
            let weight = if i == 0 || i == STEPS { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
            weight * at(-EDGE + width * i as f64)
        };
        count as f64 * (0..=STEPS).map(weighted).sum::<f64>() * width / 3.0
    };
    let (mut low, mut high) = (0.0, 2.0 * EDGE);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if below(middle) < p { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// Values of zero in a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZeroRun {
    /// Number of values that are zero.
    pub count: usize,
    /// Number of stretches of zeros.
    pub stretches: usize,
    /// Length of the longest stretch.
    pub longest: usize,
    /// Index at which the longest begins.
    pub longest_from: usize,
    /// Values from there until the first that reaches nine tenths of the median before it; none if no value does, or if
    /// nothing was before it.
    pub recovery: Option<usize>,
}

/// Stretches of zero; none if no value is zero (or below).
pub fn silence(values: &[f64]) -> Option<ZeroRun> {
    const RECOVERED: f64 = 0.9;
    let (mut count, mut stretches, mut longest, mut longest_from) = (0, 0, 0, 0);
    let mut from = 0;
    for stretch in values.chunk_by(|a, b| (*a <= 0.0) == (*b <= 0.0)) {
        if stretch[0] <= 0.0 {
            count += stretch.len();
            stretches += 1;
            if stretch.len() > longest {
                (longest, longest_from) = (stretch.len(), from);
            }
        }
        from += stretch.len();
    }
    let before: Vec<f64> = values[..longest_from].iter().copied().filter(|v| *v > 0.0).collect();
    let recovery = quantile(&before, 0.5)
        .and_then(|usual| values[longest_from..].iter().position(|v| *v >= RECOVERED * usual));
    (count > 0).then_some(ZeroRun { count, stretches, longest, longest_from, recovery })
}

/// The effective sample size: the number of independent values with the same information about the mean, n over 1 + 2 times
/// the sum of the autocorrelations, as long as pairs of neighbours are positive and do not grow (Geyer, "Practical Markov
/// Chain Monte Carlo", 1992, section 3.3). Between 1 and n; none with fewer than eight values; n for a constant series.
pub fn effective_sample_size(values: &[f64]) -> Option<f64> {
    const VALUES_MIN: usize = 8;
    if values.len() < VALUES_MIN {
        return None;
    }
    let count = values.len() as f64;
    let (centred, squares) = centred(values)?;
    let mut sum = 0.0;
    let mut least = f64::INFINITY;
    for lag in (0..values.len() - 1).step_by(2) {
        let both = autocorrelation(&centred, squares, lag) + autocorrelation(&centred, squares, lag + 1);
        if both <= 0.0 {
            break;
        }
        least = both.min(least);
        sum += least;
    }
    // The pairs begin with the 1 of lag 0.
    Some((count / (2.0 * sum - 1.0).max(1.0)).max(1.0))
}

/// Autocorrelations of lag 0 to `lag_max` with divisor n; those of a constant series are 0 beyond lag 0.
pub(crate) fn autocorrelations(values: &[f64], lag_max: usize) -> Option<Vec<f64>> {
    let (centred, squares) = centred(values)?;
    let lag_max = lag_max.min(values.len() - 1);
    Some((0..=lag_max).map(|lag| autocorrelation(&centred, squares, lag)).collect())
}

/// Distances from the mean, and the sum of their squares.
fn centred(values: &[f64]) -> Option<(Vec<f64>, f64)> {
    let middle = mean(values)?;
    let centred: Vec<f64> = values.iter().map(|v| v - middle).collect();
    let squares: f64 = centred.iter().map(|v| v * v).sum();
    squares.is_finite().then_some((centred, squares))
}

fn autocorrelation(centred: &[f64], squares: f64, lag: usize) -> f64 {
    if lag == 0 {
        return 1.0;
    }
    let products: f64 = centred[lag..].iter().zip(centred).map(|(a, b)| a * b).sum();
    if squares > 0.0 { products / squares } else { 0.0 }
}

/// Mean of a correlated series with Student's interval of `batches` batch means (Law, "Simulation Modeling and Analysis",
/// 2015, section 9.5.3; 10 to 30 batches, each much longer than the autocorrelation lasts). Values that do not fill the
/// batches are left out at the beginning. It shows whether one trial was long enough, but nothing about the next trial.
/// None below two batches or with fewer values than batches.
pub fn batch_means_interval(values: &[f64], batches: usize, confidence: f64) -> Option<Estimate> {
    let length = values.len().checked_div(batches).filter(|length| *length > 0)?;
    let kept = &values[values.len() - length * batches..];
    let means: Vec<f64> = kept.chunks_exact(length).filter_map(mean).collect();
    mean_interval(&means, confidence)
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::seeded::Seeded;

    /// A series in which each value keeps `kept` of the one before.
    pub(crate) fn wandering(random: &mut Seeded, count: usize, kept: f64) -> Vec<f64> {
        let mut value = random.normal() / (1.0 - kept * kept).sqrt();
        let mut next = || {
            value = kept * value + random.normal();
            value
        };
        (0..count).map(|_| next()).collect()
    }

    /// Expected values from SciPy 1.17.1: studentized_range.ppf(0.999, count, inf).
    #[test]
    fn the_range_of_normal_values_has_its_known_quantiles() {
        for (count, expected) in [(2, 4.653_507_531), (8, 5.822_728_221), (30, 6.651_228_157)] {
            assert!((range_quantile(count, 0.999) - expected).abs() < 1e-6, "{count}");
        }
    }

    #[test]
    fn jitter_is_the_largest_spread_of_a_window() {
        let slots = [100.0, 101.0, 100.0, 100.0, 99.0, 102.0, 100.0, 100.0];
        let found = jitter(&slots, 4).expect("it is long enough");
        assert!((found.variation - 3.0 / 100.25).abs() < 1e-12 && found.from == 2, "{found:?}");
        assert!(!found.is_within());
        assert!(jitter(&[100.0; 8], 4).is_some_and(|j| j.is_within() && j.chance == 0.0));
        assert_eq!((jitter(&slots, 9), jitter(&slots, 1), jitter(&[0.0; 4], 2)), (None, None, None));
    }

    /// 500 series of 32 slots, windows of 8.
    #[test]
    fn chance_alone_seldom_exceeds_what_it_may() {
        let mut random = Seeded::new(59);
        let exceeded = (0..500).filter(|_| {
            let slots: Vec<f64> = (0..32).map(|_| 1_000.0 + random.normal()).collect();
            jitter(&slots, 8).is_some_and(|j| j.variation > j.chance)
        });
        let exceeded = exceeded.count();
        println!("jitter beyond chance in {exceeded} of 500 series");
        assert!(exceeded <= 25);
    }

    #[test]
    fn silence_is_counted_and_its_end_found() {
        let values = [10.0, 11.0, 9.0, 0.0, 10.0, 0.0, 0.0, 0.0, 2.0, 5.0, 9.5, 10.0, 0.0];
        let expected = ZeroRun { count: 5, stretches: 3, longest: 3, longest_from: 5, recovery: Some(5) };
        assert_eq!(silence(&values), Some(expected));
        assert_eq!(silence(&[1.0, 2.0]), None);
        assert_eq!(silence(&[0.0, 2.0]).expect("one is zero").recovery, None);
        assert_eq!(silence(&[4.0, 0.0]).expect("one is zero").recovery, None);
    }

    /// Each keeps `kept` of the one before: n (1 - kept) / (1 + kept) independent values.
    #[test]
    fn a_wandering_series_counts_less() {
        let mut random = Seeded::new(61);
        for kept in [0.0, 0.5, 0.9] {
            let found: Vec<f64> =
                (0..20).filter_map(|_| effective_sample_size(&wandering(&mut random, 2_000, kept))).collect();
            let share = mean(&found).expect("found") / 2_000.0;
            let expected = (1.0 - kept) / (1.0 + kept);
            assert!((share / expected - 1.0).abs() < 0.15, "{share} is not {expected}");
        }
        assert_eq!(effective_sample_size(&[3.0; 20]), Some(20.0));
        assert_eq!(effective_sample_size(&[3.0; 7]), None);
    }

    /// 400 runs of 600 seconds that keep 0.8: twenty batches of 30 seconds.
    #[test]
    fn batch_means_hold_the_mean_of_a_wandering_series() {
        let mut random = Seeded::new(67);
        let (mut by_batch, mut by_second) = (0, 0);
        for _ in 0..400 {
            let values = wandering(&mut random, 600, 0.8);
            let holds = |i: Option<Estimate>| usize::from(i.is_some_and(|i| i.low <= 0.0 && 0.0 <= i.high));
            by_batch += holds(batch_means_interval(&values, 20, 0.95));
            by_second += holds(mean_interval(&values, 0.95));
        }
        println!("held by batches in {by_batch}, by seconds in {by_second} of 400");
        assert!(by_batch >= 360 && by_second <= 260, "{by_batch} {by_second}");
        assert_eq!(batch_means_interval(&[1.0; 3], 4, 0.95), None);
        assert_eq!(batch_means_interval(&[1.0; 3], 0, 0.95), None);
    }

    proptest! {
        #[test]
        fn a_sample_size_lies_between_one_and_all(values in prop::collection::vec(-1e3..1e3_f64, 8..60)) {
            let found = effective_sample_size(&values).expect("it is long enough");
            prop_assert!((1.0..=values.len() as f64).contains(&found), "{}", found);
        }
    }
}
