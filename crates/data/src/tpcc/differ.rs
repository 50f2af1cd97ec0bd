//! The error for tables that differ from the request.

use model::{DataSet, TpccData};

use crate::{
    account::Account,
    error::{DataError, WayOut},
};

/// The existing tables differ from the requested ones.
pub(crate) fn differ(account: &Account, data: &TpccData, differences: Vec<String>) -> DataError {
    let way_out = WayOut::Replace(Box::new(DataSet::Tpcc(data.clone())));
    DataError::Differs { database: account.database.clone(), differences, way_out }
}
