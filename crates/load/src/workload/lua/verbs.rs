//! The operations of a script: its statements by their first word.

/// Statements are told apart by their first word: the first operations are the transactions.
pub(super) const FIRST_STATEMENT: usize = 2;

/// These words; the last one stands for all others.
pub(super) const VERBS: [&str; 10] =
    ["select", "insert", "update", "delete", "replace", "begin", "commit", "rollback", "call", "other"];
