//! Arms measured in blocks of which no two need hold the same arms: differences between any two, with a common scatter.
//!
//! Least squares of y = block + arm + error, the intra-block analysis of incomplete blocks (Montgomery, "Design and Analysis of
//! Experiments", chapter 4.4). Whatever disturbs a whole block falls out, arms that never met are compared by way of others, and the
//! scatter is estimated from all blocks together, so that a new arm needs few of them.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::estimate::Estimate;

/// A value of an arm in a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockValue {
    /// The arm, by its number.
    pub arm: usize,
    /// The block, by its number.
    pub block: usize,
    /// The value.
    pub value: f64,
}

/// The fit of all values.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockFit {
    /// Effect of each arm, relative to the first one that was measured; none of arms that no chain of blocks joins to it.
    effects: Vec<Option<f64>>,
    /// Covariances of the effects in units of the error's variance, by the position of an arm.
    covariance: Vec<Vec<f64>>,
    /// Variance of a single value around its block and arm; 0 without degrees of freedom.
    variance: f64,
    freedom: usize,
}

/// A sum of arms with weights that add up to zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockContrast {
    /// The sum.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Degrees of freedom of that.
    pub freedom: usize,
}

impl BlockContrast {
    /// Student's interval. Endless without degrees of freedom.
    pub fn interval(&self, confidence: f64) -> Estimate {
        let half_width = match self.freedom {
            0 => f64::INFINITY,
            freedom => {
                StudentsT::new(0.0, 1.0, freedom as f64)
                    .map_or(f64::INFINITY, |t| t.inverse_cdf((1.0 + confidence) / 2.0))
                    * self.standard_error
            }
        };
        Estimate::around(self.value, half_width)
    }
}

impl BlockFit {
    /// Fits `arms` arms, of which some may have no value. None without any value.
    pub fn of(arms: usize, values: &[BlockValue]) -> Option<Self> {
        let first = values.first()?.arm;
        let joined = joined(arms, values, first);
        let values: Vec<BlockValue> = values.iter().filter(|one| joined[one.arm]).copied().collect();
        // The first arm is the origin: it has no row.
        let rows: Vec<usize> = (0..arms).filter(|arm| joined[*arm] && *arm != first).collect();
        let row_of = |arm: usize| rows.iter().position(|row| *row == arm);
        let blocks = values.iter().map(|one| one.block + 1).max().unwrap_or(0);
        let (mut normal, mut right) = (vec![vec![0.0; rows.len()]; rows.len()], vec![0.0; rows.len()]);
        let mut used_blocks = 0;
        for block in 0..blocks {
            let own: Vec<&BlockValue> = values.iter().filter(|one| one.block == block).collect();
            if own.is_empty() {
                continue;
            }
            used_blocks += 1;
            let size = own.len() as f64;
            let mean = own.iter().map(|one| one.value).sum::<f64>() / size;
            for one in &own {
                let Some(at) = row_of(one.arm) else { continue };
                right[at] += one.value - mean;
                normal[at][at] += 1.0;
                for other in own.iter().filter_map(|other| row_of(other.arm)) {
                    normal[at][other] -= 1.0 / size;
                }
            }
        }
        let covariance = inverse(normal)?;
        let solved: Vec<f64> =
            covariance.iter().map(|row| row.iter().zip(&right).map(|(a, b)| a * b).sum()).collect();
        let mut effects = vec![None; arms];
        effects[first] = Some(0.0);
        rows.iter().zip(&solved).for_each(|(arm, effect)| effects[*arm] = Some(*effect));
        let of = |arm: usize| effects[arm].unwrap_or_default();
        let mut squares = 0.0;
        for block in 0..blocks {
            let own: Vec<f64> =
                values.iter().filter(|one| one.block == block).map(|one| one.value - of(one.arm)).collect();
            let mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
            squares += own.iter().map(|rest| (rest - mean).powi(2)).sum::<f64>();
        }
        let freedom = values.len().saturating_sub(used_blocks + rows.len());
        let variance = if freedom > 0 { squares / freedom as f64 } else { 0.0 };
        let mut all = vec![vec![0.0; arms]; arms];
        for (i, a) in rows.iter().enumerate() {
            for (j, b) in rows.iter().enumerate() {
                all[*a][*b] = covariance[i][j];
            }
        }
        Some(Self { effects, covariance: all, variance, freedom })
    }

    /// A sum of arms with weights that add up to zero; none if one of them was not measured.
    pub fn contrast(&self, weights: &[(usize, f64)]) -> Option<BlockContrast> {
        let mut value = 0.0;
        for (arm, weight) in weights {
            value += weight * self.effects.get(*arm).copied().flatten()?;
        }
        let squares: f64 = weights
            .iter()
            .flat_map(|(a, wa)| weights.iter().map(move |(b, wb)| wa * wb * self.covariance[*a][*b]))
            .sum();
        let standard_error = (squares.max(0.0) * self.variance).sqrt();
        Some(BlockContrast { value, standard_error, freedom: self.freedom })
    }

    /// Standard deviation of a single value around its block and arm; none without degrees of freedom.
    pub fn scatter(&self) -> Option<f64> {
        (self.freedom > 0).then(|| self.variance.sqrt())
    }
}

/// The arms that a chain of blocks connects to the first.
fn joined(arms: usize, values: &[BlockValue], first: usize) -> Vec<bool> {
    let mut joined = vec![false; arms];
    joined[first] = true;
    loop {
        let before = joined.clone();
        let met = |block: usize| values.iter().any(|one| one.block == block && before[one.arm]);
        values.iter().filter(|one| met(one.block)).for_each(|one| joined[one.arm] = true);
        if joined == before {
            return joined;
        }
    }
}

/// Inverse of a symmetric positive definite matrix (Gauss and Jordan); none if it is not definite.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for at in 0..n {
        let pivot = matrix[at][at];
        if pivot <= 1e-12 {
            return None;
        }
        for column in 0..n {
            matrix[at][column] /= pivot;
            inverse[at][column] /= pivot;
        }
        for row in (0..n).filter(|row| *row != at) {
            let factor = matrix[row][at];
            for column in 0..n {
                matrix[row][column] -= factor * matrix[at][column];
                inverse[row][column] -= factor * inverse[at][column];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::Seeded;

    fn value(arm: usize, block: usize, value: f64) -> BlockValue {
        BlockValue { arm, block, value }
    }

    #[test]
    fn what_disturbs_a_block_falls_out() {
        let values = [value(0, 0, 1.0), value(1, 0, 3.0), value(0, 1, 11.0), value(1, 1, 13.0)];
        let fit = BlockFit::of(2, &values).expect("values");
        let found = fit.contrast(&[(1, 1.0), (0, -1.0)]).expect("both were measured");
        assert!((found.value - 2.0).abs() < 1e-9 && found.standard_error < 1e-9, "{found:?}");
        assert_eq!(found.freedom, 1);
    }

    #[test]
    fn arms_that_never_met_are_compared_by_way_of_others() {
        let values =
            [value(0, 0, 0.0), value(1, 0, 1.0), value(1, 1, 5.0), value(2, 1, 7.0), value(3, 2, 9.0)];
        let fit = BlockFit::of(5, &values).expect("values");
        let between = |a, b| fit.contrast(&[(b, 1.0), (a, -1.0)]).map(|found| found.value);
        assert!((between(0, 2).expect("joined") - 3.0).abs() < 1e-9);
        assert_eq!((between(0, 3), between(0, 4)), (None, None));
        assert_eq!(fit.scatter(), None);
    }

    /// A paired t-test is the case of two arms.
    #[test]
    fn two_arms_give_the_interval_of_pairs() {
        let (a, b) = ([3.0_f64, 3.3, 2.9, 3.1], [2.0_f64, 2.1, 2.05, 1.9]);
        let logs = |all: &[f64], arm| {
            all.iter().enumerate().map(move |(block, v)| value(arm, block, v.ln())).collect::<Vec<_>>()
        };
        let fit = BlockFit::of(2, &[logs(&a, 0), logs(&b, 1)].concat()).expect("values");
        let own = fit.contrast(&[(0, 1.0), (1, -1.0)]).expect("both").interval(0.95).exp();
        let paired = crate::paired_ratio_interval(&a, &b, 0.95).expect("pairs");
        assert!((own.low - paired.low).abs() < 1e-9 && (own.high - paired.high).abs() < 1e-9);
    }

    /// 2,000 designs of incomplete blocks whose level wanders: a 95 % interval misses in 5 % of them.
    #[test]
    fn intervals_hold_the_truth_as_often_as_stated() {
        let mut random = Seeded::new(71);
        let truth = [0.0, 0.3, -0.1, 0.05];
        let mut held = 0;
        for _ in 0..2_000 {
            let mut values = Vec::new();
            for (block, arms) in [[0, 1], [1, 2], [2, 3], [0, 3], [1, 3], [0, 2]].iter().enumerate() {
                let level = random.normal();
                values.extend(arms.map(|arm| value(arm, block, level + truth[arm] + 0.02 * random.normal())));
            }
            let fit = BlockFit::of(4, &values).expect("values");
            let found = fit.contrast(&[(3, 1.0), (0, -1.0)]).expect("measured").interval(0.95);
            held += u32::from(found.low <= 0.05 && 0.05 <= found.high);
        }
        assert!((1_870..=1_930).contains(&held), "{held}");
    }
}
