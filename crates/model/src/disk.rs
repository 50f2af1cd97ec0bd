//! How the disk of a server treats what is written to it.

use serde::{Deserialize, Serialize};

/// How a simulated disk treats writes that were not flushed when its power fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiskKind {
    /// Its write cache is not protected against power loss: whatever was not flushed is lost, also direct writes (`O_DIRECT`).
    #[default]
    Volatile,
    /// Its write cache is protected against power loss: direct writes survive. Buffered ones, which are still in the memory of
    /// the machine, do not.
    Protected,
    /// It acknowledges a flush and does nothing: what was written since it was mounted is lost. A server on it must lose
    /// transactions, which shows that a test can find lost transactions.
    Lying,
}

impl DiskKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Volatile, Self::Protected, Self::Lying];

    /// As it is written in a specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Volatile => "volatile",
            Self::Protected => "protected",
            Self::Lying => "lying",
        }
    }
}
