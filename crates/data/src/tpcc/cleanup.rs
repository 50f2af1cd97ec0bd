//! Removes TPC-C's tables.

use super::schema::{self, TABLES};
use crate::{
    account::Session,
    error::DataError,
    found::{Cleaned, Left},
    ledger::drop_ledger,
};

/// Drops the nine tables, whoever made them, if they have TPC-C's columns, and what an interrupted prepare left.
pub(crate) fn cleanup(session: &mut Session<'_>) -> Result<Cleaned, DataError> {
    let mut catalog = schema::read(session)?.catalog;
    let mut cleaned = Cleaned::default();
    drop_ledger(session, &mut catalog, "tpcc", &mut cleaned)?;
    // Children before parents.
    for table in TABLES.iter().rev() {
        let Some(found) = catalog.get(table.name) else { continue };
        let name = table.name.to_owned();
        match table.disowns(found) {
            Some(reason) => cleaned.left.push(Left { table: name, reason }),
            None => {
                session.execute(&format!("dropping table {name}"), &format!("DROP TABLE {name}"))?;
                cleaned.dropped.push(name);
            }
        }
    }
    Ok(cleaned)
}
