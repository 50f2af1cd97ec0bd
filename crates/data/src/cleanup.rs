//! Removes tables that mydyno or sysbench made. Whatever does not look exactly like one of those is left alone.

use wire::ConnectOptions;

use crate::{
    account::{Account, IfMissing},
    catalog,
    definition::{Definition, table_number},
    error::DataError,
    ledger::{self, Heading, LEDGER},
};

/// What was removed, and what was not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// Tables dropped.
    pub dropped: Vec<String>,
    /// Tables with names like sysbench's that were left alone.
    pub left: Vec<Left>,
}

/// A table left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Its name.
    pub table: String,
    /// Why, as a clause.
    pub reason: String,
}

/// Drops the tables `sbtest1..N` (all there are, or the first `tables`) and what an interrupted prepare left.
pub fn cleanup(connect: &ConnectOptions, tables: Option<u32>) -> Result<Cleaned, DataError> {
    let account = Account::open(connect, IfMissing::Fail)?;
    let mut session = account.connect()?;
    session.lock_out_others()?;
    let mut catalog = catalog::read(&mut session, LEDGER)?;
    let mut cleaned = Cleaned::default();
    // First, so that being killed now leaves tables without a ledger, which no prepare will take for finished.
    if let Some(table) = catalog.remove(LEDGER) {
        if Heading::of(&table).is_some() {
            ledger::remove(&mut session)?;
            cleaned.dropped.push(LEDGER.to_owned());
        } else {
            let reason = "mydyno did not make it".to_owned();
            cleaned.left.push(Left { table: LEDGER.to_owned(), reason });
        }
    }
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
            None => cleaned.left.push(Left { table, reason: "its name is none of sysbench's".to_owned() }),
        }
    }
    doomed.sort();
    for (_, table) in doomed {
        session.execute(&format!("dropping table {table}"), &format!("DROP TABLE {table}"))?;
        cleaned.dropped.push(table);
    }
    Ok(cleaned)
}
