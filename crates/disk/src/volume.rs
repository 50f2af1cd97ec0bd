//! The disk without its mount: operations of a file system, durability, and the power cut. It knows nothing of FUSE, so that it
//! is tested in memory.

use std::ffi::{OsStr, OsString};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, RwLock};
use std::time::SystemTime;

use model::DiskKind;
use rustix::io::Errno;

use crate::change::{Attributes, Inode, NamespaceSync, Place};
use crate::content::{Content, Shared};
use crate::lock::{exclusive, shared};
use crate::loss::{CutReport, Losses, Survivors, fit, settle};
use crate::namespace::{Kind, Namespace, Node, ROOT};
use crate::objects::{Answer, Objects, Space};
use crate::overlay::PAGE;

/// The kind of an inode, as returned by stat(2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    File,
    Directory,
    Symlink,
    /// A special file, with the type bits of its mode.
    Special(u32),
}

/// The attributes returned by stat(2).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stat {
    pub inode: Inode,
    pub kind: FileKind,
    pub size: u64,
    pub attributes: Attributes,
    pub links: u32,
    pub modified: SystemTime,
}

/// The flags of a write.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WriteMode {
    /// `O_DIRECT`: past the page cache.
    pub direct: bool,
    /// `O_DSYNC` or `O_SYNC`: durable when it returns.
    pub sync: bool,
    /// `O_SYNC`: with all metadata.
    pub sync_all: bool,
}

#[derive(Debug)]
pub(crate) struct Volume<O> {
    pub(crate) objects: O,
    kind: DiskKind,
    sync: NamespaceSync,
    namespace: RwLock<Namespace>,
    shared: Shared,
    /// Bytes that may be written before the free space is checked again.
    budget: AtomicI64,
}

impl<O: Objects> Volume<O> {
    /// A volume whose name space is durable throughout.
    pub(crate) fn new(objects: O, namespace: Namespace, kind: DiskKind, sync: NamespaceSync) -> Self {
        let (namespace, shared) = (RwLock::new(namespace), Shared::default());
        Self { objects, kind, sync, namespace, shared, budget: AtomicI64::new(0) }
    }

    pub(crate) fn kind(&self) -> DiskKind {
        self.kind
    }

    /// Cuts the power: every later operation fails with EIO, and nothing becomes durable.
    pub(crate) fn cut(&self) {
        self.shared.cut.store(true, Ordering::SeqCst);
    }

    fn content(&self, inode: Inode) -> Answer<Arc<Content>> {
        self.shared.powered()?;
        match &shared(&self.namespace).get(inode)?.kind {
            Kind::File(content) => Ok(Arc::clone(content)),
            Kind::Directory { .. } => Err(Errno::ISDIR),
            _ => Err(Errno::INVAL),
        }
    }

    /// Changes the name space, and removes objects that are not needed any more.
    fn change<T>(&self, task: impl FnOnce(&mut Namespace) -> Answer<T>) -> Answer<T> {
        let (answer, garbage) = {
            let mut namespace = exclusive(&self.namespace);
            self.shared.powered()?;
            (task(&mut namespace), namespace.take_garbage())
        };
        for object in garbage {
            self.objects.remove(object)?;
        }
        answer
    }

    fn look<T>(&self, task: impl FnOnce(&Namespace) -> Answer<T>) -> Answer<T> {
        self.shared.powered()?;
        task(&shared(&self.namespace))
    }

    pub(crate) fn lookup(&self, directory: Inode, name: &OsStr) -> Answer<Stat> {
        self.look(|namespace| stat(namespace, namespace.find(directory, name)?))
    }

    pub(crate) fn stat(&self, inode: Inode) -> Answer<Stat> {
        self.look(|namespace| stat(namespace, inode))
    }

    /// Names, inodes and kinds, with `.` and `..`.
    pub(crate) fn list(&self, directory: Inode) -> Answer<Vec<(OsString, Inode, FileKind)>> {
        self.look(|namespace| {
            let mut all = vec![
                (".".into(), directory, FileKind::Directory),
                ("..".into(), namespace.parent(directory)?, FileKind::Directory),
            ];
            for (name, inode) in namespace.entries(directory)? {
                all.push((name.clone(), *inode, file_kind(namespace.get(*inode)?)));
            }
            Ok(all)
        })
    }

    pub(crate) fn read_link(&self, inode: Inode) -> Answer<OsString> {
        self.look(|namespace| match &namespace.get(inode)?.kind {
            Kind::Symlink(target) => Ok(target.clone()),
            _ => Err(Errno::INVAL),
        })
    }

    /// A new file; with `open`, opened as well.
    pub(crate) fn create(&self, place: Place, attributes: Attributes, open: bool) -> Answer<Stat> {
        self.reserve(0)?;
        self.change(|namespace| {
            let object = namespace.next();
            let content = Kind::File(Arc::new(Content::new(object, 0, true)));
            let inode = namespace.create(place, content, attributes)?;
            if let Err(error) = self.objects.create(object) {
                namespace.abandon(inode);
                return Err(error);
            }
            if open {
                namespace.open(inode)?;
            }
            stat(namespace, inode)
        })
    }

    /// A new directory, symbolic link, socket or fifo.
    pub(crate) fn make(&self, place: Place, kind: Kind, attributes: Attributes) -> Answer<Stat> {
        self.reserve(0)?;
        self.change(|namespace| {
            let inode = namespace.create(place, kind, attributes)?;
            stat(namespace, inode)
        })
    }

    pub(crate) fn link(&self, inode: Inode, place: Place) -> Answer<Stat> {
        self.change(|namespace| {
            namespace.link(inode, place)?;
            touch(namespace, inode);
            stat(namespace, inode)
        })
    }

    pub(crate) fn unlink(&self, place: Place) -> Answer<()> {
        self.change(|namespace| namespace.unlink(place))
    }

    pub(crate) fn rmdir(&self, place: Place) -> Answer<()> {
        self.change(|namespace| namespace.rmdir(place))
    }

    pub(crate) fn rename(&self, from: Place, to: Place, no_replace: bool) -> Answer<()> {
        self.change(|namespace| {
            let inode = namespace.find(from.0, &from.1)?;
            namespace.rename(from, to, no_replace)?;
            touch(namespace, inode);
            Ok(())
        })
    }

    /// Changes owner and permissions to what `new` makes of them.
    pub(crate) fn set(&self, inode: Inode, new: impl FnOnce(Attributes) -> Attributes) -> Answer<()> {
        self.change(|namespace| {
            let old = namespace.get(inode)?.attributes;
            namespace.set(inode, new(old))?;
            touch(namespace, inode);
            Ok(())
        })
    }

    pub(crate) fn open(&self, inode: Inode) -> Answer<()> {
        self.change(|namespace| namespace.open(inode))
    }

    pub(crate) fn release(&self, inode: Inode) -> Answer<()> {
        self.change(|namespace| {
            namespace.release(inode);
            Ok(())
        })
    }

    pub(crate) fn read(&self, inode: Inode, offset: u64, length: usize) -> Answer<Vec<u8>> {
        self.content(inode)?.read(&self.objects, offset, length)
    }

    pub(crate) fn write(&self, inode: Inode, offset: u64, data: &[u8], mode: WriteMode) -> Answer<()> {
        let content = self.content(inode)?;
        self.reserve(data.len() as u64)?;
        let through = mode.direct && self.kind == DiskKind::Protected;
        content.write(&self.objects, &self.shared, (offset, data), through)?;
        if mode.sync { self.sync(inode, !mode.sync_all) } else { Ok(()) }
    }

    pub(crate) fn resize(&self, inode: Inode, size: u64) -> Answer<()> {
        self.content(inode)?.resize(&self.shared, size)
    }

    /// Room for a range, see fallocate(2): the file becomes longer, unless its size is kept.
    pub(crate) fn allocate(&self, inode: Inode, offset: u64, end: u64, keep_size: bool) -> Answer<()> {
        let content = self.content(inode)?;
        let (size, _) = content.size();
        self.reserve(end.saturating_sub(size.max(offset)))?;
        if keep_size || end <= size { Ok(()) } else { content.resize(&self.shared, end) }
    }

    /// Zeros in a range, with or without a hole.
    pub(crate) fn zero(&self, inode: Inode, offset: u64, end: u64, keep_size: bool) -> Answer<()> {
        let content = self.content(inode)?;
        self.reserve(end - offset)?;
        content.zero(&self.objects, &self.shared, (offset, end), !keep_size)
    }

    /// Implements fsync(2), or fdatasync(2).
    pub(crate) fn sync(&self, inode: Inode, data_only: bool) -> Answer<()> {
        let content = self.content(inode)?;
        if self.kind == DiskKind::Lying {
            return Ok(());
        }
        let flushed = content.flush(&self.objects, &self.shared)?;
        match self.sync {
            NamespaceSync::Strict if !data_only => self.commit(|namespace| namespace.commit_for(inode)),
            NamespaceSync::Journaled if if data_only { flushed.size } else { flushed.inode } => {
                self.commit(|namespace| namespace.commit_first(usize::MAX))
            }
            _ => Ok(()),
        }
    }

    /// Implements fsync(2) of a directory.
    pub(crate) fn sync_directory(&self, directory: Inode) -> Answer<()> {
        match (self.kind, self.sync) {
            (DiskKind::Lying, _) => self.shared.powered(),
            (_, NamespaceSync::Strict) => self.commit(|namespace| namespace.commit_for(directory)),
            (_, NamespaceSync::Journaled) => self.commit(|namespace| namespace.commit_first(usize::MAX)),
        }
    }

    fn commit(&self, task: impl FnOnce(&mut Namespace)) -> Answer<()> {
        if self.look(|namespace| Ok(namespace.pending()))? == 0 {
            return Ok(());
        }
        self.change(|namespace| {
            task(namespace);
            Ok(())
        })
    }

    /// Free and total space: the data in memory will need room, too.
    pub(crate) fn space(&self) -> Answer<Space> {
        self.shared.powered()?;
        let mut space = self.objects.space()?;
        let block = space.block.max(1);
        let held = (self.shared.pages.load(Ordering::Relaxed).max(0) as u64 * PAGE as u64).div_ceil(block);
        space.free = space.free.saturating_sub(held);
        space.available = space.available.saturating_sub(held);
        Ok(space)
    }

    /// Fails with ENOSPC if the file system below has no room for this many bytes beyond the data in memory. Checks only now
    /// and then, since most writes are small.
    fn reserve(&self, bytes: u64) -> Answer<()> {
        const STEP: u64 = 64 << 20;
        let bytes = i64::try_from(bytes).map_err(|_| Errno::FBIG)?;
        if self.budget.fetch_sub(bytes, Ordering::Relaxed) > bytes {
            return Ok(());
        }
        let space = self.space()?;
        let available = i64::try_from(space.available.saturating_mul(space.block)).unwrap_or(i64::MAX);
        if available <= bytes {
            self.budget.store(0, Ordering::Relaxed);
            return Err(Errno::NOSPC);
        }
        self.budget.store((available - bytes).min(STEP as i64), Ordering::Relaxed);
        Ok(())
    }

    /// Makes everything written so far durable, like sync(2).
    pub(crate) fn sync_all(&self) -> Answer<()> {
        let files = shared(&self.namespace).files();
        files.iter().try_for_each(|(_, content)| content.flush(&self.objects, &self.shared).map(drop))?;
        self.change(|namespace| {
            namespace.commit_first(usize::MAX);
            Ok(())
        })
    }

    /// Makes all volatile data durable, for a clean end.
    pub(crate) fn settle_all(&self) -> Answer<()> {
        let files = shared(&self.namespace).files();
        for (_, content) in files {
            content.flush(&self.objects, &self.shared)?;
            fit(&self.objects, content.object(), content.size().0)?;
        }
        self.change(|namespace| {
            namespace.commit_first(usize::MAX);
            Ok(())
        })
    }

    /// Decides what survives a cut. Afterwards the durable name space and the objects are the disk.
    pub(crate) fn settle_cut(&self, losses: &Losses) -> Answer<CutReport> {
        let mut report = CutReport::default();
        let mut namespace = exclusive(&self.namespace);
        let pending = namespace.pending();
        let kept = match losses.survivors {
            Survivors::None => 0,
            Survivors::Random => random::Rng::stream(losses.seed, 0).below(pending as u64 + 1) as usize,
        };
        let files = namespace.files();
        namespace.commit_first(kept);
        report.namespace_operations_kept = kept as u64;
        report.namespace_operations_lost = (pending - kept) as u64;
        let reachable = reachable(&namespace)?;
        for (inode, content) in files {
            let is_reachable = reachable.contains(&inode);
            settle(&content, &self.objects, &self.shared, losses, is_reachable, &mut report)?;
        }
        Ok(report)
    }

    /// Reads the durable name space, once nothing changes it any more.
    pub(crate) fn with_durable<T>(&self, task: impl FnOnce(&Namespace) -> T) -> T {
        task(&shared(&self.namespace))
    }
}

/// Inodes that the durable root leads to.
fn reachable(namespace: &Namespace) -> Answer<std::collections::BTreeSet<Inode>> {
    let mut found = std::collections::BTreeSet::from([ROOT]);
    let mut waiting = vec![ROOT];
    while let Some(directory) = waiting.pop() {
        for inode in namespace.durable_entries(directory)?.values() {
            if found.insert(*inode) && namespace.get(*inode)?.is_directory() {
                waiting.push(*inode);
            }
        }
    }
    Ok(found)
}

/// The next fsync of the inode has metadata to commit.
fn touch(namespace: &Namespace, inode: Inode) {
    if let Ok(Node { kind: Kind::File(content), .. }) = namespace.get(inode) {
        content.changed();
    }
}

fn file_kind(node: &Node) -> FileKind {
    match &node.kind {
        Kind::File(_) => FileKind::File,
        Kind::Directory { .. } => FileKind::Directory,
        Kind::Symlink(_) => FileKind::Symlink,
        Kind::Special(bits) => FileKind::Special(*bits),
    }
}

fn stat(namespace: &Namespace, inode: Inode) -> Answer<Stat> {
    let node = namespace.get(inode)?;
    let (size, modified) = match &node.kind {
        Kind::File(content) => content.size(),
        Kind::Directory { .. } => (PAGE as u64, node.modified),
        Kind::Symlink(target) => (target.len() as u64, node.modified),
        Kind::Special(_) => (0, node.modified),
    };
    let links = if node.is_directory() { 2 } else { node.links };
    Ok(Stat { inode, kind: file_kind(node), size, attributes: node.attributes, links, modified })
}
