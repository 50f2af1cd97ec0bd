//! Everything that tests this crate from outside, as one program: it links once.

mod common;
mod interrupted;
mod refusals;
mod tables;
mod tpcc;
