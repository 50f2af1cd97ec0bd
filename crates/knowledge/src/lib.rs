//! What is known of MySQL and MariaDB: server variables, release series.
//!
//! The knowledge itself is data: the TOML pages in `knowledge/` at the root of the repository, which a DBA can correct
//! without knowing Rust. They are embedded in the program and parsed once, when they are first asked for. Pure: nothing
//! here reads a file, a clock or a server.

mod page;
pub mod variables;
mod version;

pub use page::{Mistake, Text};
pub use version::{Version, version};
