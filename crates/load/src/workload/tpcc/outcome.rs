//! How a transaction ended.

/// How a transaction that went well ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Committed,
    /// Clause 2.4.2.3: a New-Order with an unused item.
    RolledBack,
}
