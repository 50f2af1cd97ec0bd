//! The journal of a crash: what each transaction did, when it was sent, and when it was acknowledged.

use serde::{Deserialize, Serialize};

/// A transaction of a client that keeps a journal: it moves an amount between two accounts of its own, and inserts a row
/// that records it. Stored as a line of `journal.jsonl` as soon as its outcome is known, or the server has crashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// The client, from 0.
    pub client: u32,
    /// Its number among those of this client, from 1, without gaps.
    pub n: u64,
    /// The account that is charged.
    pub from: u32,
    /// The account that is credited.
    pub to: u32,
    /// The amount.
    pub amount: u32,
    /// Time its first statement was sent, microseconds since the clients of the load had connected.
    pub sent_us: u64,
    /// Time its commit was acknowledged, in the same unit; none: it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged_us: Option<u64>,
    /// The server refused it, so that it cannot be there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
    /// Position in the target of the server it was sent to, and that acknowledged it; 0 is the one that clients connect to first.
    #[serde(default, skip_serializing_if = "is_first")]
    pub server: u32,
}

fn is_first(server: &u32) -> bool {
    *server == 0
}
