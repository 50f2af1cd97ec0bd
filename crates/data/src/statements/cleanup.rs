//! Removes the tables of a file.

use model::StatementsData;

use super::definition::{is_marked, read_catalog};
use crate::account::{Session, quoted_name};
use crate::error::DataError;
use crate::found::{Cleaned, Left};
use crate::ledger::drop_ledger;

/// Drops the tables that mydyno made, and what an interrupted prepare left.
pub(super) fn cleanup(session: &mut Session<'_>, data: &StatementsData) -> Result<Cleaned, DataError> {
    let mut catalog = read_catalog(session, data)?;
    let mut cleaned = Cleaned::default();
    drop_ledger(session, &mut catalog, "statements", &mut cleaned)?;
    for (table, found) in catalog {
        if is_marked(&found) {
            let name = quoted_name(&table);
            session.execute(&format!("dropping table {name}"), &format!("DROP TABLE {name}"))?;
            cleaned.dropped.push(table);
        } else {
            cleaned.left.push(Left { table, reason: "mydyno did not create it".to_owned() });
        }
    }
    Ok(cleaned)
}
