//! What a rule finds, and how bad that is.

use messages::Words;
use serde::{Deserialize, Serialize};

use super::Examined;

/// How bad it is. `High` is only what can lose data or makes a measured figure meaningless.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecommendationSeverity {
    /// Loses data, or makes a measured figure meaningless.
    High,
    /// Costs throughput, latency or safety.
    Medium,
    /// Worth knowing.
    Low,
}

impl RecommendationSeverity {
    /// Lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// What a rule found.
pub(super) struct Found {
    pub severity: RecommendationSeverity,
    pub evidence: Words,
    pub action: Option<Words>,
    /// The advice as lines of my.cnf, in place of the page's: variable and value.
    pub set: Vec<(&'static str, String)>,
}

impl Found {
    pub fn new(severity: RecommendationSeverity, evidence: impl Into<Words>) -> Option<Self> {
        Some(Self { severity, evidence: evidence.into(), action: None, set: Vec::new() })
    }

    /// The same, with advice made for this server in place of the page's.
    pub fn so(severity: RecommendationSeverity, evidence: impl Into<Words>, action: Words) -> Option<Self> {
        Some(Self { severity, evidence: evidence.into(), action: Some(action), set: Vec::new() })
    }

    /// The same with settings that depend on the server.
    pub fn with(self, set: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Self { set: set.into_iter().collect(), ..self }
    }
}

/// What decides whether a rule speaks.
pub(super) type Check = fn(&Examined<'_>) -> Option<Found>;
