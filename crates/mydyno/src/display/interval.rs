//! sysbench's interval line. Several seconds make one line by merging their histograms: percentiles are not averaged.

use model::{Interval, QueryCounts};

use super::counts::Counts;

/// The format of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// Progress: marks the warm-up, and shows the backlog of an open loop.
    Progress,
    /// The report of sysbench 1.0, which knows no warm-up and counts from its end. An open loop has a line of its own.
    Sysbench {
        /// Seconds of warm-up.
        warmup_s: f64,
    },
}

/// Gathers seconds until they make a line.
pub struct Merger {
    form: Form,
    every_s: f64,
    length_s: f64,
    transactions: u64,
    queries: QueryCounts,
    errors: u64,
    reconnects: u64,
    counts: Counts,
}

impl Merger {
    /// A line at this interval, seconds.
    pub fn new(every_s: u32, form: Form) -> Self {
        Self {
            form,
            every_s: f64::from(every_s),
            length_s: 0.0,
            transactions: 0,
            queries: QueryCounts::default(),
            errors: 0,
            reconnects: 0,
            counts: Counts::default(),
        }
    }

    /// Forgets what was gathered.
    pub fn restart(&mut self) {
        *self = Self { every_s: self.every_s, ..Self::new(1, self.form) };
    }

    /// Adds a second; gives the line that it completes, if it does.
    pub fn add(&mut self, interval: &Interval, percentile: f64) -> Option<String> {
        self.gather(interval);
        self.line_if_due(interval, percentile)
    }

    /// Adds a second that completes no line.
    pub fn gather(&mut self, interval: &Interval) {
        if interval.warmup && self.form != Form::Progress {
            return;
        }
        self.length_s += interval.length_s;
        self.transactions += interval.transactions;
        self.queries.add(interval.queries);
        self.errors += interval.errors.values().sum::<u64>();
        self.reconnects += interval.reconnects;
        self.counts.add(&interval.response_counts);
    }

    /// The line that the second that was added last completes, if it does.
    fn line_if_due(&mut self, interval: &Interval, percentile: f64) -> Option<String> {
        if interval.warmup && self.form != Form::Progress {
            return None;
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
        let (end_s, more) = match self.form {
            Form::Progress => {
                let backlog = last.backlog.map(|backlog| format!(" backlog: {backlog}")).unwrap_or_default();
                (last.end_s, format!("{backlog}{}", if last.warmup { " (warm-up)" } else { "" }))
            }
            Form::Sysbench { warmup_s } => {
                let end_s = last.end_s - warmup_s;
                // By Little's law, the mean over the line; sysbench has the number at its end.
                let busy = (self.counts.sum_ns() / 1e9 / self.length_s.max(f64::EPSILON)).round();
                let queue = |backlog| {
                    let concurrency = busy.min(f64::from(last.threads));
                    format!("\n[ {end_s:.0}s ] queue length: {backlog}, concurrency: {concurrency}")
                };
                (end_s, last.backlog.map(queue).unwrap_or_default())
            }
        };
        format!(
            "[ {:.0}s ] thds: {} tps: {:.2} qps: {:.2} (r/w/o: {:.2}/{:.2}/{:.2}) lat (ms,{percentile}%): {:.2} \
             err/s: {:.2} reconn/s: {:.2}{more}",
            end_s,
            last.threads,
            per_s(self.transactions),
            per_s(self.queries.total()),
            per_s(self.queries.read),
            per_s(self.queries.write),
            per_s(self.queries.other),
            self.counts.percentile_ns(percentile).filter(|_| percentile > 0.0).unwrap_or(0) as f64 / 1e6,
            per_s(self.errors),
            per_s(self.reconnects),
        )
    }
}
