//! Checks whether TPC-C's tables are those that a run needs, and reports the differences.

use model::{DataSet, TpccData};

use super::{
    counts::{Counts, history, warehouses},
    differ::differ,
    prepare::{look, refuse_others},
    schema::{self, TABLES},
};
use crate::{
    account::Account,
    each::each,
    error::DataError,
    found::{Checked, Depth},
    ledger::{Heading, LEDGER},
};

/// Compares the tables with a data set. Changes made by runs are accepted; more warehouses than requested are reported as a
/// caution.
pub(crate) fn check(account: &Account, data: &TpccData, depth: Depth) -> Result<Checked, DataError> {
    let mut session = account.connect()?;
    let found = schema::read(&mut session)?;
    if let Some(heading) = found.catalog.get(LEDGER).and_then(Heading::of)
        && heading.family() == "tpcc"
    {
        return Err(DataError::Incomplete { database: account.database.clone(), found: heading.summary });
    }
    refuse_others(account, data, &found)?;
    let missing = found.missing();
    if !missing.is_empty() {
        let data = Box::new(DataSet::Tpcc(data.clone()));
        return Err(DataError::Missing { database: account.database.clone(), tables: missing, data });
    }
    if let Some(words) = found.foreign_keys_differ(data) {
        return Err(differ(account, data, vec![words]));
    }
    let (count, last) = warehouses(&mut session)?;
    if count < data.warehouses {
        return Err(DataError::Fewer {
            database: account.database.clone(),
            server: account.options.address.to_string(),
            found: count,
            data: Box::new(data.clone()),
        });
    }
    let wrong = look(&mut session, data, count, last)?;
    if !wrong.is_empty() {
        return Err(differ(account, data, wrong));
    }
    let mut cautions = found.cautions();
    if count > data.warehouses {
        cautions.push(format!(
            "the tables hold {count} warehouses, of which the run uses the first {}: caches and trees are those of a \
             larger database",
            data.warehouses
        ));
    }
    let rows = match depth {
        Depth::Present => None,
        Depth::Exact { connections } => Some(count_all(account, data, count, connections)?),
    };
    Ok(Checked { tables: TABLES.len() as u32, rows, cautions })
}

/// Counts every row.
fn count_all(account: &Account, data: &TpccData, count: u32, connections: u32) -> Result<u64, DataError> {
    // After the warehouses one more, for the history.
    let things: Vec<u32> = (0..=count + 1).collect();
    let counted = each(
        account,
        connections,
        &things,
        || None,
        |session, warehouse| {
            if warehouse > count {
                let (rows, wrong) = history(session, count)?;
                return Ok((rows, Vec::from_iter(wrong)));
            }
            let counts = Counts::of(session, warehouse)?;
            Ok((counts.sum(), counts.lasting(data.age)))
        },
    )?;
    let wrong: Vec<String> = counted.iter().flat_map(|(_, wrong)| wrong.clone()).collect();
    if !wrong.is_empty() {
        return Err(differ(account, data, wrong));
    }
    Ok(counted.iter().map(|(rows, _)| rows).sum())
}
