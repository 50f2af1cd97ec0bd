//! Values of a cell, or ratios of several, repeat by repeat.

use std::collections::BTreeMap;

use stats::Pairing;

use crate::CONFIDENCE;
use crate::input::Measure;
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;

/// A positive value per repeat. A disturbance of a block affects all of its cells, so ratios are formed within blocks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Blocks(BTreeMap<u32, f64>);

impl Blocks {
    /// Throughput of a cell; none if nothing completed.
    pub fn of(cell: &CellSummary) -> Option<Self> {
        Self::some(cell.values(&THROUGHPUT).filter(|(_, value)| *value > 0.0).collect())
    }

    fn some(values: BTreeMap<u32, f64>) -> Option<Self> {
        (!values.is_empty()).then_some(Self(values))
    }

    /// The ratio in each block that both have; none if they have none in common.
    pub fn over(&self, other: &Self) -> Option<Self> {
        let both = self.0.iter().filter_map(|(block, value)| Some((*block, value / other.0.get(block)?)));
        Self::some(both.collect())
    }

    /// Multiplies each value by a factor.
    pub fn times(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|(block, value)| (*block, value * factor)).collect())
    }

    /// The geometric mean, with the interval of Student on the logarithms from two blocks on.
    pub fn measure(&self) -> Option<Measure> {
        let (values, ones) = self.against_one();
        let mean = stats::geometric_mean(&values)?;
        let interval = stats::paired_ratio_interval(&values, &ones, CONFIDENCE);
        let (low, high) = (interval.map(|i| i.low), interval.map(|i| i.high));
        Some(Measure { mean, low, high, n: values.len() as u32 })
    }

    /// Two-sided p-value of 1; none for a single block.
    pub fn p_value(&self) -> Option<f64> {
        let (values, ones) = self.against_one();
        stats::ratio_p_value(&values, &ones, Pairing::Paired)
    }

    fn against_one(&self) -> (Vec<f64>, Vec<f64>) {
        (self.0.values().copied().collect(), vec![1.0; self.0.len()])
    }
}
