//! What a search for the build that changed a metric found, as reports show it.

use serde::{Deserialize, Serialize};

use crate::Words;
use crate::bisect::RatioEstimate;

/// The chance that the build that is named is not the one at which the metric changed, if one build changed it.
pub const ERROR: f64 = 0.05;

/// At which build a metric changed.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionSearch {
    /// Id of the metric.
    pub metric: String,
    /// Label of the workload.
    pub workload: String,
    /// Clients.
    pub threads: u32,
    /// How far the search came.
    pub standing: VersionStanding,
    /// The builds in their order.
    pub builds: Vec<SearchedBuild>,
    /// The metric of the last build over that of the first; none as long as it is not known.
    pub ratio: Option<RatioEstimate>,
    /// Label of the last build that is like the first one.
    pub before: Option<String>,
    /// Label of the first build that is like the last one.
    pub after: Option<String>,
    /// The metric of `after` over that of `before`.
    pub step: Option<RatioEstimate>,
    /// A build was placed by its estimate, because its trials did not decide it.
    pub is_estimated: bool,
    /// The answer in sentences.
    pub says: Words,
}

/// A build among others.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchedBuild {
    /// Label of its target.
    pub target: String,
    /// Trials that count.
    pub trials: u32,
    /// The metric over that of the first build; none where it was not measured.
    pub ratio: Option<RatioEstimate>,
    /// Why it could not be measured; none if it could, or was not.
    pub why: Option<Words>,
}

/// How far a search came.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VersionStanding {
    /// It goes on, or was stopped before its end.
    Unfinished,
    /// The first and the last build are equivalent within the margin.
    Equivalent,
    /// The data do not decide whether they differ.
    Undecided,
    /// The build was found.
    Found,
    /// The first or the last build could not be measured.
    Failed,
}

impl VersionStanding {
    /// Lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unfinished => "unfinished",
            Self::Equivalent => "equivalent",
            Self::Undecided => "undecided",
            Self::Found => "found",
            Self::Failed => "failed",
        }
    }
}
