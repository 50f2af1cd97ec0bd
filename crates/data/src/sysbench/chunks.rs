//! Tables are cut into chunks of ids, each loaded in one go.

use std::collections::BTreeSet;

use super::rows::BLOCK_ROWS;
use crate::queue::Piece;

/// Rows of a chunk, which is one transaction: long enough that commits do not matter, short enough for every limit
/// on the size of a transaction, and soon repeated. A multiple of a block.
pub(crate) const CHUNK_ROWS: u64 = 20 * BLOCK_ROWS;

/// A range of ids of one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub table: u32,
    /// Its number within the table, from 0.
    pub number: u32,
    pub first: u64,
    pub last: u64,
}

impl Piece for Chunk {
    fn group(&self) -> u32 {
        self.table
    }

    fn rows(&self) -> u64 {
        self.last - self.first + 1
    }
}

/// Cuts a table of `table_size` rows into chunks of `chunk_rows`.
pub(crate) fn cut(table: u32, table_size: u64, chunk_rows: u64) -> impl Iterator<Item = Chunk> {
    (0..table_size.div_ceil(chunk_rows)).map(move |n| Chunk {
        table,
        number: u32::try_from(n).expect("a table has at most 2^31 rows"),
        first: n * chunk_rows + 1,
        last: ((n + 1) * chunk_rows).min(table_size),
    })
}

/// Chunks of a table that are not in `loaded`.
pub(crate) fn missing(
    table: u32,
    table_size: u64,
    chunk_rows: u64,
    loaded: &BTreeSet<(u32, u32)>,
) -> impl Iterator<Item = Chunk> {
    cut(table, table_size, chunk_rows).filter(move |chunk| !loaded.contains(&(table, chunk.number)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_id_is_in_exactly_one_chunk(table_size in 0u64..3_000_000, blocks in 1u64..200) {
            let mut next = 1;
            for (chunk, number) in cut(3, table_size, blocks * BLOCK_ROWS).zip(0..) {
                prop_assert_eq!((chunk.table, chunk.number, chunk.first), (3, number, next));
                prop_assert!(chunk.rows() <= blocks * BLOCK_ROWS);
                prop_assert_eq!(chunk.first % BLOCK_ROWS, 1);
                next = chunk.last + 1;
            }
            prop_assert_eq!(next, table_size + 1);
        }
    }
}
