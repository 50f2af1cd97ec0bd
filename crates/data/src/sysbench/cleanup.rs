//! Removes sysbench's tables.

use super::definition::{Definition, read_catalog, table_number};
use crate::{
    account::Session,
    error::DataError,
    found::{Cleaned, Left},
    ledger::drop_ledger,
};

/// Drops the tables `sbtest1..N` (all there are, or the first `tables`) and what an interrupted prepare left.
pub(crate) fn cleanup(session: &mut Session<'_>, tables: Option<u32>) -> Result<Cleaned, DataError> {
    let mut catalog = read_catalog(session)?;
    let mut cleaned = Cleaned::default();
    drop_ledger(session, &mut catalog, "sysbench", &mut cleaned)?;
    let mut doomed = Vec::new();
    for (table, found) in catalog {
        match table_number(&table) {
            Some(number) if tables.is_some_and(|last| number > last) => {}
            Some(number) => match Definition::of(&found, number) {
                Ok(definition) if definition.extra_indexes.is_empty() => doomed.push((number, table)),
                Ok(definition) => {
                    let reason = format!("it has other indexes: {}", definition.extra_indexes.join(", "));
                    cleaned.left.push(Left { table, reason });
                }
                Err(reason) => cleaned.left.push(Left { table, reason }),
            },
            None => cleaned.left.push(Left { table, reason: "its name is not one of sysbench's".to_owned() }),
        }
    }
    doomed.sort();
    for (_, table) in doomed {
        session.execute(&format!("dropping table {table}"), &format!("DROP TABLE {table}"))?;
        cleaned.dropped.push(table);
    }
    Ok(cleaned)
}
