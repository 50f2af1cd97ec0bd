//! When work is due: arithmetic on counts and nanoseconds, without a clock and without sleeping.

/// The first axis of load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Schedule {
    /// Closed loop: a client's next transaction is due when its previous one (and `think_ns` after it) has ended.
    Closed {
        /// Think time between transactions.
        think_ns: u64,
    },
}

impl Schedule {
    /// Closed loop without think time.
    pub const CLOSED: Self = Self::Closed { think_ns: 0 };

    /// When a client's next transaction is due, given when its previous one ended (or when the load began).
    pub fn next_due(&self, previous_done_ns: u64) -> u64 {
        match self {
            Self::Closed { think_ns } => previous_done_ns + think_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_loop_is_due_when_the_previous_one_ends() {
        assert_eq!(Schedule::CLOSED.next_due(1_000), 1_000);
        assert_eq!(Schedule::Closed { think_ns: 500 }.next_due(1_000), 1_500);
    }
}
