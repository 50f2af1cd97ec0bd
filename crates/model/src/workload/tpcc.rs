//! TPC-C.

mod data;
mod options;
mod result;
mod transaction;

pub use data::TpccData;
pub use options::{StatementStyle, StockLevelForm, TpccDeck, TpccHome, TpccOptions};
pub use result::{Condition, Consistency, TpccResult, Unchecked};
pub use transaction::TpccTransaction;
