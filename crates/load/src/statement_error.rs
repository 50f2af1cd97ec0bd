//! Errors of statements.

use wire::ServerError;

use crate::recorder::OperationIndex;

/// The reason a statement failed.
#[derive(Debug)]
pub(crate) enum StatementError {
    /// The server refused it.
    Server { error: Box<ServerError>, operation: OperationIndex },
    /// The connection is gone.
    Lost { reason: String },
    /// The server broke the protocol.
    Protocol { reason: String },
    /// The tables do not hold what the workload needs.
    Data { operation: OperationIndex, reason: String },
}
