//! Memory that the server holds.

use model::Snapshot;

use super::performance_schema::ask_performance_schema;
use crate::context::ReadingContext;
use crate::error::ProbeError;

const SQL: &str = "SELECT event_name, current_number_of_bytes_used \
     FROM performance_schema.memory_summary_global_by_event_name WHERE current_number_of_bytes_used > 0 \
     ORDER BY current_number_of_bytes_used DESC LIMIT 25";

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    if let Some(found) = ask_performance_schema(context.client, &mut seen.unseen, "memory", SQL)? {
        let areas = found.rows.iter().filter_map(|row| Some((row.text(0)?.to_owned(), row.parse(1)?)));
        seen.memory = areas.collect();
    }
    Ok(())
}
