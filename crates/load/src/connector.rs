//! Opens connections: blocking, on a bounded number of threads, with back-off.
//!
//! A thousand clients that connect at once overrun a server's listen queue and its authentication; so at most
//! [`THREADS_MAX`] connections are being opened at any instant, and a refusal that may pass is tried again until the
//! deadline. The load loop itself never blocks: a worker asks here and goes on with its other clients.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use wire::ConnectError;

use crate::entries::{CurrentPrimary, Entries, Purpose};
use crate::mailbox::{Connected, Mailbox};
use crate::reactor::Slot;

/// Connections being opened at the same time, at most.
pub(crate) const THREADS_MAX: usize = 16;
/// Timeout for a client to get its connection (sysbench's `--thread-init-timeout`).
const PATIENCE: Duration = Duration::from_secs(30);
/// Timeout once the load has begun: a server that listened and no longer does so has ended.
const PATIENCE_IN_LOAD: Duration = Duration::from_secs(1);
/// Timeout for a server that is lost on purpose: longer than any load.
const PATIENCE_WITH_LOSS: Duration = Duration::from_secs(24 * 3600);
/// Timeout for a server that reports too many connections.
const PATIENCE_WITH_LIMITS: Duration = Duration::from_secs(2);
const BACKOFF_MIN: Duration = Duration::from_millis(20);
const BACKOFF_MAX: Duration = Duration::from_secs(1);

/// A worker's wish for a connection.
struct Request {
    slot: Slot,
    /// The client's number, counted on with each server that it has left, and what the connection is for decide to which server it
    /// goes.
    client: u32,
    purpose: Purpose,
    reply: Mailbox,
    since: Instant,
    in_load: bool,
}

/// The queue of wishes, shared by workers and connecting threads.
pub(crate) struct Connector<'a> {
    entries: &'a Entries<'a>,
    servers: Vec<wire::Connector<'a>>,
    queue: Mutex<VecDeque<Request>>,
    wake: Condvar,
    closed: AtomicBool,
}

impl<'a> Connector<'a> {
    pub fn new(entries: &'a Entries<'a>) -> Self {
        Self {
            entries,
            servers: entries.servers.iter().map(wire::Connector::new).collect(),
            queue: Mutex::default(),
            wake: Condvar::new(),
            closed: AtomicBool::new(false),
        }
    }

    /// The servers that clients connect to.
    pub fn entries(&self) -> &Entries<'a> {
        self.entries
    }

    /// Asks for a connection; the answer comes to the mailbox. `in_load`: the load has begun.
    pub fn ask(&self, slot: Slot, (client, purpose): (u32, Purpose), reply: Mailbox, in_load: bool) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.push_back(Request { slot, client, purpose, reply, since: Instant::now(), in_load });
        self.wake.notify_one();
    }

    /// Ends the connecting threads; wishes still queued are dropped.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.wake.notify_all();
    }

    /// The life of one connecting thread.
    pub fn serve(&self) {
        while let Some(request) = self.next() {
            let result = self.open(&request);
            request.reply.connected(request.slot, result);
        }
    }

    fn next(&self) -> Option<Request> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.closed.load(Ordering::Acquire) {
                return None;
            }
            if let Some(request) = queue.pop_front() {
                return Some(request);
            }
            queue = self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn open(&self, request: &Request) -> Result<Connected, ConnectError> {
        let mut pause = BACKOFF_MIN;
        let mut tries = 0;
        loop {
            // The server that takes writes may be another one by now.
            let at = self.entries.of_client((request.client, tries), request.purpose).unwrap_or_default();
            tries += 1;
            let begun = Instant::now();
            let changes = self.entries.primary.map_or(0, CurrentPrimary::changes);
            match wire::Client::connect_by(&self.servers[at]) {
                Ok(client) => {
                    let took = begun.elapsed();
                    return Ok(Connected { parts: client.into_parts(), took, at, changes });
                }
                Err(error) => {
                    let patience = if request.in_load && self.entries.outlasts_loss() {
                        PATIENCE_WITH_LOSS
                    } else {
                        patience_with(&error, request.in_load)
                    };
                    let give_up = request.since.elapsed() + pause > patience;
                    if give_up || self.closed.load(Ordering::Acquire) {
                        return Err(error);
                    }
                    request.reply.refused(request.slot, error);
                }
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(BACKOFF_MAX);
        }
    }
}

/// Time for which an error may be transient.
fn patience_with(error: &ConnectError, in_load: bool) -> Duration {
    match error {
        ConnectError::Refused { .. } | ConnectError::Socket { .. } if in_load => PATIENCE_IN_LOAD,
        ConnectError::Refused { .. }
        | ConnectError::TimedOut { .. }
        | ConnectError::Socket { .. }
        | ConnectError::Lost { .. } => PATIENCE,
        // The connections of the trial before may still be going away; a true lack of places stays.
        ConnectError::TooManyConnections { .. } => PATIENCE_WITH_LIMITS,
        _ => Duration::ZERO,
    }
}
