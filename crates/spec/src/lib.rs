//! The specification of a measurement, whoever wrote it: a TOML file, the flags of a command line, or a recording.
//!
//! | file | what it holds |
//! |---|---|
//! | `table.rs`, `table/` | every option once: path, flag, kind, default, help |
//! | `kind.rs`, `kind/` | what the value of an option may be, and how it is written |
//! | `values.rs` | the options that somebody set: edits by path, with where each comes from |
//! | `workload.rs`, `load.rs`, `design.rs` | from values to what a plan holds, and back |
//!
//! Nothing here knows flags beyond their names in the table, and nothing does input or output.

mod design;
mod kind;
mod load;
mod nearest;
mod table;
mod values;
mod workload;

pub use design::{design, repeats};
pub use kind::{Kind, Value, bytes, count, count_u32, seconds, seed, switch};
pub use load::{Defaults, RUN, SWEEP, clients, seed_of, shape};
pub use nearest::nearest;
pub use table::{DESIGN, Default, Group, LOAD, Row, TPCC, WORKLOAD, row, rows};
pub use values::{Edit, Values, Wrong};
pub use workload::{Workload, options};
