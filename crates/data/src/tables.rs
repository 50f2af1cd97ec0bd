//! Operations on the tables of a data set.

use std::sync::atomic::AtomicBool;

use model::{Consistency, DataSet, for_data_set};
use wire::ConnectOptions;

use crate::account::{Account, Session};
use crate::error::DataError;
use crate::found::{Checked, Cleaned, Depth};
use crate::job::{Job, PrepareProgress, Prepared};

/// The verbs, implemented by what the model keeps of a data set.
pub(crate) trait Tables {
    /// Makes the tables, or completes them.
    fn prepare(
        &self,
        job: &Job<'_>,
        progress: &(dyn Fn(PrepareProgress) + Sync),
    ) -> Result<Prepared, DataError>;

    /// Compares the existing tables with the request.
    fn check(&self, account: &Account, depth: Depth) -> Result<Checked, DataError>;

    /// Drops the tables; of numbered ones the first ones, or all.
    fn cleanup(&self, session: &mut Session<'_>, first: Option<u32>) -> Result<Cleaned, DataError>;

    /// Checks the consistency of the rows; none if there are no conditions.
    fn consistency(
        &self,
        _connect: &ConnectOptions,
        _connections: u32,
        _cancel: &AtomicBool,
    ) -> Result<Option<Consistency>, DataError> {
        Ok(None)
    }
}

/// The verbs of a data set.
pub(crate) fn tables(data: &DataSet) -> &dyn Tables {
    for_data_set!(data, data => data)
}

/// Checks the consistency conditions of a data set: TPC-C's twelve of clause 3.3.2, and that no order is missing, on the
/// warehouses that it asks for. None if the data set has no such conditions. It wants tables on which nothing is at work;
/// runs may have been. It may take minutes; setting `cancel` ends it at once.
///
/// # Errors
/// The server cannot be asked, or the check was cancelled.
pub fn consistency(
    connect: &ConnectOptions,
    data: &DataSet,
    connections: u32,
    cancel: &AtomicBool,
) -> Result<Option<Consistency>, DataError> {
    tables(data).consistency(connect, connections, cancel)
}
