//! Readings of a server and its machine while it works, cheap enough to take every second.
//!
//! Each reading is a file below here and a line in [`READINGS`]. One that cannot be taken leaves its part empty: only a
//! server that no longer answers ends the watch.

mod applier;
mod group;
mod host;
mod lag;
mod process;
mod round_trip;
mod sessions;
mod status;

use std::time::Instant;

use model::Observation;

use crate::context::ReadingContext;
use crate::error::ProbeError;

type Reading = fn(&mut ReadingContext<'_>, &mut Observation) -> Result<(), ProbeError>;

/// Everything that is read, in this order. The round trip comes first, when the connection has been idle.
const READINGS: [Reading; 8] = [
    round_trip::read,
    lag::read,
    applier::read,
    group::read,
    status::read,
    sessions::read,
    process::read,
    host::read,
];

/// Takes one reading. Its times are relative to `begun`.
///
/// # Errors
/// The server no longer answers.
pub fn observe(context: &mut ReadingContext<'_>, begun: Instant) -> Result<Observation, ProbeError> {
    let start = begun.elapsed();
    let mut seen = Observation::default();
    READINGS.iter().try_for_each(|read| read(context, &mut seen))?;
    let end = begun.elapsed();
    seen.at_s = end.as_secs_f64();
    seen.took_s = (end - start).as_secs_f64();
    Ok(seen)
}
