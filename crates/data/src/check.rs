//! Checks whether the tables on a server are those that a run needs, and reports the differences.

use model::DataSet;
use wire::ConnectOptions;

use crate::{
    account::{Account, IfMissing},
    error::DataError,
    found::{Checked, Depth},
    tables::tables,
};

/// Compares the tables with a data set. [`DataError::Missing`], [`DataError::Differs`] and the like name the difference and
/// come with advice.
pub fn check(connect: &ConnectOptions, data: &DataSet, depth: Depth) -> Result<Checked, DataError> {
    let account = Account::open(connect, IfMissing::Fail)?;
    tables(data).check(&account, depth)
}
