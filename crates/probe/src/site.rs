//! Where readings are taken.

use wire::Client;

/// Where readings are taken.
pub struct Site<'a> {
    /// A connection of the watch's own.
    pub client: &'a mut Client,
    /// The server's process, if it is one of this machine that is known.
    pub pid: Option<u32>,
    /// A replica to which the heartbeat of its primary comes.
    pub has_heartbeat: bool,
}
