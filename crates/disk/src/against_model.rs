//! The volume in memory, held to a much simpler model: random operations, then a cut.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::Mutex;

use model::DiskKind;
use proptest::prelude::*;
use rustix::io::Errno;

use crate::change::{Attributes, Inode, NamespaceSync};
use crate::lock::guard;
use crate::loss::{AtomicWrite, CutReport, Losses};
use crate::namespace::{Kind, Namespace, ROOT};
use crate::objects::{Answer, Objects, Space};
use crate::volume::{Volume, WriteMode};

const ATTRIBUTES: Attributes = Attributes { mode: 0o644, uid: 0, gid: 0 };

/// Objects in memory.
#[derive(Debug, Default)]
struct Memory(Mutex<BTreeMap<u64, Vec<u8>>>);

impl Memory {
    fn on<T>(&self, object: u64, task: impl FnOnce(&mut Vec<u8>) -> T) -> Answer<T> {
        guard(&self.0).get_mut(&object).map(task).ok_or(Errno::NOENT)
    }
}

impl Objects for Memory {
    fn create(&self, object: u64) -> Answer<()> {
        guard(&self.0).insert(object, Vec::new());
        Ok(())
    }
    fn read(&self, object: u64, offset: u64, buffer: &mut [u8]) -> Answer<()> {
        self.on(object, |bytes| {
            let from = (offset as usize).min(bytes.len());
            let length = buffer.len().min(bytes.len() - from);
            buffer[..length].copy_from_slice(&bytes[from..from + length]);
            buffer[length..].fill(0);
        })
    }
    fn write(&self, object: u64, offset: u64, data: &[u8]) -> Answer<()> {
        self.on(object, |bytes| {
            let end = offset as usize + data.len();
            bytes.resize(bytes.len().max(end), 0);
            bytes[offset as usize..end].copy_from_slice(data);
        })
    }
    fn resize(&self, object: u64, size: u64) -> Answer<()> {
        self.on(object, |bytes| bytes.resize(size as usize, 0))
    }
    fn size(&self, object: u64) -> Answer<u64> {
        self.on(object, |bytes| bytes.len() as u64)
    }
    fn sync(&self, object: u64) -> Answer<()> {
        self.on(object, |_| ())
    }
    fn remove(&self, object: u64) -> Answer<()> {
        guard(&self.0).remove(&object).map(drop).ok_or(Errno::NOENT)
    }
    fn space(&self) -> Answer<Space> {
        let many = 1 << 40;
        Ok(Space { block: 4096, blocks: many, free: many, available: many, files: many, files_free: many })
    }
}

/// What is done. Names and directories are small numbers, so that they meet.
#[derive(Debug, Clone)]
enum Step {
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
const NAMES: u8 = 8;

fn steps() -> impl Strategy<Value = Vec<Step>> {
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
struct File {
    now: Vec<u8>,
    durable: Vec<u8>,
    /// Direct writes on a protected disk are in both; but not where a truncation was not flushed.
    truncated_at: Option<usize>,
    changed: bool,
    size_changed: bool,
    /// What ever was written to a byte.
    ever: Vec<Vec<u8>>,
    /// `durable` may have bytes beyond this: written directly, without a size.
    durable_size: usize,
}

type Names = BTreeMap<u8, usize>;

/// Names as they are, and after each change that is not durable, with the directories it is in. Strictly, changes of the two
/// directories are independent but for a rename between them.
struct Model {
    kind: DiskKind,
    sync: NamespaceSync,
    files: Vec<File>,
    names: Names,
    durable: Names,
    /// A list of names and what they are then; `None`: removed.
    pending: Vec<Vec<(u8, Option<usize>)>>,
}

impl Model {
    fn file(&mut self, name: u8) -> Option<&mut File> {
        let number = *self.names.get(&name)?;
        Some(&mut self.files[number])
    }

    fn change(&mut self, change: Vec<(u8, Option<usize>)>) {
        apply(&mut self.names, &change);
        self.pending.push(change);
    }

    /// A file of which nothing is durable, and which was never renamed, goes as if it had never been.
    fn remove(&mut self, name: u8) {
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

    fn commit(&mut self, directory: Option<u8>) {
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

    fn sync(&mut self, name: u8, data_only: bool) {
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
    fn note(&mut self) {
        self.changed = true;
        self.ever.resize(self.ever.len().max(self.now.len()), Vec::new());
        for (ever, byte) in self.ever.iter_mut().zip(&self.now) {
            if !ever.contains(byte) {
                ever.push(*byte);
            }
        }
    }

    fn write(&mut self, offset: usize, data: &[u8], through: bool) {
        let end = offset + data.len();
        if end > self.now.len() {
            self.now.resize(end, 0);
            self.size_changed = true;
        }
        self.now[offset..end].copy_from_slice(data);
        if through
            && offset % 512 == 0
            && data.len() % 512 == 0
            && self.truncated_at.is_none_or(|at| end <= at)
        {
            self.durable.resize(self.durable.len().max(end), 0);
            self.durable[offset..end].copy_from_slice(data);
        }
        self.note();
    }

    fn resize(&mut self, size: usize) {
        if size < self.now.len() {
            self.truncated_at = Some(self.truncated_at.map_or(size, |at| at.min(size)));
        }
        self.now.resize(size, 0);
        self.size_changed = true;
        self.note();
    }

    fn after_cut(&self) -> Vec<u8> {
        let mut durable = self.durable.clone();
        durable.resize(self.durable_size, 0);
        durable
    }
}

fn apply(names: &mut Names, change: &[(u8, Option<usize>)]) {
    for (name, file) in change {
        match file {
            Some(file) => names.insert(*name, *file),
            None => names.remove(name),
        };
    }
}

/// Both, side by side.
struct Pair {
    volume: Volume<Memory>,
    directory: Inode,
    model: Model,
    byte: u8,
}

impl Pair {
    fn new(kind: DiskKind, sync: NamespaceSync) -> Self {
        let mut namespace = Namespace::new(ATTRIBUTES);
        let place = (ROOT, "d".into());
        let directory = namespace.create(place, Namespace::directory(ROOT), ATTRIBUTES).expect("it is free");
        namespace.commit_first(1);
        let volume = Volume::new(Memory::default(), namespace, kind, sync);
        let (files, names, durable, pending) = Default::default();
        Self { volume, directory, model: Model { kind, sync, files, names, durable, pending }, byte: 0 }
    }

    fn place(&self, name: u8) -> (Inode, std::ffi::OsString) {
        (if name < NAMES / 2 { ROOT } else { self.directory }, name.to_string().into())
    }

    fn inode(&self, name: u8) -> Option<Inode> {
        let (directory, name) = self.place(name);
        Some(self.volume.lookup(directory, OsStr::new(&name)).ok()?.inode)
    }

    fn write(&mut self, (name, offset, length): (u8, u16, u16), direct: bool, sync: bool) {
        self.byte = self.byte % 255 + 1;
        let data = vec![self.byte; length.into()];
        let answer = self.inode(name).map(|inode| {
            let mode = WriteMode { direct, sync, sync_all: false };
            self.volume.write(inode, offset.into(), &data, mode)
        });
        assert!(answer.is_none_or(|answer| answer.is_ok()));
        let through = direct && self.model.kind == DiskKind::Protected;
        if let Some(file) = self.model.file(name) {
            file.write(offset.into(), &data, through);
            if sync {
                self.model.sync(name, true);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        let volume = &self.volume;
        match *step {
            Step::Create(name) => {
                let is_new = !self.model.names.contains_key(&name);
                assert_eq!(volume.create(self.place(name), ATTRIBUTES, false).is_ok(), is_new);
                if is_new {
                    let number = self.model.files.len();
                    self.model.files.push(File { changed: true, size_changed: true, ..File::default() });
                    self.model.change(vec![(name, Some(number))]);
                }
            }
            Step::Write { name, offset, length, direct, sync } => {
                self.write((name, offset, length), direct, sync);
            }
            Step::Resize { name, size } => {
                if let (Some(inode), Some(file)) = (self.inode(name), self.model.file(name)) {
                    self.volume.resize(inode, size.into()).expect("it can be resized");
                    file.resize(size.into());
                }
            }
            Step::Zero { name, offset, length } => {
                let (from, to) = (usize::from(offset), usize::from(offset) + usize::from(length));
                if let (Some(inode), Some(file)) = (self.inode(name), self.model.file(name)) {
                    self.volume.zero(inode, from as u64, to as u64, true).expect("it can be zeroed");
                    let to = to.min(file.now.len());
                    if from < to {
                        file.write(from, &vec![0; to - from], false);
                    }
                }
            }
            Step::Remove(name) => {
                let is_there = self.model.names.contains_key(&name);
                assert_eq!(volume.unlink(self.place(name)).is_ok(), is_there);
                if is_there {
                    self.model.remove(name);
                }
            }
            Step::Rename(from, to) => {
                let moved = self.model.names.get(&from).copied();
                assert_eq!(volume.rename(self.place(from), self.place(to), false).is_ok(), moved.is_some());
                if let Some(number) = moved
                    && from != to
                {
                    self.model.change(vec![(from, None), (to, moved)]);
                    self.model.files[number].changed = true;
                } else if let Some(number) = moved {
                    self.model.files[number].changed = true;
                }
            }
            Step::Sync { name, data_only } => {
                assert!(self.inode(name).is_none_or(|inode| volume.sync(inode, data_only).is_ok()));
                self.model.sync(name, data_only);
            }
            Step::SyncDirectory(which) => {
                let inode = if which == 0 { ROOT } else { self.directory };
                volume.sync_directory(inode).expect("a directory can be flushed");
                match (self.model.kind, self.model.sync) {
                    (DiskKind::Lying, _) => {}
                    (_, NamespaceSync::Strict) => self.model.commit(Some(which)),
                    (_, NamespaceSync::Journaled) => self.model.commit(None),
                }
            }
        }
    }

    /// What the server sees.
    fn check_volatile(&self) {
        for name in 0..NAMES {
            let number = self.model.names.get(&name);
            assert_eq!(self.inode(name).is_some(), number.is_some(), "name {name}");
            if let (Some(inode), Some(number)) = (self.inode(name), number) {
                let now = &self.model.files[*number].now;
                assert_eq!(self.volume.stat(inode).expect("it is there").size, now.len() as u64);
                assert!(&self.volume.read(inode, 0, 1 << 20).expect("it can be read") == now, "name {name}");
                let part = self.volume.read(inode, 3000, 2000).expect("it can be read");
                assert_eq!(&part, &now[now.len().min(3000)..now.len().min(5000)]);
            }
        }
    }

    /// Names after the cut, with their content.
    fn left(&self) -> BTreeMap<u8, Vec<u8>> {
        self.volume.with_durable(|namespace| {
            let mut left = BTreeMap::new();
            for directory in [ROOT, self.directory] {
                for (name, inode) in namespace.durable_entries(directory).expect("it is there") {
                    if let Kind::File(content) = &namespace.get(*inode).expect("it is there").kind {
                        let bytes = self.volume.objects.on(content.object(), |bytes| bytes.clone());
                        let name = name.to_string_lossy().parse().expect("a number");
                        left.insert(name, bytes.expect("it has an object"));
                    }
                }
            }
            left
        })
    }
}

fn run(kind: DiskKind, sync: NamespaceSync, steps: &[Step], losses: &Losses) -> (Pair, CutReport) {
    let mut pair = Pair::new(kind, sync);
    for step in steps {
        pair.step(step);
        pair.check_volatile();
    }
    pair.volume.cut();
    assert_eq!(pair.volume.stat(ROOT).map(drop), Err(Errno::IO));
    let report = pair.volume.settle_cut(losses).expect("the cut is settled");
    (pair, report)
}

fn all() -> impl Strategy<Value = (DiskKind, NamespaceSync)> {
    let sync = prop::sample::select(vec![NamespaceSync::Strict, NamespaceSync::Journaled]);
    (prop::sample::select(DiskKind::ALL.to_vec()), sync)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cut_that_takes_all_leaves_what_was_flushed((kind, sync) in all(), steps in steps()) {
        let (pair, report) = run(kind, sync, &steps, &Losses::all());
        let model = &pair.model;
        let expected: BTreeMap<u8, Vec<u8>> =
            model.durable.iter().map(|(name, number)| (*name, model.files[*number].after_cut())).collect();
        prop_assert_eq!(pair.left(), expected);
        prop_assert_eq!((report.bytes_kept, report.bytes_lost), (0, report.dirty_bytes));
    }

    #[test]
    fn a_clean_end_leaves_all((kind, sync) in all(), steps in steps()) {
        let mut pair = Pair::new(kind, sync);
        steps.iter().for_each(|step| pair.step(step));
        pair.volume.settle_all().expect("everything is written");
        let model = &pair.model;
        let expected: BTreeMap<u8, Vec<u8>> =
            model.names.iter().map(|(name, number)| (*name, model.files[*number].now.clone())).collect();
        prop_assert_eq!(pair.left(), expected);
        let objects = guard(&pair.volume.objects.0).len();
        prop_assert!(objects <= model.names.len(), "{} objects are left", objects);
    }

    #[test]
    fn a_random_cut_invents_nothing(
        (kind, sync) in all(), steps in steps(), seed in any::<u64>(), sector in any::<bool>(),
    ) {
        let unit = if sector { AtomicWrite::Sector } else { AtomicWrite::Page };
        let losses = Losses::random(seed, unit);
        let (pair, report) = run(kind, sync, &steps, &losses);
        let (again, same) = run(kind, sync, &steps, &losses);
        let left = pair.left();
        prop_assert_eq!(&left, &again.left());
        prop_assert_eq!(report, same);
        prop_assert_eq!(report.bytes_kept + report.bytes_lost, report.dirty_bytes);
        // Names are those after some of the pending changes, in their order.
        let model = &pair.model;
        let mut names = model.durable.clone();
        let mut is_prefix = names.keys().eq(left.keys());
        let mut candidates = vec![names.clone()];
        for change in &model.pending {
            apply(&mut names, change);
            is_prefix |= names.keys().eq(left.keys());
            candidates.push(names.clone());
        }
        prop_assert!(is_prefix, "{:?} of {:?}", left.keys(), model.pending);
        let is_explained = |names: &Names| {
            names.keys().eq(left.keys())
                && names.iter().all(|(name, number)| explains(&model.files[*number], &left[name]))
        };
        prop_assert!(candidates.iter().any(is_explained), "content that was never written");
    }
}

/// Whether a file can be left so: sizes are the durable or the last one, what was flushed and not changed since is there, and
/// each byte was once written to its place.
fn explains(file: &File, left: &[u8]) -> bool {
    let durable = file.after_cut();
    let is_size = left.len() == durable.len() || left.len() == file.now.len();
    let at = |bytes: &[u8], place: usize| bytes.get(place).copied().unwrap_or(0);
    is_size
        && left.iter().enumerate().all(|(place, byte)| {
            let is_written = *byte == 0 || file.ever.get(place).is_some_and(|ever| ever.contains(byte));
            let is_known = at(&durable, place) == at(&file.now, place)
                && at(&file.durable, place) == at(&durable, place);
            is_written
                && (!is_known
                    || *byte == at(&durable, place)
                    || file.truncated_at.is_some_and(|at| place >= at))
        })
}
