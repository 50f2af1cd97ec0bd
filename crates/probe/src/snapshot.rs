//! Readings of a server that are too expensive for every second: taken at both ends of a measured window.
//!
//! Each reading is a file below here and a line in [`READINGS`]; the duration of each is recorded beside it. Refused
//! readings are noted as unseen, and the rest continues.

mod binlog;
mod memory;
mod metrics;
mod performance_schema;
mod replication;
mod statements;
mod status;
mod threads;
mod waits;

use std::fs;
use std::path::Path;
use std::time::Instant;

use model::Snapshot;
pub use threads::threads;

use crate::context::ReadingContext;
use crate::error::ProbeError;

type Reading = fn(&mut ReadingContext<'_>, &mut Snapshot) -> Result<(), ProbeError>;

/// All readings, in this order: values that the readings themselves would change come first.
const READINGS: [(&str, Reading); 9] = [
    ("status", status::read),
    ("threads", threads::read),
    ("binary log", binlog::read),
    ("InnoDB metrics", metrics::read),
    ("statements", statements::read),
    ("waits", waits::read),
    ("stages", waits::read_stages),
    ("memory", memory::read),
    ("replication", replication::read),
];

/// Takes a snapshot. Its times are relative to `begun`; `error_log` is the server's, if it is accessible.
///
/// # Errors
/// The server no longer answers.
pub fn snapshot(
    context: &mut ReadingContext<'_>,
    error_log: Option<&Path>,
    begun: Instant,
) -> Result<Snapshot, ProbeError> {
    let mut seen = Snapshot {
        error_log_bytes: error_log.and_then(|path| Some(fs::metadata(path).ok()?.len())),
        ..Snapshot::default()
    };
    for (name, read) in READINGS {
        let start = Instant::now();
        read(context, &mut seen)?;
        seen.took_s.insert(name.to_owned(), start.elapsed().as_secs_f64());
    }
    seen.at_s = begun.elapsed().as_secs_f64();
    Ok(seen)
}
