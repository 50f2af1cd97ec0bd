//! sysbench's interval line. Several seconds make one line by merging their histograms: percentiles are not averaged.

use std::collections::BTreeMap;

use model::{Interval, QueryCounts};

/// Gathers seconds until they make a line.
pub struct Merger {
    every_s: f64,
    length_s: f64,
    transactions: u64,
    queries: QueryCounts,
    errors: u64,
    reconnects: u64,
    counts: BTreeMap<u64, u64>,
}

impl Merger {
    /// A line every so many seconds.
    pub fn new(every_s: u32) -> Self {
        Self {
            every_s: f64::from(every_s),
            length_s: 0.0,
            transactions: 0,
            queries: QueryCounts::default(),
            errors: 0,
            reconnects: 0,
            counts: BTreeMap::new(),
        }
    }

    /// Forgets what was gathered.
    pub fn restart(&mut self) {
        *self = Self { every_s: self.every_s, ..Self::new(1) };
    }

    /// Adds a second; gives the line that it completes, if it does.
    pub fn add(&mut self, interval: &Interval, percentile: f64) -> Option<String> {
        self.length_s += interval.length_s;
        self.transactions += interval.transactions;
        self.queries.add(interval.queries);
        self.errors += interval.errors.values().sum::<u64>();
        self.reconnects += interval.reconnects;
        for (value, count) in &interval.response_counts {
            *self.counts.entry(*value).or_default() += count;
        }
        // Half a second of tolerance: seconds are as long as the clock made them.
        if self.length_s + 0.5 < self.every_s {
            return None;
        }
        let line = self.line(interval, percentile);
        self.restart();
        Some(line)
    }

    fn line(&self, last: &Interval, percentile: f64) -> String {
        let per_s = |count: u64| count as f64 / self.length_s.max(f64::EPSILON);
        let backlog = last.backlog.map(|backlog| format!(" backlog: {backlog}")).unwrap_or_default();
        let warmup = if last.warmup { " (warm-up)" } else { "" };
        format!(
            "[ {:.0}s ] thds: {} tps: {:.2} qps: {:.2} (r/w/o: {:.2}/{:.2}/{:.2}) lat (ms,{percentile}%): {:.2} \
             err/s: {:.2} reconn/s: {:.2}{backlog}{warmup}",
            last.end_s,
            last.threads,
            per_s(self.transactions),
            per_s(self.queries.total()),
            per_s(self.queries.read),
            per_s(self.queries.write),
            per_s(self.queries.other),
            self.percentile_ns(percentile) as f64 / 1e6,
            per_s(self.errors),
            per_s(self.reconnects),
        )
    }

    /// The smallest value that so many percent of the values do not exceed; 0 without values.
    fn percentile_ns(&self, percentile: f64) -> u64 {
        let total: u64 = self.counts.values().sum();
        let rank = (total as f64 * percentile / 100.0).ceil().max(1.0) as u64;
        let mut seen = 0;
        let reaches = |(_, count): &(&u64, &u64)| {
            seen += **count;
            seen >= rank
        };
        self.counts.iter().find(reaches).map_or(0, |(value, _)| *value)
    }
}
