//! A line of `bench/history.jsonl`: what one row of `make bench` came to, on one machine, at one commit.

use serde::{Deserialize, Serialize};

/// One row of a `make bench` report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchmarkLine {
    /// Wall clock of the start, RFC 3339 in UTC; shared by the rows of one `make bench`.
    pub at: String,
    /// Commit that was measured, with `-dirty` where files differed from it; empty outside of a repository.
    pub commit: String,
    /// Version of mydyno.
    pub version: String,
    /// CPU model as the kernel names it.
    pub cpu_model: String,
    /// CPUs that the benchmarks could use.
    pub cpus: u32,
    /// The row.
    pub row: String,
    /// Unit of the value; `ratio` for quotients.
    pub unit: String,
    /// The direction in which the value is better.
    pub better: Better,
    /// The value: median over the rounds, of ratios that within a round.
    pub value: f64,
    /// The minimum over the rounds; none for a value that is not measured in rounds.
    pub min: Option<f64>,
    /// The greatest of a round.
    pub max: Option<f64>,
    /// Rounds.
    pub rounds: u32,
    /// Length of a run, seconds.
    pub seconds: f64,
}

/// The direction in which a benchmark's value is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}
