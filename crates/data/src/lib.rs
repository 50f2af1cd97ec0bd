//! Puts data sets on a server, checks them, and removes them: sysbench's tables, and those of TPC-C.
//!
//! Loading is not offering load: it wants the rows there soon and exactly once, so it has its own crate, its own
//! connections and its own way with errors. Four verbs: [`prepare`] loads in parallel, also within one table, and can
//! be resumed after a kill at any instant; [`check`] says in words how tables differ from what is asked for;
//! [`consistency`] checks what must hold among the rows; [`cleanup`] drops what mydyno or its like made and nothing
//! else.
//!
//! Where is what: `sysbench` and `tpcc` know what their tables look like and hold, and answer what `described` and
//! `tables` ask of every data set; the rest is what they share:
//! `catalog` reads what is there, `queue` hands out what is to be done, `ledger` remembers what is loaded, `pool` loads.

mod account;
mod catalog;
mod check;
mod cleanup;
mod described;
mod each;
mod error;
mod found;
mod job;
mod ledger;
mod lua;
mod pool;
mod prepare;
mod queue;
mod server;
mod statements;
mod sysbench;
mod tables;
mod tpcc;

pub use check::check;
pub use cleanup::cleanup;
pub use error::{DataError, WayOut};
pub use found::{Checked, Cleaned, Depth, Left};
pub use job::{Job, PrepareMethod, PrepareOutcome, PreparePhase, PrepareProgress, Prepared, rows, tables};
pub use lua::{LuaCommand, lua_commands, run_lua_command};
pub use prepare::prepare;
pub use tables::consistency;
