//! Removes tables that mydyno or another tool made. Whatever does not look exactly like one of those is left alone.

use model::DataSet;
use wire::ConnectOptions;

use crate::{
    account::{Account, IfMissing},
    error::DataError,
    found::Cleaned,
    tables::tables,
};

/// Drops the tables of a data set, and the remains of an interrupted prepare. `first` limits numbered tables to the first
/// ones; none: all that exist, whatever the data set says.
///
/// # Errors
/// The server cannot be asked, or refuses.
pub fn cleanup(connect: &ConnectOptions, data: &DataSet, first: Option<u32>) -> Result<Cleaned, DataError> {
    let account = Account::open(connect, IfMissing::Fail)?;
    let mut session = account.connect()?;
    session.lock_out_others()?;
    tables(data).cleanup(&mut session, first)
}
