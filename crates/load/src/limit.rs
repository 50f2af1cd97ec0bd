//! The limit of a load: its second axis.

use std::time::Duration;

/// Warm-up, then a measured window that ends by time, by a number of transactions, or by whichever comes first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// Time before the measured window.
    pub warmup: Duration,
    /// Length of the measured window; none: until `events`.
    pub time: Option<Duration>,
    /// Transactions in the measured window; none: no such limit.
    pub events: Option<u64>,
}

impl Limit {
    /// Ends of the intervals at which figures are handed over, as nanoseconds since the start: each second of the
    /// warm-up, the end of the warm-up, then each second of the measured window and its end. Endless without `time`.
    pub(crate) fn boundaries(&self) -> impl Iterator<Item = Boundary> + use<> {
        const SECOND: u64 = 1_000_000_000;
        let warmup = self.warmup.as_nanos() as u64;
        let end = self.time.map_or(u64::MAX, |t| warmup + t.as_nanos() as u64);
        let warm =
            (1..).map(|k| k * SECOND).take_while(move |&t| t < warmup).chain((warmup > 0).then_some(warmup));
        let measured = (1..).map(move |k| warmup.saturating_add(k * SECOND));
        let measured = measured.take_while(move |&t| t < end).chain((end < u64::MAX).then_some(end));
        warm.map(move |at_ns| Boundary { at_ns, warmup: true, last: false })
            .chain(measured.map(move |at_ns| Boundary { at_ns, warmup: false, last: at_ns == end }))
    }
}

/// The end of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Boundary {
    /// Since the start of the load.
    pub at_ns: u64,
    /// The interval that ends here belongs to the warm-up.
    pub warmup: bool,
    /// The measured window ends here.
    pub last: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(warmup_ms: u64, time_ms: u64) -> Vec<(u64, bool, bool)> {
        let limit = Limit {
            warmup: Duration::from_millis(warmup_ms),
            time: Some(Duration::from_millis(time_ms)),
            events: None,
        };
        limit.boundaries().map(|b| (b.at_ns / 1_000_000, b.warmup, b.last)).collect()
    }

    #[test]
    fn intervals_are_seconds_cut_at_the_ends_of_warmup_and_window() {
        assert_eq!(
            ends(1_500, 2_500),
            [
                (1_000, true, false),
                (1_500, true, false),
                (2_500, false, false),
                (3_500, false, false),
                (4_000, false, true)
            ]
        );
        assert_eq!(ends(0, 1_000), [(1_000, false, true)]);
        assert_eq!(ends(1_000, 300), [(1_000, true, false), (1_300, false, true)]);
    }

    #[test]
    fn without_a_time_the_seconds_go_on() {
        let limit = Limit { warmup: Duration::ZERO, time: None, events: Some(5) };
        assert_eq!(limit.boundaries().take(1_000).last().map(|b| b.at_ns), Some(1_000_000_000_000));
    }
}
