//! The schedule of due transactions: arithmetic on counts and nanoseconds, without a clock and without sleeping.

use std::time::Duration;

use model::{Arrivals, Rate};
use random::Rng;

/// The first axis of load.
#[derive(Debug, Clone, PartialEq)]
pub enum Schedule {
    /// Closed loop: a client's next transaction is due when its previous one, and what the workload thinks about it, has
    /// ended.
    Closed,
    /// Open loop: transactions are due by the clock, whatever the server does. Clients take them in the order in which
    /// they are due, and nothing due is skipped; so the number of clients bounds how many are in flight.
    Open(Rate),
}

const SECOND_NS: f64 = 1e9;
/// Keeps the stream of arrivals apart from those of the clients.
const STREAM: u64 = 0x6172_7269_7661_6c73;

/// The due times of an open loop, one after the other.
#[derive(Debug)]
pub(crate) struct Timetable {
    phases: Vec<Segment>,
    arrivals: Arrivals,
    rng: Rng,
    /// Index in `phases` of the next arrival.
    at: usize,
    /// Expected arrivals up to the one that was given out last.
    mass: f64,
    /// The measured window, nanoseconds since the start.
    window_ns: (u64, u64),
    /// Arrivals given out that are due in the measured window.
    offered: u64,
}

/// One transaction that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    /// Nanoseconds since the start.
    pub due_ns: u64,
    /// Due in the measured window.
    pub in_window: bool,
}

/// A phase, placed on the time since the start.
#[derive(Debug, Clone, Copy)]
struct Segment {
    begin_s: f64,
    length_s: f64,
    from_per_s: f64,
    to_per_s: f64,
    /// Expected arrivals before it.
    mass: f64,
}

impl Segment {
    /// Arrivals expected in its first `s` seconds.
    fn expected(&self, s: f64) -> f64 {
        let slope =
            if self.length_s.is_finite() { (self.to_per_s - self.from_per_s) / self.length_s } else { 0.0 };
        self.from_per_s * s + slope * s * s / 2.0
    }

    fn all(&self) -> f64 {
        if self.length_s.is_finite() { self.expected(self.length_s) } else { f64::INFINITY }
    }

    /// Time at which this number of arrivals is expected, seconds into it: the inverse of [`Segment::expected`].
    fn when(&self, mass: f64) -> f64 {
        let change = self.to_per_s - self.from_per_s;
        if !self.length_s.is_finite() || change == 0.0 {
            return mass / self.from_per_s;
        }
        let slope = change / self.length_s;
        // Of from s + slope s^2 / 2 = mass the root that goes on from 0, written so that nothing cancels.
        let root = (self.from_per_s * self.from_per_s + 2.0 * slope * mass).max(0.0).sqrt();
        2.0 * mass / (self.from_per_s + root)
    }
}

impl Timetable {
    /// The timetable of a rate whose first phase is preceded by a warm-up at its initial rate.
    pub fn new(rate: &Rate, warmup: Duration, time: Option<Duration>, seed: u64) -> Self {
        let mut phases: Vec<Segment> = Vec::new();
        let mut add = |length_s: f64, from_per_s: f64, to_per_s: f64| {
            let (begin_s, mass) = phases
                .last()
                .map_or((0.0, 0.0), |last| (last.begin_s + last.length_s, last.mass + last.all()));
            if length_s > 0.0 {
                phases.push(Segment { begin_s, length_s, from_per_s, to_per_s, mass });
            }
        };
        let first = rate.phases.first().map_or(0.0, |phase| phase.from_per_s);
        add(warmup.as_secs_f64(), first, first);
        for phase in &rate.phases {
            add(phase.length_s.unwrap_or(f64::INFINITY), phase.from_per_s, phase.to_per_s);
        }
        let begin_ns = warmup.as_nanos() as u64;
        let end_ns = time.map_or(u64::MAX, |time| begin_ns + time.as_nanos() as u64);
        Self {
            phases,
            arrivals: rate.arrivals,
            rng: Rng::stream(seed, STREAM),
            at: 0,
            mass: 0.0,
            window_ns: (begin_ns, end_ns),
            offered: 0,
        }
    }

    /// The next transaction that is due; none after the last phase.
    pub fn next(&mut self) -> Option<Arrival> {
        self.mass += match self.arrivals {
            Arrivals::Constant => 1.0,
            Arrivals::Poisson => -(1.0 - self.rng.uniform_f64()).ln(),
        };
        while self.mass > self.phases.get(self.at)?.mass + self.phases[self.at].all() {
            self.at += 1;
        }
        let segment = self.phases.get(self.at)?;
        let due_ns = ((segment.begin_s + segment.when(self.mass - segment.mass)) * SECOND_NS) as u64;
        let in_window = (self.window_ns.0..self.window_ns.1).contains(&due_ns);
        self.offered += u64::from(in_window);
        Some(Arrival { due_ns, in_window })
    }

    /// Arrivals expected up to an instant.
    pub fn expected_until(&self, ns: u64) -> f64 {
        let s = ns as f64 / SECOND_NS;
        let Some(segment) = self.phases.iter().rev().find(|segment| segment.begin_s <= s) else { return 0.0 };
        segment.mass + segment.expected((s - segment.begin_s).min(segment.length_s))
    }

    /// Arrivals due in the measured window, including those that were never taken.
    pub fn offered_in_all(&mut self) -> u64 {
        while self.next().is_some_and(|arrival| arrival.due_ns < self.window_ns.1) {}
        self.offered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Phase;

    fn phase(from_per_s: f64, to_per_s: f64, length_s: f64) -> Phase {
        Phase { from_per_s, to_per_s, length_s: Some(length_s) }
    }

    fn timetable(arrivals: Arrivals, phases: Vec<Phase>, warmup_s: u64, time_s: u64) -> Timetable {
        let time = Some(Duration::from_secs(time_s));
        Timetable::new(&Rate { arrivals, phases }, Duration::from_secs(warmup_s), time, 1)
    }

    fn all(mut timetable: Timetable) -> Vec<f64> {
        std::iter::from_fn(|| timetable.next()).map(|arrival| arrival.due_ns as f64 / 1e9).collect()
    }

    #[test]
    fn constant_arrivals_are_at_equal_distances() {
        let due = all(timetable(Arrivals::Constant, vec![phase(4.0, 4.0, 2.0)], 0, 2));
        assert_eq!(due, [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0]);
    }

    #[test]
    fn a_phase_without_an_end_goes_on() {
        let phases = vec![Phase { from_per_s: 10.0, to_per_s: 10.0, length_s: None }];
        let rate = Rate { arrivals: Arrivals::Constant, phases };
        let mut timetable = Timetable::new(&rate, Duration::ZERO, None, 1);
        let last = (0..1_000).filter_map(|_| timetable.next()).last();
        assert_eq!(last.map(|arrival| arrival.due_ns), Some(100_000_000_000));
    }

    /// A ramp from 0 to 100/s over ten seconds brings 500; half of them come after 7.07 seconds.
    #[test]
    fn a_ramp_has_as_many_arrivals_as_the_area_below_it() {
        let due = all(timetable(Arrivals::Constant, vec![phase(0.0, 100.0, 10.0)], 0, 10));
        assert_eq!(due.len(), 500);
        assert!((due[249] - 50.0_f64.sqrt()).abs() < 1e-6, "{}", due[249]);
        let down = all(timetable(Arrivals::Constant, vec![phase(100.0, 0.0, 10.0)], 0, 10));
        assert!(
            down.len().abs_diff(500) <= 1 && (down[249] - (10.0 - 50.0_f64.sqrt())).abs() < 1e-6,
            "{}",
            down[249]
        );
    }

    #[test]
    fn phases_follow_each_other_and_the_warm_up_has_the_first_rate() {
        let phases = vec![phase(10.0, 10.0, 2.0), phase(100.0, 100.0, 1.0), phase(10.0, 10.0, 2.0)];
        let mut table = timetable(Arrivals::Constant, phases.clone(), 3, 5);
        assert_eq!((table.expected_until(3_000_000_000), table.expected_until(5_500_000_000)), (30.0, 100.0));
        assert_eq!(
            table.offered_in_all(),
            140,
            "with the one due when the window begins, without that at its end"
        );
        let due = all(timetable(Arrivals::Constant, phases, 3, 5));
        let within = |from: f64, to: f64| due.iter().filter(|s| (from..to).contains(*s)).count();
        assert_eq!((within(0.0, 2.99), within(3.01, 4.99), within(5.005, 5.995)), (29, 19, 99));
    }

    #[test]
    fn poisson_arrivals_have_the_rate_and_exponential_distances() {
        let due = all(timetable(Arrivals::Poisson, vec![phase(1_000.0, 1_000.0, 100.0)], 0, 100));
        assert!((due.len() as f64 - 100_000.0).abs() < 4.0 * 100_000.0_f64.sqrt(), "{}", due.len());
        let distances: Vec<f64> = due.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let share =
            |above: f64| distances.iter().filter(|d| **d > above).count() as f64 / distances.len() as f64;
        for multiple in [0.5_f64, 1.0, 2.0, 4.0] {
            assert!((share(multiple / 1_000.0) - (-multiple).exp()).abs() < 0.01);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_arrivals() {
        let once = || all(timetable(Arrivals::Poisson, vec![phase(50.0, 500.0, 4.0)], 1, 4));
        assert_eq!(once(), once());
    }
}
