//! Says whether the tables on a server are those that a run asks for, and if not, in which way.

use model::DataSet;
use wire::ConnectOptions;

use crate::{
    account::{Account, IfMissing},
    error::DataError,
    found::{Checked, Depth},
    tables::tables,
};

/// Compares the tables with a data set. [`DataError::Missing`], [`DataError::Differs`] and the like say what is not right
/// and what to do about it.
pub fn check(connect: &ConnectOptions, data: &DataSet, depth: Depth) -> Result<Checked, DataError> {
    let account = Account::open(connect, IfMissing::Fail)?;
    tables(data).check(&account, depth)
}
