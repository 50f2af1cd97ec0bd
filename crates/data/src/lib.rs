//! Puts sysbench's tables on a server, checks them, and removes them.
//!
//! Loading is not offering load: it wants the rows there soon and exactly once, so it has its own crate, its own
//! connections and its own way with errors. Three verbs: [`prepare`] loads in parallel, also within one table, and can
//! be resumed after a kill at any instant; [`check`] says in words how tables differ from what is asked for;
//! [`cleanup`] drops what mydyno or sysbench made and nothing else.
//!
//! Where is what: `definition` knows what the tables look like, `catalog` reads what is there, `rows` makes rows from
//! a seed, `chunks` decides who loads what, `ledger` remembers what is loaded, `worker` loads.

mod account;
mod catalog;
mod check;
mod chunks;
mod cleanup;
mod count;
mod definition;
mod error;
mod ledger;
mod prepare;
mod rows;
mod worker;

pub use check::{Checked, Depth, check};
pub use cleanup::{Cleaned, Left, cleanup};
pub use error::DataError;
pub use prepare::{Job, Method, Outcome, Phase, Prepared, Progress, prepare};
