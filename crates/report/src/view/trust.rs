//! How far the figures can be relied on.

use analysis::Words;
use serde::{Deserialize, Serialize};

/// How far the figures can be relied on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trust {
    /// The worst level among the reasons.
    pub level: Level,
    /// The line under the chart.
    pub summary: Words,
    /// What was found, worst first.
    pub reasons: Vec<Reason>,
}

/// Fit to decide on, with caveats, or not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Fit to decide on.
    Green,
    /// Usable with the caveats named.
    Amber,
    /// Not valid.
    Red,
}

/// One reason for a level of trust.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Which rule found it: a stable name.
    pub id: String,
    /// How bad it is; green for a merit.
    pub level: Level,
    /// What it is.
    pub text: Words,
    /// Cells concerned; 0: not about cells.
    pub cells: u32,
}
