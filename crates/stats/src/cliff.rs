//! A cliff: throughput that falls between two neighbouring N by more than the law and the noise explain.
//!
//! Some curves do not bend but break (a latch that collapses). The law of `usl` is fitted with a step after each N in turn, a
//! change-point with a known form of the rest (Andrews, "Tests for Parameter Instability and Structural Change with Unknown
//! Change Point", 1993, takes the largest F over the places likewise). The threshold stands above what that F reaches on
//! published curves without a break, and on simulated ones.

use crate::describe::geometric_mean;
use crate::law::{Shape, fit, levels};

/// A smaller fall is none, whatever its significance.
const DROP_MIN: f64 = 0.10;
/// F of the best step below which the law without a step is kept.
const F_MIN: f64 = 30.0;

/// A cliff and where to look closer.
#[derive(Debug, Clone, PartialEq)]
pub struct Cliff {
    /// The last N before it.
    pub below: f64,
    /// The first N after it.
    pub above: f64,
    /// Share of the throughput that is lost between the two.
    pub drop: f64,
    /// Share that the points after it lie below a law for both sides.
    pub step: f64,
    /// Improvement of the fit by the step: F with one degree of freedom.
    pub f: f64,
    /// Whole numbers between the two at which to measure next: three, or fewer where there are fewer.
    pub refine: Vec<f64>,
}

/// The largest cliff in points (N, X); several points of the same N are allowed. `noise` is the standard deviation of the
/// logarithm of one point (0.02 if it scatters by 2 %), known from repeats; the scatter is at least that. None if there is
/// no cliff, with fewer than five different N, or for a value that is not positive.
pub fn cliff(points: &[(f64, f64)], noise: f64) -> Option<Cliff> {
    const PARAMETERS: usize = 4;
    let levels = levels(points);
    if levels <= PARAMETERS || points.iter().any(|(n, x)| !(*n > 0.0 && *x > 0.0)) {
        return None;
    }
    let whole = fit(points, Shape::Universal, None)?;
    let curve = curve(points)?;
    let freedom = (points.len() - PARAMETERS) as f64;
    let candidates = curve.windows(2).filter_map(|pair| {
        let [(below, before), (above, after)] = [pair[0], pair[1]];
        let law = fit(points, Shape::Universal, Some(below))?;
        let scatter = (law.squares / freedom).max(noise.powi(2)).max(1e-12);
        let f = (whole.squares - law.squares) / scatter;
        let (drop, step) = (1.0 - after / before, 1.0 - law.step.exp());
        let found = f >= F_MIN && drop >= DROP_MIN && step >= DROP_MIN;
        // Two points that scatter in opposite directions are no fall.
        let found = found && (before / after).ln() >= 3.0 * std::f64::consts::SQRT_2 * noise;
        found.then(|| Cliff { below, above, drop, step, f, refine: between(below, above) })
    });
    candidates.max_by(|a, b| a.f.total_cmp(&b.f))
}

/// Geometric mean at each N, ascending.
pub(crate) fn curve(points: &[(f64, f64)]) -> Option<Vec<(f64, f64)>> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let levels = sorted.chunk_by(|a, b| a.0 == b.0);
    levels
        .map(|level| Some((level[0].0, geometric_mean(&level.iter().map(|p| p.1).collect::<Vec<_>>())?)))
        .collect()
}

/// The points to measure next between two numbers of clients: quarters of the gap, as whole numbers.
pub fn between(below: f64, above: f64) -> Vec<f64> {
    let mut found: Vec<f64> =
        (1..4).map(|i| (below + (above - below) * f64::from(i) / 4.0).round()).collect();
    found.retain(|n| *n > below && *n < above);
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::Seeded;

    const GRID: [f64; 10] = [50.0, 100.0, 150.0, 200.0, 250.0, 300.0, 400.0, 500.0, 1000.0, 2000.0];

    fn curve_of(
        random: &mut Seeded,
        levels: usize,
        beta: f64,
        drop_above: f64,
        drop: f64,
    ) -> Vec<(f64, f64)> {
        let point = |n: &f64| {
            let law = 10.0 * n / (1.0 + 0.01 * (n - 1.0) + beta * n * (n - 1.0));
            let left = if *n > drop_above { 1.0 - drop } else { 1.0 };
            (*n, law * left * (0.02 * random.normal()).exp())
        };
        GRID[..levels].iter().map(point).collect()
    }

    /// 300 curves each of 6, 8 and 10 points, with and without a steep decline, that scatter by 2 %.
    #[test]
    fn a_curve_that_only_bends_has_no_cliff() {
        let mut random = Seeded::new(37);
        for levels in [6, 8, 10] {
            for beta in [3e-6, 1e-4] {
                let curves = (0..300).filter(|_| {
                    cliff(&curve_of(&mut random, levels, beta, f64::INFINITY, 0.0), 0.02).is_some()
                });
                let alarms = curves.count();
                println!("{levels} points, beta {beta}: {alarms} of 300");
                assert!(alarms <= 3, "{levels} {beta} {alarms}");
            }
        }
    }

    #[test]
    fn a_collapse_is_found_between_its_neighbours() {
        let mut random = Seeded::new(41);
        for (drop, at_least) in [(0.2, 95), (0.3, 98)] {
            let found = (0..100).filter(|_| {
                let points = curve_of(&mut random, 10, 3e-6, 200.0, drop);
                cliff(&points, 0.02).is_some_and(|c| (c.below, c.above) == (200.0, 250.0))
            });
            let found = found.count();
            println!("drop {drop}: found in {found} of 100");
            assert!(found >= at_least, "{drop} {found}");
        }
    }

    #[test]
    fn the_grid_is_refined_by_whole_numbers_between() {
        assert_eq!(between(150.0, 200.0), [163.0, 175.0, 188.0]);
        assert_eq!(between(4.0, 6.0), [5.0]);
        assert_eq!(between(4.0, 5.0), Vec::<f64>::new());
    }

    #[test]
    fn too_few_points_have_no_cliff() {
        assert_eq!(cliff(&[(1.0, 10.0), (2.0, 20.0), (4.0, 5.0), (8.0, 5.0)], 0.02), None);
        assert_eq!(cliff(&[(1.0, 10.0), (2.0, 20.0), (4.0, 5.0), (8.0, 5.0), (16.0, 0.0)], 0.02), None);
    }
}
