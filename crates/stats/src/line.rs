//! A straight line through points of a series.

use crate::describe::mean;
use crate::estimate::{Estimate, student_t};

/// A straight line and how well it fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Value at x = 0.
    pub intercept: f64,
    /// Change of y per unit of x, with its interval.
    pub slope: Estimate,
    /// Share of the variance of y that the line explains, 0 to 1.
    pub r_squared: f64,
}

impl Line {
    /// The line's value.
    pub fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope.value * x
    }
}

/// Least squares with Student's interval of the slope. Neighbours of a series are correlated: where the residuals are
/// correlated at lag 1, the degrees of freedom and the precision are reduced to those of the smaller number of independent
/// values (Santer et al., "Statistical significance of trends and trend differences in layer-average atmospheric
/// temperature time series", 2000, equations 4 to 6). None below four points, for slices of different length, or if all x
/// are the same.
pub fn line(x: &[f64], y: &[f64], confidence: f64) -> Option<Line> {
    if x.len() != y.len() || x.len() < 4 {
        return None;
    }
    let (mean_x, mean_y) = (mean(x)?, mean(y)?);
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| f(x - mean_x, y - mean_y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if xx <= 0.0 {
        return None;
    }
    let slope = xy / xx;
    let intercept = mean_y - slope * mean_x;
    let residuals: Vec<f64> = x.iter().zip(y).map(|(x, y)| y - intercept - slope * x).collect();
    let squares: f64 = residuals.iter().map(|r| r * r).sum();
    let lagged: f64 = residuals.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let correlation = if squares > 0.0 { (lagged / squares).clamp(0.0, 0.99) } else { 0.0 };
    let independent = x.len() as f64 * (1.0 - correlation) / (1.0 + correlation);
    // With fewer than three independent values nothing can be said; one degree of freedom says next to nothing.
    let freedom = (independent - 2.0).max(1.0);
    let standard_error = (squares / freedom / xx).sqrt();
    Some(Line {
        intercept,
        slope: Estimate::around(slope, student_t(freedom, confidence) * standard_error),
        r_squared: if yy > 0.0 { 1.0 - squares / yy } else { 1.0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values by the textbook's formulas with t(4) = 2.7764451; these residuals alternate, so that nothing is
    /// taken away for correlation.
    #[test]
    fn a_known_line_has_its_known_interval() {
        let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let y = [2.1, 3.9, 6.2, 7.8, 10.1, 11.9];
        let found = line(&x, &y, 0.95).expect("determined");
        for (found, expected) in [
            (found.slope.value, 1.977142857142857),
            (found.slope.low, 1.866653127270051),
            (found.slope.high, 2.087632587015663),
            (found.intercept, 0.08),
            (found.r_squared, 0.998382119923276),
        ] {
            assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
    }

    #[test]
    fn a_line_is_found_exactly_and_too_little_gives_none() {
        let found = line(&[0.0, 1.0, 2.0, 3.0], &[1.0, 3.0, 5.0, 7.0], 0.95).expect("determined");
        assert_eq!((found.intercept, found.slope.value, found.at(10.0)), (1.0, 2.0, 21.0));
        assert_eq!(line(&[0.0, 1.0, 2.0], &[1.0, 3.0, 5.0], 0.95), None);
        assert_eq!(line(&[1.0; 4], &[1.0, 2.0, 3.0, 4.0], 0.95), None);
    }

    /// A slow wave has no trend, though its quarters look as if they had one.
    #[test]
    fn neighbours_that_resemble_each_other_count_less() {
        let x: Vec<f64> = (0..64).map(f64::from).collect();
        let wave: Vec<f64> = x.iter().map(|x| (x / 64.0 * 4.0).cos()).collect();
        let shuffled: Vec<f64> = (0..64).map(|i| wave[i * 29 % 64]).collect();
        let width = |y: &[f64]| {
            let slope = line(&x, y, 0.95).expect("determined").slope;
            slope.high - slope.low
        };
        assert!(width(&wave) > 3.0 * width(&shuffled));
    }
}
