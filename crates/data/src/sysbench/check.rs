//! Checks whether sysbench's tables are those that a run needs, and reports the differences.

use messages::number::thousands;
use model::{DataSet, SysbenchData};

use super::{
    count::{fresh, has_rows, ids, ids_differ},
    definition::{Definition, Difference, differences, read_catalog, table_name},
};
use crate::{
    account::{Account, Session},
    catalog::Catalog,
    each::each,
    error::{DataError, WayOut},
    found::{Checked, Depth},
    ledger::{Heading, LEDGER},
};

/// Compares the tables with a data set. [`DataError::Missing`] and [`DataError::Differs`] name the difference and come with
/// advice.
pub(crate) fn check(account: &Account, data: &SysbenchData, depth: Depth) -> Result<Checked, DataError> {
    let catalog = read_catalog(&mut account.connect()?)?;
    if let Some(heading) = catalog.get(LEDGER).and_then(Heading::of)
        && heading.family() == "sysbench"
    {
        return Err(DataError::Incomplete { database: account.database.clone(), found: heading.summary });
    }
    let mut cautions = compare_definitions(account, data, &catalog)?;
    let numbers: Vec<u32> = (1..=data.tables).collect();
    let connections = match depth {
        Depth::Present => 1,
        Depth::Exact { connections } => connections,
    };
    let looks = each(
        account,
        connections,
        &numbers,
        || None,
        |session, number| match depth {
            Depth::Present => glance(session, data, number),
            Depth::Exact { .. } => count(session, data, number),
        },
    )?;
    let mut wrong = Vec::new();
    let mut rows = 0;
    for look in looks {
        rows += look.rows;
        wrong.extend(look.wrong);
        cautions.extend(look.caution);
    }
    if !wrong.is_empty() {
        return Err(differ(account, data, wrong));
    }
    let rows = matches!(depth, Depth::Exact { .. }).then_some(rows);
    Ok(Checked { tables: data.tables, rows, cautions })
}

/// Finds missing and differing tables; returns cautions.
pub(crate) fn compare_definitions(
    account: &Account,
    data: &SysbenchData,
    catalog: &Catalog,
) -> Result<Vec<String>, DataError> {
    let mut missing = Vec::new();
    let mut wrong = Vec::new();
    let mut cautions = Vec::new();
    for number in 1..=data.tables {
        let name = table_name(number);
        let Some(table) = catalog.get(&name) else {
            missing.push(name);
            continue;
        };
        wrong.extend(differences(table, data, number));
        if let Ok(Definition { extra_indexes, .. }) = Definition::of(table, number)
            && !extra_indexes.is_empty()
        {
            cautions.push(format!(
                "table {name} has an index that sysbench does not make: {}",
                extra_indexes.join(", ")
            ));
        }
    }
    if !wrong.is_empty() {
        return Err(differ(account, data, wrong));
    }
    if !missing.is_empty() {
        let (database, data) = (account.database.clone(), Box::new(DataSet::Sysbench(data.clone())));
        return Err(DataError::Missing { database, tables: missing, data });
    }
    Ok(cautions)
}

pub(crate) fn differ<D: Into<Difference>>(
    account: &Account,
    data: &SysbenchData,
    differences: Vec<D>,
) -> DataError {
    let differences: Vec<Difference> = differences.into_iter().map(Into::into).collect();
    // Cleanup leaves the tables of others alone, so that it is no way out.
    let way_out = match differences.iter().any(|one| matches!(one, Difference::Foreign(_))) {
        true => WayOut::Elsewhere,
        false => WayOut::Replace(Box::new(DataSet::Sysbench(data.clone()))),
    };
    let differences = differences.into_iter().map(Difference::text).collect();
    DataError::Differs { database: account.database.clone(), differences, way_out }
}

/// The state of one table.
#[derive(Default)]
struct Look {
    rows: u64,
    wrong: Option<String>,
    caution: Option<String>,
}

fn count(session: &mut Session<'_>, data: &SysbenchData, number: u32) -> Result<Look, DataError> {
    let (found, wrong) = fresh(session, data, number)?;
    Ok(Look {
        rows: found.rows,
        caution: wrong.is_none().then(|| ids_differ(number, found)).flatten(),
        wrong,
    })
}

fn glance(session: &mut Session<'_>, data: &SysbenchData, number: u32) -> Result<Look, DataError> {
    let name = table_name(number);
    if data.bulk {
        // Its ids begin at 1 in every run.
        return Ok(Look { wrong: fresh(session, data, number)?.1, ..Look::default() });
    }
    if data.table_size == 0 {
        return Ok(Look::default());
    }
    if !has_rows(session, number)? {
        let wrong = format!("table {name} is empty, the run asks for {} rows", thousands(data.table_size));
        return Ok(Look { wrong: Some(wrong), ..Look::default() });
    }
    let (_, last) = ids(session, number)?;
    // oltp_delete may have taken the last rows.
    let enough = data.table_size - data.table_size / 100;
    let reach = format!(
        "table {name} holds ids up to {}, the run asks for {}",
        thousands(last),
        thousands(data.table_size)
    );
    Ok(Look {
        wrong: (last < enough).then(|| reach.clone()),
        caution: (last > data.table_size).then(|| {
            format!("{reach}: rows beyond that are only in the way (made by inserts, or for a larger table)")
        }),
        rows: 0,
    })
}
