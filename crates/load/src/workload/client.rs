//! The behaviour of one client: straight-line code over a session.

use crate::recorder::{OperationIndex, TRANSACTION};
use crate::session::Session;
use crate::statement_error::StatementError;

/// The behaviour of one client.
pub(crate) trait ClientWorkload {
    /// Prepares the statements on a new connection.
    async fn prepare(&mut self, session: &mut Session) -> Result<(), StatementError>;

    /// Turns to the next transaction. Returns the nanoseconds from the last completion until it is due. Called once
    /// before each transaction, but not before it is tried again.
    fn next_pause_ns(&mut self) -> u64 {
        0
    }

    /// The type of the transaction that is turned to; `TRANSACTION` if there is only one.
    fn operation(&self) -> OperationIndex {
        TRANSACTION
    }

    /// True if the transaction that is turned to only reads.
    fn only_reads(&self) -> bool {
        false
    }

    /// Runs one transaction.
    async fn transaction(&mut self, session: &mut Session) -> Result<(), StatementError>;

    /// Undoes a failed transaction.
    async fn roll_back(&mut self, session: &mut Session) -> Result<(), StatementError>;

    /// Finishes the remaining work at the end, before the connection is closed.
    async fn finish(&mut self, _session: &mut Session) -> Result<(), StatementError> {
        Ok(())
    }

    /// True if duplicate keys are an expected conflict between clients.
    fn collides(&self) -> bool {
        false
    }
}

/// A client's place among all clients of a trial.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientNumber {
    /// The number, from 0.
    pub number: u32,
    /// Number of clients.
    pub of: u32,
    /// Seed of the trial.
    pub seed: u64,
}
