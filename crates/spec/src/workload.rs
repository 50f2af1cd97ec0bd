//! Workloads by name, their options from values, and back.

mod errors;
mod imported;
mod kind;
mod list;
mod lua;
mod statements;
mod sysbench;
mod tpcc;

pub use list::{MODULE, NamedWorkload, options, options_of, owner_of};
