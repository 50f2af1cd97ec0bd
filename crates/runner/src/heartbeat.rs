//! The heartbeat of a primary: the time of day in a row, from which its replicas show how far they are behind.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use wire::{Client, ConnectOptions, QueryError};

use crate::freshness::Committed;

/// Interval between two heartbeats.
const EVERY: Duration = Duration::from_millis(100);
/// Timeout of a commit: semisynchronous replication waits ten seconds for a replica.
const PATIENCE: Duration = Duration::from_secs(15);

/// The query whether its database exists, and the statement that creates it. A statement that changes nothing gets a GTID
/// that no table remembers: after a crash a replica would be ahead by it.
const DATABASE: [&str; 2] = [
    "SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'mydyno'",
    "CREATE DATABASE IF NOT EXISTS mydyno",
];
const TABLE: &str =
    "CREATE TABLE IF NOT EXISTS mydyno.heartbeat (id TINYINT PRIMARY KEY, written_us BIGINT NOT NULL)";

/// The receivers of every committed heartbeat.
type Listeners = Arc<Mutex<Vec<Sender<Committed>>>>;

/// A heartbeat that runs until it is dropped.
pub(crate) struct Heartbeat {
    committed_us: Arc<AtomicU64>,
    listeners: Listeners,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    /// Begins at once, on a connection of its own. A server that does not take it has none.
    pub fn start(connect: &ConnectOptions) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = Arc::clone(&stop);
        let committed_us = Arc::new(AtomicU64::new(0));
        let newest = Arc::clone(&committed_us);
        let listeners = Listeners::default();
        let told = Arc::clone(&listeners);
        let connect = ConnectOptions { database: None, read_timeout: Some(PATIENCE), ..connect.clone() };
        let thread = thread::spawn(move || {
            while !stopping.load(Ordering::Relaxed) {
                if let Ok(mut client) = Client::connect(&connect) {
                    // What fails is tried again on a new connection.
                    let _ = beat(&mut client, &newest, &told, &stopping);
                }
                thread::park_timeout(EVERY);
            }
        });
        Self { committed_us, listeners, stop, thread: Some(thread) }
    }

    /// The newest one that the primary has committed, microseconds since 1970; 0: none yet.
    pub fn committed_us(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.committed_us)
    }

    /// Adds receivers of every heartbeat committed from now on.
    pub fn tell(&self, more: Vec<Sender<Committed>>) {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).extend(more);
    }
}

fn beat(
    client: &mut Client,
    newest: &AtomicU64,
    told: &Listeners,
    stopping: &AtomicBool,
) -> Result<(), QueryError> {
    let [find, make] = DATABASE;
    if client.query(find)?.first().and_then(|row| row.text(0)) != Some("1") {
        client.execute(make)?;
    }
    client.execute(TABLE)?;
    while !stopping.load(Ordering::Relaxed) {
        let now_us = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        client.execute(&format!("REPLACE INTO mydyno.heartbeat VALUES (1, {now_us})"))?;
        let committed = Committed { written_us: now_us as u64, at: Instant::now() };
        newest.store(committed.written_us, Ordering::Relaxed);
        // One that listens no more needs to be told nothing.
        told.lock().unwrap_or_else(PoisonError::into_inner).retain(|one| one.send(committed).is_ok());
        thread::park_timeout(EVERY);
    }
    Ok(())
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // One that panicked has written enough.
            let _ = thread.join();
        }
    }
}
