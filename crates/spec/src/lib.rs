//! The specification of a measurement, whoever wrote it: a TOML file, the flags of a command line, or a recording.
//!
//! | file | what it holds |
//! |---|---|
//! | `table.rs`, `table/` | every option once: path, flag, kind, default, help |
//! | `kind.rs`, `kind/` | what the value of an option may be, and how it is written |
//! | `values.rs` | the options that somebody set: edits by path, with where each comes from |
//! | `workload/` | workloads by name, a file each; their options from values, and back |
//! | `load.rs`, `design.rs`, `capacity.rs`, `bisect.rs` | from values to what a plan holds; and back: `back.rs` |
//! | `document.rs`, `read.rs`, `write.rs` | a whole specification, and its form in TOML |
//! | `target.rs`, `word.rs` | a target as it is written; its short form `sandbox:mysql?sync_binlog=0` |
//! | `arrange.rs`, `arrangement.rs`, `via.rs` | how the servers of a target make its topology; the keys of that; a router before them |
//! | `path.rs`, `layout.rs` | what may vary, and what a specification comes to |
//!
//! Nothing here knows flags beyond their names in the table, and nothing does input or output.

mod arrange;
mod arrangement;
mod back;
mod bisect;
mod capacity;
mod design;
mod document;
mod edits;
mod general;
mod kind;
mod layout;
mod load;
mod nearest;
mod path;
mod read;
mod table;
mod target;
mod values;
mod via;
mod word;
mod workload;
mod write;

pub use design::{design, repeats};
pub use document::{Arm, Combination, Document, FORMAT, FactorSpec, Need, Quick, WorkloadEntry};
pub use general::{General, general, short_name};
pub use kind::{Kind, Value, bytes, count, count_u32, seconds, seed, switch};
pub use layout::{Fixed, Layout, TargetAt, WorkloadAt};
pub use load::{
    BISECT_DEFAULTS, CAPACITY_DEFAULTS, CRASHES, Defaults, FAILOVERS, PROOF_DEFAULTS, RUN, SWEEP, clients,
    seed_of, shape,
};
pub use nearest::nearest;
pub use path::Path;
pub use table::{
    BISECT, CAPACITY, DESIGN, Default, GENERAL, LOAD, OptionGroup, OptionRow, TPCC, WORKLOAD, row, rows,
};
pub use target::{CONNECTION_KEYS, Hidden, ServerSpec, TargetSpec, TargetWords};
pub use values::{Edit, Values, Wrong};
pub use word::{checked_sandbox, is_version, label_of, target, variable};
pub use workload::{NamedWorkload, options, options_of, owner_of};
