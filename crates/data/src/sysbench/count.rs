//! Looks into tables: how many rows, which ids.

use messages::number::thousands;
use model::SysbenchData;

use super::definition::{rows_differ, table_name};
use crate::{account::Session, error::DataError};

/// Rows of a table and the range of their ids (0 to 0 if there are none).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    pub rows: u64,
    pub first: u64,
    pub last: u64,
}

/// Counts a table's rows.
pub(crate) fn extent(session: &mut Session<'_>, number: u32) -> Result<Extent, DataError> {
    let rows = number_of(session, number, "COUNT(*)")?;
    let (first, last) = if rows > 0 { ids(session, number)? } else { (0, 0) };
    Ok(Extent { rows, first, last })
}

/// The lowest and highest id, 0 if there is none. Reads two rows at most.
pub(crate) fn ids(session: &mut Session<'_>, number: u32) -> Result<(u64, u64), DataError> {
    Ok((number_of(session, number, "MIN(id)")?, number_of(session, number, "MAX(id)")?))
}

/// True if a table has a row.
pub(crate) fn has_rows(session: &mut Session<'_>, number: u32) -> Result<bool, DataError> {
    let name = table_name(number);
    let result = session.query(&format!("reading {name}"), &format!("SELECT 1 FROM {name} LIMIT 1"))?;
    Ok(result.first().is_some())
}

fn number_of(session: &mut Session<'_>, number: u32, expression: &str) -> Result<u64, DataError> {
    let name = table_name(number);
    let what = format!("counting the rows of {name}");
    let result = session.query(&what, &format!("SELECT {expression} FROM {name}"))?;
    let row = result.first().ok_or(DataError::Answer { what, expected: "number" })?;
    // Ids below zero (oltp_insert without AUTO_INCREMENT makes them) count as none.
    Ok(row.parse(0).unwrap_or(0))
}

/// Examines a table on which nothing has run since its preparation: its rows, and their difference from the request, if any.
pub(crate) fn fresh(
    session: &mut Session<'_>,
    data: &SysbenchData,
    number: u32,
) -> Result<(Extent, Option<String>), DataError> {
    if data.bulk || data.table_size == 0 {
        let name = table_name(number);
        let used = has_rows(session, number)?;
        let wrong =
            used.then(|| format!("table {name} has rows from an earlier run, the run asks for an empty one"));
        return Ok((Extent::default(), wrong));
    }
    let found = extent(session, number)?;
    Ok((found, (found.rows != data.table_size).then(|| rows_differ(number, found.rows, data.table_size))))
}

/// Reports ids other than 1 to the number of rows.
pub(crate) fn ids_differ(number: u32, found: Extent) -> Option<String> {
    let Extent { rows, first, last } = found;
    (rows > 0 && (first, last) != (1, rows)).then(|| {
        format!(
            "the {} rows of {} have ids {} to {}, so that some ids asked for are not there",
            thousands(rows),
            table_name(number),
            thousands(first),
            thousands(last)
        )
    })
}
