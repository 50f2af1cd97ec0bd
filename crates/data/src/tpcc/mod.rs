//! TPC-C's tables (clause numbers are of revision 5.11): `schema` knows what they look like, `rows` makes their rows from a
//! seed, `chunks` cuts them, `worker` loads them, `conditions` says what must hold among them.

mod check;
mod chunks;
mod cleanup;
mod conditions;
mod consistency;
mod counts;
mod differ;
mod prepare;
mod rows;
mod schema;
mod tables;
mod worker;
