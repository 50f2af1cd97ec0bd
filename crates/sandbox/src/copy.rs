//! Copying data directories: by reference where the file system can, else byte by byte inside the kernel.
//!
//! A copy must behave like the original under load: holes stay holes, and preallocated files (a redo log) are allocated
//! again, so that the first writes do not pay for it.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{FallocateFlags, SeekFrom, copy_file_range, fallocate, ioctl_ficlone, seek};
use rustix::io::Errno;

use crate::error::FileError;

/// Files of a data directory that belong to one instance and must not be in another's.
const NOT_COPIED: &[&str] = &["auto.cnf", "galera.cache", "gvwstate.dat", "mysql.sock", "mysql.sock.lock"];

/// Whether a copy must be on the disk before it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sync {
    /// It is written back before the function returns.
    Disk,
    /// The system writes it back when it likes.
    Later,
}

/// Copies the directory `from` to `to`, which must not exist. Sockets and pipes are left out.
pub(crate) fn copy_tree(from: &Path, to: &Path, sync: Sync) -> Result<(), FileError> {
    let mode = fs::metadata(from).map_err(FileError::at("look at", from))?.permissions().mode() & 0o7777;
    fs::DirBuilder::new().mode(mode).create(to).map_err(FileError::at("create", to))?;
    for entry in fs::read_dir(from).map_err(FileError::at("read", from))? {
        let entry = entry.map_err(FileError::at("read", from))?;
        let name = entry.file_name();
        if NOT_COPIED.iter().any(|skipped| name == *skipped) {
            continue;
        }
        let (source, target) = (entry.path(), to.join(&name));
        let meta = fs::symlink_metadata(&source).map_err(FileError::at("look at", &source))?;
        if meta.is_dir() {
            copy_tree(&source, &target, sync)?;
        } else if meta.is_file() {
            copy_file(&source, &target, &meta, sync).map_err(FileError::at("write the copy", &target))?;
        } else if meta.is_symlink() {
            let points_to = fs::read_link(&source).map_err(FileError::at("read", &source))?;
            std::os::unix::fs::symlink(points_to, &target).map_err(FileError::at("create", &target))?;
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path, meta: &Metadata, sync: Sync) -> io::Result<()> {
    let source = File::open(from)?;
    let target = File::options().write(true).create_new(true).open(to)?;
    target.set_permissions(fs::Permissions::from_mode(meta.mode() & 0o7777))?;
    if ioctl_ficlone(&target, &source).is_err() {
        target.set_len(meta.len())?;
        let is_allocated = meta.len() > 0 && meta.blocks() * 512 >= meta.len();
        if is_allocated {
            // Not every file system can; then the blocks are allocated as they are written.
            let _ = fallocate(&target, FallocateFlags::empty(), 0, meta.len());
        }
        copy_data(&source, &target, meta.len())?;
    }
    if sync == Sync::Disk {
        target.sync_data()?;
    }
    Ok(())
}

/// Copies the parts of a file that hold data.
fn copy_data(source: &File, target: &File, length: u64) -> io::Result<()> {
    let mut offset = 0;
    while offset < length {
        let start = match seek(source, SeekFrom::Data(offset)) {
            Ok(start) => start,
            // Nothing but a hole is left.
            Err(Errno::NXIO) => return Ok(()),
            // The file system does not tell: everything is data.
            Err(Errno::INVAL | Errno::OPNOTSUPP) => offset,
            Err(errno) => return Err(errno.into()),
        };
        let end = seek(source, SeekFrom::Hole(start)).unwrap_or(length).min(length);
        copy_range(source, target, start, end)?;
        offset = end.max(start + 1);
    }
    Ok(())
}

fn copy_range(source: &File, target: &File, start: u64, end: u64) -> io::Result<()> {
    let (mut read_at, mut write_at) = (start, start);
    while read_at < end {
        let wanted = usize::try_from(end - read_at).unwrap_or(usize::MAX).min(1 << 30);
        match copy_file_range(source, Some(&mut read_at), target, Some(&mut write_at), wanted) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => {}
            Err(Errno::INTR) => {}
            Err(Errno::XDEV | Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => {
                return copy_by_hand(source, target, read_at, end);
            }
            Err(errno) => return Err(errno.into()),
        }
    }
    Ok(())
}

fn copy_by_hand(source: &File, target: &File, mut offset: u64, end: u64) -> io::Result<()> {
    use std::os::unix::fs::FileExt;
    let mut buffer = vec![0; 1 << 20];
    while offset < end {
        let wanted = usize::try_from(end - offset).unwrap_or(usize::MAX).min(buffer.len());
        source.read_exact_at(&mut buffer[..wanted], offset)?;
        target.write_all_at(&buffer[..wanted], offset)?;
        offset += wanted as u64;
    }
    Ok(())
}

/// Disk usage of everything under `path`, bytes. Files that vanish meanwhile count as zero.
pub(crate) fn disk_bytes(path: &Path) -> u64 {
    let Ok(meta) = fs::symlink_metadata(path) else { return 0 };
    let own = meta.blocks() * 512;
    if !meta.is_dir() {
        return own;
    }
    let Ok(entries) = fs::read_dir(path) else { return own };
    own + entries.flatten().map(|entry| disk_bytes(&entry.path())).sum::<u64>()
}

/// Removes a directory and everything in it; one that does not exist is removed already.
pub(crate) fn remove_tree(path: &Path) -> Result<(), FileError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError::at("remove", path)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    #[test]
    fn a_copy_has_the_content_the_modes_the_holes_and_the_allocation() {
        let dir = tempfile::tempdir().unwrap();
        let from = dir.path().join("from");
        fs::create_dir_all(from.join("db")).unwrap();
        fs::write(from.join("db/t.ibd"), vec![7; 100_000]).unwrap();
        fs::set_permissions(from.join("db/t.ibd"), fs::Permissions::from_mode(0o640)).unwrap();
        fs::write(from.join("auto.cnf"), "server-uuid=x").unwrap();
        let sparse = File::create(from.join("sparse")).unwrap();
        sparse.set_len(10 << 20).unwrap();
        sparse.write_all_at(b"data", 5 << 20).unwrap();
        let redo = File::create(from.join("redo")).unwrap();
        fallocate(&redo, FallocateFlags::empty(), 0, 4 << 20).unwrap();

        let to = dir.path().join("to");
        copy_tree(&from, &to, Sync::Disk).unwrap();
        assert_eq!(fs::read(to.join("db/t.ibd")).unwrap(), vec![7; 100_000]);
        assert_eq!(fs::metadata(to.join("db/t.ibd")).unwrap().mode() & 0o777, 0o640);
        assert!(!to.join("auto.cnf").exists());
        assert_eq!(fs::read(from.join("sparse")).unwrap(), fs::read(to.join("sparse")).unwrap());
        let allocated = |name: &str| fs::metadata(to.join(name)).unwrap().blocks() * 512;
        assert!(allocated("sparse") < 1 << 20, "{}", allocated("sparse"));
        assert!(allocated("redo") >= 4 << 20, "{}", allocated("redo"));
    }

    #[test]
    fn a_copy_does_not_overwrite() {
        let dir = tempfile::tempdir().unwrap();
        let error = copy_tree(dir.path(), dir.path(), Sync::Later).unwrap_err();
        assert!(error.to_string().starts_with("cannot create "), "{error}");
    }
}
