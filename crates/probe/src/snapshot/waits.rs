//! Waits of the server's threads, and the stages of their statements.

use std::collections::BTreeMap;

use model::{EventUse, Snapshot};
use wire::ResultSet;

use super::performance_schema::{PICOSECONDS, ask_performance_schema};
use crate::context::ReadingContext;
use crate::error::ProbeError;

/// `idle` is the time in which a connection waits for its client.
const WAITS: &str = "SELECT event_name, count_star, sum_timer_wait \
     FROM performance_schema.events_waits_summary_global_by_event_name WHERE count_star > 0 AND event_name <> 'idle'";
const STAGES: &str = "SELECT event_name, count_star, sum_timer_wait \
     FROM performance_schema.events_stages_summary_global_by_event_name WHERE count_star > 0";

/// Threads of the server itself have no user.
const CLIENT_WAITS: &str = "SELECT event_name, SUM(count_star), SUM(sum_timer_wait) \
     FROM performance_schema.events_waits_summary_by_user_by_event_name \
     WHERE user IS NOT NULL AND count_star > 0 AND event_name LIKE 'wait/io/file/%' GROUP BY event_name";

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    let found = ask_performance_schema(context.client, &mut seen.unseen, "waits", WAITS)?;
    seen.waits = found.map(events).unwrap_or_default();
    let found = ask_performance_schema(context.client, &mut seen.unseen, "waits of clients", CLIENT_WAITS)?;
    seen.client_waits = found.map(events).unwrap_or_default();
    Ok(())
}

pub(super) fn read_stages(context: &mut ReadingContext<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    let found = ask_performance_schema(context.client, &mut seen.unseen, "stages", STAGES)?;
    seen.stages = found.map(events).unwrap_or_default();
    Ok(())
}

pub(super) fn events(found: ResultSet) -> BTreeMap<String, EventUse> {
    let event = |row: &wire::Row| {
        let time_s = row.parse::<f64>(2)? * PICOSECONDS;
        Some((row.text(0)?.to_owned(), EventUse { count: row.parse(1)?, time_s }))
    };
    found.rows.iter().filter_map(event).collect()
}
