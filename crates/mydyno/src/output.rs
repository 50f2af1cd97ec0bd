//! Standard output and standard error: results go to the one, everything else to the other.

use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::error::{Outcome, UserError};

/// Prints a result. A reader that has seen enough (`| head`) is no failure.
pub fn print(text: &str) -> Outcome<()> {
    let mut out = std::io::stdout().lock();
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    match out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(end.as_bytes()))
        .and_then(|()| out.flush())
    {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(UserError::failed(format!("cannot write the results: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// Writes a message to standard error. Failures are ignored.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Refuses a file that cannot be written, before any measurement. An existing file is left as it is.
pub fn check_writable(path: &Path) -> Outcome<()> {
    let was_there = path.exists();
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
    if opened.is_ok() && !was_there {
        let _ = std::fs::remove_file(path);
    }
    opened.map(|_| ()).map_err(|error| {
        UserError::usage(format!("cannot write {}: {error}", path.display())).hint("give another --output")
    })
}

/// Writes a result to a file.
pub fn write(path: &Path, text: &str) -> Outcome<()> {
    std::fs::write(path, text).map_err(|error| {
        UserError::failed(format!("cannot write {}: {error}", path.display())).hint("give another --output")
    })
}
