//! Statements by digest, and all of them by event: the server keeps no digest of some.

use model::{EventUse, Snapshot, StatementUse};
use wire::Row;

use super::performance_schema::{PICOSECONDS, ask_performance_schema};
use super::waits;
use crate::context::ReadingContext;
use crate::error::ProbeError;

/// Query for the digests that took longest. A statement that becomes relevant during the window is among them at its end.
const SQL: &str = "SELECT schema_name, digest_text, count_star, sum_timer_wait, sum_lock_time, sum_rows_examined, \
     sum_rows_sent + sum_rows_affected, sum_no_index_used, sum_created_tmp_disk_tables, sum_errors \
     FROM performance_schema.events_statements_summary_by_digest WHERE digest_text IS NOT NULL \
     ORDER BY sum_timer_wait DESC LIMIT 200";

/// MySQL before 9.0 keeps no digest of what a client executes by the prepared-statement protocol: it is in
/// `statement/com/Execute` alone.
const EVENTS: &str = "SELECT event_name, count_star, sum_timer_wait \
     FROM performance_schema.events_statements_summary_global_by_event_name \
     WHERE count_star > 0 AND (event_name LIKE 'statement/com/%' OR event_name LIKE 'statement/sql/%')";

/// Query for the total over all digests, not only those listed: many tables have many digests.
const DIGESTED: &str = "SELECT SUM(sum_timer_wait) FROM performance_schema.events_statements_summary_by_digest \
     WHERE digest_text IS NOT NULL";

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    let found = ask_performance_schema(context.client, &mut seen.unseen, "statements", SQL)?;
    seen.statements = found.iter().flat_map(|found| &found.rows).map(statement).collect();
    let found = ask_performance_schema(context.client, &mut seen.unseen, "statements", DIGESTED)?;
    let seconds = found.as_ref().and_then(|found| found.first()?.parse::<f64>(0));
    seen.digested_s = seconds.map(|picoseconds| picoseconds * PICOSECONDS);
    let found = ask_performance_schema(context.client, &mut seen.unseen, "statements", EVENTS)?;
    seen.statement_events = found.map(waits::events).unwrap_or_default();
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
