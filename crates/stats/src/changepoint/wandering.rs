//! Jumps of the level within one trial, whose seconds are autocorrelated.
//!
//! Binary segmentation by the largest difference of means (Page, "Continuous Inspection Schemes", 1954, as the CUSUM over
//! the whole series at once), divided by the long-run standard deviation that the lag-1 correlation of the residuals gives.
//! Its distribution under the null hypothesis is simulated: wandering series ("red noise", as `period` has it) of the same
//! length and correlation, taken through the very same steps. A change that a straight line describes better than a step is
//! a trend, and not reported here.

use crate::estimate::{Estimate, student_t};
use crate::line::line;
use crate::seeded::Seeded;

/// Values beyond which neighbours are put together first.
const VALUES_MAX: usize = 600;
/// Minimum length of an examined part, in multiples of the least part: below it, the correlation is not known well enough.
const PARTS_MIN: usize = 6;
/// Simulated series of each test; the smallest p-value is one over one more.
const SIMULATED: usize = 399;
/// Correlation of neighbours beyond which a series has too few independent values for anything.
const KEPT_MAX: f64 = 0.97;

/// A jump of the level of a series whose neighbours resemble each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelShift {
    /// Index of the first value of the new level.
    pub index: usize,
    /// Mean from the jump before (or the beginning) to this.
    pub mean_before: f64,
    /// Mean from this to the next (or the end).
    pub mean_after: f64,
    /// The second over the first, with the interval that the scatter and correlation of both parts give; none where a mean is
    /// not positive. Where the jump is, is taken as known.
    pub ratio: Option<Estimate>,
    /// Share of wandering series without a jump that have as strong a one.
    pub p_value: f64,
}

/// Parameters of the search for shifts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wandering {
    /// The chance to find anything in a series without a jump, such as 0.01; not below 0.0025.
    pub significance: f64,
    /// Least number of values on either side of a jump, at least 4: a shorter change is a stall, or an edge effect.
    pub part_min: usize,
    /// Confidence of the ratios.
    pub confidence: f64,
    /// Seed: the same seed gives the same shifts.
    pub seed: u64,
}

/// Jumps by ascending index. None in a series shorter than six parts of the least length, or with a value that is not finite.
pub fn shifts(values: &[f64], how: &Wandering) -> Vec<LevelShift> {
    let part_min = how.part_min.max(4);
    if values.len() < PARTS_MIN * part_min || values.iter().any(|v| !v.is_finite()) {
        return Vec::new();
    }
    let together = values.len().div_ceil(VALUES_MAX);
    let means: Vec<f64> =
        values.chunks_exact(together).map(|chunk| chunk.iter().sum::<f64>() / together as f64).collect();
    let part_min = part_min.div_ceil(together).max(4);
    let mut random = Seeded::new(how.seed);
    let mut found: Vec<(usize, f64)> = Vec::new();
    let mut parts = vec![(0, means.len())];
    while let Some((from, to)) = parts.pop() {
        let Some((at, p_value)) = jump(&means[from..to], part_min, how.significance, &mut random) else {
            continue;
        };
        found.push((from + at, p_value));
        parts.extend([(from, from + at), (from + at, to)]);
    }
    found.sort_by_key(|(index, _)| *index);
    let edge = |i: usize| found.get(i).map_or(means.len(), |(index, _)| *index);
    let shift = |(i, (index, p_value)): (usize, &(usize, f64))| {
        let begin = if i == 0 { 0 } else { found[i - 1].0 };
        let (before, after) = (Part::of(&means[begin..*index]), Part::of(&means[*index..edge(i + 1)]));
        LevelShift {
            index: index * together,
            mean_before: before.mean,
            mean_after: after.mean,
            ratio: ratio(&before, &after, how.confidence),
            p_value: *p_value,
        }
    };
    found.iter().enumerate().map(shift).collect()
}

/// The strongest jump of a part, if chance seldom gives as strong a one.
fn jump(values: &[f64], part_min: usize, significance: f64, random: &mut Seeded) -> Option<(usize, f64)> {
    let best = strongest(values, part_min)?;
    if best.strength <= 0.0 || is_line(values, best.squares) {
        return None;
    }
    // Once so many are as strong that it cannot be significant, more say nothing.
    let enough = (significance * (SIMULATED + 1) as f64) as usize + 1;
    let (mut as_strong, mut done) = (0, 0);
    // A short series does not tell its correlation well: that of the simulated ones is a standard error higher.
    let kept = (best.kept + ((1.0 - best.kept * best.kept) / values.len() as f64).sqrt()).min(KEPT_MAX);
    let mut simulated = vec![0.0; values.len()];
    while done < SIMULATED && as_strong < enough {
        let mut value = random.normal() / (1.0 - kept * kept).sqrt();
        for place in &mut simulated {
            *place = value;
            value = kept * value + random.normal();
        }
        let other = strongest(&simulated, part_min);
        as_strong += usize::from(other.is_some_and(|other| other.strength >= best.strength));
        done += 1;
    }
    let p_value = (as_strong + 1) as f64 / (done + 1) as f64;
    (p_value <= significance).then_some((best.index, p_value))
}

/// The split with the largest difference of means.
struct Split {
    index: usize,
    /// Difference of means over its standard error.
    strength: f64,
    /// Correlation of neighbours around both means.
    kept: f64,
    /// Sum of squares around both means.
    squares: f64,
}

fn strongest(values: &[f64], part_min: usize) -> Option<Split> {
    let count = values.len();
    if count < PARTS_MIN * part_min {
        return None;
    }
    let whole: f64 = values.iter().sum();
    let mut before: f64 = values[..part_min].iter().sum();
    let (mut index, mut largest) = (part_min, 0.0);
    for (at, value) in values.iter().enumerate().take(count - part_min + 1).skip(part_min) {
        let (m, n) = (at as f64, (count - at) as f64);
        let difference = (before / m - (whole - before) / n).abs() * (m * n / (m + n)).sqrt();
        if difference > largest {
            (index, largest) = (at, difference);
        }
        before += value;
    }
    let (first, second) = values.split_at(index);
    let mut residuals = around_mean(first);
    residuals.extend(around_mean(second));
    let squares: f64 = residuals.iter().map(|r| r * r).sum();
    let kept = correlation(&residuals, squares, 2.0);
    // Rounding leaves a little where nothing scatters.
    let scale = values.iter().map(|v| v.abs()).fold(0.0, f64::max) * 1e-9;
    let deviation = long_run(squares, count as f64 - 2.0, kept).max(scale);
    let strength = if deviation > 0.0 { largest / deviation } else { 0.0 };
    Some(Split { index, strength, kept, squares })
}

/// Whether a straight line leaves a smaller residual than the step.
fn is_line(values: &[f64], squares_of_step: f64) -> bool {
    let x: Vec<f64> = (0..values.len()).map(|i| i as f64).collect();
    line(&x, values, 0.95).is_some_and(|line| {
        let squares: f64 = x.iter().zip(values).map(|(x, y)| (y - line.at(*x)).powi(2)).sum();
        squares <= squares_of_step
    })
}

fn around_mean(values: &[f64]) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|v| v - mean).collect()
}

/// Correlation of neighbouring residuals. It comes out too low by about (1 + 3 r) / n for each mean that was taken away (Kendall,
/// "Note on Bias in the Estimation of Autocorrelation", 1954), which is given back.
fn correlation(residuals: &[f64], squares: f64, means: f64) -> f64 {
    if squares <= 0.0 {
        return 0.0;
    }
    let lagged: f64 = residuals.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let found = lagged / squares;
    (found + means * (1.0 + 3.0 * found) / residuals.len() as f64).clamp(0.0, KEPT_MAX)
}

/// Standard deviation of a mean of n such values, times the root of n.
fn long_run(squares: f64, freedom: f64, kept: f64) -> f64 {
    (squares / freedom.max(1.0) * (1.0 + kept) / (1.0 - kept)).sqrt()
}

/// A part of constant level.
struct Part {
    mean: f64,
    /// Standard error of the mean, as a share of it.
    error: f64,
    /// Independent values, less one.
    freedom: f64,
}

impl Part {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let residuals = around_mean(values);
        let squares: f64 = residuals.iter().map(|r| r * r).sum();
        let kept = correlation(&residuals, squares, 1.0);
        Self {
            mean,
            error: long_run(squares, count - 1.0, kept) / count.sqrt() / mean,
            freedom: (count * (1.0 - kept) / (1.0 + kept) - 1.0).max(1.0),
        }
    }
}

/// Welch's interval of the logarithm of the ratio, by the delta method.
fn ratio(before: &Part, after: &Part, confidence: f64) -> Option<Estimate> {
    if !(before.mean > 0.0 && after.mean > 0.0) {
        return None;
    }
    let (a, b) = (before.error.powi(2), after.error.powi(2));
    let freedom = if a + b > 0.0 {
        (a + b).powi(2) / (a.powi(2) / before.freedom + b.powi(2) / after.freedom)
    } else {
        1.0
    };
    let half_width = student_t(freedom, confidence) * (a + b).sqrt();
    Some(Estimate::around((after.mean / before.mean).ln(), half_width).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::wandering;

    const HOW: Wandering = Wandering { significance: 0.01, part_min: 10, confidence: 0.95, seed: 31 };

    fn noisy(random: &mut Seeded, count: usize, kept: f64, level: impl Fn(usize) -> f64) -> Vec<f64> {
        let noise = wandering(random, count, kept);
        // A scatter of 2 %, however the neighbours are correlated.
        let scale = 0.02 * (1.0 - kept * kept).sqrt();
        (0..count).map(|i| level(i) * (1.0 + scale * noise[i])).collect()
    }

    /// 200 series of 120 values for each correlation of neighbours; longer runs are in docs/design/statistics.md.
    #[test]
    fn a_wandering_series_seldom_jumps() {
        let mut random = Seeded::new(107);
        for kept in [0.0, 0.5, 0.8] {
            let alarms = (0..200).filter(|seed| {
                let values = noisy(&mut random, 120, kept, |_| 1_000.0);
                !shifts(&values, &Wandering { seed: *seed, ..HOW }).is_empty()
            });
            let alarms = alarms.count();
            println!("kept {kept}: {alarms} of 200");
            assert!(alarms <= 8, "{kept} {alarms}");
        }
    }

    /// A step of 10 % at value 70 of 120, 100 series each; neighbours correlated by 0.8 leave 13 independent values.
    #[test]
    fn a_step_of_a_tenth_is_found_with_its_ratio() {
        let mut random = Seeded::new(109);
        for (kept, least) in [(0.0, 95), (0.5, 92), (0.8, 75)] {
            let (mut near, mut held) = (0, 0);
            for seed in 0..100 {
                let values = noisy(&mut random, 120, kept, |i| if i < 70 { 1_000.0 } else { 900.0 });
                let found = shifts(&values, &Wandering { seed, ..HOW });
                if let [one] = found.as_slice() {
                    near += usize::from(one.index.abs_diff(70) <= 2);
                    held += usize::from(one.ratio.is_some_and(|r| r.low <= 0.9 && 0.9 <= r.high));
                }
            }
            println!("kept {kept}: near {near}, held {held} of 100");
            assert!(near >= least && held >= least - 7, "{kept} {near} {held}");
        }
    }

    #[test]
    fn dips_stalls_and_slopes_are_no_jumps() {
        let mut random = Seeded::new(113);
        let dips = noisy(&mut random, 300, 0.3, |i| if i % 60 < 3 { 300.0 } else { 1_000.0 });
        assert_eq!(shifts(&dips, &HOW), []);
        let stall = noisy(&mut random, 120, 0.3, |i| if (50..53).contains(&i) { 0.0 } else { 1_000.0 });
        assert_eq!(shifts(&stall, &HOW), []);
        let slope = noisy(&mut random, 120, 0.3, |i| 1_000.0 - 2.0 * i as f64);
        assert_eq!(shifts(&slope, &HOW), []);
    }

    #[test]
    fn a_long_series_is_looked_at_in_means_of_neighbours() {
        let mut random = Seeded::new(127);
        let values =
            noisy(&mut random, 3_000, 0.5, |i| if (900..2_100).contains(&i) { 950.0 } else { 1_000.0 });
        let found: Vec<usize> = shifts(&values, &HOW).iter().map(|s| s.index).collect();
        assert!(
            found.len() == 2 && found[0].abs_diff(900) <= 10 && found[1].abs_diff(2_100) <= 10,
            "{found:?}"
        );
    }

    #[test]
    fn too_short_or_level_a_series_has_none_and_a_bare_step_one() {
        assert_eq!(shifts(&[1.0; 59], &HOW), []);
        assert_eq!(shifts(&[7.0; 80], &HOW), []);
        assert_eq!(shifts(&[f64::NAN; 80], &HOW), []);
        let bare: Vec<f64> = (0..80).map(|i| if i < 30 { 100.0 } else { 50.0 }).collect();
        let found = shifts(&bare, &HOW);
        assert!(found.len() == 1 && found[0].index == 30, "{found:?}");
        assert!(found[0].ratio.is_some_and(|r| (r.value - 0.5).abs() < 1e-12));
    }
}
