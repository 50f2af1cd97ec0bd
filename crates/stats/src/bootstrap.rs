//! Intervals by resampling, for statistics that have no formula (Efron and Tibshirani, "An Introduction to the Bootstrap",
//! 1993).
//!
//! The unit of resampling is the block: a trial, a pair of trials, or whatever else was repeated as a whole. Seconds inside
//! a run are not repetitions of it. For a mean of few runs Student's interval is the better one; see
//! docs/design/statistics.md for how often each of these holds the true value.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::describe::{logs, mean, quantile_of_sorted};
use crate::estimate::{Estimate, student_t};
use crate::seeded::Seeded;

/// The method of taking the ends of an interval from the resamples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalMethod {
    /// Quantiles of the resamples (Efron and Tibshirani, chapter 13). Too narrow below some twenty blocks.
    Percentile,
    /// Quantiles further out, by as much as makes up for few blocks where the statistic is a mean (Hesterberg, "What
    /// Teachers Should Know About the Bootstrap", 2015, section 5.3). The one to take for the runs of a benchmark.
    Expanded,
    /// Corrected for bias and skewness, BCa (Efron, "Better Bootstrap Confidence Intervals", 1987). For skewed statistics of
    /// twenty blocks or more.
    BiasCorrected,
}

/// Parameters of the resampling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resampling {
    /// Number of resamples; for intervals of 95 % at least 1,000, for `IntervalMethod::Expanded` of few blocks 10,000.
    pub resamples: usize,
    /// Confidence, such as 0.95.
    pub confidence: f64,
    /// Seed: the same seed gives the same interval.
    pub seed: u64,
}

/// The statistic of the blocks with its interval. The statistic gets as many blocks as there are, some of them several
/// times. None with fewer than two blocks, if the statistic does not exist for the blocks themselves, or for fewer than
/// half of the resamples.
pub fn bootstrap<T>(
    blocks: &[T],
    statistic: impl Fn(&[&T]) -> Option<f64>,
    method: IntervalMethod,
    how: &Resampling,
) -> Option<Estimate> {
    if blocks.len() < 2 || how.resamples == 0 {
        return None;
    }
    let whole: Vec<&T> = blocks.iter().collect();
    let value = statistic(&whole)?;
    let mut random = Seeded::new(how.seed);
    let mut sample = whole.clone();
    let mut found = Vec::with_capacity(how.resamples);
    for _ in 0..how.resamples {
        for place in &mut sample {
            *place = &blocks[random.below(blocks.len())];
        }
        found.extend(statistic(&sample).filter(|v| v.is_finite()));
    }
    if found.len() * 2 < how.resamples {
        return None;
    }
    found.sort_by(f64::total_cmp);
    let tail = (1.0 - how.confidence) / 2.0;
    let (low, high) = match method {
        IntervalMethod::Percentile => (tail, 1.0 - tail),
        IntervalMethod::Expanded => {
            let n = blocks.len() as f64;
            let tail = normal().cdf(-(n / (n - 1.0)).sqrt() * student_t(n - 1.0, how.confidence));
            (tail, 1.0 - tail)
        }
        IntervalMethod::BiasCorrected => {
            bias_corrected(&found, value, acceleration(&whole, &statistic), tail)
        }
    };
    Some(Estimate { value, low: quantile_of_sorted(&found, low)?, high: quantile_of_sorted(&found, high)? })
}

/// Ratio a / b of geometric means with its interval, from values that belong together in pairs. None below two pairs, for
/// slices of different length, or for a value that is not positive.
pub fn paired_ratio_bootstrap(
    a: &[f64],
    b: &[f64],
    method: IntervalMethod,
    how: &Resampling,
) -> Option<Estimate> {
    if a.len() != b.len() {
        return None;
    }
    let ratios: Vec<f64> = a.iter().zip(b).map(|(a, b)| a / b).collect();
    let mean_of = |sample: &[&f64]| Some(sample.iter().copied().sum::<f64>() / sample.len() as f64);
    Some(bootstrap(&logs(&ratios)?, mean_of, method, how)?.exp())
}

/// The BCa quantiles (Efron and Tibshirani, equation 14.10).
fn bias_corrected(sorted: &[f64], value: f64, acceleration: f64, tail: f64) -> (f64, f64) {
    let count = sorted.len() as f64;
    let below = sorted.partition_point(|v| *v < value) as f64;
    let up_to = sorted.partition_point(|v| *v <= value) as f64;
    let share = ((below + up_to) / 2.0 / count).clamp(0.5 / count, 1.0 - 0.5 / count);
    let bias = normal().inverse_cdf(share);
    let place = |z: f64| {
        let moved = bias + z;
        normal().cdf(bias + moved / (1.0 - acceleration * moved))
    };
    let z = normal().inverse_cdf(tail);
    (place(z), place(-z))
}

/// Skewness of the jackknife (Efron and Tibshirani, equation 14.15); 0 where the statistic does not exist without a block.
fn acceleration<T>(whole: &[&T], statistic: &impl Fn(&[&T]) -> Option<f64>) -> f64 {
    let without = |left_out: usize| {
        let rest: Vec<&T> =
            whole.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, block)| *block).collect();
        statistic(&rest)
    };
    let Some(values) = (0..whole.len()).map(without).collect::<Option<Vec<f64>>>() else { return 0.0 };
    let Some(middle) = mean(&values) else { return 0.0 };
    let squares: f64 = values.iter().map(|v| (middle - v).powi(2)).sum();
    let cubes: f64 = values.iter().map(|v| (middle - v).powi(3)).sum();
    if squares > 0.0 { cubes / (6.0 * squares.powf(1.5)) } else { 0.0 }
}

pub(crate) fn normal() -> Normal {
    Normal::standard()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{mean_interval, paired_ratio_interval};

    const HOW: Resampling = Resampling { resamples: 1_000, confidence: 0.95, seed: 11 };

    /// Spatial test data of Efron and Tibshirani, table 14.1.
    const SPATIAL: [f64; 26] = [
        48.0, 36.0, 20.0, 29.0, 42.0, 42.0, 20.0, 42.0, 22.0, 41.0, 45.0, 14.0, 6.0, 0.0, 33.0, 28.0, 34.0,
        4.0, 32.0, 24.0, 47.0, 41.0, 24.0, 26.0, 30.0, 41.0,
    ];

    fn variance(sample: &[&f64]) -> Option<f64> {
        let mean = sample.iter().copied().sum::<f64>() / sample.len() as f64;
        Some(sample.iter().map(|v| (*v - mean).powi(2)).sum::<f64>() / sample.len() as f64)
    }

    /// Expected values from SciPy 1.17.1, stats.bootstrap with 400,000 resamples. The book's, with 2,000 resamples (table
    /// 14.2): percentile 100.8 to 233.9, BCa 115.8 to 259.6.
    #[test]
    fn the_spatial_test_data_have_their_known_intervals() {
        let how = Resampling { resamples: 20_000, confidence: 0.9, seed: 3 };
        for (method, low, high) in
            [(IntervalMethod::Percentile, 97.86, 235.79), (IntervalMethod::BiasCorrected, 115.47, 260.95)]
        {
            let found = bootstrap(&SPATIAL, variance, method, &how).expect("determined");
            assert!((found.value - 171.534).abs() < 0.001, "{found:?}");
            assert!(
                (found.low / low - 1.0).abs() < 0.015 && (found.high / high - 1.0).abs() < 0.015,
                "{found:?}"
            );
        }
    }

    /// Share of `samples` whose interval holds `truth`.
    fn coverage(
        samples: usize,
        truth: f64,
        mut draw: impl FnMut(&mut Seeded) -> Vec<f64>,
        interval: impl Fn(&[f64], u64) -> Option<Estimate>,
    ) -> f64 {
        let mut random = Seeded::new(5);
        let held = (0..samples).filter(|i| {
            let found = interval(&draw(&mut random), *i as u64).expect("determined");
            found.low <= truth && truth <= found.high
        });
        held.count() as f64 / samples as f64
    }

    fn by(method: IntervalMethod) -> impl Fn(&[f64], u64) -> Option<Estimate> {
        let mean_of = |s: &[&f64]| Some(s.iter().copied().sum::<f64>() / s.len() as f64);
        move |values, seed| bootstrap(values, mean_of, method, &Resampling { resamples: 400, seed, ..HOW })
    }

    /// 400 samples each: the standard error of a share of 95 % is 1.1 %. Lower bounds are the shares found less three of
    /// those; they are listed in docs/design/statistics.md.
    #[test]
    fn intervals_of_a_mean_hold_it_as_often_as_stated() {
        for (n, percentile, expanded, student) in
            [(5, 0.78, 0.87, 0.92), (8, 0.83, 0.89, 0.92), (15, 0.87, 0.90, 0.92)]
        {
            let normal =
                |random: &mut Seeded| (0..n).map(|_| 100.0 + 2.0 * random.normal()).collect::<Vec<_>>();
            for (method, at_least) in [
                (IntervalMethod::Percentile, percentile),
                (IntervalMethod::Expanded, expanded),
                (IntervalMethod::BiasCorrected, percentile),
            ] {
                let share = coverage(400, 100.0, normal, by(method));
                println!("normal n={n} {method:?}: {share}");
                assert!(share >= at_least, "{n} {method:?} {share}");
            }
            let share = coverage(400, 100.0, normal, |v, _| mean_interval(v, 0.95));
            println!("normal n={n} Student: {share}");
            assert!(share >= student, "{n} {share}");
        }
    }

    /// Mean of a lognormal with sigma 0.5, as long tails of latency have it: skewness 1.75.
    #[test]
    fn a_skewed_mean_is_held_less_often() {
        for (n, at_least) in [(5, 0.85), (8, 0.87), (15, 0.88)] {
            let skewed =
                |random: &mut Seeded| (0..n).map(|_| (0.5 * random.normal()).exp()).collect::<Vec<_>>();
            for method in
                [IntervalMethod::Percentile, IntervalMethod::Expanded, IntervalMethod::BiasCorrected]
            {
                let share = coverage(400, (0.125_f64).exp(), skewed, by(method));
                println!("lognormal n={n} {method:?}: {share}");
                assert!(method != IntervalMethod::Expanded || share >= at_least, "{n} {share}");
            }
            // The ratio of geometric means does not see the skewness: its logarithms are normal.
            let share = coverage(400, 1.0, skewed, |v, _| paired_ratio_interval(v, &vec![1.0; n], 0.95));
            println!("lognormal n={n} ratio, Student: {share}");
            assert!(share >= 0.92);
        }
    }

    /// Seconds of a trial are autocorrelated: with means of trials the interval has its nominal coverage, with single seconds
    /// it does not.
    #[test]
    fn seconds_of_a_run_are_no_repetitions() {
        let runs = |random: &mut Seeded| -> Vec<Vec<f64>> {
            let run = |random: &mut Seeded| {
                let (base, mut noise) = (100.0 + random.normal(), 0.0);
                (0..60)
                    .map(|_| {
                        noise = 0.8 * noise + random.normal();
                        base + noise
                    })
                    .collect::<Vec<f64>>()
            };
            (0..5).map(|_| run(random)).collect()
        };
        let means =
            |random: &mut Seeded| -> Vec<f64> { runs(random).iter().filter_map(|run| mean(run)).collect() };
        let expanded = coverage(400, 100.0, means, by(IntervalMethod::Expanded));
        let by_run = coverage(400, 100.0, means, |v, _| mean_interval(v, 0.95));
        let by_second = coverage(400, 100.0, |random| runs(random).concat(), |v, _| mean_interval(v, 0.95));
        println!("by run: {by_run} (Student), {expanded} (expanded), by second: {by_second}");
        assert!(by_run >= 0.92 && expanded >= 0.86 && by_second <= 0.5);
    }

    #[test]
    fn what_determines_nothing_gives_none() {
        assert_eq!(paired_ratio_bootstrap(&[1.0], &[1.0], IntervalMethod::Percentile, &HOW), None);
        assert_eq!(paired_ratio_bootstrap(&[1.0, 2.0], &[1.0], IntervalMethod::Percentile, &HOW), None);
        assert_eq!(paired_ratio_bootstrap(&[1.0, 2.0], &[1.0, 0.0], IntervalMethod::Percentile, &HOW), None);
        assert_eq!(bootstrap(&[1.0, 2.0], |_| None, IntervalMethod::BiasCorrected, &HOW), None);
    }

    proptest! {
        #[test]
        fn an_interval_is_ordered_and_repeatable(
            pairs in prop::collection::vec((1.0..1e3_f64, 1.0..1e3_f64), 2..12), seed in 0..u64::MAX,
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let how = Resampling { resamples: 200, seed, ..HOW };
            for method in [IntervalMethod::Percentile, IntervalMethod::Expanded, IntervalMethod::BiasCorrected] {
                let found = paired_ratio_bootstrap(&a, &b, method, &how).expect("determined");
                prop_assert!(found.low <= found.high);
                prop_assert_eq!(Some(found), paired_ratio_bootstrap(&a, &b, method, &how));
            }
        }
    }
}
