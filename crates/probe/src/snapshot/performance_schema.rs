//! Questions to the performance schema.

use model::Unseen;
use wire::{Client, ResultSet};

use crate::ask::ask;
use crate::error::ProbeError;

/// Queries the performance schema; none if it is off, which is reported once.
pub fn ask_performance_schema(
    client: &mut Client,
    unseen: &mut Vec<Unseen>,
    what: &str,
    sql: &str,
) -> Result<Option<ResultSet>, ProbeError> {
    const WHAT: &str = "statements, waits, stages and memory";
    if unseen.iter().any(|one| one.what == WHAT) {
        return Ok(None);
    }
    let is_on = ask(client, unseen, what, "SELECT @@performance_schema")?;
    if is_on.as_ref().and_then(|found| found.first()?.text(0)) == Some("0") {
        unseen.push(Unseen { what: WHAT.to_owned(), why: "performance_schema = OFF".to_owned() });
        return Ok(None);
    }
    ask(client, unseen, what, sql)
}

/// The performance schema counts picoseconds.
pub const PICOSECONDS: f64 = 1e-12;
