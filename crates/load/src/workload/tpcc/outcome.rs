//! Outcomes of a transaction.

/// The outcome of a successful transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Committed,
    /// Clause 2.4.2.3: a New-Order with an unused item.
    RolledBack,
}
