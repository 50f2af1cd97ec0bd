//! Workloads as data: the name and its options. Their behaviour is in the crate `load`.

mod data_set;
mod describe;
mod errors;
mod imported;
mod isolation;
mod keys;
mod list;
mod lua;
mod statements;
mod sysbench;
mod tpcc;

pub use data_set::DataSet;
pub use describe::{Reads, Workload};
pub use errors::ErrorPolicy;
pub use imported::ImportedWorkload;
pub use isolation::Isolation;
pub use keys::{KeyDistribution, SpecialShape};
pub use list::WorkloadSpec;
pub use lua::{LuaData, LuaDialect, LuaOptions, LuaScript};
pub use statements::{
    ColumnDefinition, Mix, Repeat, Scalar, StatementDefinition, StatementKind, StatementText, StatementsData,
    StatementsOptions, TableDefinition, TableSizes, TransactionDefinition, ValueDefinition, ValueGenerator,
    WeightsOf, WorkloadFile, draw_named,
};
pub use sysbench::{PsMode, SysbenchData, SysbenchOptions, SysbenchWorkload};
pub use tpcc::{
    Condition, Consistency, StatementStyle, StockLevelForm, TpccData, TpccDeck, TpccHome, TpccOptions,
    TpccResult, TpccTransaction, Unchecked,
};
