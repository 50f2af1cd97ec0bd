//! Where readings are taken.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wire::Client;

/// Where readings are taken.
pub struct ReadingContext<'a> {
    /// A connection of the watch's own.
    pub client: &'a mut Client,
    /// The server's process, if it is one of this machine that is known.
    pub pid: Option<u32>,
    /// Of a replica: the heartbeats of its primary; none where there is none.
    pub heartbeat: Option<&'a Heartbeats>,
    /// Readings to which the server has no answer: it is not asked for them again.
    pub silent: &'a mut BTreeSet<&'static str>,
}

/// The newest heartbeats of a primary and one of its replicas, microseconds since 1970; 0: none yet.
#[derive(Debug, Default)]
pub struct Heartbeats {
    /// That the primary has committed.
    pub committed_us: Arc<AtomicU64>,
    /// That the replica was seen to have applied.
    pub applied_us: AtomicU64,
}

impl Heartbeats {
    /// How much older the one that was seen on the replica is, seconds; none before the first one was.
    pub fn lag_s(&self) -> Option<f64> {
        let [committed_us, applied_us] =
            [&*self.committed_us, &self.applied_us].map(|us| us.load(Ordering::Relaxed));
        (applied_us > 0).then(|| committed_us.saturating_sub(applied_us) as f64 / 1e6)
    }
}
