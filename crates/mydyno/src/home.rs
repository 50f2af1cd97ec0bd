//! Where servers, their templates and kept data live.

use std::path::PathBuf;

use crate::error::{Outcome, UserError};

/// `MYDYNO_HOME`, else `mydyno` in the user's data directory.
pub fn directory() -> Outcome<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = || var("XDG_DATA_HOME").or_else(|| var("HOME").map(|home| home.join(".local/share")));
    var("MYDYNO_HOME").or_else(|| data().map(|data| data.join("mydyno"))).ok_or_else(|| {
        UserError::usage("there is no directory for servers: neither MYDYNO_HOME nor HOME is set")
            .hint("set MYDYNO_HOME to a directory that may grow by some gigabytes")
    })
}
