//! All status variables.

use model::Snapshot;

use crate::context::ReadingContext;
use crate::error::ProbeError;
use crate::server::pairs;

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    seen.status = pairs(context.client, "SHOW GLOBAL STATUS")?.into_iter().collect();
    Ok(())
}
