//! Where readings are taken.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicU64;

use wire::Client;

/// Where readings are taken.
pub struct ReadingContext<'a> {
    /// A connection of the watch's own.
    pub client: &'a mut Client,
    /// The server's process, if it is one of this machine that is known.
    pub pid: Option<u32>,
    /// Of a replica: the newest heartbeat that its primary has committed, microseconds since 1970; 0: none yet.
    pub heartbeat: Option<&'a AtomicU64>,
    /// Readings to which the server has no answer: it is not asked for them again.
    pub silent: &'a mut BTreeSet<&'static str>,
}
