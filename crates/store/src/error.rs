//! Errors of files, in sentences that name the file.

use std::io;
use std::path::{Path, PathBuf};

use model::{Advice, Advise, OptionId, Verb};

/// A recording could not be written. Everything that was finished before is still on disk.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The device or the quota is full.
    #[error("no space left for {path}")]
    Full {
        /// The file that did not fit.
        path: PathBuf,
    },
    /// No permission to write there.
    #[error("no permission to write {path}")]
    Denied {
        /// The file or directory.
        path: PathBuf,
    },
    /// Another process is writing to this recording.
    #[error("another mydyno is writing to {path}")]
    Locked {
        /// The run directory.
        path: PathBuf,
    },
    /// A result holds a number that JSON has no form for (NaN, infinity), so that it could not be read back.
    #[error("{path} would not be readable again: {source}")]
    Unreadable {
        /// The file that was not written.
        path: PathBuf,
        /// The parser's error.
        source: serde_json::Error,
    },
    /// Anything else that the operating system refuses.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// The operation, as a verb.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The run to go on with cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl StoreError {
    /// For `map_err`: turns the system's error into one about `path`.
    pub(crate) fn at(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::Full { path }
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::Denied { path },
            _ => Self::Io { action, path, source },
        }
    }
}

/// A recording could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no recording here.
    #[error("{path} is not a recording: it has no plan.json")]
    NotARun {
        /// The directory.
        path: PathBuf,
    },
    /// Written by a newer mydyno.
    #[error("{path} has format {found}, this mydyno reads up to {supported}")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format version.
        found: u32,
        /// The newest version this build reads.
        supported: u32,
    },
    /// The file is damaged where a cut by a kill cannot explain it.
    #[error("{path} is damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Description of the damage.
        what: String,
    },
    /// The operating system refuses.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

impl ReadError {
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    pub(crate) fn damaged(path: &Path, what: impl ToString) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.to_string() }
    }
}

/// No recording, or more than one, has that name.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// There are no recordings at all.
    #[error("no recordings in {root} yet")]
    Empty {
        /// The results directory.
        root: PathBuf,
    },
    /// No recording has an id that begins like this.
    #[error("no recording '{query}' in {root}")]
    Unknown {
        /// The query.
        query: String,
        /// The results directory.
        root: PathBuf,
        /// Ids that look like it.
        near: Vec<String>,
    },
    /// Several do.
    #[error("{} recordings begin with '{query}': {}", .matches.len(), some(.matches))]
    Ambiguous {
        /// The query.
        query: String,
        /// The ids that begin like this, newest first.
        matches: Vec<String>,
    },
    /// The results directory cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Advise for StoreError {
    fn advice(&self) -> Vec<Advice> {
        let elsewhere = || Advice::option("record elsewhere", OptionId::Results);
        match self {
            Self::Full { .. } => vec![Advice::words("free some space"), elsewhere()],
            Self::Denied { .. } => vec![Advice::words("change its owner or mode"), elsewhere()],
            Self::Locked { .. } => vec![Advice::words("wait until it ends, or stop it")],
            Self::Unreadable { .. } => vec![Advice::words("this is an error in mydyno, please report it")],
            Self::Io { .. } => Vec::new(),
            Self::Read(error) => error.advice(),
        }
    }
}

impl Advise for ReadError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::NotARun { .. } => vec![Advice::run("see the recordings there are", Verb::List)],
            Self::Newer { .. } => vec![Advice::words("read it with a newer mydyno")],
            Self::Damaged { .. } | Self::Io { .. } => Vec::new(),
        }
    }
}

impl Advise for FindError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::Empty { .. } => {
                vec![Advice::run("make one", Verb::Run), Advice::option("look elsewhere", OptionId::Results)]
            }
            Self::Unknown { near, .. } if near.is_empty() => {
                vec![Advice::run("see all of them", Verb::List)]
            }
            Self::Unknown { near, .. } => vec![Advice::words(format!("near it: {}", near.join(", ")))],
            Self::Ambiguous { .. } => vec![Advice::words("give more of the id")],
            Self::Read(error) => error.advice(),
        }
    }
}

/// The first few, so that a prefix such as `2026` does not fill the screen.
fn some(ids: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = ids.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if ids.len() > SHOWN { format!("{shown}, ...") } else { shown }
}
