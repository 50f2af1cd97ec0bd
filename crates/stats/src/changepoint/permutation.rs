//! E-divisive with a permutation test.

use super::energy::{Split, best_split};
use super::{ChangePoint, with_means};
use crate::seeded::Seeded;

/// Parameters of the permutation test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Permutations {
    /// The chance to find anything in a series without a change, such as 0.05.
    pub significance: f64,
    /// Permutations of each test; 199 or more. The smallest p-value is one over one more.
    pub count: usize,
    /// Least number of values between two change-points, at least 2.
    pub part_min: usize,
    /// Seed: the same seed gives the same change points.
    pub seed: u64,
}

/// Change-points by ascending index (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of
/// Multivariate Data", 2014, section 3): as long as the best split of all parts is better than those of the series with each
/// part shuffled. Values have to be independent: means of runs, not seconds of one. Its time grows with the square of their
/// number.
pub fn e_divisive(values: &[f64], how: &Permutations) -> Vec<ChangePoint> {
    let part_min = how.part_min.max(2);
    let mut random = Seeded::new(how.seed);
    let mut found: Vec<(usize, f64)> = Vec::new();
    loop {
        let mut edges = vec![0];
        edges.extend(found.iter().map(|(index, _)| *index));
        edges.push(values.len());
        let Some(split) = best_of_parts(values, &edges, part_min) else { break };
        let p_value = p_value(values, &edges, split, how, &mut random);
        if p_value > how.significance {
            break;
        }
        found.push((split.index, p_value));
        found.sort_by_key(|(index, _)| *index);
    }
    with_means(values, &found)
}

fn best_of_parts(values: &[f64], edges: &[usize], part_min: usize) -> Option<Split> {
    let splits = edges.windows(2).filter_map(|part| best_split(values, part[0], part[1], part_min));
    splits.max_by(|a, b| a.q.total_cmp(&b.q))
}

fn p_value(values: &[f64], edges: &[usize], split: Split, how: &Permutations, random: &mut Seeded) -> f64 {
    let mut shuffled = values.to_vec();
    // Once so many are as good that the split cannot be significant, more say nothing.
    let enough = (how.significance * (how.count + 1) as f64) as usize + 1;
    let (mut as_good, mut done) = (0, 0);
    while done < how.count && as_good < enough {
        for part in edges.windows(2) {
            random.shuffle(&mut shuffled[part[0]..part[1]]);
        }
        let best = best_of_parts(&shuffled, edges, how.part_min.max(2));
        as_good += usize::from(best.is_some_and(|best| best.q >= split.q));
        done += 1;
    }
    (as_good + 1) as f64 / (done + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOW: Permutations = Permutations { significance: 0.05, count: 199, part_min: 2, seed: 83 };

    fn indices(values: &[f64], how: &Permutations) -> Vec<usize> {
        e_divisive(values, how).iter().map(|c| c.index).collect()
    }

    /// Series and its change-points from tests/change_point_divisive_test.py of Apache Otava. At 5 %: nine values after the first
    /// change have but 84 ways to be three and six.
    #[test]
    fn the_levels_of_otavas_test_are_found() {
        let values = [0.3, 2.4, 1.5, -0.9, -0.5, 99.7, 98.3, 99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0];
        assert_eq!(indices(&values, &HOW), [5, 8]);
        let found = e_divisive(&values, &HOW);
        assert!(
            (found[0].mean_before - 0.56).abs() < 1e-9 && (found[0].mean_after - 99.033_333).abs() < 1e-5
        );
    }

    /// 400 series of 30 values for each kind: the standard error of a share of 5 % is 1.1 %.
    #[test]
    fn a_series_without_a_change_has_one_in_as_many_cases_as_asked_for() {
        let mut random = Seeded::new(89);
        for (name, skewed) in [("normal", false), ("exponential", true)] {
            let alarms = (0..400).filter(|seed| {
                let values: Vec<f64> =
                    (0..30).map(|_| if skewed { -random.unit().ln() } else { random.normal() }).collect();
                !e_divisive(&values, &Permutations { count: 99, seed: *seed, ..HOW }).is_empty()
            });
            let alarms = alarms.count();
            println!("{name}: {alarms} of 400");
            assert!(alarms <= 34, "{name} {alarms}");
        }
    }

    #[test]
    fn a_jump_of_two_standard_deviations_is_found() {
        let mut random = Seeded::new(97);
        let near = (0..100).filter(|seed| {
            let values: Vec<f64> =
                (0..40).map(|i| random.normal() + if i < 20 { 0.0 } else { 2.0 }).collect();
            let found = indices(&values, &Permutations { count: 99, seed: *seed, ..HOW });
            found.iter().any(|index| index.abs_diff(20) <= 2)
        });
        let near = near.count();
        println!("jump found within two places in {near} of 100");
        assert!(near >= 80, "{near}");
    }

    #[test]
    fn too_short_a_series_has_none() {
        assert_eq!(e_divisive(&[], &HOW), []);
        assert_eq!(e_divisive(&[1.0, 2.0, 3.0], &HOW), []);
        assert_eq!(e_divisive(&[1.0; 20], &HOW), []);
    }
}
