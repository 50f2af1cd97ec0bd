//! The operations of a script: its statements by their first word.

/// Index of the first of them: the transactions come before.
pub(super) const FIRST_STATEMENT: usize = 2;

/// These words; the last one stands for all others.
pub(super) const VERBS: [&str; 10] =
    ["select", "insert", "update", "delete", "replace", "begin", "commit", "rollback", "call", "other"];
