//! Throughput over concurrency by the Universal Scalability Law, and whether it may be believed.
//!
//! X(N) = lambda N / (1 + alpha (N - 1) + beta N (N - 1)) (Gunther, "Guerrilla Capacity Planning", 2007, chapter 4): lambda is
//! the throughput of one client, alpha the share of work that waits for others, beta the cost of keeping in step with
//! them. With beta = 0 it is Amdahl's law. It describes curves that bend; it does not describe a collapse.

use statrs::distribution::ContinuousCDF;

use crate::bootstrap::{Resampling, normal};
use crate::describe::quantile_of_sorted;
use crate::estimate::{Estimate, student_t};
use crate::law::{Law, Shape, fit, levels};
use crate::seeded::Seeded;

/// Maximum deviation of a curve from the law, root mean square of logarithms. Published curves without a break lie within 9
/// %, the long ones with a collapse at 16 % and beyond ("The Art of Problem-Solving in Software Engineering", sections 2.2
/// to 2.9 and figure 4-64).
pub const RMS_MAX: f64 = 0.10;
/// Points at different N below which three parameters fit anything.
const LEVELS_MIN: usize = 5;

/// The law fitted to a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usl {
    /// Throughput of one client, in the unit of the points.
    pub lambda: f64,
    /// Share of contention, 0 or more.
    pub alpha: f64,
    /// Share of coherency, 0 or more.
    pub beta: f64,
    /// Root mean square of ln(throughput / law): 0.06 is 6 %.
    pub rms: f64,
    /// Number of different N.
    pub levels: usize,
}

impl Usl {
    /// Throughput that the law gives at N.
    pub fn at(&self, n: f64) -> f64 {
        self.lambda * n / (1.0 + self.alpha * (n - 1.0) + self.beta * n * (n - 1.0))
    }

    /// N of the highest throughput, sqrt((1 - alpha) / beta), at least 1; none where beta is 0 and there is no peak.
    pub fn peak(&self) -> Option<f64> {
        (self.beta > 0.0).then(|| ((1.0 - self.alpha).max(0.0) / self.beta).sqrt().max(1.0))
    }

    /// N at which perfect scaling would reach the highest throughput: beyond it, extra clients mostly queue (the crossing of
    /// the asymptotic bounds; Lazowska et al., "Quantitative System Performance", 1984, section 5.2). None where the law has no
    /// highest throughput.
    pub fn knee(&self) -> Option<f64> {
        match self.peak() {
            Some(peak) => Some(self.at(peak) / self.lambda),
            None => (self.alpha > 0.0).then(|| 1.0 / self.alpha),
        }
    }

    /// Whether the law applies to this curve: enough points, and a small deviation. A curve of six points may collapse by a
    /// quarter and still be within 8 %: check `cliff` too.
    pub fn fits(&self) -> bool {
        self.levels >= LEVELS_MIN && self.rms <= RMS_MAX
    }
}

/// Intervals of the parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UslIntervals {
    /// Estimate of lambda, throughput of one client.
    pub lambda: Estimate,
    /// Estimate of alpha, the serialised fraction.
    pub alpha: Estimate,
    /// Estimate of beta, the coherency.
    pub beta: Estimate,
    /// Estimate of N at the peak; infinite at its upper end where a curve without a peak cannot be excluded; none where the law
    /// fitted has none.
    pub peak: Option<Estimate>,
}

/// Fits points (N, X); several points of the same N are allowed. None with fewer than three different N, or for a value
/// that is not positive.
pub fn usl(points: &[(f64, f64)]) -> Option<Usl> {
    fitted(points, Shape::Universal)
}

/// The fit with beta = 0; none with fewer than two different N.
pub fn amdahl(points: &[(f64, f64)]) -> Option<Usl> {
    fitted(points, Shape::Amdahl)
}

/// Intervals by resampling the residuals (Davison and Hinkley, "Bootstrap Methods and their Application", 1997, section
/// 7.3), which are widened by sqrt(n / (n - 3)) for the three parameters they were fitted with, and by Student's t for so few
/// points. None where `usl` is none, and with fewer than five points.
pub fn usl_intervals(points: &[(f64, f64)], how: &Resampling) -> Option<UslIntervals> {
    let fitted = usl(points)?;
    if points.len() < LEVELS_MIN {
        return None;
    }
    let mut residuals: Vec<f64> = points.iter().map(|(n, x)| (x / fitted.at(*n)).ln()).collect();
    let middle = residuals.iter().sum::<f64>() / residuals.len() as f64;
    let freedom = (points.len() - 3) as f64;
    let z = normal().inverse_cdf(0.5 + how.confidence / 2.0);
    let widening = (points.len() as f64 / freedom).sqrt() * student_t(freedom, how.confidence) / z;
    residuals.iter_mut().for_each(|r| *r = (*r - middle) * widening);
    let mut random = Seeded::new(how.seed);
    let mut again = points.to_vec();
    let mut laws: Vec<Usl> = Vec::with_capacity(how.resamples);
    for _ in 0..how.resamples {
        for (n, x) in &mut again {
            *x = fitted.at(*n) * residuals[random.below(residuals.len())].exp();
        }
        laws.extend(usl(&again));
    }
    let interval = |of: &dyn Fn(&Usl) -> f64| {
        let mut values: Vec<f64> = laws.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        let tail = (1.0 - how.confidence) / 2.0;
        let at = |p| quantile_of_sorted(&values, p).map(|v| if v.is_nan() { f64::INFINITY } else { v });
        Some(Estimate { value: of(&fitted), low: at(tail)?, high: at(1.0 - tail)? })
    };
    Some(UslIntervals {
        lambda: interval(&|law| law.lambda)?,
        alpha: interval(&|law| law.alpha)?,
        beta: interval(&|law| law.beta)?,
        peak: match fitted.peak() {
            Some(_) => Some(interval(&|law| law.peak().unwrap_or(f64::INFINITY))?),
            None => None,
        },
    })
}

fn fitted(points: &[(f64, f64)], shape: Shape) -> Option<Usl> {
    let needed = if shape == Shape::Universal { 3 } else { 2 };
    let valid = points.iter().all(|(n, x)| *n > 0.0 && *x > 0.0 && n.is_finite() && x.is_finite());
    let levels = levels(points);
    if !valid || levels < needed {
        return None;
    }
    let Law { coefficients: [a, b, c], squares, .. } = fit(points, shape, None)?;
    (a > 0.0).then(|| Usl {
        lambda: 1.0 / a,
        alpha: b / a,
        beta: c / a,
        rms: (squares / points.len() as f64).sqrt(),
        levels,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GRID: [f64; 10] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

    fn law(lambda: f64, alpha: f64, beta: f64) -> Usl {
        Usl { lambda, alpha, beta, rms: 0.0, levels: GRID.len() }
    }

    fn curve(law: &Usl) -> Vec<(f64, f64)> {
        GRID.iter().map(|n| (*n, law.at(*n))).collect()
    }

    /// Raytracing benchmark on an SGI Origin 2000 (Gunther, "Guerrilla Capacity Planning", 2007; data set raytracer of the R
    /// package usl). Expected values from SciPy 1.17.1, optimize.least_squares of the logarithms.
    #[test]
    fn raytracing_has_its_known_parameters() {
        let points = [
            (1.0, 20.0),
            (4.0, 78.0),
            (8.0, 130.0),
            (12.0, 170.0),
            (16.0, 190.0),
            (20.0, 200.0),
            (24.0, 210.0),
            (28.0, 230.0),
            (32.0, 260.0),
            (48.0, 280.0),
            (64.0, 310.0),
        ];
        let found = usl(&points).expect("determined");
        for (found, expected, within) in [
            (found.lambda, 21.591_501_3, 1e-6),
            (found.alpha, 0.056_405_409, 1e-6),
            (found.beta, 3.358_86e-6, 1e-3),
            (found.rms, 0.048_090_359, 1e-6),
        ] {
            assert!((found / expected - 1.0).abs() < within, "{found} is not {expected}");
        }
        assert!(found.fits());
    }

    #[test]
    fn a_law_is_found_in_its_own_curve() {
        for truth in [law(100.0, 0.03, 1e-4), law(5.0, 0.2, 0.0), law(1e4, 0.0, 1e-5), law(7.0, 0.0, 0.0)] {
            let found = usl(&curve(&truth)).expect("determined");
            assert!((found.lambda / truth.lambda - 1.0).abs() < 1e-5, "{found:?}");
            assert!(
                (found.alpha - truth.alpha).abs() < 1e-5 && (found.beta - truth.beta).abs() < 1e-8,
                "{found:?}"
            );
            assert!(found.fits() && found.rms < 1e-5, "{found:?}");
        }
    }

    #[test]
    fn peak_and_knee_are_where_the_law_says() {
        let bent = law(100.0, 0.03, 1e-4);
        let peak = bent.peak().expect("it has one");
        assert!((peak - 98.488_578_017_961_04).abs() < 1e-9);
        assert!(bent.at(peak) >= bent.at(peak - 1.0) && bent.at(peak) >= bent.at(peak + 1.0));
        assert!((bent.knee().expect("it has one") - bent.at(peak) / 100.0).abs() < 1e-12);
        let amdahl_only = law(100.0, 0.05, 0.0);
        assert_eq!((amdahl_only.peak(), amdahl_only.knee()), (None, Some(20.0)));
        assert_eq!((law(1.0, 0.0, 0.0).knee(), law(1.0, 2.0, 0.1).peak()), (None, Some(1.0)));
    }

    #[test]
    fn too_little_is_not_fitted_or_not_believed() {
        assert_eq!(usl(&[(1.0, 10.0), (2.0, 19.0), (2.0, 18.0)]), None);
        assert_eq!(usl(&[(1.0, 10.0), (2.0, 19.0), (4.0, 0.0)]), None);
        let four = &curve(&law(100.0, 0.03, 1e-4))[..4];
        assert!(!usl(four).expect("determined").fits());
        let truth = law(100.0, 0.1, 0.0);
        let found = amdahl(&curve(&truth)).expect("determined");
        assert!((found.alpha - 0.1).abs() < 1e-6 && found.beta == 0.0);
    }

    /// 150 curves of ten points that scatter by 2 %: the standard error of a share of 95 % is 1.8 %.
    #[test]
    fn intervals_hold_the_parameters_as_often_as_stated() {
        let truth = law(100.0, 0.03, 1e-4);
        let mut random = Seeded::new(31);
        let mut held = [0; 4];
        for seed in 0..150 {
            let points: Vec<(f64, f64)> =
                curve(&truth).iter().map(|(n, x)| (*n, x * (0.02 * random.normal()).exp())).collect();
            let how = Resampling { resamples: 200, confidence: 0.95, seed };
            let found = usl_intervals(&points, &how).expect("determined");
            let peak = found.peak.expect("it has one");
            let values = [truth.lambda, truth.alpha, truth.beta, truth.peak().expect("it has one")];
            for (i, interval) in [found.lambda, found.alpha, found.beta, peak].into_iter().enumerate() {
                held[i] += usize::from(interval.low <= values[i] && values[i] <= interval.high);
            }
        }
        println!("lambda, alpha, beta, peak held in {held:?} of 150");
        assert!(held.iter().all(|held| *held >= 133), "{held:?}");
    }

    proptest! {
        #[test]
        fn parameters_are_never_negative_and_scale_with_the_unit(
            x in prop::collection::vec(10.0..1e4_f64, 6), unit in 0.001..1e3_f64,
        ) {
            let points: Vec<(f64, f64)> = GRID.iter().copied().zip(x).collect();
            let scaled: Vec<(f64, f64)> = points.iter().map(|(n, x)| (*n, x * unit)).collect();
            let (found, scaled) = (usl(&points).expect("determined"), usl(&scaled).expect("determined"));
            prop_assert!(found.alpha >= 0.0 && found.beta >= 0.0 && found.lambda > 0.0);
            prop_assert!((found.rms - scaled.rms).abs() <= 1e-4 * found.rms.max(1e-3), "{:?} {:?}", found, scaled);
        }
    }
}
