//! The contents of sysbench's tables.

use serde::{Deserialize, Serialize};

/// sysbench's tables.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SysbenchData {
    /// Tables `sbtest1..N`.
    pub tables: u32,
    /// Rows in each.
    pub table_size: u64,
    /// AUTO_INCREMENT primary key.
    pub auto_inc: bool,
    /// Index `xid` in place of the primary key.
    pub secondary: bool,
    /// Index `k_N` on column k.
    pub create_secondary: bool,
    /// Storage engine.
    pub engine: String,
    /// Appended to CREATE TABLE.
    pub table_options: String,
    /// Tables of bulk_insert (only `id` and `k`, empty), one per client.
    pub bulk: bool,
}
