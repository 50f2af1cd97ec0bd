//! How each family of benchmarks is measured.

pub mod connections;
pub mod cpu;
pub mod data;
pub mod tpcc;
