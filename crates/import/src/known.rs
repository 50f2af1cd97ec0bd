//! Facts that the user adds to a file.

use crate::mapping::Mapping;

/// Facts that the user knows and a file may lack.
#[derive(Debug, Clone, Default)]
pub struct UserFacts {
    /// Clients.
    pub threads: Option<u32>,
    /// The meaning of a table's columns.
    pub mapping: Option<Mapping>,
}
