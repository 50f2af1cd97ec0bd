//! Removing a recording.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use crate::{StoreError, files, recording};

/// Removes a recording with everything in it. The index forgets it when it is read the next time.
///
/// It is renamed first, so that a kill in the middle leaves nothing that looks like a recording.
///
/// # Errors
/// A process is writing to it, it is not a recording, or the system refuses.
pub fn remove(run: &Path) -> Result<(), StoreError> {
    // Whoever may delete it may read its plan or not: only its place decides whether it is a recording.
    if !run.join(files::PLAN).is_file() {
        return Err(crate::ReadError::NotARun { path: run.to_owned() }.into());
    }
    let events = File::open(run.join(files::EVENTS)).ok();
    if events.as_ref().is_some_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock))) {
        return Err(StoreError::Locked { path: run.to_owned() });
    }
    let real = run.canonicalize().map_err(StoreError::at("find", run))?;
    let aside = real.with_file_name(format!(".deleted-{}", recording::run_name(&real)));
    let _ = fs::remove_dir_all(&aside);
    fs::rename(&real, &aside).map_err(StoreError::at("delete", run))?;
    fs::remove_dir_all(&aside).map_err(StoreError::at("delete", &aside))
}
