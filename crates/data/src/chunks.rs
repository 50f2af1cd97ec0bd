//! Who loads what: tables are cut into chunks of ids, and connections take chunks until none is left.

use std::collections::{BTreeSet, VecDeque};

use crate::rows::BLOCK_ROWS;

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

impl Chunk {
    pub fn rows(&self) -> u64 {
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

/// A piece of work that one connection does alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    Load(Chunk),
    /// Build the secondary index of a table.
    Index(u32),
    /// Count the rows of a table.
    Count(u32),
}

impl Task {
    fn table(self) -> u32 {
        match self {
            Self::Load(chunk) => chunk.table,
            Self::Index(table) | Self::Count(table) => table,
        }
    }
}

/// The work on one table.
#[derive(Debug, Clone)]
pub(crate) struct TableWork {
    pub table: u32,
    /// Chunks still to be loaded.
    pub chunks: VecDeque<Chunk>,
    /// What follows when they are all loaded, in order.
    pub then: VecDeque<Task>,
    active: u32,
}

impl TableWork {
    pub fn new(table: u32, chunks: impl Iterator<Item = Chunk>, then: impl Into<VecDeque<Task>>) -> Self {
        Self { table, chunks: chunks.collect(), then: then.into(), active: 0 }
    }
}

/// All work that is not done yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Queue {
    /// Tables with nothing left to do are not in it.
    tables: Vec<TableWork>,
}

impl Queue {
    pub fn new(tables: Vec<TableWork>) -> Self {
        Self { tables }
    }

    /// Takes a task: finishing a table first, so that its index is built while others load; then a chunk of the table
    /// on which the fewest are at work, but not of one where `lanes` are. None: nothing that this connection could do
    /// now or later, for what follows a chunk is done by whoever loads the last one.
    pub fn take(&mut self, lanes: u32) -> Option<Task> {
        if let Some(work) =
            self.tables.iter_mut().find(|w| w.active == 0 && w.chunks.is_empty() && !w.then.is_empty())
        {
            work.active = 1;
            return work.then.pop_front();
        }
        let work = self
            .tables
            .iter_mut()
            .filter(|w| !w.chunks.is_empty() && w.active < lanes)
            .min_by_key(|w| (w.active, w.table))?;
        work.active += 1;
        work.chunks.pop_front().map(Task::Load)
    }

    /// Notes that a task is done; true if it was the last of its table.
    pub fn done(&mut self, task: Task) -> bool {
        let Some(at) = self.tables.iter().position(|w| w.table == task.table()) else { return false };
        let work = &mut self.tables[at];
        work.active -= 1;
        let finished = work.active == 0 && work.chunks.is_empty() && work.then.is_empty();
        if finished {
            self.tables.remove(at);
        }
        finished
    }

    /// How many connections could be at work at the same time.
    pub fn width(&self, lanes: u32) -> u32 {
        self.tables
            .iter()
            .map(|w| u32::try_from(w.chunks.len()).unwrap_or(u32::MAX).clamp(1, lanes))
            .fold(0, u32::saturating_add)
    }

    /// Rows still to be loaded.
    pub fn rows(&self) -> u64 {
        self.tables.iter().flat_map(|w| &w.chunks).map(Chunk::rows).sum()
    }
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

        #[test]
        fn every_task_is_done_once_and_in_order(
            sizes in prop::collection::vec(0u64..100_000, 1..6),
            lanes in 1u32..4,
            order in prop::collection::vec(any::<prop::sample::Index>(), 500),
        ) {
            let tables: Vec<TableWork> = sizes.iter().zip(1..).map(|(size, table)| {
                TableWork::new(table, cut(table, *size, 5000), [Task::Index(table), Task::Count(table)])
            }).collect();
            let mut queue = Queue::new(tables);
            prop_assert_eq!(queue.rows(), sizes.iter().sum::<u64>());
            let mut running = Vec::new();
            let mut done = Vec::new();
            let mut finished = 0;
            for pick in order {
                if let Some(task) = queue.take(lanes) {
                    running.push(task);
                }
                if running.is_empty() {
                    break;
                }
                if running.len() > 3 || pick.index(2) == 0 {
                    let task = running.remove(pick.index(running.len()));
                    done.push(task);
                    finished += u32::from(queue.done(task));
                }
            }
            while let Some(task) = running.pop().or_else(|| queue.take(lanes)) {
                done.push(task);
                finished += u32::from(queue.done(task));
            }
            prop_assert_eq!(finished as usize, sizes.len());
            for (size, table) in sizes.iter().zip(1..) {
                let of_table: Vec<Task> = done.iter().copied().filter(|t| t.table() == table).collect();
                let (then, loads) = of_table.split_at(of_table.len() - 2);
                prop_assert_eq!(loads, &[Task::Index(table), Task::Count(table)][..]);
                let mut chunks: Vec<Task> = then.to_vec();
                chunks.sort_by_key(|t| match t { Task::Load(chunk) => chunk.number, _ => u32::MAX });
                prop_assert_eq!(chunks, cut(table, *size, 5000).map(Task::Load).collect::<Vec<_>>());
            }
        }
    }
}
