//! Knowledge about MySQL and MariaDB: server variables, threads, release series, and recommendations of a DBA.
//!
//! The knowledge itself is data: the TOML pages in `knowledge/` at the root of the repository, which a DBA can correct
//! without knowing Rust. They are embedded in the program and parsed once, on first use. Pure: nothing here reads a file, a
//! clock or a server.

pub mod doctor;
mod like;
mod page;
pub mod releases;
pub mod threads;
pub mod together;
pub mod variables;
mod version;

pub use like::{Likeness, likeness};
pub use page::{Mistake, Text};
pub use version::{Version, version};
