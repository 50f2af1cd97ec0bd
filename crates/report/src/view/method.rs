//! The method of an experiment: its arms, and the order of its trials.

use analysis::Words;
use serde::{Deserialize, Serialize};

/// How an experiment was made.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// Its arms, the one that the others are compared with first.
    pub arms: Vec<ArmView>,
    /// Repeats, order, windows, seed: a sentence each.
    pub says: Vec<Words>,
}

/// An arm, and what it has that not all of them have.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArmView {
    /// Position in [`super::View::targets`].
    pub target: usize,
    /// In the grammar of `--target`, such as `sync_binlog=1000`; empty if nothing differs.
    pub differs: Vec<String>,
}
