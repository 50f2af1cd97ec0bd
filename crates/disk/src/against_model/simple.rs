//! The model: files as whole contents, names as one list, and what of them is durable.

use std::collections::BTreeMap;

use model::DiskKind;
use proptest::prelude::*;

use crate::change::NamespaceSync;

/// One step of the test. Names and directories are small numbers, so that they collide.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Create(u8),
    Write { name: u8, offset: u16, length: u16, direct: bool, sync: bool },
    Resize { name: u8, size: u16 },
    Zero { name: u8, offset: u16, length: u16 },
    Remove(u8),
    Rename(u8, u8),
    Sync { name: u8, data_only: bool },
    SyncDirectory(u8),
}

/// Names 0 to 3 are in the root, the others in a directory.
pub(super) const NAMES: u8 = 8;

pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = 0..NAMES;
    let size = 0..20_000_u16;
    let write =
        (name.clone(), size.clone(), 1..9000_u16, any::<bool>(), prop::bool::weighted(0.1), any::<bool>());
    let step = prop_oneof![
        2 => name.clone().prop_map(Step::Create),
        6 => write.prop_map(|(name, offset, length, direct, sync, whole)| {
            let round = |value: u16| if whole { value / 512 * 512 } else { value };
            Step::Write { name, offset: round(offset), length: round(length).max(512), direct, sync }
        }),
        2 => (name.clone(), size.clone()).prop_map(|(name, size)| Step::Resize { name, size }),
        1 => (name.clone(), size, 1..9000_u16)
            .prop_map(|(name, offset, length)| Step::Zero { name, offset, length }),
        1 => name.clone().prop_map(Step::Remove),
        1 => (name.clone(), name.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
        2 => (name.clone(), any::<bool>()).prop_map(|(name, data_only)| Step::Sync { name, data_only }),
        1 => (0..2_u8).prop_map(Step::SyncDirectory),
    ];
    prop::collection::vec(step, 1..40)
}

/// A file of the model: whole contents, as they are and as they were at the last flush.
#[derive(Debug, Clone, Default)]
pub(super) struct File {
    pub(super) now: Vec<u8>,
    pub(super) durable: Vec<u8>,
    /// Direct writes on a protected disk are in both; but not where a truncation was not flushed.
    pub(super) truncated_at: Option<usize>,
    pub(super) changed: bool,
    pub(super) size_changed: bool,
    /// Every value ever written to a byte.
    pub(super) ever: Vec<Vec<u8>>,
    /// `durable` may have bytes beyond this: written directly, without a size.
    pub(super) durable_size: usize,
}

pub(super) type Names = BTreeMap<u8, usize>;

/// Names as they are, and after each change that is not durable, with the directories it is in. Strictly, changes of the two
/// directories are independent but for a rename between them.
pub(super) struct Model {
    pub(super) kind: DiskKind,
    pub(super) sync: NamespaceSync,
    pub(super) files: Vec<File>,
    pub(super) names: Names,
    pub(super) durable: Names,
    /// Names with their content at the time; `None`: removed.
    pub(super) pending: Vec<Vec<(u8, Option<usize>)>>,
}

impl Model {
    pub(super) fn file(&mut self, name: u8) -> Option<&mut File> {
        let number = *self.names.get(&name)?;
        Some(&mut self.files[number])
    }

    pub(super) fn change(&mut self, change: Vec<(u8, Option<usize>)>) {
        apply(&mut self.names, &change);
        self.pending.push(change);
    }

    /// A file of which nothing is durable, and which was never renamed, goes as if it had never been.
    pub(super) fn remove(&mut self, name: u8) {
        let created = vec![(name, self.names.get(&name).copied())];
        let is_renamed = |change: &&Vec<_>| change.len() == 2 && change.contains(&created[0]);
        let pending = self.pending.iter().position(|change| *change == created);
        match pending.filter(|_| !self.pending.iter().any(|change| is_renamed(&change))) {
            Some(pending) => {
                self.pending.remove(pending);
                self.names.remove(&name);
            }
            None => self.change(vec![(name, None)]),
        }
    }

    pub(super) fn commit(&mut self, directory: Option<u8>) {
        // Whether a change is in the directory, or something later that is taken builds on it: with two directories, both
        // are taken from the last rename between them on backwards.
        let mut taken = [directory.is_none_or(|directory| directory == 0), directory.is_none_or(|d| d == 1)];
        let mut chosen = vec![false; self.pending.len()];
        for (number, change) in self.pending.iter().enumerate().rev() {
            let directories: Vec<usize> =
                change.iter().map(|(name, _)| usize::from(*name >= NAMES / 2)).collect();
            if directories.iter().any(|directory| taken[*directory]) {
                chosen[number] = true;
                directories.iter().for_each(|directory| taken[*directory] = true);
            }
        }
        let mut rest = Vec::new();
        for (change, is_chosen) in std::mem::take(&mut self.pending).into_iter().zip(chosen) {
            if is_chosen { apply(&mut self.durable, &change) } else { rest.push(change) }
        }
        self.pending = rest;
    }

    pub(super) fn sync(&mut self, name: u8, data_only: bool) {
        let (kind, sync) = (self.kind, self.sync);
        let Some(file) = self.file(name) else { return };
        if kind == DiskKind::Lying {
            return;
        }
        let commits = if data_only { file.size_changed } else { file.changed };
        file.durable = file.now.clone();
        (file.durable_size, file.truncated_at) = (file.now.len(), None);
        (file.changed, file.size_changed) = (false, false);
        if commits && sync == NamespaceSync::Journaled {
            self.commit(None);
        }
    }
}

impl File {
    pub(super) fn note(&mut self) {
        self.changed = true;
        self.ever.resize(self.ever.len().max(self.now.len()), Vec::new());
        for (ever, byte) in self.ever.iter_mut().zip(&self.now) {
            if !ever.contains(byte) {
                ever.push(*byte);
            }
        }
    }

    pub(super) fn write(&mut self, offset: usize, data: &[u8], through: bool) {
        let end = offset + data.len();
        if end > self.now.len() {
            self.now.resize(end, 0);
            self.size_changed = true;
        }
        self.now[offset..end].copy_from_slice(data);
        if through
            && offset.is_multiple_of(512)
            && data.len().is_multiple_of(512)
            && self.truncated_at.is_none_or(|at| end <= at)
        {
            self.durable.resize(self.durable.len().max(end), 0);
            self.durable[offset..end].copy_from_slice(data);
        }
        self.note();
    }

    pub(super) fn resize(&mut self, size: usize) {
        if size < self.now.len() {
            self.truncated_at = Some(self.truncated_at.map_or(size, |at| at.min(size)));
        }
        self.now.resize(size, 0);
        self.size_changed = true;
        self.note();
    }

    pub(super) fn after_cut(&self) -> Vec<u8> {
        let mut durable = self.durable.clone();
        durable.resize(self.durable_size, 0);
        durable
    }
}

pub(super) fn apply(names: &mut Names, change: &[(u8, Option<usize>)]) {
    for (name, file) in change {
        match file {
            Some(file) => names.insert(*name, *file),
            None => names.remove(name),
        };
    }
}
