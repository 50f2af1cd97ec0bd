//! Looks at a server while it works: a thread of its own, on a connection of its own, that writes down when it was late.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use model::Observation;
use probe::Site;
use wire::{Client, ConnectOptions};

/// For an answer of the server.
const PATIENCE: Duration = Duration::from_secs(5);

/// The watch over a server during one load.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    seen: Receiver<Observation>,
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
        let (tell, seen) = mpsc::channel();
        let thread = thread::spawn(move || {
            let Ok(mut client) = Client::connect(&connect) else { return };
            let mut due = Duration::ZERO;
            loop {
                let start = begun.elapsed();
                let mut site = Site { client: &mut client, pid };
                let Ok(mut observation) = probe::observe(&mut site, begun) else { return };
                observation.late_s = start.saturating_sub(due).as_secs_f64();
                let _ = tell.send(observation);
                if stopping.load(Ordering::Relaxed) {
                    return;
                }
                // What is behind is not made up for: two readings at once say nothing.
                due = (due + every).max(begun.elapsed());
                thread::park_timeout(due.saturating_sub(begun.elapsed()));
                if stopping.load(Ordering::Relaxed) {
                    due = begun.elapsed();
                }
            }
        });
        Self { stop, thread, seen }
    }

    /// What was read since this was asked last.
    pub fn seen(&self) -> impl Iterator<Item = Observation> {
        self.seen.try_iter()
    }

    /// Ends it with a last reading.
    pub fn stop(self) -> Vec<Observation> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        // One that panicked has no more to tell.
        let _ = self.thread.join();
        self.seen.try_iter().collect()
    }
}
