//! Execution plans of a workload's statements, and whether they changed.

use knowledge::doctor::far_apart;
use model::{PlanStep, StatementPlan};
use serde::{Deserialize, Serialize};

use crate::input::TrialInput;
use messages::number::thousands;

/// The plan of a statement, in the first completed run that was watched.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanSummary {
    /// Which operation of the workload.
    pub operation: String,
    /// The statement that was explained.
    pub sql: String,
    /// The tables in the order in which they are read.
    pub steps: Vec<PlanStep>,
    /// The same in words, a line each.
    pub says: Vec<String>,
    /// The plan after the load, in words, if in some run it was another one than before it.
    pub changed_to: Option<Vec<String>>,
    /// Why there is no plan.
    pub error: Option<String>,
}

/// The plans over the completed trials of a cell.
pub(crate) fn plans(completed: &[&TrialInput<'_>]) -> Vec<PlanSummary> {
    let seen: Vec<_> = completed.iter().filter_map(|trial| trial.watched.plans.as_ref()).collect();
    let Some(first) = seen.first() else { return Vec::new() };
    let summary = |plan: &StatementPlan| {
        let changed = seen.iter().find_map(|plans| {
            let of = |all: &'_ [StatementPlan]| all.iter().find(|p| p.operation == plan.operation).cloned();
            let (before, after) = (of(&plans.before)?, of(&plans.after)?);
            // One that could not be explained is not known to be another.
            let both = before.error.is_none() && after.error.is_none();
            (both && differ(&before.steps, &after.steps)).then_some(after)
        });
        PlanSummary {
            operation: plan.operation.clone(),
            sql: plan.sql.clone(),
            says: plan.steps.iter().map(say).collect(),
            steps: plan.steps.clone(),
            changed_to: changed.map(|after| after.steps.iter().map(say).collect()),
            error: plan.error.clone(),
        }
    };
    first.before.iter().map(summary).collect()
}

/// Other tables, another order, access or index, or far more or fewer rows expected.
fn differ(before: &[PlanStep], after: &[PlanStep]) -> bool {
    let same = |a: &PlanStep, b: &PlanStep| {
        (&a.table, &a.access, &a.key) == (&b.table, &b.access, &b.key) && !far_apart(a.rows, b.rows)
    };
    before.len() != after.len() || !before.iter().zip(after).all(|(a, b)| same(a, b))
}

fn say(step: &PlanStep) -> String {
    let key = if step.key.is_empty() { "no index".to_owned() } else { format!("by {}", step.key) };
    let read =
        step.actual_rows.map(|rows| format!(", {} read", thousands(rows.round() as u64))).unwrap_or_default();
    let expected = thousands(step.rows.round() as u64);
    format!("{} {} {key}, {expected} rows expected{read}", step.table, step.access)
}
