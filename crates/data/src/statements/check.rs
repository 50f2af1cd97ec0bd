//! Checks whether the tables are those that a file describes.

use messages::number::counted;
use model::{DataSet, StatementsData, TableDefinition};

use super::definition::{difference, is_marked, read_catalog, table_of};
use crate::account::{Account, Session, quoted_name};
use crate::catalog::Catalog;
use crate::each::each;
use crate::error::{DataError, WayOut};
use crate::found::{Checked, Depth};
use crate::ledger::{Heading, LEDGER};

/// Compares the tables with the description.
pub(super) fn check(account: &Account, data: &StatementsData, depth: Depth) -> Result<Checked, DataError> {
    let mut session = account.connect()?;
    let catalog = read_catalog(&mut session, data)?;
    if let Some(heading) = catalog.get(LEDGER).and_then(Heading::of)
        && heading.family() == "statements"
    {
        return Err(DataError::Incomplete { database: account.database.clone(), found: heading.summary });
    }
    compare(account, data, &catalog)?;
    let tables = data.tables.len() as u32;
    let Depth::Exact { connections } = depth else {
        let empty = first_empty(&mut session, data)?;
        return match empty {
            Some(wrong) => Err(differ(account, data, vec![wrong], true)),
            None => Ok(Checked { tables, rows: None, cautions: Vec::new() }),
        };
    };
    let numbers: Vec<u32> = (1..=tables).collect();
    let found = each(
        account,
        connections,
        &numbers,
        || None,
        |session, number| table_of(data, number).map_or(Ok((0, None)), |table| count(session, table)),
    )?;
    let rows = found.iter().map(|(rows, _)| rows).sum();
    let wrong: Vec<String> = found.into_iter().filter_map(|(_, wrong)| wrong).collect();
    match wrong.is_empty() {
        true => Ok(Checked { tables, rows: Some(rows), cautions: Vec::new() }),
        false => Err(differ(account, data, wrong, true)),
    }
}

/// Finds missing and differing tables.
pub(super) fn compare(account: &Account, data: &StatementsData, catalog: &Catalog) -> Result<(), DataError> {
    let missing = data.tables.iter().filter(|table| !catalog.contains_key(&table.name));
    let missing: Vec<String> = missing.map(|table| table.name.clone()).collect();
    let found = data.tables.iter().filter_map(|table| Some((table, catalog.get(&table.name)?)));
    let wrong: Vec<String> =
        found.clone().filter_map(|(table, found)| difference(data, table, found)).collect();
    if !wrong.is_empty() {
        let replaceable = found.clone().all(|(_, found)| is_marked(found));
        return Err(differ(account, data, wrong, replaceable));
    }
    if !missing.is_empty() {
        let (database, data) = (account.database.clone(), Box::new(DataSet::Statements(data.clone())));
        return Err(DataError::Missing { database, tables: missing, data });
    }
    Ok(())
}

/// Tables that differ. Those of others are no business of cleanup.
pub(super) fn differ(
    account: &Account,
    data: &StatementsData,
    differences: Vec<String>,
    replaceable: bool,
) -> DataError {
    let way_out = match replaceable {
        true => WayOut::Replace(Box::new(DataSet::Statements(data.clone()))),
        false => WayOut::Elsewhere,
    };
    DataError::Differs { database: account.database.clone(), differences, way_out }
}

fn first_empty(session: &mut Session<'_>, data: &StatementsData) -> Result<Option<String>, DataError> {
    for table in data.tables.iter().filter(|table| table.rows > 0) {
        let name = quoted_name(&table.name);
        let rows = session.query(&format!("reading {name}"), &format!("SELECT 1 FROM {name} LIMIT 1"))?;
        if rows.first().is_none() {
            return Ok(Some(format!(
                "table {} is empty, the run asks for {}",
                table.name,
                rows_of(table.rows)
            )));
        }
    }
    Ok(None)
}

fn rows_of(rows: u64) -> String {
    counted(rows, "row")
}

/// Rows of a table, and what is wrong with their number.
pub(super) fn count(
    session: &mut Session<'_>,
    table: &TableDefinition,
) -> Result<(u64, Option<String>), DataError> {
    let name = quoted_name(&table.name);
    let what = format!("counting the rows of {name}");
    let result = session.query(&what, &format!("SELECT COUNT(*) FROM {name}"))?;
    let rows = result.first().and_then(|row| row.parse(0));
    let rows = rows.ok_or(DataError::Answer { what, expected: "number" })?;
    let wrong = (rows != table.rows).then(|| {
        format!("table {} has {}, the run asks for {}", table.name, rows_of(rows), rows_of(table.rows))
    });
    Ok((rows, wrong))
}
