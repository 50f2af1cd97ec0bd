//! Advisory locks between mydyno processes, so that two of them never work on one server or installation.
//!
//! A dataset snapshot is read under a shared lock and replaced under an exclusive one.
//!
//! A lock is `flock` on a file of its own. The kernel drops it when its holder dies, however that happens: a free lock
//! on a server that belonged to a run therefore means that the run is dead. That is how orphans are found.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::error::FileError;

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock if it is free.
    pub(crate) fn try_take(path: &Path) -> Result<Option<Self>, FileError> {
        Self::acquire(path, FlockOperation::NonBlockingLockExclusive)
    }

    /// Takes the lock, waiting for its holder.
    pub(crate) fn take(path: &Path) -> Result<Self, FileError> {
        Self::wait(path, FlockOperation::LockExclusive)
    }

    /// Takes the lock shared with other readers, waiting for a writer.
    pub(crate) fn take_shared(path: &Path) -> Result<Self, FileError> {
        Self::wait(path, FlockOperation::LockShared)
    }

    fn wait(path: &Path, how: FlockOperation) -> Result<Self, FileError> {
        loop {
            if let Some(lock) = Self::acquire(path, how)? {
                return Ok(lock);
            }
        }
    }

    fn acquire(path: &Path, how: FlockOperation) -> Result<Option<Self>, FileError> {
        loop {
            let file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .mode(0o600)
                .open(path)
                .map_err(FileError::at("open the lock", path))?;
            match flock(&file, how) {
                Ok(()) => {}
                Err(Errno::WOULDBLOCK) => return Ok(None),
                Err(Errno::INTR) => continue,
                Err(errno) => return Err(FileError::call("lock", path)(errno)),
            }
            // The last holder may have removed the file while we waited: then we hold a lock that nobody else sees.
            let held = file.metadata().map_err(FileError::at("look at the lock", path))?;
            if std::fs::metadata(path).is_ok_and(|named| named.ino() == held.ino()) {
                return Ok(Some(Self { file, path: path.to_owned() }));
            }
        }
    }

    /// The lock as standard input of a program, which then holds it too: it is free when both have ended.
    pub(crate) fn inherit(&self) -> Result<Stdio, FileError> {
        let file = self.file.try_clone().map_err(FileError::at("share the lock", &self.path))?;
        Ok(Stdio::from(file))
    }

    /// Releases the lock and removes its file.
    pub fn remove(self) {
        // A file that stays behind does no harm: it is empty, and the next holder takes it over.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_lock_is_refused_and_a_dropped_one_is_free() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.lock");
        let first = Lock::try_take(&path).unwrap().expect("nobody has it");
        assert!(Lock::try_take(&path).unwrap().is_none());
        drop(first);
        let second = Lock::take(&path).unwrap();
        second.remove();
        assert!(!path.exists());
        assert!(Lock::try_take(&path).unwrap().is_some());
    }

    #[test]
    fn readers_share_a_lock_and_keep_writers_out() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("copy.lock");
        let readers = [Lock::take_shared(&path).unwrap(), Lock::take_shared(&path).unwrap()];
        assert!(Lock::try_take(&path).unwrap().is_none());
        drop(readers);
        assert!(Lock::try_take(&path).unwrap().is_some());
    }
}
