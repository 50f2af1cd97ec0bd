//! The results directory: the truth on disk.
//!
//! A run is a directory of plain files that a person can read and any later mydyno can read again. Finished files are
//! written atomically; growing ones are appended a line at a time, so that the recording of a killed run is readable up to
//! the cut. `summary.json` and `load-totals.hlog` are only caches: they may be deleted at any time.
//!
//! ```text
//! results/<run-id>/
//!   spec.toml plan.json host.json events.jsonl checksums.json summary.json (note.txt)
//!   trials/<nn>-<cell>/  trial.json intervals.jsonl load.hlog variables-before.json variables-after.json server.log
//!                        checksums.json
//! ```

mod checksums;
mod error;
mod files;
mod find;
mod hlog;
mod list;
mod note;
mod parallel;
mod recording;
mod remove;
mod restore;
mod totals;
mod writer;

use std::path::{Path, PathBuf};

pub use error::{FindError, ReadError, StoreError};
pub use files::LISTED as FILES;
pub use hlog::{LoadLog, LoggedInterval};
pub use list::{RunEntry, RunStatus, TrialEntry, entry, plan};
pub use note::write_note;
pub use parallel::in_parallel;
pub use recording::{RecordedMember, RecordedTrial, Recording, failure};
pub use remove::remove;
pub use restore::{Unrestored, unrestored};
pub use totals::Totals;
pub use writer::{Globals, MemberWriter, Reopened, RunWriter, TrialWriter};

/// A directory of runs. Opening it touches nothing: the directory is made when the first run is.
#[derive(Debug, Clone)]
pub struct Results {
    root: PathBuf,
}

impl Results {
    /// The results directory at `root`, whether it exists yet or not.
    pub fn open(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The root directory.
    pub fn root(&self) -> &Path {
        &self.root
    }
}
