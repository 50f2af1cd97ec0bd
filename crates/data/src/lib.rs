//! Puts data sets on a server, checks them, and removes them: sysbench's tables, and those of TPC-C.
//!
//! Loading is not offering load: it wants the rows there soon and exactly once, so it has its own crate, its own
//! connections and its own way with errors. Four verbs: [`prepare`] loads in parallel, also within one table, and can
//! be resumed after a kill at any instant; [`check`] says in words how tables differ from what is asked for;
//! [`consistency`] checks TPC-C's consistency conditions; [`cleanup`] drops what mydyno or its like made and nothing
//! else.
//!
//! Where is what: `sysbench` and `tpcc` know what their tables look like and hold; the rest is what they share:
//! `catalog` reads what is there, `queue` hands out what is to be done, `ledger` remembers what is loaded, `crew` loads.

mod account;
mod catalog;
mod check;
mod cleanup;
mod crew;
mod each;
mod error;
mod ledger;
mod prepare;
mod queue;
mod server;
mod sysbench;
mod tpcc;

pub use check::{Checked, Depth, check};
pub use cleanup::{Cleaned, Cleanup, Left, cleanup};
pub use error::{DataError, WayOut};
pub use prepare::{Job, Method, Outcome, Phase, Prepared, Progress, prepare, rows};
pub use tpcc::consistency::consistency;
