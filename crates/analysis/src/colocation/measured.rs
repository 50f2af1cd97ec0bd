//! The cells that S is made of.

use super::blocks::Blocks;
use super::pairs::InstancePair;
use crate::summary::CellSummary;

/// The cells of a workload.
pub(super) struct Measured<'a> {
    pub cells: &'a [CellSummary],
    pub workload: &'a str,
}

impl<'a> Measured<'a> {
    pub fn cell(&self, target: &str, threads: u32) -> Option<&'a CellSummary> {
        let is_it =
            |c: &&CellSummary| c.target == target && c.workload == self.workload && c.threads == threads;
        self.cells.iter().find(is_it)
    }

    /// Throughput block by block, of a valid cell.
    pub fn blocks(&self, target: &str, threads: u32) -> Option<Blocks> {
        let cell = self.cell(target, threads)?;
        (cell.is_valid() && !cell.throughput_is_offered()).then(|| Blocks::of(cell))?
    }

    /// S of a pair, block by block.
    pub fn s(&self, pair: &InstancePair<'_>, threads: u32) -> Option<Blocks> {
        let together = self.blocks(pair.together, threads * pair.instances)?;
        together.over(&self.blocks(pair.alone, threads)?.times(f64::from(pair.instances)))
    }
}
