//! The clients' policy for server errors.

use serde::{Deserialize, Serialize};

/// The server errors that a run survives. Every other error is fatal for the trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorPolicy {
    /// Codes after which the transaction is rolled back and run again (`--mysql-ignore-errors`).
    pub retry: Vec<u16>,
    /// `--mysql-ignore-errors=all`.
    pub retry_all: bool,
    /// Reconnect and go on after a lost connection.
    pub reconnect_on_loss: bool,
}

impl Default for ErrorPolicy {
    fn default() -> Self {
        // sysbench's three, and those of Group Replication and Galera.
        let retry = codes::of(codes::ErrorClass::Conflict).collect();
        Self { retry, retry_all: false, reconnect_on_loss: true }
    }
}
