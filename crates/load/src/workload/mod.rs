//! What to do: the third axis of load. Each workload has a folder of its own; `client` is what one client of it does,
//! `execution` what the engine asks of the whole.

mod client;
mod execution;
mod imported;
mod sample;
mod statement;
mod sysbench;
mod tpcc;

pub(crate) use client::{ClientNumber, ClientWorkload};
pub(crate) use execution::{Started, execution};
pub use execution::{prepared_statements, samples};
pub use sample::Sample;
