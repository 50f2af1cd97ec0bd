//! Looks at a server while it works: a thread of its own, on a connection of its own, that writes down when it was late.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use model::{Observation, Snapshot};
use probe::{Instruments, ProbeError, Site};
use wire::{Client, ConnectOptions};

/// For an answer of the server.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is looked at, and when.
pub(crate) struct Look {
    /// How to connect.
    pub connect: ConnectOptions,
    /// The server's process, if it is one of this machine that is known.
    pub pid: Option<u32>,
    /// Its error log, if it is at hand.
    pub error_log: Option<PathBuf>,
    /// Time from one reading to the next.
    pub every: Duration,
    /// When the measured window begins.
    pub window_from: Duration,
    /// Switch on the server's instruments that are off.
    pub instruments: bool,
}

/// The watch over a server during one load.
pub(crate) struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Option<Ends>>,
    seen: Receiver<Observation>,
}

/// Both ends of the measured window.
pub(crate) struct Ends {
    pub before: Snapshot,
    pub after: Snapshot,
}

impl Watch {
    /// Begins with the load. What cannot be seen is left out: a server that lets nobody in any more is not in the way of
    /// its own measurement.
    pub fn start(look: Look) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = Arc::clone(&stop);
        let (tell, seen) = mpsc::channel();
        let begun = Instant::now();
        let thread = thread::spawn(move || {
            // A server that hangs must not keep the run from ending.
            let connect = ConnectOptions { read_timeout: Some(PATIENCE), ..look.connect.clone() };
            let mut client = Client::connect(&connect).ok()?;
            let mut unseen = Vec::new();
            let instruments = look
                .instruments
                .then(|| Instruments::switch_on(&mut client, &mut unseen))
                .transpose()
                .ok()?;
            let ends = watch(&look, &mut client, begun, &stopping, &tell);
            if let Some(instruments) = instruments
                && let Err(error) = instruments.restore(&mut client)
            {
                let what = "the server's instruments are still switched on".to_owned();
                unseen.push(model::Unseen { what, why: error.to_string() });
            }
            let mut ends = ends.ok().flatten()?;
            ends.after.unseen.extend(unseen);
            Some(ends)
        });
        Self { stop, thread, seen }
    }

    /// What was read since this was asked last.
    pub fn seen(&self) -> impl Iterator<Item = Observation> {
        self.seen.try_iter()
    }

    /// Ends it with a last reading.
    pub fn stop(self) -> (Vec<Observation>, Option<Ends>) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        // One that panicked has no more to tell.
        let ends = self.thread.join().ok().flatten();
        (self.seen.try_iter().collect(), ends)
    }
}

/// Reads until it is told to stop. No ends if the measured window was not reached.
fn watch(
    look: &Look,
    client: &mut Client,
    begun: Instant,
    stopping: &AtomicBool,
    tell: &Sender<Observation>,
) -> Result<Option<Ends>, ProbeError> {
    let mut site = Site { client, pid: look.pid };
    let mut before = None;
    let mut due = Duration::ZERO;
    loop {
        let start = begun.elapsed();
        let mut observation = probe::observe(&mut site, begun)?;
        observation.late_s = start.saturating_sub(due).as_secs_f64();
        let _ = tell.send(observation);
        if stopping.load(Ordering::Relaxed) {
            let Some(before) = before else { return Ok(None) };
            let after = probe::snapshot(&mut site, look.error_log.as_deref(), begun)?;
            return Ok(Some(Ends { before, after }));
        }
        if before.is_none() && begun.elapsed() >= look.window_from {
            before = Some(probe::snapshot(&mut site, look.error_log.as_deref(), begun)?);
        }
        // What is behind is not made up for: two readings at once say nothing.
        due = (due + look.every).max(begun.elapsed());
        thread::park_timeout(due.saturating_sub(begun.elapsed()));
        if stopping.load(Ordering::Relaxed) {
            due = begun.elapsed();
        }
    }
}
