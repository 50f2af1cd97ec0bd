//! Tests whether one more value after a sample is like those before.
//!
//! A recording of last night is one value, whatever its number of trials: a difference from night to night moves all of its
//! trials together. So it is compared with the scatter of the nights before, not with that of its own trials.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::describe::{logs, mean, sd};
use crate::estimate::{Estimate, student_t};

/// A value against those before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Next {
    /// Value over the geometric mean of those before. The interval leaves 1 out where the value lies outside the prediction
    /// interval of the sample.
    pub ratio: Estimate,
    /// Two-sided p-value of "it comes from where the others come from".
    pub p_value: f64,
}

/// Tests by Student's prediction interval for one further value of a normal sample, on logarithms: t = (x - mean) / (s
/// sqrt(1 + 1/m)) with m - 1 degrees of freedom (Hahn and Meeker, "Statistical Intervals", 1991, section 4.7); the pooled
/// t-test of samples of one and of m values. None with fewer than two values before, or for a value that is not positive.
pub fn next(value: f64, before: &[f64], confidence: f64) -> Option<Next> {
    let before = logs(before)?;
    let distance = logs(&[value])?[0] - mean(&before)?;
    let freedom = before.len().checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
    let error = sd(&before)? * (1.0 + 1.0 / before.len() as f64).sqrt();
    let student = StudentsT::new(0.0, 1.0, freedom).expect("degrees of freedom are positive");
    let p_value = match error > 0.0 {
        true => 2.0 * student.cdf(-(distance / error).abs()),
        false if distance == 0.0 => 1.0,
        false => 0.0,
    };
    Some(Next { ratio: Estimate::around(distance, student_t(freedom, confidence) * error).exp(), p_value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::Seeded;

    /// The pooled t of [ln 90] and of the logarithms of the four: t = -6.7166 with 3 degrees of freedom; t(0.975, 3) = 3.1824.
    #[test]
    fn it_is_the_pooled_t_test_of_one_value() {
        let before = [100.0, 102.0, 98.0, 101.0];
        let found = next(90.0, &before, 0.95).expect("four values");
        let (logs, n) = (before.map(f64::ln), 4.0);
        let mean = logs.iter().sum::<f64>() / n;
        let sd = (logs.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        let error = sd * (1.25_f64).sqrt();
        let distance = 90.0_f64.ln() - mean;
        assert!((found.ratio.value - distance.exp()).abs() < 1e-12);
        let t = 3.182_446_305;
        assert!((found.ratio.high - (distance + t * error).exp()).abs() < 1e-6, "{found:?}");
        // Student's distribution with three degrees of freedom in closed form.
        let x = (distance / error).abs() / 3.0_f64.sqrt();
        let upper = 0.5 - (x / (1.0 + x * x) + x.atan()) / std::f64::consts::PI;
        assert!((found.p_value - 2.0 * upper).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn a_further_value_of_the_same_kind_is_called_another_in_one_of_twenty() {
        let mut random = Seeded::new(211);
        for m in [2, 5, 12] {
            let alarms = (0..2_000).filter(|_| {
                let mut draw = || (0.02 * random.normal()).exp() * 1_000.0;
                let before: Vec<f64> = (0..m).map(|_| draw()).collect();
                let ratio = next(draw(), &before, 0.95).expect("two or more").ratio;
                ratio.low > 1.0 || ratio.high < 1.0
            });
            let alarms = alarms.count();
            println!("after {m}: {alarms} of 2000");
            // 5 % with a standard error of 0.5 %.
            assert!((70..=130).contains(&alarms), "after {m}: {alarms}");
        }
    }

    #[test]
    fn too_few_and_level_samples() {
        assert_eq!(next(1.0, &[1.0], 0.95), None);
        assert_eq!(next(0.0, &[1.0, 2.0], 0.95), None);
        assert_eq!(next(5.0, &[5.0; 3], 0.95).map(|n| n.p_value), Some(1.0));
        assert_eq!(next(4.0, &[5.0; 3], 0.95).map(|n| n.p_value), Some(0.0));
    }
}
