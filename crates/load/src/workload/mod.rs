//! The workloads: the third axis of load. Each has a folder of its own; `client` is the behaviour of one client,
//! `execution` the interface to the engine.

mod client;
mod execution;
mod imported;
mod lua;
mod sample;
mod statement;
mod statements;
mod sysbench;
mod tpcc;

pub(crate) use client::{ClientNumber, ClientWorkload};
pub(crate) use execution::{Started, execution};
pub use execution::{prepared_statements, samples};
pub use sample::Sample;
