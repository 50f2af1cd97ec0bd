//! All status variables.

use model::Snapshot;

use crate::ProbeError;
use crate::observe::Site;
use crate::server::pairs;

pub(super) fn read(site: &mut Site<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    seen.status = pairs(site.client, "SHOW GLOBAL STATUS")?.into_iter().collect();
    Ok(())
}
