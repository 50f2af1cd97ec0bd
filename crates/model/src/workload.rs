//! Workloads as data: the name and its options. Their behaviour is in the crate `load`.

mod data_set;
mod describe;
mod errors;
mod imported;
mod keys;
mod list;
mod sysbench;
mod tpcc;

pub use data_set::DataSet;
pub use describe::{Reads, Workload};
pub use errors::ErrorPolicy;
pub use imported::ImportedWorkload;
pub use keys::{KeyDistribution, SpecialShape};
pub use list::WorkloadSpec;
pub use sysbench::{PsMode, SysbenchData, SysbenchOptions, SysbenchWorkload};
pub use tpcc::{
    Condition, Consistency, Isolation, StatementStyle, StockLevelForm, TpccData, TpccDeck, TpccHome,
    TpccOptions, TpccResult, TpccTransaction, Unchecked,
};
