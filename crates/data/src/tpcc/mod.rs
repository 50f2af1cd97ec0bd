//! TPC-C's tables (clause numbers refer to revision 5.11): `schema` defines them, `rows` makes their rows from a seed,
//! `chunks` cuts them, `worker` loads them, `conditions` has the consistency conditions.

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
