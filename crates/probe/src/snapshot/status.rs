//! All status variables.

use model::Snapshot;

use crate::error::ProbeError;
use crate::server::pairs;
use crate::site::Site;

pub(super) fn read(site: &mut Site<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    seen.status = pairs(site.client, "SHOW GLOBAL STATUS")?.into_iter().collect();
    Ok(())
}
