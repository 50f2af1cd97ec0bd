//! Channels of a replica, and members of a replication group.

use model::Snapshot;

use crate::ask::ask;
use crate::context::ReadingContext;
use crate::error::ProbeError;
use crate::replication::channels;

/// The table is there from 5.7 on, and empty without a group.
const MEMBERS: &str = "SELECT CONCAT(member_host, ':', member_port), member_state, member_role \
     FROM performance_schema.replication_group_members WHERE member_host <> ''";

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    seen.channels = channels(context.client, &mut seen.unseen)?.unwrap_or_default();
    if context.client.session().is_mariadb {
        return Ok(());
    }
    if let Some(found) = ask(context.client, &mut seen.unseen, "replication group", MEMBERS)? {
        let text = |row: &wire::Row, at| row.text(at).unwrap_or_default().to_lowercase();
        let members =
            found.rows.iter().map(|row| (text(row, 0), format!("{}, {}", text(row, 1), text(row, 2))));
        seen.members = members.collect();
    }
    Ok(())
}
