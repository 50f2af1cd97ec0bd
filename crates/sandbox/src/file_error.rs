//! A file operation that failed.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file operation that failed.
#[derive(Debug, Error)]
#[error("cannot {doing} {}: {source}", path.display())]
pub struct FileError {
    /// The operation, as in "cannot create ...".
    pub doing: &'static str,
    /// The file or directory.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
}

impl FileError {
    /// For `map_err`: names the operation and its file.
    pub(crate) fn at(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self { doing, path, source }
    }

    /// Like [`at`](Self::at), for errors of system calls made through `rustix`.
    pub(crate) fn call(doing: &'static str, path: &Path) -> impl FnOnce(rustix::io::Errno) -> Self {
        let path = path.to_owned();
        move |errno| Self { doing, path, source: errno.into() }
    }
}
