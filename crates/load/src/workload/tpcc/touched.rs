//! The warehouses that were used.

use std::sync::atomic::{AtomicU64, Ordering};

/// The home warehouses that were worked for: a bit each.
#[derive(Debug)]
pub(crate) struct Touched(Vec<AtomicU64>);

impl Touched {
    pub fn new(warehouses: u32) -> Self {
        Self((0..=warehouses / 64).map(|_| AtomicU64::new(0)).collect())
    }

    /// Marks a warehouse, from 1. Almost always it is marked already, and nothing is written.
    pub fn mark(&self, warehouse: i64) {
        let (word, bit) = (warehouse as usize / 64, 1 << (warehouse as usize % 64));
        if let Some(word) = self.0.get(word)
            && word.load(Ordering::Relaxed) & bit == 0
        {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.load(Ordering::Relaxed).count_ones()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warehouse_is_counted_once() {
        let touched = Touched::new(64);
        for warehouse in [1, 64, 63, 64, 1] {
            touched.mark(warehouse);
        }
        assert_eq!(touched.count(), 3);
    }
}
