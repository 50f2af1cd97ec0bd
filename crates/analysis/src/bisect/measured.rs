//! What has been measured of the arms of a search, and what two of them differ by.

use std::collections::BTreeSet;

use stats::{BlockContrast, BlockFit, BlockValue};

use crate::Words;

/// Differences that an arm takes from the other target, by their numbers.
pub(crate) type Taken = BTreeSet<u32>;

/// Confidence at which a group of differences is looked into, and at which a single one is believed to interact.
pub(super) const SURE: f64 = 0.99;
/// Confidence of intervals, and at which a group is left alone.
pub(super) const USUAL: f64 = 0.95;
/// What carries less of the whole difference than this is not looked into.
pub(super) const WORTH: f64 = 0.1;
/// Where effects may cancel out, there is no whole to have a share of: logarithms of ratios below this are not looked into.
pub(super) const WORTH_ALONE: f64 = 0.05;
/// Degrees of freedom below which no interval is trusted.
const FREEDOM_MIN: usize = 3;

/// An arm: what it takes, and what came of its trials.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Arm {
    pub taken: Taken,
    /// Block and logarithm of the throughput of each trial that counts.
    pub values: Vec<(u32, f64)>,
    /// Trials that say nothing, in a row at the end.
    pub in_vain: u32,
    /// Trials that completed and are not valid.
    pub not_valid: u32,
    /// Why the last trial that says nothing does.
    pub why_in_vain: Option<Words>,
    /// It never started.
    pub does_not_start: bool,
}

/// All arms, fitted together.
#[derive(Debug, Clone)]
pub(crate) struct MeasuredArms {
    arms: Vec<Arm>,
    fit: Option<BlockFit>,
}

impl MeasuredArms {
    pub fn of(arms: Vec<Arm>) -> Self {
        let values: Vec<BlockValue> = arms
            .iter()
            .enumerate()
            .flat_map(|(at, arm)| {
                arm.values.iter().map(move |(block, value)| BlockValue {
                    arm: at,
                    block: *block as usize,
                    value: *value,
                })
            })
            .collect();
        let fit = BlockFit::of(arms.len(), &values);
        Self { arms, fit }
    }

    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    fn at(&self, taken: &Taken) -> Option<usize> {
        self.arms.iter().position(|arm| arm.taken == *taken)
    }

    pub fn arm(&self, taken: &Taken) -> Option<&Arm> {
        self.arms.get(self.at(taken)?)
    }

    /// Trials of an arm that count.
    pub fn trials(&self, taken: &Taken) -> usize {
        self.arm(taken).map_or(0, |arm| arm.values.len())
    }

    /// Logarithm of the throughput of `to` over that of `from`.
    pub fn difference(&self, from: &Taken, to: &Taken) -> Option<BlockContrast> {
        self.sum(&[(to, 1.0), (from, -1.0)])
    }

    /// A sum over arms with weights that add up to zero; none as long as it has no interval.
    pub fn sum(&self, weights: &[(&Taken, f64)]) -> Option<BlockContrast> {
        let weights = weights
            .iter()
            .map(|(taken, weight)| Some((self.at(taken)?, *weight)))
            .collect::<Option<Vec<_>>>()?;
        self.fit.as_ref()?.contrast(&weights).filter(|found| found.freedom >= FREEDOM_MIN)
    }
}
