//! Removes tables that mydyno or another tool made. Whatever does not look exactly like one of those is left alone.

use model::DataSet;
use wire::ConnectOptions;

use crate::{
    account::{Account, IfMissing},
    error::DataError,
    found::Cleaned,
    tables::tables,
};

/// Drops the tables that a data set consists of, and what an interrupted prepare of them left. Of numbered tables `first`
/// says how many; none: all there are, whatever the data set says.
///
/// # Errors
/// The server cannot be asked, or refuses.
pub fn cleanup(connect: &ConnectOptions, data: &DataSet, first: Option<u32>) -> Result<Cleaned, DataError> {
    let account = Account::open(connect, IfMissing::Fail)?;
    let mut session = account.connect()?;
    session.lock_out_others()?;
    tables(data).cleanup(&mut session, first)
}
