//! Directories: as the server sees them, and as they are after a power cut.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::time::SystemTime;

use rustix::io::Errno;

use crate::change::{Attributes, Change, Entries, Inode, Place, take_for};
use crate::content::Content;
use crate::objects::Answer;

/// The directory that is mounted. The kernel gives it this number (fuse(4)).
pub(crate) const ROOT: Inode = 1;

/// The type of an inode.
#[derive(Debug)]
pub(crate) enum Kind {
    File(Arc<Content>),
    Directory {
        parent: Inode,
        volatile: Entries,
        durable: Entries,
    },
    Symlink(OsString),
    /// A socket or a fifo: it has a name and no content. It does not outlive the mount.
    Special(u32),
}

#[derive(Debug)]
pub(crate) struct Node {
    pub kind: Kind,
    pub attributes: Attributes,
    pub durable_attributes: Attributes,
    pub modified: SystemTime,
    /// Names that the server sees.
    pub links: u32,
    durable_links: u32,
    /// Pending changes that need it.
    pending: u32,
    opens: u32,
}

impl Node {
    pub(crate) fn is_directory(&self) -> bool {
        matches!(self.kind, Kind::Directory { .. })
    }
}

#[derive(Debug)]
pub(crate) struct Namespace {
    nodes: HashMap<Inode, Node>,
    pending: Vec<Change>,
    next: Inode,
    /// Objects of files that nothing refers to any more.
    garbage: Vec<u64>,
}

impl Namespace {
    pub(crate) fn new(attributes: Attributes) -> Self {
        let mut namespace =
            Self { nodes: HashMap::new(), pending: Vec::new(), next: ROOT + 1, garbage: Vec::new() };
        namespace.nodes.insert(ROOT, namespace.node(Self::directory(ROOT), attributes));
        namespace
    }

    /// A directory without entries.
    pub(crate) fn directory(parent: Inode) -> Kind {
        Kind::Directory { parent, volatile: Entries::new(), durable: Entries::new() }
    }

    /// The number that the next new inode gets.
    pub(crate) fn next(&self) -> Inode {
        self.next
    }

    pub(crate) fn get(&self, inode: Inode) -> Answer<&Node> {
        self.nodes.get(&inode).ok_or(Errno::NOENT)
    }

    /// Changes that are not durable.
    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// All files, by their number.
    pub(crate) fn files(&self) -> Vec<(Inode, Arc<Content>)> {
        let file = |(inode, node): (&Inode, &Node)| match &node.kind {
            Kind::File(content) => Some((*inode, Arc::clone(content))),
            _ => None,
        };
        let mut files: Vec<_> = self.nodes.iter().filter_map(file).collect();
        files.sort_by_key(|(inode, _)| *inode);
        files
    }

    /// Objects that can be removed.
    pub(crate) fn take_garbage(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.garbage)
    }

    pub(crate) fn entries(&self, directory: Inode) -> Answer<&Entries> {
        match &self.get(directory)?.kind {
            Kind::Directory { volatile, .. } => Ok(volatile),
            _ => Err(Errno::NOTDIR),
        }
    }

    pub(crate) fn durable_entries(&self, directory: Inode) -> Answer<&Entries> {
        match &self.get(directory)?.kind {
            Kind::Directory { durable, .. } => Ok(durable),
            _ => Err(Errno::NOTDIR),
        }
    }

    pub(crate) fn parent(&self, directory: Inode) -> Answer<Inode> {
        match &self.get(directory)?.kind {
            Kind::Directory { parent, .. } => Ok(*parent),
            _ => Err(Errno::NOTDIR),
        }
    }

    pub(crate) fn find(&self, directory: Inode, name: &OsStr) -> Answer<Inode> {
        self.entries(directory)?.get(name).copied().ok_or(Errno::NOENT)
    }

    fn node(&self, kind: Kind, attributes: Attributes) -> Node {
        Node {
            kind,
            attributes,
            durable_attributes: attributes,
            modified: SystemTime::now(),
            links: 0,
            durable_links: 0,
            pending: 0,
            opens: 0,
        }
    }

    /// A new inode with a name. Its number is [`next`](Self::next).
    pub(crate) fn create(&mut self, place: Place, kind: Kind, attributes: Attributes) -> Answer<Inode> {
        self.check_free(&place)?;
        let inode = self.next;
        self.next += 1;
        self.nodes.insert(inode, self.node(kind, attributes));
        self.add(place, inode);
        Ok(inode)
    }

    /// Undoes the creation that was the last change.
    pub(crate) fn abandon(&mut self, inode: Inode) {
        if let Some(Change::Add { place, .. }) = self.pending.pop_if(|change| change.is_only_of(inode)) {
            self.leave(&place);
            self.refer(&Change::Add { place, inode }, -1);
            self.nodes.remove(&inode);
        }
    }

    /// Adds a name to a file.
    pub(crate) fn link(&mut self, inode: Inode, place: Place) -> Answer<()> {
        self.check_free(&place)?;
        if self.get(inode)?.is_directory() || self.get(inode)?.links == 0 {
            return Err(Errno::PERM);
        }
        self.add(place, inode);
        Ok(())
    }

    fn check_free(&self, (directory, name): &Place) -> Answer<()> {
        if self.entries(*directory)?.contains_key(name) {
            return Err(Errno::EXIST);
        }
        // A directory that was removed takes no new names.
        if *directory != ROOT && self.get(*directory)?.links == 0 { Err(Errno::NOENT) } else { Ok(()) }
    }

    fn add(&mut self, place: Place, inode: Inode) {
        self.enter(&place, inode);
        self.push(Change::Add { place, inode });
    }

    pub(crate) fn unlink(&mut self, place: Place) -> Answer<()> {
        let inode = self.find(place.0, &place.1)?;
        if self.get(inode)?.is_directory() {
            return Err(Errno::ISDIR);
        }
        self.remove(place, inode, false);
        Ok(())
    }

    pub(crate) fn rmdir(&mut self, place: Place) -> Answer<()> {
        let inode = self.find(place.0, &place.1)?;
        if !self.entries(inode)?.is_empty() {
            return Err(Errno::NOTEMPTY);
        }
        self.remove(place, inode, true);
        Ok(())
    }

    fn remove(&mut self, place: Place, inode: Inode, is_directory: bool) {
        self.leave(&place);
        self.push(Change::Remove { place, inode, is_directory });
        self.forget_short_lived(inode);
    }

    /// See rename(2).
    pub(crate) fn rename(&mut self, from: Place, to: Place, no_replace: bool) -> Answer<()> {
        let inode = self.find(from.0, &from.1)?;
        let is_directory = self.get(inode)?.is_directory();
        let replaced = self.entries(to.0)?.get(&to.1).copied();
        if replaced.is_some() && no_replace {
            return Err(Errno::EXIST);
        }
        if replaced == Some(inode) {
            return Ok(());
        }
        if let Some(old) = replaced {
            match (is_directory, self.get(old)?.is_directory()) {
                (true, true) if !self.entries(old)?.is_empty() => return Err(Errno::NOTEMPTY),
                (true, false) => return Err(Errno::NOTDIR),
                (false, true) => return Err(Errno::ISDIR),
                _ => {}
            }
        } else {
            self.check_free(&to)?;
        }
        if is_directory {
            let mut above = to.0;
            while above != ROOT {
                if above == inode {
                    return Err(Errno::INVAL);
                }
                above = self.parent(above)?;
            }
        }
        self.leave(&from);
        if replaced.is_some() {
            self.leave(&to);
        }
        self.enter(&to, inode);
        self.push(Change::Rename { from, to, inode, replaced, is_directory });
        if let Some(old) = replaced {
            self.collect(old);
        }
        Ok(())
    }

    pub(crate) fn set(&mut self, inode: Inode, attributes: Attributes) -> Answer<()> {
        let node = self.nodes.get_mut(&inode).ok_or(Errno::NOENT)?;
        node.attributes = attributes;
        self.push(Change::Set { inode, attributes });
        Ok(())
    }

    pub(crate) fn open(&mut self, inode: Inode) -> Answer<()> {
        self.nodes.get_mut(&inode).ok_or(Errno::NOENT)?.opens += 1;
        Ok(())
    }

    pub(crate) fn release(&mut self, inode: Inode) {
        if let Some(node) = self.nodes.get_mut(&inode) {
            node.opens = node.opens.saturating_sub(1);
        }
        self.forget_short_lived(inode);
    }

    /// A name that the server sees from now on.
    fn enter(&mut self, (directory, name): &Place, inode: Inode) {
        if let Some(node) = self.nodes.get_mut(&inode) {
            node.links += 1;
            if let Kind::Directory { parent, .. } = &mut node.kind {
                *parent = *directory;
            }
        }
        if let Some(Node { kind: Kind::Directory { volatile, .. }, modified, .. }) =
            self.nodes.get_mut(directory)
        {
            volatile.insert(name.clone(), inode);
            *modified = SystemTime::now();
        }
    }

    fn leave(&mut self, (directory, name): &Place) {
        let Some(Node { kind: Kind::Directory { volatile, .. }, modified, .. }) =
            self.nodes.get_mut(directory)
        else {
            return;
        };
        *modified = SystemTime::now();
        if let Some(node) = volatile.remove(name).and_then(|inode| self.nodes.get_mut(&inode)) {
            node.links -= 1;
        }
    }

    fn push(&mut self, change: Change) {
        self.refer(&change, 1);
        self.pending.push(change);
    }

    fn refer(&mut self, change: &Change, by: i32) {
        for inode in change.needs() {
            if let Some(node) = self.nodes.get_mut(&inode) {
                node.pending = node.pending.saturating_add_signed(by);
            }
        }
    }

    /// Drops the pending changes of a file that was created and removed without anything durable: temporary files in a
    /// directory that is never flushed would pile up.
    fn forget_short_lived(&mut self, inode: Inode) {
        let Some(node) = self.nodes.get(&inode) else { return };
        let is_gone = node.links == 0 && node.durable_links == 0 && node.opens == 0 && !node.is_directory();
        if is_gone && node.pending > 0 {
            let own = |change: &&Change| change.needs().any(|needed| needed == inode);
            if self.pending.iter().filter(own).all(|change| change.is_only_of(inode)) {
                let own = |change: &mut Change| change.is_only_of(inode);
                for change in self.pending.extract_if(.., own).collect::<Vec<_>>() {
                    self.refer(&change, -1);
                }
            }
        }
        self.collect(inode);
    }

    /// Removes an inode that nothing refers to.
    fn collect(&mut self, inode: Inode) {
        let is_needed = |node: &Node| {
            inode == ROOT || node.links > 0 || node.durable_links > 0 || node.pending > 0 || node.opens > 0
        };
        if self.nodes.get(&inode).is_none_or(is_needed) {
            return;
        }
        if let Some(Node { kind: Kind::File(content), .. }) = self.nodes.remove(&inode) {
            self.garbage.push(content.object());
        }
    }

    /// Makes durable what an fsync of the inode does.
    pub(crate) fn commit_for(&mut self, inode: Inode) {
        let changes = take_for(&mut self.pending, inode);
        self.apply(changes);
    }

    /// Makes the first pending changes durable, in their order.
    pub(crate) fn commit_first(&mut self, count: usize) {
        let changes = self.pending.drain(..count.min(self.pending.len())).collect();
        self.apply(changes);
    }

    fn apply(&mut self, changes: Vec<Change>) {
        for change in changes {
            match &change {
                Change::Add { place, inode } => self.enter_durably(place, *inode),
                Change::Remove { place, .. } => self.leave_durably(place),
                Change::Rename { from, to, inode, .. } => {
                    self.leave_durably(from);
                    self.enter_durably(to, *inode);
                }
                Change::Set { inode, attributes } => {
                    if let Some(node) = self.nodes.get_mut(inode) {
                        node.durable_attributes = *attributes;
                    }
                }
            }
            self.refer(&change, -1);
            for inode in change.needs() {
                self.collect(inode);
            }
        }
    }

    fn enter_durably(&mut self, place: &Place, inode: Inode) {
        self.leave_durably(place);
        if let Some(Node { kind: Kind::Directory { durable, .. }, .. }) = self.nodes.get_mut(&place.0) {
            durable.insert(place.1.clone(), inode);
        }
        if let Some(node) = self.nodes.get_mut(&inode) {
            node.durable_links += 1;
        }
    }

    fn leave_durably(&mut self, (directory, name): &Place) {
        if let Some(Node { kind: Kind::Directory { durable, .. }, .. }) = self.nodes.get_mut(directory)
            && let Some(inode) = durable.remove(name)
            && let Some(node) = self.nodes.get_mut(&inode)
        {
            node.durable_links -= 1;
        }
    }
}
