//! The volume in memory, held to a much simpler model: random operations, then a cut.

mod simple;

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

use simple::{File, Model, NAMES, Names, Step, apply, steps};

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

    /// Checks the content that the server sees.
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

#[test]
fn what_was_written_beyond_a_lost_truncation_is_lost() {
    let sync = Step::Sync { name: 0, data_only: false };
    let write = |offset, length| Step::Write { name: 0, offset, length, direct: false, sync: false };
    let resize = Step::Resize { name: 0, size: 512 };
    let steps = [Step::Create(0), write(0, 5120), sync, Step::SyncDirectory(0), resize, write(2048, 2048)];
    let mut sizes = std::collections::BTreeSet::new();
    for seed in 0..100 {
        let losses = Losses::random(seed, AtomicWrite::Sector);
        let (pair, _) = run(DiskKind::Volatile, NamespaceSync::Strict, &steps, &losses);
        let left = &pair.left()[&0];
        sizes.insert(left.len());
        match left.len() {
            5120 => assert_eq!(left, &[1; 5120], "the old content"),
            _ => assert!(left[512..2048] == [0; 1536] && left[2048..].iter().all(|byte| *byte != 1)),
        }
    }
    assert_eq!(Vec::from_iter(sizes), [4096, 5120]);
}

/// Whether this is a possible content after a cut: the size is the durable or the last one, flushed data not changed since
/// are there, and each byte was once written to its place.
fn explains(file: &File, left: &[u8]) -> bool {
    let durable = file.after_cut();
    let is_size = left.len() == durable.len() || left.len() == file.now.len();
    let at = |bytes: &[u8], place: usize| bytes.get(place).copied().unwrap_or(0);
    // What was written beyond a truncation that is lost is lost with it.
    let lost = file.truncated_at.filter(|_| left.len() != file.now.len());
    let is_old = lost.is_none_or(|from| (from..left.len()).all(|place| left[place] == at(&durable, place)));
    is_size
        && is_old
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
