//! How long before a packet's time the router wakes up.
//!
//! A sleeping thread wakes up later than its timer says, by tens of microseconds where a virtual CPU has to be woken as well. So
//! the router sets its timer early, and polls for the rest.

/// Longest poll, in nanoseconds: what is polled away is taken from the servers on the same CPUs.
const LONGEST_NS: u64 = 60_000;

/// Steps up and down: at one late wake in ten, they balance.
const UP_NS: u64 = 1_800;
const DOWN_NS: u64 = 200;

/// How early to wake: what nine wakes in ten come late at most, as far as it is below the longest poll.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Early {
    ns: u64,
}

impl Early {
    /// Nanoseconds.
    pub fn ns(self) -> u64 {
        self.ns
    }

    /// A wake came so many nanoseconds after its timer.
    pub fn learn(&mut self, late_ns: u64) {
        self.ns = if late_ns > self.ns {
            (self.ns + UP_NS).min(LONGEST_NS)
        } else {
            self.ns.saturating_sub(DOWN_NS)
        };
    }
}

#[cfg(test)]
mod tests {
    use random::Rng;

    use super::*;

    fn learned(late: impl Fn(&mut Rng) -> u64) -> u64 {
        let (mut early, mut rng) = (Early::default(), Rng::from_seed(1));
        (0..10_000).for_each(|_| early.learn(late(&mut rng)));
        early.ns()
    }

    #[test]
    fn nine_wakes_in_ten_are_early_enough() {
        let found = learned(|rng| rng.below(40_000));
        assert!((30_000..40_000).contains(&found), "{found}");
    }

    #[test]
    fn a_busy_machine_is_not_waited_for() {
        assert!(learned(|_| 5_000_000) <= LONGEST_NS);
    }
}
