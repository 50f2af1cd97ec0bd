//! The directory beside the data directory, in which the disk has its durable content: from plain files to objects, and back.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::change::{Attributes, Inode};
use crate::content::Content;
use crate::error::DiskError;
use crate::namespace::{Kind, Namespace, Node, ROOT};
use crate::objects::ObjectFiles;

/// The paths of a disk.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    /// The data directory, where the disk is mounted.
    pub data: PathBuf,
    /// `<data directory>.disk`.
    root: PathBuf,
}

impl Store {
    /// The store beside this data directory.
    pub(crate) fn beside(data: &Path) -> Result<Self, DiskError> {
        let data = data.canonicalize().map_err(DiskError::file("find", data))?;
        let mut name = data.file_name().map(OsString::from).unwrap_or_default();
        name.push(".disk");
        let root = data.with_file_name(name);
        Ok(Self { data, root })
    }

    pub(crate) fn objects(&self) -> ObjectFiles {
        ObjectFiles::new(self.root.join("objects"))
    }

    /// The tree of plain files, before and after.
    fn tree(&self) -> PathBuf {
        self.root.join("tree")
    }

    /// Makes the store, moves the data directory into it, and leaves an empty one to mount at.
    pub(crate) fn begin(&self) -> Result<(), DiskError> {
        if self.root.exists() {
            return Err(DiskError::Remains { path: self.root.clone() });
        }
        let objects = self.objects();
        let make = |path: &Path| fs::create_dir_all(path).map_err(DiskError::file("make", path));
        make(objects.directory())?;
        fs::set_permissions(&self.root, fs::Permissions::from_mode(0o700))
            .map_err(DiskError::file("protect", &self.root))?;
        let moved = fs::rename(&self.data, self.tree());
        if let Err(error) = moved {
            let _ = fs::remove_dir_all(&self.root);
            return Err(DiskError::file("move", &self.data)(error));
        }
        let attributes = fs::metadata(self.tree()).map_err(DiskError::file("read", &self.tree()))?;
        let result = fs::create_dir(&self.data).and_then(|()| {
            chown(&self.data, Some(attributes.uid()), Some(attributes.gid()))?;
            fs::set_permissions(&self.data, attributes.permissions())
        });
        result.map_err(DiskError::file("make", &self.data))
    }

    /// Moves the plain files of the tree to objects. All of their content is durable.
    pub(crate) fn adopt(&self) -> Result<Namespace, DiskError> {
        let tree = self.tree();
        let of_root = fs::metadata(&tree).map_err(DiskError::file("read", &tree))?;
        let mut namespace = Namespace::new(attributes(&of_root));
        let adopted = self.adopt_directory(&mut namespace, ROOT, &tree);
        namespace.commit_first(usize::MAX);
        match adopted {
            Ok(()) => {
                fs::remove_dir_all(&tree).map_err(DiskError::file("remove", &tree))?;
                Ok(namespace)
            }
            Err(error) => {
                // What was moved goes back.
                self.build(&namespace, ROOT, &tree)?;
                self.end()?;
                Err(error)
            }
        }
    }

    fn adopt_directory(
        &self,
        namespace: &mut Namespace,
        directory: Inode,
        path: &Path,
    ) -> Result<(), DiskError> {
        let read = || fs::read_dir(path)?.collect::<io::Result<Vec<_>>>();
        let mut entries = read().map_err(DiskError::file("read", path))?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let metadata = entry.metadata().map_err(DiskError::file("read", &path))?;
            let kind = metadata.file_type();
            let adopted = if kind.is_dir() {
                Namespace::directory(directory)
            } else if kind.is_symlink() {
                Kind::Symlink(fs::read_link(&path).map_err(DiskError::file("read", &path))?.into())
            } else if kind.is_file() {
                let object = namespace.next();
                fs::rename(&path, self.objects().path(object)).map_err(DiskError::file("move", &path))?;
                Kind::File(Arc::new(Content::new(object, metadata.len(), false)))
            } else {
                // A socket that a server left: it makes a new one.
                debug_assert!(kind.is_socket() || kind.is_fifo());
                continue;
            };
            let place = (directory, entry.file_name());
            let found = namespace.create(place, adopted, attributes(&metadata));
            let inode = found.map_err(|error| DiskError::file("read", &path)(error.into()))?;
            if kind.is_dir() {
                self.adopt_directory(namespace, inode, &path)?;
            }
        }
        Ok(())
    }

    /// Makes plain files of the durable name space, and moves them to the data directory, which nothing is mounted at any more.
    pub(crate) fn restore(&self, namespace: &Namespace) -> Result<(), DiskError> {
        let tree = self.tree();
        if !tree.exists() {
            fs::create_dir(&tree).map_err(DiskError::file("make", &tree))?;
        }
        self.build(namespace, ROOT, &tree)?;
        self.end()
    }

    /// Moves the tree back to the data directory, and removes the store.
    fn end(&self) -> Result<(), DiskError> {
        fs::remove_dir(&self.data).map_err(DiskError::file("remove", &self.data))?;
        fs::rename(self.tree(), &self.data).map_err(DiskError::file("move", &self.tree()))?;
        fs::remove_dir_all(&self.root).map_err(DiskError::file("remove", &self.root))
    }

    fn build(&self, namespace: &Namespace, directory: Inode, path: &Path) -> Result<(), DiskError> {
        let failed = |error: rustix::io::Errno| DiskError::file("make", path)(error.into());
        let objects = self.objects();
        // Several names of one file: the first takes the object, the others link to it.
        for (name, inode) in namespace.durable_entries(directory).map_err(failed)? {
            let node = namespace.get(*inode).map_err(failed)?;
            let path = path.join(name);
            let made = match &node.kind {
                Kind::Directory { .. } => {
                    let made = if path.is_dir() { Ok(()) } else { fs::create_dir(&path) };
                    made.map_err(DiskError::file("make", &path))?;
                    self.build(namespace, *inode, &path)?;
                    Ok(())
                }
                Kind::File(content) => fs::hard_link(objects.path(content.object()), &path),
                Kind::Symlink(target) => symlink(target, &path),
                Kind::Special(_) => continue,
            };
            made.and_then(|()| give(&path, node)).map_err(DiskError::file("make", &path))?;
        }
        let node = namespace.get(directory).map_err(failed)?;
        give(path, node).map_err(DiskError::file("make", path))
    }
}

/// Sets the durable owner and permissions of a file.
fn give(path: &Path, node: &Node) -> io::Result<()> {
    let Attributes { mode, uid, gid } = node.durable_attributes;
    let now = fs::symlink_metadata(path)?;
    if (now.uid(), now.gid()) != (uid, gid) {
        std::os::unix::fs::lchown(path, Some(uid), Some(gid))?;
    }
    let is_link = matches!(node.kind, Kind::Symlink(_));
    if is_link || now.mode() & 0o7777 == u32::from(mode) {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode.into()))
}

fn attributes(metadata: &fs::Metadata) -> Attributes {
    Attributes { mode: (metadata.mode() & 0o7777) as u16, uid: metadata.uid(), gid: metadata.gid() }
}

/// Longest name of a file, bytes (statfs(2)).
pub(crate) const LONGEST_NAME: usize = 255;

/// Fails with ENAMETOOLONG for a name that no plain file could have.
pub(crate) fn check_name(name: &std::ffi::OsStr) -> Result<(), rustix::io::Errno> {
    if name.as_bytes().len() > LONGEST_NAME { Err(rustix::io::Errno::NAMETOOLONG) } else { Ok(()) }
}
