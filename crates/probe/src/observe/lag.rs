//! How far a replica is behind, by the heartbeat of its primary.

use std::time::{SystemTime, UNIX_EPOCH};

use model::Observation;

use crate::ask::ask;
use crate::error::ProbeError;
use crate::site::Site;

/// What the newest heartbeat says: when it was written, microseconds since 1970 by the clock of this machine.
const NEWEST: &str = "SELECT written_us FROM mydyno.heartbeat";

pub(super) fn read(site: &mut Site<'_>, seen: &mut Observation) -> Result<(), ProbeError> {
    if !site.has_heartbeat {
        return Ok(());
    }
    // Before the first one has come there is no table.
    let found = ask(site.client, &mut Vec::new(), "the heartbeat", NEWEST)?;
    let written_us: Option<u64> = found.and_then(|found| found.first()?.parse(0));
    let now_us = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64);
    seen.lag_s = written_us.map(|written_us| now_us.saturating_sub(written_us) as f64 / 1e6);
    Ok(())
}
