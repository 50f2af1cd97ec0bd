//! Distribution of work: groups of chunks wait in a queue, and connections take chunks until none is left.
//!
//! A group is a sysbench table or a warehouse.

use std::collections::VecDeque;

/// A unit of loading.
pub(crate) trait Piece: Copy {
    /// The group it belongs to.
    fn group(&self) -> u32;
    /// Its rows.
    fn rows(&self) -> u64;
}

/// A piece of work that one connection does alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task<P> {
    Load(P),
    /// Build the secondary index of a group.
    Index(u32),
    /// Count the rows of a group.
    Count(u32),
}

impl<P: Piece> Task<P> {
    fn group(self) -> u32 {
        match self {
            Self::Load(chunk) => chunk.group(),
            Self::Index(group) | Self::Count(group) => group,
        }
    }
}

/// The work on one group.
#[derive(Debug, Clone)]
pub(crate) struct Work<P> {
    pub group: u32,
    /// Chunks still to be loaded.
    pub chunks: VecDeque<P>,
    /// The tasks that follow once all chunks are loaded, in order.
    pub then: VecDeque<Task<P>>,
    active: u32,
}

impl<P: Piece> Work<P> {
    pub fn new(group: u32, chunks: impl Iterator<Item = P>, then: impl Into<VecDeque<Task<P>>>) -> Self {
        Self { group, chunks: chunks.collect(), then: then.into(), active: 0 }
    }
}

/// All remaining work.
#[derive(Debug, Clone)]
pub(crate) struct Queue<P> {
    /// Groups with nothing left to do are not in it.
    groups: Vec<Work<P>>,
}

impl<P: Piece> Queue<P> {
    pub fn new(groups: Vec<Work<P>>) -> Self {
        Self { groups }
    }

    /// Takes a task: finishing a group first, so that its index is built while others load; then a chunk of the group on which
    /// the fewest are at work, but not of one where `lanes` are. None: nothing remains for this connection now or later,
    /// because whoever loads the last chunk does what follows it.
    pub fn take(&mut self, lanes: u32) -> Option<Task<P>> {
        if let Some(work) =
            self.groups.iter_mut().find(|w| w.active == 0 && w.chunks.is_empty() && !w.then.is_empty())
        {
            work.active = 1;
            return work.then.pop_front();
        }
        let work = self
            .groups
            .iter_mut()
            .filter(|w| !w.chunks.is_empty() && w.active < lanes)
            .min_by_key(|w| (w.active, w.group))?;
        work.active += 1;
        work.chunks.pop_front().map(Task::Load)
    }

    /// Notes that a task is done; true if it was the last of its group.
    pub fn done(&mut self, task: Task<P>) -> bool {
        let Some(at) = self.groups.iter().position(|w| w.group == task.group()) else { return false };
        let work = &mut self.groups[at];
        work.active -= 1;
        let finished = work.active == 0 && work.chunks.is_empty() && work.then.is_empty();
        if finished {
            self.groups.remove(at);
        }
        finished
    }

    /// Maximum number of connections that can work at the same time.
    pub fn width(&self, lanes: u32) -> u32 {
        self.groups
            .iter()
            .map(|w| u32::try_from(w.chunks.len()).unwrap_or(u32::MAX).clamp(1, lanes))
            .fold(0, u32::saturating_add)
    }

    /// Rows still to be loaded.
    pub fn rows(&self) -> u64 {
        self.groups.iter().flat_map(|w| &w.chunks).map(P::rows).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sysbench::chunks::cut;

    proptest! {
        #[test]
        fn every_task_is_done_once_and_in_order(
            sizes in prop::collection::vec(0u64..100_000, 1..6),
            lanes in 1u32..4,
            order in prop::collection::vec(any::<prop::sample::Index>(), 500),
        ) {
            let tables: Vec<Work<_>> = sizes.iter().zip(1..).map(|(size, table)| {
                Work::new(table, cut(table, *size, 5000), [Task::Index(table), Task::Count(table)])
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
                let of_table: Vec<Task<_>> = done.iter().copied().filter(|t| t.group() == table).collect();
                let (then, loads) = of_table.split_at(of_table.len() - 2);
                prop_assert_eq!(loads, &[Task::Index(table), Task::Count(table)][..]);
                let mut chunks: Vec<Task<_>> = then.to_vec();
                chunks.sort_by_key(|t| match t { Task::Load(chunk) => chunk.number, _ => u32::MAX });
                prop_assert_eq!(chunks, cut(table, *size, 5000).map(Task::Load).collect::<Vec<_>>());
            }
        }
    }
}
