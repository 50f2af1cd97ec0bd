//! The record of a router whose mydyno is dead: `process.json` in its directory.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Signal;

use crate::error::FileError;
use crate::process::{Identity, Process};
use crate::state::{read_json, write_json};

/// The directory of the router of a server.
pub(crate) fn directory(server_dir: &Path) -> PathBuf {
    server_dir.join("router")
}

/// Its option file.
pub(crate) fn option_file(dir: &Path) -> PathBuf {
    dir.join("router.conf")
}

/// The argument that identifies its process.
pub(crate) fn config_argument(dir: &Path) -> String {
    format!("--config={}", option_file(dir).display())
}

/// Writes down which process it is.
pub(crate) fn write(dir: &Path, identity: Identity) -> Result<(), FileError> {
    write_json(&dir.join("process.json"), &identity)
}

/// Ends the router of a server whose mydyno is dead. False if it does not end.
pub(crate) fn reap_router(server_dir: &Path) -> bool {
    let dir = directory(server_dir);
    let Ok(Some(identity)) = read_json::<Identity>(&dir.join("process.json")) else { return true };
    match Process::find_with(identity, &config_argument(&dir)) {
        Some(process) => process.signal(Signal::KILL).is_ok() && process.wait(Duration::from_secs(20)),
        None => true,
    }
}
