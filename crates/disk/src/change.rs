//! Changes of the name space that are not durable yet, in the order in which they were made.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

/// Number of an inode.
pub(crate) type Inode = u64;

/// The names of a directory.
pub(crate) type Entries = BTreeMap<OsString, Inode>;

/// The rule for when changes of directories become durable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum NamespaceSync {
    /// Only an fsync of the directory makes them durable, according to fsync(2): "Calling fsync() does not necessarily ensure
    /// that the entry in the directory containing the file has also reached disk."
    Strict,
    /// Like ext4 and XFS: all changes are in one journal, and committing it makes all earlier changes durable. An fsync of a
    /// directory commits it, an fsync of a changed file, and an fdatasync of a file that is new or has another size.
    #[default]
    Journaled,
}

/// Owner and permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attributes {
    /// Permission bits, without the type.
    pub mode: u16,
    pub uid: u32,
    pub gid: u32,
}

/// A name in a directory.
pub(crate) type Place = (Inode, OsString);

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// A new name: creation, mkdir, symlink, link.
    Add { place: Place, inode: Inode },
    /// A name less: unlink, rmdir.
    Remove { place: Place, inode: Inode, is_directory: bool },
    /// A rename, which replaces the file of that name in one step, see rename(2).
    Rename { from: Place, to: Place, inode: Inode, replaced: Option<Inode>, is_directory: bool },
    /// A change of owner or permissions.
    Set { inode: Inode, attributes: Attributes },
}

impl Change {
    /// Inodes by whose fsync it becomes durable. A directory that moves or goes is among them: what happened in it before
    /// comes first, and two that moved into each other cannot become a circle.
    fn touches(&self) -> impl Iterator<Item = Inode> + use<> {
        let own = |inode: Inode, is: bool| is.then_some(inode);
        let [a, b, c] = match self {
            Self::Add { place, .. } => [Some(place.0), None, None],
            Self::Remove { place, inode, is_directory } => [Some(place.0), own(*inode, *is_directory), None],
            Self::Rename { from, to, inode, is_directory, .. } => {
                [Some(from.0), Some(to.0), own(*inode, *is_directory)]
            }
            Self::Set { inode, .. } => [Some(*inode), None, None],
        };
        [a, b, c].into_iter().flatten()
    }

    /// Inodes that must exist as long as it is pending.
    pub(crate) fn needs(&self) -> impl Iterator<Item = Inode> + use<> {
        let (inode, replaced) = match self {
            Self::Add { inode, .. } | Self::Remove { inode, .. } | Self::Set { inode, .. } => (*inode, None),
            Self::Rename { inode, replaced, .. } => (*inode, *replaced),
        };
        [Some(inode), replaced].into_iter().flatten().chain(self.touches())
    }

    /// Whether it concerns only this inode and its directory.
    pub(crate) fn is_only_of(&self, inode: Inode) -> bool {
        match self {
            Self::Add { inode: own, .. } | Self::Remove { inode: own, .. } | Self::Set { inode: own, .. } => {
                *own == inode
            }
            Self::Rename { .. } => false,
        }
    }
}

/// Removes from `pending`, and returns, the changes that an fsync of the inode makes durable: those that touch it, and the
/// earlier ones that touch the inodes of those. The order stays.
pub(crate) fn take_for(pending: &mut Vec<Change>, inode: Inode) -> Vec<Change> {
    let mut touched = BTreeSet::from([inode]);
    let mut chosen = vec![false; pending.len()];
    for (number, change) in pending.iter().enumerate().rev() {
        if change.touches().any(|inode| touched.contains(&inode)) {
            touched.extend(change.touches());
            chosen[number] = true;
        }
    }
    let mut chosen = chosen.into_iter();
    pending.extract_if(.., |_| chosen.next().unwrap_or(false)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(directory: Inode, name: &str) -> Place {
        (directory, name.into())
    }

    fn add(directory: Inode, name: &str, inode: Inode) -> Change {
        Change::Add { place: place(directory, name), inode }
    }

    fn rename(from: Place, to: Place, inode: Inode, is_directory: bool) -> Change {
        Change::Rename { from, to, inode, replaced: None, is_directory }
    }

    #[test]
    fn an_fsync_of_a_directory_takes_its_changes_and_those_they_build_on() {
        let moved = rename(place(2, "a"), place(3, "b"), 10, false);
        let all = [add(2, "a", 10), add(4, "x", 11), moved.clone(), add(2, "later", 12)];
        let mut pending = all.to_vec();
        assert_eq!(take_for(&mut pending, 3), [all[0].clone(), moved]);
        assert_eq!(pending, [all[1].clone(), all[3].clone()]);
    }

    #[test]
    fn directories_that_moved_into_each_other_stay_a_tree() {
        let (p, q) = (5, 6);
        let out = rename(place(p, "q"), place(3, "q"), q, true);
        let into = rename(place(2, "p"), place(q, "p"), p, true);
        let mut pending = vec![out.clone(), into.clone()];
        assert_eq!(take_for(&mut pending, 2), [out, into]);
    }
}
