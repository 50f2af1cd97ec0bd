//! sysbench's tables: `definition` knows what they look like, `rows` makes their rows from a seed, `chunks` cuts them,
//! `worker` loads them.

pub(crate) mod check;
pub(crate) mod chunks;
pub(crate) mod cleanup;
mod count;
pub(crate) mod definition;
pub(crate) mod prepare;
mod rows;
mod worker;
