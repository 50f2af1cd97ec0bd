//! The grammar of options, one file for each kind: what may be written, and what it means.

pub mod belongs;
pub mod connection;
pub mod design;
pub mod dialect;
pub mod load;
pub mod meaning;
pub mod naming;
pub mod optionfile;
pub mod output;
pub mod place;
pub mod rate;
pub mod size;
pub mod target;
pub mod threads;
pub mod tls;
pub mod tpcc;
pub mod workload;
