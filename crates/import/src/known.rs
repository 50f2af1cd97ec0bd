//! What the user adds to a file.

use crate::mapping::Mapping;

/// What the user knows and a file may not say.
#[derive(Debug, Clone, Default)]
pub struct UserFacts {
    /// Clients.
    pub threads: Option<u32>,
    /// What the columns of a table mean.
    pub mapping: Option<Mapping>,
}
