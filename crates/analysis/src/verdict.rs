//! The verdict on one target against another.

use serde::{Deserialize, Serialize};

/// What may be said of a ratio.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The other target is better than the base.
    Better,
    /// The other target is worse than the base.
    Worse,
    /// The whole interval lies within the margin that counts as equal.
    Same,
    /// The interval allows more than one of these.
    Inconclusive,
    /// One of them has a single trial, so that there is no interval.
    SingleRun,
    /// One of the cells is not valid: the ratio would not be one of the servers.
    Withheld,
}
