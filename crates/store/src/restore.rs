//! Recordings that left variables of an external server changed: a kill came before they were restored.

use std::fs;
use std::path::{Path, PathBuf};

use model::{Plan, Target};

use crate::{Globals, Results, files, list, recording};

/// A recording whose process ended before it restored the variables of servers.
#[derive(Debug, Clone, PartialEq)]
pub struct Unrestored {
    /// Its id.
    pub id: String,
    /// Its directory.
    pub path: PathBuf,
    /// The original values of the variables, by label of the target.
    pub originals: Globals,
    /// Its targets.
    pub targets: Vec<Target>,
}

/// The variables that the recording in `run` left changed; none if it restored everything, or is being written.
pub fn unrestored(run: &Path) -> Option<Unrestored> {
    let bytes = fs::read(run.join(files::GLOBALS)).ok()?;
    if list::is_being_written(run) {
        return None;
    }
    let originals: Globals = serde_json::from_slice(&bytes).ok()?;
    let plan: Plan = recording::read_plan(run).ok()?;
    let targets = plan.spec.targets.into_iter().map(|one| one.target).collect();
    (!originals.is_empty()).then(|| Unrestored {
        id: recording::run_name(run),
        path: run.to_owned(),
        originals,
        targets,
    })
}

impl Results {
    /// All unrestored recordings. For the others, only the existence of the file is checked.
    pub fn unrestored(&self) -> Vec<Unrestored> {
        let Ok(entries) = fs::read_dir(self.root()) else { return Vec::new() };
        let mut found: Vec<Unrestored> =
            entries.flatten().filter_map(|entry| unrestored(&entry.path())).collect();
        found.sort_by(|a, b| a.id.cmp(&b.id));
        found
    }
}
