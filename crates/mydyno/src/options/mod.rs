//! The grammar of options, one file for each kind: syntax and meaning.

pub mod connection;
pub mod dialect;
pub mod flags;
pub mod load;
pub mod meaning;
pub mod naming;
pub mod optionfile;
pub mod output;
pub mod place;
pub mod target;
pub mod tls;
pub mod typed;
pub mod workload;
