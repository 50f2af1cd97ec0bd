//! A measured window second by second.

use model::Interval;

/// A measured window second by second.
pub(super) struct Seconds {
    /// Transactions per second.
    pub per_s: Vec<f64>,
    /// Start of each value, seconds since the clients started.
    pub from_s: Vec<f64>,
    /// Mean length of a value, about a second.
    pub length_s: f64,
    pub transactions: f64,
}

impl Seconds {
    /// The values of these intervals; none if there are fewer than two.
    pub fn of(intervals: &[Interval]) -> Option<Self> {
        // What is left at the end of a run may be a fraction of a second, and says nothing.
        let measured: Vec<&Interval> = intervals.iter().filter(|i| !i.warmup && i.length_s > 0.5).collect();
        let all_s: f64 = measured.iter().map(|i| i.length_s).sum();
        (measured.len() >= 2).then(|| Self {
            per_s: measured.iter().map(|i| i.transactions as f64 / i.length_s).collect(),
            from_s: measured.iter().map(|i| i.end_s - i.length_s).collect(),
            length_s: all_s / measured.len() as f64,
            transactions: measured.iter().map(|i| i.transactions).sum::<u64>() as f64,
        })
    }

    pub fn measured_s(&self) -> f64 {
        self.length_s * self.per_s.len() as f64
    }

    /// Start of the value; for the index after the last, the end of the last.
    pub fn at_s(&self, index: usize) -> f64 {
        let last = self.from_s.len() - 1;
        if index <= last { self.from_s[index] } else { self.from_s[last] + self.length_s }
    }
}
