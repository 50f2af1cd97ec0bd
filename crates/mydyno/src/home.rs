//! The directory of servers, their templates and dataset snapshots.

use std::path::PathBuf;

use sandbox::Home;

use crate::error::{Outcome, UserError};

/// Opens the home of sandboxed servers. The remains of a killed run are removed first, beginning with its simulated disks.
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
