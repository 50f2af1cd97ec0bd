//! Workloads that users write: tables, and transactions of SQL statements, in a file.

mod check;
mod data;
mod file;
mod generator;
mod options;
mod sql;

pub use data::StatementsData;
pub use file::{
    ColumnDefinition, Mix, Repeat, StatementDefinition, TableDefinition, TransactionDefinition, WeightsOf,
    WorkloadFile,
};
pub use generator::{Scalar, TableSizes, ValueDefinition, ValueGenerator, draw_named};
pub use options::StatementsOptions;
pub use sql::{StatementKind, StatementText};
