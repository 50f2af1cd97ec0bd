//! Removes tables that mydyno or another tool made. Whatever does not look exactly like one of those is left alone.

use wire::ConnectOptions;

use crate::{
    account::{Account, IfMissing, Session},
    catalog::Catalog,
    error::DataError,
    ledger::{self, Family, Heading, LEDGER},
    sysbench, tpcc,
};

/// Which tables to remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cleanup {
    /// sysbench's.
    Sysbench {
        /// The first so many; none: all there are.
        tables: Option<u32>,
    },
    /// The nine of TPC-C.
    Tpcc,
}

/// What was removed, and what was not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// Tables dropped.
    pub dropped: Vec<String>,
    /// Tables with names like theirs that were left alone.
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

/// Drops the tables and what an interrupted prepare of them left.
pub fn cleanup(connect: &ConnectOptions, which: Cleanup) -> Result<Cleaned, DataError> {
    let account = Account::open(connect, IfMissing::Fail)?;
    let mut session = account.connect()?;
    session.lock_out_others()?;
    match which {
        Cleanup::Sysbench { tables } => sysbench::cleanup::cleanup(&mut session, tables),
        Cleanup::Tpcc => tpcc::cleanup::cleanup(&mut session),
    }
}

/// Drops the ledger if it is about that family. This comes first, so that being killed after it leaves tables without a
/// ledger, which no prepare will take for finished.
pub(crate) fn drop_ledger(
    session: &mut Session<'_>,
    catalog: &mut Catalog,
    family: Family,
    cleaned: &mut Cleaned,
) -> Result<(), DataError> {
    let Some(table) = catalog.remove(LEDGER) else { return Ok(()) };
    match Heading::of(&table) {
        Some(heading) if heading.family == family => {
            ledger::remove(session)?;
            cleaned.dropped.push(LEDGER.to_owned());
        }
        Some(heading) => {
            let reason = format!("it belongs to an unfinished mydyno prepare {}", heading.summary);
            cleaned.left.push(Left { table: LEDGER.to_owned(), reason });
        }
        None => {
            let reason = "mydyno did not make it".to_owned();
            cleaned.left.push(Left { table: LEDGER.to_owned(), reason });
        }
    }
    Ok(())
}
