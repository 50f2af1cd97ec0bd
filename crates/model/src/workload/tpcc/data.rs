//! What TPC-C's tables hold. Clause numbers are of revision 5.11.

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
    /// So many times the initial orders are there besides, all delivered, as if the database had been in use.
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
