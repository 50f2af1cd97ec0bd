//! sysbench's database workloads.

mod data;
mod name;
mod options;

pub use data::SysbenchData;
pub use name::SysbenchWorkload;
pub use options::{PsMode, SysbenchOptions};
