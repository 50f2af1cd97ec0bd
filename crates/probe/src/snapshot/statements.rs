//! Statements by digest.

use model::{EventUse, Snapshot, StatementUse};
use wire::Row;

use super::{PICOSECONDS, ask_performance_schema};
use crate::ProbeError;
use crate::observe::Site;

/// Of those that took longest. A statement that begins to matter during the window is among them at its end.
const SQL: &str = "SELECT schema_name, digest_text, count_star, sum_timer_wait, sum_lock_time, sum_rows_examined, \
     sum_rows_sent + sum_rows_affected, sum_no_index_used, sum_created_tmp_disk_tables, sum_errors \
     FROM performance_schema.events_statements_summary_by_digest WHERE digest_text IS NOT NULL \
     ORDER BY sum_timer_wait DESC LIMIT 200";

pub(super) fn read(site: &mut Site<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    let found = ask_performance_schema(site.client, &mut seen.unseen, "statements", SQL)?;
    seen.statements = found.iter().flat_map(|found| &found.rows).map(statement).collect();
    Ok(())
}

fn statement(row: &Row) -> StatementUse {
    let text = |at| row.text(at).unwrap_or_default().to_owned();
    let count = |at| row.parse(at).unwrap_or_default();
    let seconds = |at| row.parse::<f64>(at).unwrap_or_default() * PICOSECONDS;
    StatementUse {
        schema: text(0),
        text: text(1),
        all: EventUse { count: count(2), time_s: seconds(3) },
        lock_s: seconds(4),
        rows_examined: count(5),
        rows_returned: count(6),
        full_scans: count(7),
        tmp_disk_tables: count(8),
        errors: count(9),
    }
}
