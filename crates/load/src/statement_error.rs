//! Why a statement did not succeed.

use wire::ServerError;

use crate::recorder::OperationIndex;

/// Why a statement did not succeed.
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
