//! The treatment of writes by a server's disk.

use serde::{Deserialize, Serialize};

/// The treatment of unflushed writes by a simulated disk when its power fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiskKind {
    /// Its write cache is not protected against power loss: whatever was not flushed is lost, also direct writes (`O_DIRECT`).
    #[default]
    Volatile,
    /// Its write cache is protected against power loss: direct writes survive. Buffered ones, which are still in the memory of
    /// the machine, do not.
    Protected,
    /// Acknowledges a flush without doing it: everything written since the mount is lost. A server on it must lose
    /// transactions, which shows that a test can detect lost transactions.
    Lying,
}

impl DiskKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Volatile, Self::Protected, Self::Lying];

    /// The name used in a specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Volatile => "volatile",
            Self::Protected => "protected",
            Self::Lying => "lying",
        }
    }
}
