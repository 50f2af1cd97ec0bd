//! The environment for bringing up targets.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use sandbox::Home;
use wire::Secret;

/// The environment for bringing up targets.
#[derive(Clone, Copy)]
pub struct TargetEnvironment<'a> {
    /// Home of the sandboxes.
    pub home: Option<&'a Home>,
    /// Passwords of endpoints by name of the server.
    pub passwords: &'a BTreeMap<String, Secret>,
    /// Set from outside to stop.
    pub cancel: &'a AtomicBool,
    /// Load missing data.
    pub prepare: bool,
    /// Seed of the data.
    pub seed: u64,
    /// The check of a sandbox's data before they are kept.
    pub proof: Proof,
}

/// The check of data before they are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Only that they are complete: a run checks afterwards.
    Counted,
    /// The consistency conditions of TPC-C too, which takes a while.
    Consistent,
}
