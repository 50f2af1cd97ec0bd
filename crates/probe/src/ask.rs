//! Questions that a server may refuse: an account for measuring need not have every privilege.

use model::Unseen;
use wire::{Client, QueryError, ResultSet};

use crate::context::ReadingContext;
use crate::error::ProbeError;

/// Asks; a refusal is noted as unseen, a lost connection is an error.
pub(crate) fn ask(
    client: &mut Client,
    unseen: &mut Vec<Unseen>,
    what: &str,
    sql: &str,
) -> Result<Option<ResultSet>, ProbeError> {
    match client.query(sql) {
        Ok(found) => Ok(Some(found)),
        Err(QueryError::Server { error, .. }) => {
            unseen.push(Unseen { what: what.to_owned(), why: error.to_string() });
            Ok(None)
        }
        Err(other) => Err(other.into()),
    }
}

/// Runs a query that only some servers can answer. One that refuses, or has no rows, is not queried again.
pub(crate) fn ask_if_answered(
    context: &mut ReadingContext<'_>,
    what: &'static str,
    sql: &str,
) -> Result<Option<ResultSet>, ProbeError> {
    if context.silent.contains(what) {
        return Ok(None);
    }
    let found = ask(context.client, &mut Vec::new(), what, sql)?.filter(|found| !found.rows.is_empty());
    if found.is_none() {
        context.silent.insert(what);
    }
    Ok(found)
}
