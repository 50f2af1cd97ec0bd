//! Results of a parser: measurements as reported by the tool.

use model::{Advice, Advise, Fairness, Instance, Interval, OptionId, QueryCounts, Stated};

/// One measurement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measurement {
    /// Label of the target, if the text names one.
    pub target: Option<String>,
    /// Label of the workload, if the text names one.
    pub workload: Option<String>,
    /// Clients.
    pub threads: u32,
    /// Facts about the server in the text.
    pub instance: Instance,
    /// Seconds; 0: not reported.
    pub measured_s: f64,
    /// Statements by kind; all 0: not reported.
    pub queries: QueryCounts,
    /// Connections opened again.
    pub reconnects: u64,
    /// Distribution of the work over the clients; all 0: not reported.
    pub fairness: Fairness,
    /// Totals, rates and latencies.
    pub stated: Stated,
    /// Its interval lines.
    pub intervals: Vec<Interval>,
    /// The reason it failed, if it did.
    pub failure: Option<String>,
}

/// All that a text states.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The tool that measured.
    pub tool: String,
    /// Its version, if reported.
    pub version: Option<String>,
    /// Notes for the reader.
    pub notes: Vec<String>,
    /// Whether the text is a table. Two of its rows may hold the same figures, two logs of a tool never do.
    pub is_table: bool,
    /// The measurements, in the order of the text.
    pub measured: Vec<Measurement>,
}

/// The reason a text cannot be read: one sentence, without the name of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Problem {
    /// The line it is about, from 1; none: the whole.
    pub line: Option<usize>,
    /// The sentence.
    pub what: String,
    /// Advice on what to do.
    pub advice: Option<Advice>,
}

impl Advise for Problem {
    fn advice(&self) -> Vec<Advice> {
        self.advice.clone().into_iter().collect()
    }
}

impl Problem {
    /// About the whole text.
    pub fn of_file(what: impl Into<String>) -> Self {
        Self { line: None, what: what.into(), advice: None }
    }

    /// About a line, from 1.
    pub fn at(line: usize, what: impl Into<String>) -> Self {
        Self { line: Some(line), what: what.into(), advice: None }
    }

    /// Adds the advice that solves the problem.
    pub fn with(self, advice: Advice) -> Self {
        Self { advice: Some(advice), ..self }
    }
}

/// Advice for other tables.
pub(crate) fn map_its_columns() -> Advice {
    Advice::option("say what its columns mean", OptionId::Map)
}

/// Advice for logs that lack the number of clients.
pub(crate) fn say_how_many() -> Advice {
    Advice::option("say how many", OptionId::Threads)
}

/// Milliseconds as nanoseconds.
pub(crate) fn ns(ms: f64) -> f64 {
    ms * 1e6
}

/// A count per second.
pub(crate) fn rate(count: u64, seconds: f64) -> Option<f64> {
    (seconds > 0.0).then(|| count as f64 / seconds)
}
