//! Detects periods in which the generator itself stood still: stopped by a signal, frozen, or suspended with its machine.
//!
//! The control thread wakes up twenty times a second whatever the server does. If it wakes up much later, and was not
//! waiting for a CPU meanwhile, the whole process did not run.

use std::time::Duration;

use model::Stretch;
use rustix::time::{ClockId, clock_gettime};

use crate::usage::run_queue_ns;

/// A shorter delay is one of a busy machine.
const STANDSTILL_MIN_NS: u64 = 500_000_000;

/// One observation of the control thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// Time by the clock of the load.
    pub now_ns: u64,
    /// Time that the thread has waited for a CPU since it began.
    pub run_queue_ns: u64,
    /// Time that the machine has been suspended since boot.
    pub suspended_ns: u64,
}

impl Look {
    /// Looks now.
    pub fn at(now_ns: u64) -> Self {
        let reading = |clock| {
            let reading = clock_gettime(clock);
            reading.tv_sec as u64 * 1_000_000_000 + reading.tv_nsec as u64
        };
        let suspended_ns = reading(ClockId::Boottime).saturating_sub(reading(ClockId::Monotonic));
        Self { now_ns, run_queue_ns: run_queue_ns(), suspended_ns }
    }
}

/// The period in which the generator stood still between two observations of a thread that slept for `asleep` at most, in
/// time since the start of the load; none if it did not.
pub(crate) fn between(before: Look, after: Look, asleep: Duration, started_ns: u64) -> Option<Stretch> {
    let stretch = |from_ns: u64, length_ns: u64| Stretch {
        from_s: from_ns.saturating_sub(started_ns) as f64 / 1e9,
        length_s: length_ns as f64 / 1e9,
    };
    // The clock of the load stands still with the machine.
    let suspended_ns = after.suspended_ns.saturating_sub(before.suspended_ns);
    if suspended_ns >= STANDSTILL_MIN_NS {
        return Some(stretch(before.now_ns, suspended_ns));
    }
    let waited_ns = after.run_queue_ns.saturating_sub(before.run_queue_ns);
    // It had slept for half of its time when it was stopped, on average.
    let used_ns = asleep.as_nanos() as u64 / 2 + waited_ns;
    let stood_ns = after.now_ns.saturating_sub(before.now_ns).saturating_sub(used_ns);
    let is_starved = waited_ns > stood_ns;
    (stood_ns >= STANDSTILL_MIN_NS && !is_starved)
        .then(|| stretch(after.now_ns.saturating_sub(stood_ns), stood_ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;
    const TICK: Duration = Duration::from_millis(50);

    fn look(now_ms: u64, run_queue_ms: u64, suspended_ms: u64) -> Look {
        Look { now_ns: now_ms * MS, run_queue_ns: run_queue_ms * MS, suspended_ns: suspended_ms * MS }
    }

    #[test]
    fn a_thread_that_slept_far_too_long_was_stopped() {
        let found = between(look(4_000, 7, 0), look(9_025, 7, 0), TICK, 25 * MS);
        assert_eq!(found, Some(Stretch { from_s: 4.0, length_s: 5.0 }));
    }

    #[test]
    fn a_late_tick_and_a_thread_that_waited_for_a_cpu_are_no_standstill() {
        assert_eq!(between(look(0, 0, 0), look(450, 0, 0), TICK, 0), None);
        assert_eq!(between(look(0, 0, 0), look(3_000, 2_900, 0), TICK, 0), None);
        // Long waits for a CPU beside a longer stop do not hide it.
        assert!(between(look(0, 0, 0), look(5_000, 1_000, 0), TICK, 0).is_some());
    }

    #[test]
    fn a_suspended_machine_shows_although_its_clock_stood_still_with_it() {
        let found = between(look(2_000, 0, 100), look(2_050, 0, 60_100), TICK, 0);
        assert_eq!(found, Some(Stretch { from_s: 2.0, length_s: 60.0 }));
    }
}
