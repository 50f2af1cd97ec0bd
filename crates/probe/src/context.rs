//! The context of readings.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wire::Client;

/// The context of readings.
pub struct ReadingContext<'a> {
    /// A connection of the watch's own.
    pub client: &'a mut Client,
    /// The server's process; none if it is not known, or not on this machine.
    pub pid: Option<u32>,
    /// Heartbeats of a replica's primary; none on other servers.
    pub heartbeat: Option<&'a Heartbeats>,
    /// Readings that the server cannot answer: it is not queried for them again.
    pub silent: &'a mut BTreeSet<&'static str>,
}

/// The newest heartbeats of a primary and one of its replicas, microseconds since 1970; 0: none yet.
#[derive(Debug, Default)]
pub struct Heartbeats {
    /// The newest one that the primary has committed.
    pub committed_us: Arc<AtomicU64>,
    /// The newest one known to be applied by the replica.
    pub applied_us: AtomicU64,
}

impl Heartbeats {
    /// Age difference between the two, seconds; none before the replica has applied one.
    pub fn lag_s(&self) -> Option<f64> {
        let [committed_us, applied_us] =
            [&*self.committed_us, &self.applied_us].map(|us| us.load(Ordering::Relaxed));
        (applied_us > 0).then(|| committed_us.saturating_sub(applied_us) as f64 / 1e6)
    }
}
