//! Readings of a server on their way to whoever asks for them, in order of time; and how far a replica is behind while its own
//! readings are late.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use model::Observation;
use probe::Heartbeats;

/// Delay of a reading after which the lag is reported without it.
const LATE: Duration = Duration::from_millis(500);
/// Interval between two checks for a late reading.
const LOOK: Duration = Duration::from_millis(100);

/// The receiver of readings.
pub(crate) struct Readings {
    to: Sender<Observation>,
    last: Mutex<Last>,
}

/// Times of the newest complete readings, since the load began.
#[derive(Default)]
struct Last {
    /// The newest of all.
    any: Duration,
    /// The newest that the server answered; none: none so far.
    answered: Option<Duration>,
}

impl Readings {
    pub fn new(to: Sender<Observation>) -> Self {
        Self { to, last: Mutex::default() }
    }

    /// Sends a reading that the server answered.
    pub fn tell(&self, mut observation: Observation) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        observation.at_s = observation.at_s.max(last.any.as_secs_f64());
        last.any = Duration::from_secs_f64(observation.at_s);
        last.answered = Some(last.any);
        // Once nobody asks for readings any more, none is missed.
        let _ = self.to.send(observation);
    }

    /// Runs until it is stopped: while a reading is late, reports the lag by the heartbeat that the replica was last seen to
    /// have applied, twice as often as readings are due.
    pub fn tell_lag_of_late(
        &self,
        heartbeats: &Heartbeats,
        (begun, every): (Instant, Duration),
        stopping: &AtomicBool,
    ) {
        while !stopping.load(Ordering::Relaxed) {
            thread::park_timeout(LOOK);
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            let (now, Some(answered)) = (begun.elapsed(), last.answered) else { continue };
            let due = answered + every;
            let is_due = last.any <= answered || now >= last.any + every / 2;
            let (true, true, Some(lag_s)) = (now >= due + LATE, is_due, heartbeats.lag_s()) else { continue };
            last.any = now;
            let _ = self.to.send(Observation {
                at_s: now.as_secs_f64(),
                late_s: now.saturating_sub(due).as_secs_f64(),
                lag_s: Some(lag_s),
                ..Observation::default()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_replica_that_does_not_answer_is_behind_all_the_same() {
        let (to, told) = mpsc::channel();
        let readings = Readings::new(to);
        let heartbeats = Heartbeats::default();
        let (every, begun) = (Duration::from_millis(20), Instant::now());
        let stopping = AtomicBool::new(false);
        heartbeats.applied_us.store(7_000_000, Ordering::Relaxed);
        heartbeats.committed_us.store(8_500_000, Ordering::Relaxed);
        let seen = thread::scope(|scope| {
            let lag = scope.spawn(|| readings.tell_lag_of_late(&heartbeats, (begun, every), &stopping));
            readings.tell(Observation { at_s: 0.01, ..Observation::default() });
            let first = told.recv().expect("it was told");
            let late = told.recv().expect("the next one never came");
            // One that comes after all is not earlier than what was told in its place.
            readings.tell(Observation { at_s: 0.02, ..Observation::default() });
            stopping.store(true, Ordering::Relaxed);
            lag.join().expect("it ends");
            let after = told.try_iter().last().expect("it was told");
            [first, late, after]
        });
        assert_eq!((seen[0].lag_s, seen[1].lag_s), (None, Some(1.5)));
        assert!(seen[1].at_s >= 0.52 && seen[2].at_s >= seen[1].at_s, "{seen:?}");
    }
}
