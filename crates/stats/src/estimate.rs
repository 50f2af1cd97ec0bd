//! Intervals of means and of ratios, for samples of a few runs each.
//!
//! Ratios are compared as logarithms: the interval of a difference of mean logarithms, exponentiated, is an interval of
//! the ratio of geometric means (Fleming and Wallace, "How not to lie with statistics", 1986, on why that mean).

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::describe::{logs, mean, sd};

/// An estimate with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    pub(crate) fn around(value: f64, half_width: f64) -> Self {
        Self { value, low: value - half_width, high: value + half_width }
    }

    pub(crate) fn exp(self) -> Self {
        Self { value: self.value.exp(), low: self.low.exp(), high: self.high.exp() }
    }
}

/// Mean with Student's interval, mean ± t(n-1) s / sqrt(n) (NIST/SEMATECH e-Handbook, 1.3.5.2); none below two values.
/// `confidence` such as 0.95.
pub fn mean_interval(values: &[f64], confidence: f64) -> Option<Estimate> {
    let standard_error = sd(values)? / (values.len() as f64).sqrt();
    let freedom = (values.len() - 1) as f64;
    Some(Estimate::around(mean(values)?, student_t(freedom, confidence) * standard_error))
}

/// Ratio a / b of geometric means of two independent samples, with Welch's interval on logarithms (Welch, "The
/// generalization of Student's problem when several different population variances are involved", 1947). None if either
/// sample has fewer than two values, or a value that is not positive.
pub fn ratio_interval(a: &[f64], b: &[f64], confidence: f64) -> Option<Estimate> {
    Some(Contrast::of(a, b, Pairing::Independent)?.interval(confidence).exp())
}

/// Ratio a / b where the values belong together in pairs (same block, same repeat): Student's interval of the mean
/// logarithm of the paired ratios. None below two pairs, for slices of different length, or for a value that is not
/// positive.
pub fn paired_ratio_interval(a: &[f64], b: &[f64], confidence: f64) -> Option<Estimate> {
    Some(Contrast::of(a, b, Pairing::Paired)?.interval(confidence).exp())
}

/// Whether values at the same position of two slices are paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// Same block, same repeat: what disturbed one disturbed the other.
    Paired,
    /// They have nothing to do with each other.
    Independent,
}

/// A sum of mean logarithms with signs, its standard error and the degrees of freedom of that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Contrast {
    pub(crate) value: f64,
    pub(crate) standard_error: f64,
    pub(crate) freedom: f64,
}

impl Contrast {
    /// Mean logarithm of a less that of b; none where the samples do not determine its standard error.
    pub(crate) fn of(a: &[f64], b: &[f64], pairing: Pairing) -> Option<Self> {
        Self::sum(&[(1.0, a), (-1.0, b)], pairing)
    }

    /// Sum of mean logarithms of samples, each with a sign. Paired: mean logarithm of one product of ratios for each block.
    pub(crate) fn sum(samples: &[(f64, &[f64])], pairing: Pairing) -> Option<Self> {
        let logarithms =
            samples.iter().map(|(sign, s)| Some((*sign, logs(s)?))).collect::<Option<Vec<_>>>()?;
        let blocks = samples.first()?.1.len();
        match pairing {
            Pairing::Paired if samples.iter().any(|(_, s)| s.len() != blocks) => None,
            Pairing::Paired => {
                let block = |i: usize| {
                    samples.iter().fold(1.0, |r, (sign, s)| if *sign > 0.0 { r * s[i] } else { r / s[i] })
                };
                let ratios = logs(&(0..blocks).map(block).collect::<Vec<f64>>())?;
                Some(Self {
                    value: mean(&ratios)?,
                    standard_error: sd(&ratios)? / (blocks as f64).sqrt(),
                    freedom: (blocks - 1) as f64,
                })
            }
            Pairing::Independent => {
                let (mut value, mut variance, mut squares) = (0.0, 0.0, 0.0);
                for (sign, s) in &logarithms {
                    let part = sd(s)?.powi(2) / s.len() as f64;
                    value += sign * mean(s)?;
                    variance += part;
                    squares += part.powi(2) / (s.len() - 1) as f64;
                }
                // Welch and Satterthwaite's degrees of freedom.
                let freedom = if variance > 0.0 { variance.powi(2) / squares } else { 1.0 };
                Some(Self { value, standard_error: variance.sqrt(), freedom })
            }
        }
    }

    pub(crate) fn interval(&self, confidence: f64) -> Estimate {
        Estimate::around(self.value, student_t(self.freedom, confidence) * self.standard_error)
    }

    /// Two-sided p-value of "the value is 0".
    pub(crate) fn p_value(&self) -> f64 {
        let below = self.probability_below(0.0);
        (2.0 * below.min(1.0 - below)).min(1.0)
    }

    /// Probability that Student's t falls below this contrast's distance from `from`.
    pub(crate) fn probability_below(&self, from: f64) -> f64 {
        let distance = self.value - from;
        if self.standard_error > 0.0 {
            student(self.freedom).cdf(distance / self.standard_error)
        } else if distance == 0.0 {
            0.5
        } else {
            f64::from(distance > 0.0)
        }
    }
}

fn student(freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom).expect("degrees of freedom are positive when there are two values")
}

/// The quantile of Student's t that leaves (1 - confidence) / 2 above it.
pub(crate) fn student_t(freedom: f64, confidence: f64) -> f64 {
    student(freedom).inverse_cdf(0.5 + confidence / 2.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(found: Option<Estimate>, value: f64, low: f64, high: f64) {
        let found = found.expect("determined");
        for (found, expected) in [(found.value, value), (found.low, low), (found.high, high)] {
            assert!((found - expected).abs() <= expected.abs() * 1e-9, "{found} is not {expected}");
        }
    }

    /// Expected values from SciPy 1.17.1: t.interval, ttest_ind(equal_var=False) and ttest_rel on logarithms.
    #[test]
    fn known_samples_give_known_intervals() {
        close(mean_interval(&[868.0, 861.5, 874.2], 0.95), 867.9, 852.1242585881354, 883.6757414118646);
        close(
            mean_interval(&[10.0, 12.0, 9.0, 11.0, 30.0], 0.99),
            14.4,
            -3.70293570045172,
            32.50293570045172,
        );
        let (a, b) = ([904.0, 921.0, 888.0], [640.0, 602.0, 671.0, 655.0]);
        close(ratio_interval(&a, &b, 0.95), 1.409597986781688, 1.3139489450475013, 1.51220980984703);
        close(
            paired_ratio_interval(&a, &b[..3], 0.95),
            1.4194301103729183,
            1.1851246673563387,
            1.7000589842819283,
        );
    }

    #[test]
    fn one_value_has_no_interval() {
        assert_eq!(mean_interval(&[1.0], 0.95), None);
        assert_eq!(ratio_interval(&[1.0, 2.0], &[1.0], 0.95), None);
        assert_eq!(paired_ratio_interval(&[1.0, 2.0], &[1.0], 0.95), None);
        assert_eq!(ratio_interval(&[1.0, 0.0], &[1.0, 2.0], 0.95), None);
    }

    #[test]
    fn equal_values_have_an_interval_of_no_width() {
        close(ratio_interval(&[2.0, 2.0], &[1.0, 1.0], 0.95), 2.0, 2.0, 2.0);
    }

    proptest! {
        #[test]
        fn a_ratio_turned_round_is_its_reciprocal(
            a in prop::collection::vec(1.0..1e6_f64, 2..8), b in prop::collection::vec(1.0..1e6_f64, 2..8),
        ) {
            let there = ratio_interval(&a, &b, 0.95).expect("determined");
            let back = ratio_interval(&b, &a, 0.95).expect("determined");
            prop_assert!((there.value * back.value - 1.0).abs() < 1e-9);
            prop_assert!((there.low * back.high - 1.0).abs() < 1e-6);
            prop_assert!(there.low <= there.value && there.value <= there.high);
        }

        #[test]
        fn more_confidence_is_a_wider_interval(values in prop::collection::vec(-1e3..1e3_f64, 2..20)) {
            let (narrow, wide) = (mean_interval(&values, 0.9), mean_interval(&values, 0.99));
            let (narrow, wide) = (narrow.expect("determined"), wide.expect("determined"));
            prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high);
        }
    }
}
