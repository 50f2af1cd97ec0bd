//! What a search for the differences that matter found, as reports show it.

use serde::{Deserialize, Serialize};

use crate::Words;

/// Which differences between two targets make one of them faster.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bisection {
    /// Label of the first target.
    pub base: String,
    /// Label of the second target.
    pub other: String,
    /// Label of the workload.
    pub workload: String,
    /// Clients.
    pub threads: u32,
    /// How far the search came.
    pub standing: BisectStanding,
    /// Throughput of the second target over that of the first; none as long as it is not known.
    pub ratio: Option<RatioEstimate>,
    /// How many differences can be exchanged.
    pub differences: u32,
    /// Those that were found, the one with the largest share first.
    pub found: Vec<FoundDifference>,
    /// The share of the whole difference that is left with all that were found; none where it is not known.
    pub unexplained: Option<ShareEstimate>,
    /// What each of the others explains at most, as a share of the whole difference.
    pub others_max: Option<f64>,
    /// Combinations with which the server did not start.
    pub not_started: Vec<NotStarted>,
    /// Trials that count.
    pub trials: u32,
    /// Trials that completed and do not count: they were not valid.
    #[serde(default)]
    pub not_valid: u32,
    /// Combinations that were measured, both targets among them.
    pub combinations: u32,
    /// The answer in sentences.
    pub says: Words,
    /// The proof and the effort, in sentences.
    pub evidence: Words,
}

/// How far a search came.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BisectStanding {
    /// It goes on, or was stopped before its end.
    Unfinished,
    /// The targets are equivalent within the margin.
    Equivalent,
    /// The data do not decide whether they differ.
    Undecided,
    /// They differ, and no group of differences explains it.
    Unexplained,
    /// What explains it was found.
    Explained,
    /// A target could not be measured.
    Failed,
}

/// A ratio with its 95 % interval.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RatioEstimate {
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of it.
    pub high: f64,
}

/// A share of the whole difference, on a logarithmic scale, with its 95 % interval.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ShareEstimate {
    /// The estimate; 1 is the whole.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of it.
    pub high: f64,
}

/// A difference that was found.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundDifference {
    /// What differs: variables, or a part of the target. Several that are exchanged only together are named together.
    pub name: String,
    /// Its value in the first target.
    pub base: Words,
    /// Its value in the second target.
    pub other: Words,
    /// It matters for certain: it is part of the answer.
    pub named: bool,
    /// Its share of the whole difference: mean of what it does alone and of what is lost without it. None where there is no whole, or
    /// where differences work against each other.
    pub share: Option<ShareEstimate>,
    /// Throughput of the first target with it over that of the first target.
    pub alone: Option<RatioEstimate>,
    /// Throughput of the second target over that of the second target without it.
    pub last: Option<RatioEstimate>,
    /// How it depends on others that were found.
    pub depends: Vec<Words>,
}

/// A combination with which the server did not start.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NotStarted {
    /// What was taken from the second target.
    pub taken: Vec<String>,
    /// The end of the story, as the server or mydyno told it.
    pub why: Words,
}
