//! Programs of this machine.

use std::ffi::OsStr;
use std::path::PathBuf;

/// Finds a program in PATH, or where programs are when PATH does not name those places.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(OsStr::new(&path))
        .chain(["/usr/bin", "/bin"].map(PathBuf::from))
        .map(|dir| dir.join(name))
        .find(|candidate| candidate.is_file())
}
