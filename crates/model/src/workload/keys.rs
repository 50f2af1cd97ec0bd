//! Distributions of row ids.

use random::Keys;
use serde::{Deserialize, Serialize};

/// The distribution of row ids, with sysbench's parameters (`--rand-type`, `--rand-spec-*`, `--rand-pareto-h`,
/// `--rand-zipfian-exp`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum KeyDistribution {
    /// Every id equally likely.
    Uniform,
    /// Mean of `iter` uniform draws.
    Gaussian {
        /// Number of draws averaged (`--rand-spec-iter`, 12).
        iter: u32,
    },
    /// sysbench 1.0's default: a hot centre on top of a gaussian.
    Special(SpecialShape),
    /// Pareto with parameter h (0.2: 80 % of the draws hit 20 % of the ids).
    Pareto {
        /// `--rand-pareto-h`, strictly between 0 and 1.
        h: f64,
    },
    /// Zipf with the given exponent.
    Zipfian {
        /// `--rand-zipfian-exp`, 0.8 by default.
        exponent: f64,
    },
}

/// Shape of the `special` distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SpecialShape {
    /// Draws averaged for the gaussian part (`--rand-spec-iter`, 12).
    pub iter: u32,
    /// Percentage of the ids that are special (`--rand-spec-pct`, 1).
    pub pct: u32,
    /// Percentage of the draws that hit special ids (`--rand-spec-res`, 75).
    pub res: u32,
}

impl Default for SpecialShape {
    fn default() -> Self {
        Self { iter: 12, pct: 1, res: 75 }
    }
}

impl Default for KeyDistribution {
    fn default() -> Self {
        Self::Special(SpecialShape::default())
    }
}

impl KeyDistribution {
    /// Ready to draw from ranges of about `n` keys.
    pub fn keys(&self, n: u64) -> Keys {
        match *self {
            Self::Uniform => Keys::uniform(),
            Self::Gaussian { iter } => Keys::gaussian(iter),
            Self::Special(shape) => Keys::special(shape.iter, shape.pct, shape.res),
            Self::Pareto { h } => Keys::pareto(h),
            Self::Zipfian { exponent } => Keys::zipfian(exponent, n),
        }
    }

    /// The name used by `--rand-type`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Gaussian { .. } => "gaussian",
            Self::Special(_) => "special",
            Self::Pareto { .. } => "pareto",
            Self::Zipfian { .. } => "zipfian",
        }
    }
}
