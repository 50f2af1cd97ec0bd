//! Where servers, their templates and kept data live.

use std::path::PathBuf;

use sandbox::Home;

use crate::error::{Outcome, UserError};

/// The home of sandboxed servers. What a run that was killed has left is cleared away, its simulated disks first.
pub fn open() -> Outcome<Home> {
    let directory = directory()?;
    disk::unmount_remains(&directory);
    Home::open(&directory).map_err(|error| UserError::told(&error))
}

/// `MYDYNO_HOME`, else `mydyno` in the user's data directory.
pub fn directory() -> Outcome<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = || var("XDG_DATA_HOME").or_else(|| var("HOME").map(|home| home.join(".local/share")));
    var("MYDYNO_HOME").or_else(|| data().map(|data| data.join("mydyno"))).ok_or_else(|| {
        UserError::usage("there is no directory for servers: neither MYDYNO_HOME nor HOME is set")
            .hint("set MYDYNO_HOME to a directory that may grow by some gigabytes")
    })
}
