//! Round-trip time of an empty request.

use std::time::Instant;

use model::Observation;

use crate::context::ReadingContext;
use crate::error::ProbeError;

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Observation) -> Result<(), ProbeError> {
    let sent = Instant::now();
    context.client.ping()?;
    seen.round_trip_s = Some(sent.elapsed().as_secs_f64());
    Ok(())
}
