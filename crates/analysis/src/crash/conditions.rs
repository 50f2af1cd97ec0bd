//! The consistency conditions of TPC-C after crashes, over the trials of a cell.

use std::collections::BTreeSet;

use messages::message;
use model::{TpccResult, Unchecked};
use serde::{Deserialize, Serialize};

use crate::Words;

/// The consistency conditions of TPC-C after crashes, over the trials of a cell.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrashConditionsSummary {
    /// Conditions of the standard that were checked after each crash.
    pub conditions: u32,
    /// Crashes after which they were checked.
    pub checked: u32,
    /// Those of them after which one did not hold.
    pub violated_in: u32,
    /// What did not hold after some crash: `condition 3`.
    pub violated: Vec<String>,
    /// Crashes after which they could not be checked.
    pub unchecked: u32,
    /// Why not, of the first of them.
    pub trouble: Option<String>,
}

impl CrashConditionsSummary {
    /// Summarises the conditions; none where the workload has none, or the check is switched off.
    pub(super) fn of(trials: &[&TpccResult]) -> Option<Self> {
        let checks: Vec<_> = trials.iter().filter_map(|tpcc| tpcc.consistency.as_ref()).collect();
        let impossible = trials.iter().filter_map(|tpcc| match &tpcc.unchecked {
            Some(Unchecked::Impossible { reason }) => Some(reason.lines().next().unwrap_or_default()),
            Some(Unchecked::NotAskedFor) | None => None,
        });
        let impossible: Vec<&str> = impossible.collect();
        let violated: BTreeSet<(u32, String)> = checks
            .iter()
            .flat_map(|check| check.violated())
            .map(|condition| (condition.number, condition.name()))
            .collect();
        (!checks.is_empty() || !impossible.is_empty()).then(|| Self {
            conditions: checks.iter().map(|check| check.conditions.len()).max().unwrap_or(0) as u32,
            checked: checks.len() as u32,
            violated_in: checks.iter().filter(|check| !check.holds()).count() as u32,
            violated: violated.into_iter().map(|(_, name)| name).collect(),
            unchecked: impossible.len() as u32,
            trouble: impossible.first().map(|reason| (*reason).to_owned()),
        })
    }

    /// Sentences about them, following those about this number of crashes.
    pub(super) fn says(&self, crashes: u32) -> Vec<Words> {
        let checked = Some(self.checked).filter(|checked| *checked < crashes);
        let held =
            message!("crash-conditions-held", conditions = Count(self.conditions), checked = Count?(checked));
        let violated = message!(
            "crash-conditions-violated",
            violated = List(self.violated.clone()),
            harmed = Count(self.violated_in),
            checked = Count(self.checked)
        );
        let unchecked = self.trouble.as_deref().map(|trouble| {
            message!("crash-conditions-unchecked", count = Count(self.unchecked), trouble = Text(trouble))
        });
        let clauses = [(self.checked > 0 && self.violated_in == 0, held), (self.violated_in > 0, violated)];
        clauses.into_iter().filter_map(|(so, words)| so.then_some(words)).chain(unchecked).collect()
    }
}
