//! Recommendations for each target, from the observations of its server during the measurement.

use analysis::{CellSummary, Explanation, SeenCell, Setup};
use knowledge::doctor::Runs;
use model::{SpecTarget, WorkloadSpec};

use super::input::{RunInput, TrialRecord};
use super::join::{Group, JoinedTrial, specs};
use crate::view::{TargetAdvice, TargetView};

/// The recommendations for every observed target. Each cell is represented by the first completed trial that was observed
/// at both ends.
pub fn advice(
    inputs: &[RunInput],
    groups: &[Group],
    summaries: &[CellSummary],
    targets: &[TargetView],
    explanations: &[Explanation],
) -> Vec<TargetAdvice> {
    let specs: Vec<SpecTarget> = specs(groups).map(|(_, spec)| spec.clone()).collect();
    let on_purpose = analysis::unequal::on_purpose(&specs);
    let of_target = |(index, target): (usize, &TargetView)| {
        let own = || {
            groups.iter().flat_map(|group| {
                let trials = group.trials.iter();
                trials.filter(|t| t.input.planned.cell.target == target.label).map(move |t| (group, t))
            })
        };
        let (_, first) = own().next()?;
        let run = &inputs[first.run];
        // The label may be another one than in the recording.
        let label = &run.plan.trials.iter().find(|t| t.index == first.index)?.cell.target;
        let seen = run.examinations.get(label)?;
        let cells: Vec<SeenCell<'_>> = summaries
            .iter()
            .filter(|cell| cell.target == target.label)
            .filter_map(|cell| seen_cell(cell, own()))
            .collect();
        let runs = if target.sandbox { Runs::Sandbox } else { Runs::User };
        let setup = Setup { host: &run.host, runs, on_purpose: &on_purpose, explanations };
        let items = analysis::advise(seen, setup, &cells);
        (!cells.is_empty()).then(|| TargetAdvice { target: index, items, unseen: seen.unseen.clone() })
    };
    targets.iter().enumerate().filter_map(of_target).collect()
}

fn seen_cell<'a>(
    cell: &'a CellSummary,
    mut own: impl Iterator<Item = (&'a Group, &'a JoinedTrial)>,
) -> Option<SeenCell<'a>> {
    let is_of_cell = |trial: &TrialRecord| {
        let key = &trial.planned.cell;
        key.workload == cell.workload && key.threads == cell.threads
    };
    own.find_map(|(group, joined)| {
        let trial = &joined.input;
        let result = trial.result.as_ref().filter(|r| r.outcome.is_completed() && is_of_cell(trial))?;
        trial.watched.after.as_ref()?;
        let workload: &WorkloadSpec = group.plan.spec.workloads.get(trial.planned.workload as usize)?;
        Some(SeenCell {
            cell,
            workload,
            watched: &trial.watched,
            variables: trial.variables.as_deref(),
            day: result.started_at.get(..10)?,
        })
    })
}
