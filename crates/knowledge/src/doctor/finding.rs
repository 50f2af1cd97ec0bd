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
}

impl Found {
    pub fn new(severity: RecommendationSeverity, evidence: impl Into<Words>) -> Option<Self> {
        Some(Self { severity, evidence: evidence.into(), action: None })
    }

    /// The same, with advice made for this server in place of the page's.
    pub fn so(severity: RecommendationSeverity, evidence: impl Into<Words>, action: Words) -> Option<Self> {
        Some(Self { severity, evidence: evidence.into(), action: Some(action) })
    }
}

/// What decides whether a rule speaks.
pub(super) type Check = fn(&Examined<'_>) -> Option<Found>;
