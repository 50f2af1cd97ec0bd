//! Validity of the figures.

use analysis::Words;
use serde::{Deserialize, Serialize};

/// How far the figures can be relied on.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trust {
    /// How valid the measurement is as a whole.
    pub level: Level,
    /// The line above the answer.
    pub summary: Words,
    /// True if nothing valid is left that the answer could rest on: it is shown only as what would have been said.
    #[serde(default)]
    pub withdrawn: bool,
    /// What was found, worst first.
    pub reasons: Vec<ReasonView>,
}

/// Valid, valid with caveats, or not valid.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Valid.
    Green,
    /// Valid with the caveats named; cells that are not valid among them.
    Amber,
    /// Not valid.
    Red,
}

/// One reason for a level of trust.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonView {
    /// Which rule found it: a stable name.
    pub id: String,
    /// How bad it is; green for a merit.
    pub level: Level,
    /// What it is.
    pub text: Words,
    /// Cells concerned; 0: not about cells.
    pub cells: u32,
}
