//! A server that is cut off from the others for a while during a load.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use model::LinkCut;
use network::SimulatedNetwork;

/// A planned cut of a link. Dropping it ends the cut.
pub(crate) struct Cut {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Option<LinkCut>>>,
}

impl Cut {
    /// Counts from now. `names` are those of the servers, in their order.
    pub fn start(network: Arc<SimulatedNetwork>, names: &[String], asked: LinkCut) -> Self {
        let begun = Instant::now();
        let at = asked.server as usize - 1;
        let others = names.iter().enumerate().filter(move |(other, _)| *other != at);
        let pairs: Vec<(String, String)> =
            others.map(|(_, other)| (names[at].clone(), other.clone())).collect();
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let from = begun + Duration::from_millis(asked.from_ms);
            if !wait(from, &stopping) {
                return None;
            }
            let from_ms = begun.elapsed().as_millis() as u64;
            // The nodes are those of this network, so nothing can fail.
            pairs.iter().for_each(|(a, b)| _ = network.cut(a, b));
            wait(from + Duration::from_millis(asked.length_ms), &stopping);
            pairs.iter().for_each(|(a, b)| _ = network.heal(a, b));
            Some(LinkCut { from_ms, length_ms: begun.elapsed().as_millis() as u64 - from_ms, ..asked })
        });
        Self { stop, thread: Some(thread) }
    }

    /// Ends it; when it was and for how long, none if it had not begun.
    pub fn stop(mut self) -> Option<LinkCut> {
        self.end()
    }

    fn end(&mut self) -> Option<LinkCut> {
        self.stop.store(true, Ordering::Relaxed);
        let thread = self.thread.take()?;
        thread.thread().unpark();
        // One that panicked has cut or healed what it could.
        thread.join().ok().flatten()
    }
}

impl Drop for Cut {
    fn drop(&mut self) {
        self.end();
    }
}

/// Waits until an instant. False: it is to stop before.
fn wait(until: Instant, stopping: &AtomicBool) -> bool {
    loop {
        if stopping.load(Ordering::Relaxed) {
            return false;
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        thread::park_timeout(left);
    }
}
