//! Timing of the router's wake-ups for packets.
//!
//! A sleeping thread wakes up later than its timer says, by tens of microseconds where a virtual CPU has to be woken as well. So
//! the router sets its timer early, and polls for the rest. Polling takes a CPU from the servers: it has a budget, and where
//! packets follow each other so closely that it is spent, they leave in small batches.

/// Longest poll before a packet, in nanoseconds.
const LONGEST_NS: u64 = 60_000;

/// Steps up and down: at one late wake in ten, they balance.
const UP_NS: u64 = 1_800;
const DOWN_NS: u64 = 200;

/// Inverse of the share of time that may be spent polling.
const SHARE: u64 = 5;

/// Maximum budget for a burst, nanoseconds.
const MOST_NS: u64 = 2_000_000;

/// Budget needed before the next poll, nanoseconds: without it each small growth would be spent at once.
const ENOUGH_NS: u64 = 500_000;

/// Shortest sleep once the budget is spent, in nanoseconds: how long packets then gather.
const BATCH_NS: u64 = 50_000;

/// The action until the next packet leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// Look for packets without sleeping.
    Poll,
    /// Sleep until this instant, in nanoseconds since the start, unless a packet comes.
    Sleep(u64),
}

/// Decides how early to wake, from how late earlier wakes came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wake {
    /// Delay that nine wakes in ten stay below, capped at the longest poll.
    early_ns: u64,
    budget_ns: u64,
    is_spent: bool,
    /// Time the budget last grew.
    grown_at: u64,
}

impl Wake {
    pub fn new() -> Self {
        Self { early_ns: 0, budget_ns: MOST_NS, is_spent: false, grown_at: 0 }
    }

    /// The action now for a packet that leaves at `due`.
    pub fn until(&mut self, now: u64, due: u64) -> Until {
        let grown = now.saturating_sub(self.grown_at) / SHARE;
        if grown > 0 {
            self.budget_ns = (self.budget_ns + grown).min(MOST_NS);
            self.grown_at = now;
            self.is_spent &= self.budget_ns < ENOUGH_NS;
        }
        if due <= now {
            return Until::Poll;
        }
        if self.is_spent {
            return Until::Sleep(due.max(now + BATCH_NS));
        }
        match due.saturating_sub(self.early_ns) {
            wake if wake <= now => Until::Poll,
            wake => Until::Sleep(wake),
        }
    }

    /// Deducts polled nanoseconds from the budget.
    pub fn polled(&mut self, ns: u64) {
        self.budget_ns = self.budget_ns.saturating_sub(ns);
        self.is_spent |= self.budget_ns == 0;
    }

    /// Learns that a wake came this many nanoseconds after its timer.
    pub fn learn(&mut self, late_ns: u64) {
        self.early_ns = if late_ns > self.early_ns {
            (self.early_ns + UP_NS).min(LONGEST_NS)
        } else {
            self.early_ns.saturating_sub(DOWN_NS)
        };
    }
}

#[cfg(test)]
mod tests {
    use random::Rng;

    use super::*;

    const MS: u64 = 1_000_000;

    fn learned(late: impl Fn(&mut Rng) -> u64) -> u64 {
        let (mut wake, mut rng) = (Wake::new(), Rng::from_seed(1));
        (0..10_000).for_each(|_| wake.learn(late(&mut rng)));
        wake.early_ns
    }

    #[test]
    fn nine_wakes_in_ten_are_early_enough() {
        let found = learned(|rng| rng.below(40_000));
        assert!((30_000..40_000).contains(&found), "{found}");
    }

    #[test]
    fn a_busy_machine_is_not_waited_for() {
        assert!(learned(|_| 5 * MS) <= LONGEST_NS);
    }

    #[test]
    fn the_router_sleeps_until_shortly_before_and_then_polls() {
        let mut wake = Wake::new();
        (0..1_000).for_each(|_| wake.learn(30_000));
        let Until::Sleep(at) = wake.until(0, MS) else { panic!("there is time to sleep") };
        assert!((MS - 32_000..MS - 28_000).contains(&at), "{at}");
        assert_eq!(wake.until(at, MS), Until::Poll);
        assert_eq!(wake.until(MS + 1, MS), Until::Poll);
    }

    #[test]
    fn a_spent_budget_makes_batches_and_comes_back() {
        let mut wake = Wake::new();
        (0..1_000).for_each(|_| wake.learn(30_000));
        assert_eq!(wake.until(0, 10_000), Until::Poll);
        wake.polled(3 * MS);
        assert_eq!(wake.until(1, 10_000), Until::Sleep(BATCH_NS + 1));
        assert_eq!(wake.until(MS, MS + 10_000), Until::Sleep(MS + BATCH_NS));
        assert_eq!(wake.until(3 * MS, 3 * MS + 10_000), Until::Poll);
    }
}
