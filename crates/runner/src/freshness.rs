//! Measures stale reads: each replica is read as soon as the primary has acknowledged a heartbeat.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use model::{Role, StaleReads};
use wire::{Client, ConnectOptions};

use crate::targets::LiveTarget;

/// Interval between two reads while a commit is not visible.
const PAUSE: Duration = Duration::from_millis(1);
/// Longest recorded time, microseconds: longer ones count as this.
const LONGEST_US: u64 = 3_600_000_000;
/// Timeout for an answer of a replica.
const PATIENCE: Duration = Duration::from_secs(15);

/// A heartbeat that the primary has acknowledged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Committed {
    /// Time written by the heartbeat, microseconds since 1970.
    pub written_us: u64,
    /// Time of the acknowledgement.
    pub at: Instant,
}

/// Reads replicas until it is stopped.
pub(crate) struct Freshness {
    threads: Vec<JoinHandle<StaleReads>>,
}

impl Freshness {
    /// Starts on a connection to each replica that clients read from. Returns the senders for committed heartbeats: dropping
    /// them stops it. Commits count between two instants after the beginning; a window that ends where it begins never ends.
    pub fn start(live: &LiveTarget, window: [Duration; 2]) -> (Self, Vec<Sender<Committed>>) {
        let begun = Instant::now();
        let replicas = live.members.iter().filter(|member| member.role == Role::Replica);
        let (threads, senders) = replicas
            .map(|member| {
                let (sender, committed) = mpsc::channel();
                let (server, connect) = (member.name.clone(), member.connect.clone());
                let mut replica = Replica {
                    connect: ConnectOptions { database: None, read_timeout: Some(PATIENCE), ..connect },
                    client: None,
                    unseen: Vec::new(),
                    seen: Seen::new(server, begun, window),
                };
                let thread = thread::spawn(move || {
                    replica.watch(&committed);
                    replica.seen.finish(&replica.unseen)
                });
                (thread, sender)
            })
            .unzip();
        (Self { threads }, senders)
    }

    /// The stale reads of each replica; to be called once no more commits are sent.
    pub fn stop(self) -> Vec<StaleReads> {
        // One that panicked has seen nothing.
        self.threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    }
}

/// A commit that was not seen yet.
struct Unseen {
    committed: Committed,
    /// Whether a read did not show it.
    stale: bool,
}

struct Replica {
    connect: ConnectOptions,
    client: Option<Client>,
    unseen: Vec<Unseen>,
    seen: Seen,
}

impl Replica {
    fn watch(&mut self, committed: &Receiver<Committed>) {
        loop {
            let next = match self.unseen.is_empty() {
                true => committed.recv().map_err(|_| RecvTimeoutError::Disconnected),
                false => committed.recv_timeout(PAUSE),
            };
            match next {
                Ok(committed) => self.unseen.push(Unseen { committed, stale: false }),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let sent = Instant::now();
            let Some(newest_us) = self.newest_us() else {
                // A replica that does not answer shows nothing stale.
                self.unseen.clear();
                continue;
            };
            self.unseen.retain_mut(|one| {
                let is_there = newest_us >= one.committed.written_us;
                if is_there {
                    self.seen.add(one, sent);
                }
                one.stale = true;
                !is_there
            });
        }
    }

    /// The newest heartbeat that it shows; 0 before the first. None if it does not answer.
    fn newest_us(&mut self) -> Option<u64> {
        let client = match &mut self.client {
            Some(client) => client,
            none => none.insert(Client::connect(&self.connect).ok()?),
        };
        match client.query("SELECT written_us FROM mydyno.heartbeat") {
            Ok(rows) => Some(rows.first().and_then(|row| row.parse(0)).unwrap_or_default()),
            Err(wire::QueryError::Server { .. }) => Some(0),
            Err(_) => {
                self.client = None;
                None
            }
        }
    }
}

/// The reads of a replica within the window.
struct Seen {
    server: String,
    begun: Instant,
    window: [Duration; 2],
    reads: u64,
    stale: u64,
    /// Time from the acknowledgement until a read was sent that showed it, microseconds; 0: the first one did.
    until_seen_us: Histogram<u64>,
}

impl Seen {
    fn new(server: String, begun: Instant, window: [Duration; 2]) -> Self {
        let until_seen_us = Histogram::new_with_bounds(1, LONGEST_US, 3).expect("these bounds are allowed");
        Self { server, begun, window, reads: 0, stale: 0, until_seen_us }
    }

    /// A read sent at that instant has shown it, or none ever did.
    fn add(&mut self, one: &Unseen, sent: Instant) {
        let after = one.committed.at.saturating_duration_since(self.begun);
        let [from, to] = self.window;
        if after < from || (to > from && after > to) {
            return;
        }
        let waited =
            if one.stale { sent.saturating_duration_since(one.committed.at) } else { Duration::ZERO };
        self.reads += 1;
        self.stale += u64::from(one.stale);
        self.until_seen_us.saturating_record(waited.as_micros() as u64);
    }

    /// Ends the count. A commit not seen until the end counts with the time waited for it.
    fn finish(&mut self, unseen: &[Unseen]) -> StaleReads {
        let now = Instant::now();
        unseen.iter().filter(|one| one.stale).for_each(|one| self.add(one, now));
        StaleReads {
            server: self.server.clone(),
            reads: self.reads,
            stale: self.stale,
            until_seen_p50_us: self.until_seen_us.value_at_quantile(0.5),
            until_seen_p99_us: self.until_seen_us.value_at_quantile(0.99),
            until_seen_max_us: self.until_seen_us.max(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_that_the_first_read_shows_is_not_stale_and_others_count_as_long_as_they_took() {
        let begun = Instant::now();
        let at = |ms: u64| begun + Duration::from_millis(ms);
        let window = [100, 1_000].map(Duration::from_millis);
        let mut seen = Seen::new("ha:2".to_owned(), begun, window);
        let commit = |ms: u64, stale| Unseen { committed: Committed { written_us: ms, at: at(ms) }, stale };
        seen.add(&commit(50, true), at(60));
        seen.add(&commit(200, false), at(201));
        seen.add(&commit(300, true), at(340));
        seen.add(&commit(1_200, true), at(1_300));
        let found = seen.finish(&[commit(900, false)]);
        assert_eq!((found.reads, found.stale, found.until_seen_p50_us), (2, 1, 0));
        assert!((39_900..=40_100).contains(&found.until_seen_max_us), "{found:?}");
    }
}
