//! Replication lag, by the heartbeat of the primary.

use std::sync::atomic::Ordering;

use model::Observation;

use crate::ask::ask;
use crate::context::ReadingContext;
use crate::error::ProbeError;

/// Query for the newest heartbeat: the time it was written, microseconds since 1970.
const NEWEST: &str = "SELECT written_us FROM mydyno.heartbeat";

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Observation) -> Result<(), ProbeError> {
    let Some(heartbeat) = context.heartbeat else { return Ok(()) };
    // Before the first one has come there is no table.
    let found = ask(context.client, &mut Vec::new(), "the heartbeat", NEWEST)?;
    let applied_us: Option<u64> = found.and_then(|found| found.first()?.parse(0));
    let Some(applied_us) = applied_us else { return Ok(()) };
    heartbeat.applied_us.store(applied_us, Ordering::Relaxed);
    // Afterwards: a replica that answered late is as far behind as it was when it answered.
    seen.lag_s = heartbeat.lag_s();
    Ok(())
}
