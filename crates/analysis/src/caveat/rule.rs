//! A rule: the data it reads, and its findings.

use model::{LoadShape, Plan, PlannedTrial};

use super::kind::Severity;
use crate::Words;
use crate::cell::CellSummary;
use crate::drift::Drift;
use crate::input::TrialInput;

/// The data available to a rule.
pub(crate) struct Context<'a> {
    pub plan: &'a Plan,
    pub planned: &'a [&'a PlannedTrial],
    pub cell: &'a CellSummary,
    pub completed: &'a [&'a TrialInput<'a>],
    /// Drift of the whole recording, only in the context of its first cell.
    pub drift: Option<Drift>,
}

impl Context<'_> {
    /// The load shape of this cell.
    pub fn load(&self) -> &LoadShape {
        self.plan.spec.load_of(self.planned[0].workload)
    }
}

/// The finding of a rule.
pub(crate) struct Found {
    pub severity: Severity,
    pub text: Words,
    pub evidence: Vec<(&'static str, f64)>,
}

/// Finds one thing or nothing.
pub(super) type Find = fn(&Context<'_>) -> Option<Found>;

/// The scope of a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// One completed trial at a time. A trial with an invalid finding does not count.
    Trial,
    /// All valid trials of the cell.
    Cell,
}

/// A rule.
pub(super) struct Rule {
    /// Id of what it finds.
    pub id: &'static str,
    pub scope: Scope,
    pub find: Find,
}
