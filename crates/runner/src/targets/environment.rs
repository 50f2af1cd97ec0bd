//! What bringing up targets needs from outside.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use sandbox::Home;
use wire::Secret;

/// What bringing up targets needs from outside.
#[derive(Clone, Copy)]
pub struct TargetEnvironment<'a> {
    /// Where sandboxes live.
    pub home: Option<&'a Home>,
    /// Passwords of endpoints by name of the server.
    pub passwords: &'a BTreeMap<String, Secret>,
    /// Set from outside to stop.
    pub cancel: &'a AtomicBool,
    /// Load missing data.
    pub prepare: bool,
    /// Seed of the data.
    pub seed: u64,
    /// Whether data of a sandbox are proven before they are kept.
    pub proof: Proof,
}

/// What is asked of data before they are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Nothing more than that they are complete: a run checks afterwards.
    Counted,
    /// The consistency conditions of TPC-C too, which takes a while.
    Consistent,
}
