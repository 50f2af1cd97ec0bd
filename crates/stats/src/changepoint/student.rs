//! E-divisive with Student's t-test in sliding windows, as Apache Otava does it.
//!
//! Fleming et al., "Hunter: Using Change Point Detection to Hunt for Performance Regressions", 2023: candidates by energy
//! distance within windows, at a p-value ten times as lenient; then the weakest are taken out, one by one, until all that are
//! left are significant against what lies between their neighbours. The split tested is the best of many, so that its
//! p-value is too small.

use super::energy::best_split;
use super::{ChangePoint, with_means};
use crate::describe::mean;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Parameters of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Windows {
    /// P-value that a change-point must reach; Otava's default is 0.001.
    pub p_value_max: f64,
    /// Least change of the mean, as a share; 0 takes all.
    pub change_min: f64,
    /// Values in a window, at least 2; Otava's default is 50, that of the paper 30.
    pub window: usize,
}

/// Change-points by ascending index, as by Otava's `compute_change_points`: its standard deviations have divisor n, so that
/// its t is somewhat larger than the textbook's. Other than there, all that are left are judged anew whenever one is
/// taken out.
pub fn e_divisive_t(values: &[f64], how: &Windows) -> Vec<ChangePoint> {
    let mut found = candidates(values, how);
    loop {
        let judged: Vec<(usize, f64, f64)> = (0..found.len())
            .map(|i| {
                let from = if i == 0 { 0 } else { found[i - 1] };
                let to = found.get(i + 1).copied().unwrap_or(values.len());
                let (left, right) = (&values[from..found[i]], &values[found[i]..to]);
                (i, p_value(left, right), change(left, right))
            })
            .collect();
        let least_sure = judged.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let smallest = judged.iter().min_by(|a, b| a.2.total_cmp(&b.2));
        match (least_sure, smallest) {
            (Some((i, p, _)), _) if *p >= how.p_value_max => found.remove(*i),
            (_, Some((i, _, change))) if *change <= how.change_min => found.remove(*i),
            _ => {
                let found: Vec<(usize, f64)> = judged.iter().map(|(i, p, _)| (found[*i], *p)).collect();
                return with_means(values, &found);
            }
        };
    }
}

/// Change-points of all windows at the lenient p-value.
fn candidates(values: &[f64], how: &Windows) -> Vec<usize> {
    let window = how.window.max(2);
    let lenient = match how.p_value_max {
        p if p < 0.05 => p * 10.0,
        p if p < 0.5 => p * 2.0,
        p => p,
    };
    let mut found: Vec<usize> = Vec::new();
    let mut start = 0;
    while start < values.len() {
        let end = (start + window).min(values.len());
        let within = split(values, start, end, lenient);
        start = within.last().copied().unwrap_or(0).max(start + window / 2);
        found.extend(within);
        found.sort_unstable();
        found.dedup();
    }
    found
}

/// Change-points of one window, ascending: the best split of all parts, as long as it is significant.
fn split(values: &[f64], start: usize, end: usize, p_value_max: f64) -> Vec<usize> {
    let mut edges = vec![start, end];
    loop {
        let best = edges
            .windows(2)
            .filter_map(|part| Some((best_split(values, part[0], part[1], 1)?, part[0], part[1])))
            .max_by(|a, b| a.0.q.total_cmp(&b.0.q));
        match best {
            Some((split, from, to))
                if p_value(&values[from..split.index], &values[split.index..to]) <= p_value_max =>
            {
                edges.push(split.index);
                edges.sort_unstable();
            }
            _ => return edges[1..edges.len() - 1].to_vec(),
        }
    }
}

/// Student's t-test with pooled variance, of variances with divisor n; 1 below three values.
fn p_value(left: &[f64], right: &[f64]) -> f64 {
    let (Some(mean_left), Some(mean_right)) = (mean(left), mean(right)) else { return 1.0 };
    let (m, n) = (left.len() as f64, right.len() as f64);
    let freedom = m + n - 2.0;
    if freedom <= 0.0 {
        return 1.0;
    }
    let variance = |s: &[f64], mean: f64| s.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / s.len() as f64;
    let pooled = ((m - 1.0) * variance(left, mean_left) + (n - 1.0) * variance(right, mean_right)) / freedom;
    if pooled <= 0.0 {
        return if mean_left == mean_right { 1.0 } else { 0.0 };
    }
    let t = (mean_left - mean_right).abs() / (pooled * (1.0 / m + 1.0 / n)).sqrt();
    let student = StudentsT::new(0.0, 1.0, freedom).expect("degrees of freedom are positive");
    2.0 * student.cdf(-t)
}

/// The larger of the changes seen from either side.
fn change(left: &[f64], right: &[f64]) -> f64 {
    let (Some(left), Some(right)) = (mean(left), mean(right)) else { return 0.0 };
    let relative = |a: f64, b: f64| if b == 0.0 { 0.0 } else { (a / b - 1.0).abs() };
    relative(left, right).max(relative(right, left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::Seeded;

    fn indices(values: &[f64], how: &Windows) -> Vec<usize> {
        e_divisive_t(values, how).iter().map(|c| c.index).collect()
    }

    /// Series and its change-points from tests/change_point_divisive_test.py of Apache Otava.
    #[test]
    fn the_levels_of_otavas_test_are_found() {
        let values = [0.3, 2.4, 1.5, -0.9, -0.5, 99.7, 98.3, 99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0];
        assert_eq!(indices(&values, &Windows { p_value_max: 0.01, change_min: 0.0, window: 30 }), [5, 8]);
    }

    /// 400 series of 60 values: more false positives than the p-value says, as documented in docs/design/statistics.md.
    #[test]
    fn a_series_without_a_change_seldom_has_one() {
        let mut random = Seeded::new(101);
        let series: Vec<Vec<f64>> =
            (0..400).map(|_| (0..60).map(|_| 1_000.0 + 20.0 * random.normal()).collect()).collect();
        let alarms = |p_value_max, change_min| {
            let how = Windows { p_value_max, change_min, window: 50 };
            series.iter().filter(|values| !e_divisive_t(values, &how).is_empty()).count()
        };
        let (strict, lenient, large) = (alarms(0.001, 0.0), alarms(0.01, 0.0), alarms(0.001, 0.05));
        println!("p 0.001: {strict}, p 0.01: {lenient}, p 0.001 and 5 %: {large} of 400");
        assert!(strict <= 60 && strict < lenient && large <= 12, "{strict} {lenient} {large}");
    }

    #[test]
    fn too_short_or_level_a_series_has_none() {
        let how = Windows { p_value_max: 0.01, change_min: 0.0, window: 30 };
        assert_eq!(indices(&[], &how), Vec::<usize>::new());
        assert_eq!(indices(&[1.0, 5.0], &how), Vec::<usize>::new());
        assert_eq!(indices(&[7.0; 50], &how), Vec::<usize>::new());
    }
}
