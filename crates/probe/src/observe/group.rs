//! Transactions that a member of a replication group certifies and applies.

use model::{GroupUse, Observation};

use crate::ask::ask_if_answered;
use crate::context::ReadingContext;
use crate::error::ProbeError;

/// The variables are there where the plugin is. Flow control lowers what the group may commit while a queue of some member is
/// longer than its threshold (MySQL manual, "Flow Control").
const OWN: &str = "SELECT count_transactions_in_queue, count_transactions_remote_in_applier_queue, \
     count_transactions_checked, count_conflicts_detected, count_transactions_remote_applied, \
     count_transactions_rows_validating, @@group_replication_flow_control_mode = 'QUOTA' \
     AND (count_transactions_in_queue > @@group_replication_flow_control_certifier_threshold \
     OR count_transactions_remote_in_applier_queue > @@group_replication_flow_control_applier_threshold) \
     FROM performance_schema.replication_group_member_stats WHERE member_id = @@server_uuid";

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Observation) -> Result<(), ProbeError> {
    if context.client.session().is_mariadb {
        return Ok(());
    }
    let found = ask_if_answered(context, "replication group", OWN)?;
    seen.group = found.as_ref().and_then(|found| {
        let row = found.first()?;
        Some(GroupUse {
            certifying: row.parse(0)?,
            waiting: row.parse(1)?,
            certified: row.parse(2)?,
            conflicts: row.parse(3)?,
            applied: row.parse(4)?,
            rows_validating: row.parse(5)?,
            throttles: row.parse(6) == Some(1_u8),
        })
    });
    Ok(())
}
