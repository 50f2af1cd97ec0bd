//! Server variables, side by side.

use analysis::Words;
use serde::{Deserialize, Serialize};

/// One server variable in all targets.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value per target; none: the server has no such variable.
    pub values: Vec<Option<String>>,
    /// What it decides.
    pub group: knowledge::variables::Group,
    /// True if it makes a difference between the targets. Paths, ports and ids differ without making one.
    pub differs: bool,
    /// True if a difference is likely to matter to these workloads.
    #[serde(default)]
    pub matters: bool,
    /// Unit of its values, where it is known and there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<knowledge::variables::Unit>,
    /// Its values as people say them, with unit; empty where that says no more than the values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Option<String>>,
    /// Its default in each target's version, as people say it; empty where none is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub default: Vec<Option<String>>,
    /// Whether each target has that default; empty where none is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub is_default: Vec<bool>,
    /// What it is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<Words>,
    /// What a difference is likely to do, and to which part of a load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Words>,
}
