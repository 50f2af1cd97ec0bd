//! The list of data sets.

use serde::{Deserialize, Serialize};

use super::lua::LuaData;
use super::statements::StatementsData;
use super::sysbench::SysbenchData;
use super::tpcc::TpccData;

/// The data that a workload needs, as far as it decides whether existing data can be used.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "snake_case")]
pub enum DataSet {
    /// sysbench's tables.
    Sysbench(SysbenchData),
    /// The nine tables of TPC-C.
    Tpcc(TpccData),
    /// The tables that a file describes.
    Statements(StatementsData),
    /// The tables that a script makes.
    Lua(LuaData),
}

/// Evaluates an expression with what a [`DataSet`] holds, whatever its type: `for_data_set!(data, tables => tables.rows())`.
#[macro_export]
macro_rules! for_data_set {
    ($set:expr, $data:ident => $body:expr) => {
        match $set {
            $crate::DataSet::Sysbench($data) => $body,
            $crate::DataSet::Tpcc($data) => $body,
            $crate::DataSet::Statements($data) => $body,
            $crate::DataSet::Lua($data) => $body,
        }
    };
}
