//! Questions that a server may refuse: an account for measuring need not have every privilege.

use model::Unseen;
use wire::{Client, QueryError, ResultSet};

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
