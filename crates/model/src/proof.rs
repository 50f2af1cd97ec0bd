//! Recommendations that are tried on sandboxes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Recommendations that are tried on sandboxes, each against the current settings, and all of them together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecommendationTrials {
    /// Recommendations that are tried.
    pub tried: Vec<TriedRecommendation>,
    /// Label of the target that has the settings of all of them; none: only one is tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<String>,
    /// Recommendations that are not tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_tried: Vec<UntriedRecommendation>,
}

impl RecommendationTrials {
    /// Labels of the targets that differ from the first one by what is tried.
    pub fn targets(&self) -> impl Iterator<Item = &String> {
        self.tried.iter().map(|one| &one.target).chain(&self.together)
    }

    /// The same, to be renamed.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.tried.iter_mut().map(|one| &mut one.target).chain(&mut self.together)
    }
}

/// A recommendation that is tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriedRecommendation {
    /// Id of the rule that made it.
    pub id: String,
    /// Label of the target that has its settings.
    pub target: String,
    /// Lines of my.cnf, by variable.
    pub set: BTreeMap<String, String>,
    /// A crash of a server with these settings loses less.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raises_durability: bool,
}

/// A recommendation that is not tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UntriedRecommendation {
    /// Id of the rule that made it.
    pub id: String,
    /// Why it is not tried.
    pub why: UntriedReason,
}

/// Why a recommendation is not tried.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UntriedReason {
    /// It is no setting of the server.
    NoSetting,
    /// A crash would lose more.
    WeakensDurability,
}

impl UntriedReason {
    /// Lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Self::NoSetting => "no_setting",
            Self::WeakensDurability => "weakens_durability",
        }
    }
}
