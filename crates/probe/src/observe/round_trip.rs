//! How long a request takes that asks for nothing.

use std::time::Instant;

use model::Observation;

use crate::error::ProbeError;
use crate::site::Site;

pub(super) fn read(site: &mut Site<'_>, seen: &mut Observation) -> Result<(), ProbeError> {
    let sent = Instant::now();
    site.client.ping()?;
    seen.round_trip_s = Some(sent.elapsed().as_secs_f64());
    Ok(())
}
