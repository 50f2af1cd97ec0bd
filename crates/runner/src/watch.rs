//! Looks at a server while it works: a thread of its own, on a connection of its own, that writes down when it was late.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use model::Observation;
use wire::{Client, ConnectOptions};

/// For an answer of the server.
const PATIENCE: Duration = Duration::from_secs(5);

/// The watch over a server during one load.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Vec<Observation>>,
}

impl Watch {
    /// Begins with the load. What cannot be seen is left out: a server that lets nobody in any more is not in the way of
    /// its own measurement.
    pub fn start(connect: ConnectOptions, pid: Option<u32>, every: Duration) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = Arc::clone(&stop);
        let begun = Instant::now();
        // A server that hangs must not keep the run from ending.
        let connect = ConnectOptions { read_timeout: Some(PATIENCE), ..connect };
        let thread = thread::spawn(move || {
            let Ok(mut client) = Client::connect(&connect) else { return Vec::new() };
            let mut seen = Vec::new();
            let mut due = Duration::ZERO;
            loop {
                if let Some(observation) = observe(&mut client, pid, begun, due) {
                    seen.push(observation);
                }
                if stopping.load(Ordering::Relaxed) {
                    return seen;
                }
                // What is behind is not made up for: two readings at once say nothing.
                due = (due + every).max(begun.elapsed());
                thread::park_timeout(due.saturating_sub(begun.elapsed()));
                if stopping.load(Ordering::Relaxed) {
                    due = begun.elapsed();
                }
            }
        });
        Self { stop, thread }
    }

    /// Ends it with a last reading.
    pub fn stop(self) -> Vec<Observation> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        self.thread.join().unwrap_or_default()
    }
}

fn observe(client: &mut Client, pid: Option<u32>, begun: Instant, due: Duration) -> Option<Observation> {
    let start = begun.elapsed();
    let status = probe::counters(client).ok()?;
    let process = pid.and_then(probe::process_use);
    let end = begun.elapsed();
    Some(Observation {
        at_s: end.as_secs_f64(),
        took_s: (end - start).as_secs_f64(),
        late_s: start.saturating_sub(due).as_secs_f64(),
        status,
        process,
    })
}
