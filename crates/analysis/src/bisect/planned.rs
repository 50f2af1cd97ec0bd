//! A search as it stands in a plan and its results.

use std::collections::BTreeMap;

use messages::message;
use model::{BisectSearch, FailureCode, Outcome, Plan, PlannedTrial, TrialResult, Watched};

use super::measured::{Arm, MeasuredArms, Taken};
use super::search::Search;
use crate::Words;
use crate::input::TrialInput;
use crate::metric::{self, Metric};
use crate::summary;

/// The search of a plan with all that was measured; none of a plan that is no such search.
pub(super) fn search(plan: &Plan, results: &[TrialResult]) -> Option<Search> {
    let asked = plan.spec.design.bisect.as_ref().filter(|search| !search.in_order)?;
    let results: BTreeMap<u32, &TrialResult> = results.iter().map(|one| (one.index, one)).collect();
    let mut arms: Vec<Arm> = Vec::new();
    for planned in &plan.trials {
        let taken = taken(plan, asked, &planned.cell.target);
        let at = arms.iter().position(|arm| arm.taken == taken).unwrap_or_else(|| {
            arms.push(Arm { taken, ..Arm::default() });
            arms.len() - 1
        });
        if let Some(result) = results.get(&planned.index) {
            add_result(&mut arms[at], plan, planned, result, &metric::THROUGHPUT);
        }
    }
    Some(Search {
        weights: asked.differences.iter().map(|one| one.weight).collect(),
        margin: asked.margin,
        blocks_max: asked.trials_max,
        both_ways: asked.both_ways,
        measured: MeasuredArms::of(arms),
    })
}

/// What a target takes from the second one.
fn taken(plan: &Plan, asked: &BisectSearch, label: &str) -> Taken {
    if let Some(combination) = asked.combinations.iter().find(|one| one.target == label) {
        return combination.taken.iter().copied().collect();
    }
    let is_first = plan.spec.targets.first().is_some_and(|first| first.target.label == label);
    if is_first { Taken::new() } else { (0..asked.differences.len() as u32).collect() }
}

/// Adds what came of a trial to its arm: the logarithm of the metric, or why it says nothing.
pub(crate) fn add_result(
    arm: &mut Arm,
    plan: &Plan,
    planned: &PlannedTrial,
    result: &TrialResult,
    metric: &Metric,
) {
    let mut in_vain = |why: Words| {
        arm.in_vain += 1;
        arm.why_in_vain = Some(why);
    };
    match &result.outcome {
        Outcome::Interrupted => return,
        Outcome::Failed(failure) => {
            in_vain(Words::new(&failure.message, &failure.message));
            // One that ran before had bad luck.
            arm.does_not_start |= failure.code == FailureCode::Sandbox && arm.values.is_empty();
            return;
        }
        Outcome::Completed => {}
    }
    let watched = Watched::default();
    let input =
        TrialInput { result, histograms: &[], intervals: &[], watched: &watched, others: &[], damaged: &[] };
    match (summary::invalid(plan, planned, &input), (metric.value)(result)) {
        (Some(caveat), _) => {
            in_vain(caveat.text);
            arm.not_valid += 1;
        }
        (None, Some(value)) if value > 0.0 => {
            arm.in_vain = 0;
            arm.values.push((planned.cell.repeat, value.ln()));
        }
        (None, _) => in_vain(message!("no-transactions")),
    }
}
