//! Evidence of single trials: not the size of a difference at one point, but whether it always has the same sign.

use messages::{Words, message};
use serde::{Deserialize, Serialize};

use crate::compare::Verdict;
use crate::contest::Point;
use crate::metric::{self, Metric};

/// Number of times that one side was ahead, over all numbers of clients of a workload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signs {
    /// Label of the workload.
    pub workload: String,
    /// Id of the metric.
    pub metric: String,
    /// Points at which the other has more than the base.
    pub more: u32,
    /// Points at which it has less.
    pub less: u32,
    /// Two-sided p-value of the sign test: that a fair coin falls at least as unevenly.
    pub p_value: f64,
    /// Ratio of the other to the base, from the least to the greatest.
    pub ratio_least: f64,
    /// The greatest.
    pub ratio_greatest: f64,
}

/// Chance up to which the direction counts as found.
const FALSE_ALARMS: f64 = 0.05;

impl Signs {
    /// Whether the direction of the difference is significant.
    pub fn is_found(&self) -> bool {
        self.p_value <= FALSE_ALARMS
    }

    /// One sentence about the other side, under its name.
    pub fn says(&self, other: &str) -> Words {
        let p = if self.p_value < 0.01 { "< 0.01".to_owned() } else { format!("{:.2}", self.p_value) };
        let metric =
            metric::by_id(&self.metric).map_or_else(|| Words::from(self.metric.as_str()), Metric::label);
        message!(
            "signs-of-single-trials",
            workload = Text(self.workload.clone()),
            metric = Message(metric),
            other = Text(other),
            more = Count(self.more),
            less = Count(self.less),
            least = Change(self.ratio_least),
            greatest = Change(self.ratio_greatest),
            p = Text(p),
            found = Word(if self.is_found() { "significant" } else { "not-significant" }),
        )
    }
}

/// The sign counts of every workload and metric whose points are all single trials. Fewer than six points can never be
/// significant.
pub fn signs(points: &[Point]) -> Vec<Signs> {
    const POINTS_MIN: u32 = 6;
    let mut keys: Vec<(&str, &str)> = Vec::new();
    for point in points {
        let key = (point.comparison.workload.as_str(), point.comparison.metric.as_str());
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let of = |(workload, metric): (&str, &str)| {
        let own: Vec<&Point> = points
            .iter()
            .filter(|p| p.comparison.workload == workload && p.comparison.metric == metric)
            .collect();
        if own.iter().any(|p| p.comparison.verdict != Verdict::SingleRun) {
            return None;
        }
        let ratios = || own.iter().map(|p| p.comparison.ratio);
        let (more, less) =
            (ratios().filter(|r| *r > 1.0).count() as u32, ratios().filter(|r| *r < 1.0).count() as u32);
        (more + less >= POINTS_MIN).then(|| Signs {
            workload: workload.to_owned(),
            metric: metric.to_owned(),
            more,
            less,
            p_value: sign_test(more, less),
            ratio_least: ratios().fold(f64::INFINITY, f64::min),
            ratio_greatest: ratios().fold(0.0, f64::max),
        })
    };
    keys.into_iter().filter_map(of).collect()
}

/// Two-sided p-value of the sign test, from the number of either sign.
fn sign_test(more: u32, less: u32) -> f64 {
    let (n, few) = (more + less, more.min(less));
    // Terms of the binomial distribution, each from the one before.
    let mut term = 0.5_f64.powi(n as i32);
    let mut sum = term;
    for k in 1..=few {
        term *= f64::from(n - k + 1) / f64::from(k);
        sum += term;
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::sign_test;

    #[test]
    fn the_sign_test_agrees_with_tables() {
        assert!((sign_test(10, 0) - 2.0 / 1024.0).abs() < 1e-12);
        assert!((sign_test(1, 9) - 22.0 / 1024.0).abs() < 1e-12);
        assert_eq!(sign_test(5, 5), 1.0);
    }
}
