//! sysbench's tables: `definition` defines them, `rows` makes their rows from a seed, `chunks` cuts them, `worker` loads them.

mod check;
pub(crate) mod chunks;
mod cleanup;
mod count;
mod definition;
mod prepare;
mod rows;
mod tables;
mod worker;
