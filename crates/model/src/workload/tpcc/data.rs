//! The contents of TPC-C's tables. Clause numbers refer to revision 5.11.

use serde::{Deserialize, Serialize};

/// The data of TPC-C, as far as it decides whether existing data can be used.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TpccData {
    /// Number of warehouses.
    pub warehouses: u32,
    /// Foreign keys (clause 1.4).
    pub foreign_keys: bool,
    /// Index `orders(o_w_id, o_d_id, o_c_id, o_id)`, which Order-Status needs.
    pub order_index: bool,
    /// Partitions by warehouse of all tables but `item`; 0: none.
    pub partitions: u32,
    /// Additional copies of the initial orders, all delivered, which age the database as if it had been in use.
    pub age: u32,
    /// Storage engine.
    pub engine: String,
}

impl Default for TpccData {
    fn default() -> Self {
        Self {
            warehouses: 10,
            foreign_keys: false,
            order_index: true,
            partitions: 0,
            age: 0,
            engine: "InnoDB".to_owned(),
        }
    }
}
