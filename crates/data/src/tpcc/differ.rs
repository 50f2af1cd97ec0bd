//! Tables that are not what is asked for, as an error.

use model::{DataSet, TpccData};

use crate::{
    account::Account,
    error::{DataError, WayOut},
};

/// Tables are there and are not what is asked for.
pub(crate) fn differ(account: &Account, data: &TpccData, differences: Vec<String>) -> DataError {
    let way_out = WayOut::Replace(Box::new(DataSet::Tpcc(data.clone())));
    DataError::Differs { database: account.database.clone(), differences, way_out }
}
