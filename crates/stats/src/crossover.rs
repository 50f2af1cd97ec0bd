//! The crossover of two arms over concurrency.
//!
//! The logarithm of the ratio changes its sign between two neighbouring N. With repeats to resample, the place is
//! interpolated on ln N and has an interval; with single trials only the two neighbouring N are known.

use statrs::distribution::ContinuousCDF;

use crate::bootstrap::{Resampling, normal};
use crate::cliff::between;
use crate::describe::{logs, mean, quantile_of_sorted};
use crate::estimate::{Estimate, Pairing, student_t};
use crate::holm::{holm, ratio_p_value};
use crate::seeded::Seeded;

/// The trials of both arms at one N, in the same unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossoverLevel<'a> {
    /// Concurrency.
    pub n: f64,
    /// Runs of the one arm.
    pub a: &'a [f64],
    /// Trials of the other; paired with those of a if there are as many.
    pub b: &'a [f64],
}

/// The arm that is ahead after a crossover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ahead {
    /// a is higher from here on.
    A,
    /// b is higher from here on.
    B,
}

/// A change of the lead.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossover {
    /// The last N at which the one was clearly ahead.
    pub below: f64,
    /// The first N at which the other is.
    pub above: f64,
    /// The arm that is ahead beyond it.
    pub ahead: Ahead,
    /// N at which the ratio passes 1; none with single trials, or if fewer resamples show this crossover than the confidence
    /// requires.
    pub at: Option<Estimate>,
    /// Whole numbers between at which to measure next.
    pub refine: Vec<f64>,
}

/// All changes of the lead, by ascending N. Ratios from 1 / (1 + margin) to 1 + margin count as no lead, and neither does,
/// with repeats, what their scatter may explain (Holm over all N), so that noise around equality is no crossover. None for a level without runs or with a value that is not positive.
pub fn crossovers(levels: &[CrossoverLevel<'_>], margin: f64, how: &Resampling) -> Option<Vec<Crossover>> {
    let mut points = levels
        .iter()
        .map(|level| Some(Point { n: level.n, a: logs(level.a)?, b: logs(level.b)? }))
        .collect::<Option<Vec<_>>>()?;
    points.sort_by(|a, b| a.n.total_cmp(&b.n));
    let curve = points.iter().map(|p| Some((p.n, mean(&p.a)? - mean(&p.b)?))).collect::<Option<Vec<_>>>()?;
    let repeated = points.iter().all(|p| p.a.len() >= 2 && p.b.len() >= 2);
    let sure = if repeated { leads(levels, how.confidence) } else { vec![true; levels.len()] };
    let clear: Vec<(f64, f64)> = curve
        .iter()
        .zip(&sure)
        .filter(|((_, r), sure)| r.abs() > margin.ln_1p() && **sure)
        .map(|(point, _)| *point)
        .collect();
    let resampled = if repeated { resample(&points, how) } else { Vec::new() };
    let changes = clear.windows(2).filter(|pair| pair[0].1.signum() != pair[1].1.signum());
    let found = changes.map(|pair| {
        let (below, above) = (pair[0].0, pair[1].0);
        let ahead = if pair[1].1 > 0.0 { Ahead::A } else { Ahead::B };
        let at = zero(&curve, (below, above), ahead)
            .and_then(|value| interval(value, (below, above), ahead, &resampled, how));
        Crossover { below, above, ahead, at, refine: between(below, above) }
    });
    Some(found.collect())
}

/// By ascending N, whether the lead there exceeds the scatter of the trials.
fn leads(levels: &[CrossoverLevel<'_>], confidence: f64) -> Vec<bool> {
    let mut sorted: Vec<&CrossoverLevel<'_>> = levels.iter().collect();
    sorted.sort_by(|a, b| a.n.total_cmp(&b.n));
    let p_value = |level: &&CrossoverLevel<'_>| {
        let paired = level.a.len() == level.b.len();
        let pairing = if paired { Pairing::Paired } else { Pairing::Independent };
        ratio_p_value(level.a, level.b, pairing).unwrap_or(1.0)
    };
    let adjusted = holm(&sorted.iter().map(p_value).collect::<Vec<_>>());
    adjusted.into_iter().map(|p| p <= 1.0 - confidence).collect()
}

/// Logarithms of the runs at one N.
struct Point {
    n: f64,
    a: Vec<f64>,
    b: Vec<f64>,
}

fn interval(
    value: f64,
    gap: (f64, f64),
    ahead: Ahead,
    resampled: &[Vec<(f64, f64)>],
    how: &Resampling,
) -> Option<Estimate> {
    let everywhere = (0.0, f64::INFINITY);
    let nearest =
        |curve: &Vec<(f64, f64)>| zero(curve, gap, ahead).or_else(|| zero(curve, everywhere, ahead));
    let mut found: Vec<f64> = resampled.iter().filter_map(nearest).collect();
    if (found.len() as f64) < how.confidence * how.resamples as f64 {
        return None;
    }
    found.sort_by(f64::total_cmp);
    let tail = (1.0 - how.confidence) / 2.0;
    Some(Estimate {
        value,
        low: quantile_of_sorted(&found, tail)?,
        high: quantile_of_sorted(&found, 1.0 - tail)?,
    })
}

/// The last place within the gap where the curve changes its sign towards who is ahead then, interpolated on ln N.
fn zero(curve: &[(f64, f64)], gap: (f64, f64), ahead: Ahead) -> Option<f64> {
    let sign = if ahead == Ahead::A { 1.0 } else { -1.0 };
    let pair = curve
        .windows(2)
        .rfind(|p| p[0].0 >= gap.0 && p[1].0 <= gap.1 && sign * p[0].1 <= 0.0 && sign * p[1].1 > 0.0)?;
    let share = pair[0].1 / (pair[0].1 - pair[1].1);
    Some((pair[0].0.ln() + share * (pair[1].0 / pair[0].0).ln()).exp())
}

/// Curves of log-ratios of resampled runs. Distances from the mean are widened by sqrt(n / (n - 1)), as resampling few runs
/// makes too little of their scatter (Davison and Hinkley, "Bootstrap Methods and their Application", 1997, section 2.6), and
/// by Student's t over the normal quantile, as that scatter itself is known from few runs (of two levels: the crossover
/// lies between two).
fn resample(points: &[Point], how: &Resampling) -> Vec<Vec<(f64, f64)>> {
    let mut random = Seeded::new(how.seed);
    let z = normal().inverse_cdf(0.5 + how.confidence / 2.0);
    let samples: Vec<(f64, Vec<Sample>)> = points
        .iter()
        .map(|p| {
            let sample = |sign, values| Sample::new(sign, values, how.confidence, z);
            let of = if p.a.len() == p.b.len() {
                vec![sample(1.0, p.a.iter().zip(&p.b).map(|(a, b)| a - b).collect())]
            } else {
                vec![sample(1.0, p.a.clone()), sample(-1.0, p.b.clone())]
            };
            (p.n, of)
        })
        .collect();
    (0..how.resamples)
        .map(|_| samples.iter().map(|(n, of)| (*n, of.iter().map(|s| s.draw(&mut random)).sum())).collect())
        .collect()
}

/// Values to draw means from.
struct Sample {
    sign: f64,
    values: Vec<f64>,
    mean: f64,
    widening: f64,
}

impl Sample {
    fn new(sign: f64, values: Vec<f64>, confidence: f64, z: f64) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let widening = (count / (count - 1.0)).sqrt() * student_t(2.0 * (count - 1.0), confidence) / z;
        Self { sign, values, mean, widening }
    }

    fn draw(&self, random: &mut Seeded) -> f64 {
        let sum: f64 = self.values.iter().map(|_| self.values[random.below(self.values.len())]).sum();
        self.sign * (self.mean + (sum / self.values.len() as f64 - self.mean) * self.widening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOW: Resampling = Resampling { resamples: 300, confidence: 0.95, seed: 43 };
    const GRID: [f64; 6] = [8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

    /// Arms whose ratio falls by 10 % with each doubling and is 1 at N = 45.25.
    fn arms(random: &mut Seeded, runs: usize) -> Vec<(f64, Vec<f64>, Vec<f64>)> {
        let mut scatter = |level: f64| (0..runs).map(|_| level * (0.02 * random.normal()).exp()).collect();
        GRID.iter()
            .map(|n| (*n, scatter(1000.0 * (-0.1 * (n / 45.25).log2()).exp()), scatter(1000.0)))
            .collect()
    }

    fn found(arms: &[(f64, Vec<f64>, Vec<f64>)], margin: f64) -> Vec<Crossover> {
        let levels: Vec<CrossoverLevel<'_>> =
            arms.iter().map(|(n, a, b)| CrossoverLevel { n: *n, a, b }).collect();
        crossovers(&levels, margin, &HOW).expect("every level has runs")
    }

    /// 300 pairs of arms, five runs a point.
    #[test]
    fn a_crossover_lies_in_its_interval() {
        let mut random = Seeded::new(47);
        let (mut seen, mut held) = (0, 0);
        for _ in 0..300 {
            let found = found(&arms(&mut random, 5), 0.0);
            if let Some(at) = found.first().and_then(|c| c.at) {
                seen += 1;
                held += usize::from(at.low <= 45.25 && 45.25 <= at.high);
                assert_eq!(found[0].ahead, Ahead::B);
            }
        }
        println!("crossover seen in {seen}, held in {held} of 300");
        assert!(seen >= 290 && held as f64 >= 0.88 * f64::from(seen), "{seen} {held}");
    }

    #[test]
    fn single_runs_only_say_between_which() {
        let mut random = Seeded::new(53);
        let found = found(&arms(&mut random, 1), 0.02);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].below, found[0].above, found[0].at), (32.0, 64.0, None));
        assert_eq!(found[0].refine, [40.0, 48.0, 56.0]);
    }

    #[test]
    fn noise_around_equality_is_no_crossover() {
        let level = |n, a| (n, vec![a], vec![1000.0]);
        let wavering = [level(1.0, 1010.0), level(2.0, 990.0), level(4.0, 1012.0), level(8.0, 1100.0)];
        assert_eq!(found(&wavering, 0.02), []);
        assert_eq!(found(&wavering, 0.0).len(), 2);
        assert_eq!(crossovers(&[CrossoverLevel { n: 1.0, a: &[], b: &[1.0] }], 0.0, &HOW), None);
    }
}
