//! TPC-C's tables (clause numbers are of revision 5.11): `schema` knows what they look like, `rows` makes their rows from a
//! seed, `chunks` cuts them, `worker` loads them, `conditions` says what must hold among them.

pub(crate) mod check;
pub(crate) mod chunks;
pub(crate) mod cleanup;
mod conditions;
pub(crate) mod consistency;
mod counts;
pub(crate) mod prepare;
mod rows;
pub(crate) mod schema;
mod worker;
