//! The user's note on a recording: one line in a file of its own, which may change at any time.

use std::fs;
use std::io;
use std::path::Path;

use crate::{StoreError, files};

/// Keeps a note with the recording in `run`, in place of an earlier one. An empty note removes it.
///
/// # Errors
/// The file cannot be written.
pub fn write_note(run: &Path, note: &str) -> Result<(), StoreError> {
    let path = run.join(files::NOTE);
    let line = note.split_whitespace().collect::<Vec<_>>().join(" ");
    if !line.is_empty() {
        return files::write_atomic(&path, format!("{line}\n").as_bytes());
    }
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::at("remove", &path)(error)),
        _ => Ok(()),
    }
}

/// The note of the recording in `run`, if it has one that can be read.
pub(crate) fn read_note(run: &Path) -> Option<String> {
    let text = fs::read_to_string(run.join(files::NOTE)).ok()?;
    Some(text.trim().to_owned()).filter(|note| !note.is_empty())
}
