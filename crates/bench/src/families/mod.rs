//! The measurement of each family of benchmarks.

mod bare_load;
pub mod connections;
pub mod cpu;
pub mod data;
pub mod experiments;
pub mod journal;
pub mod judging;
pub mod memory;
pub mod network;
pub mod observe;
pub mod open_loop;
pub mod protocols;
pub mod topologies;
pub mod tpcc;
pub mod tpcc_mysql;
pub mod worker;
