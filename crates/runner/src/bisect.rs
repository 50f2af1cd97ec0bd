//! Extends a plan that searches for differences, by one block of combinations at a time.

use analysis::bisect::NotExchangeable;
use model::{
    CellKey, DifferencePart, Plan, PlannedTrial, SpecTarget, TargetCombination, TrialResult, Why, combined,
};
use random::Rng;

use crate::block::{seed_of, shuffle, trial_seed};
use crate::growth::PlanGrowth;

/// Finds in what the targets differ, and lays down the first block: both targets.
///
/// # Errors
/// They cannot be exchanged part by part.
pub(crate) fn first(plan: &mut Plan) -> Result<(), NotExchangeable> {
    if plan.spec.design.bisect.as_ref().is_some_and(|search| search.in_order) {
        let last = plan.spec.targets.len().saturating_sub(1) as u32;
        let growth = builds(plan, vec![0, last]);
        growth.add_to(plan);
        return Ok(());
    }
    let [base, other] = plan.spec.targets.as_slice() else { return Ok(()) };
    let writes = plan.spec.workloads.iter().any(|workload| workload.writes());
    let differences = analysis::bisect::differences(&base.target, &other.target, writes)?;
    if let Some(search) = &mut plan.spec.design.bisect {
        search.differences = differences;
        let all = (0..search.differences.len() as u32).collect();
        let growth = block(plan, vec![Vec::new(), all]);
        growth.add_to(plan);
    }
    Ok(())
}

/// The next block; none if the relevant differences are known, or the time is over.
pub(crate) fn next(plan: &Plan, results: &[TrialResult], spent_s: f64) -> Option<PlanGrowth> {
    let search = plan.spec.design.bisect.as_ref()?;
    if search.budget_s.is_some_and(|budget| spent_s >= budget) {
        return None;
    }
    if search.in_order {
        return Some(builds(plan, analysis::versions::next_builds(plan, results)?));
    }
    Some(block(plan, analysis::bisect::next(plan, results)?))
}

/// One trial of each of these targets, by their positions, in random order.
fn builds(plan: &Plan, wanted: Vec<u32>) -> PlanGrowth {
    let label = |at: u32| plan.spec.targets[at as usize].target.label.clone();
    let mut growth = PlanGrowth::default();
    trials_of(plan, wanted.into_iter().map(label).collect(), &mut growth);
    growth
}

/// One trial of each of these combinations, in random order.
fn block(plan: &Plan, wanted: Vec<Vec<u32>>) -> PlanGrowth {
    let (Some(search), [base, other, ..]) = (&plan.spec.design.bisect, plan.spec.targets.as_slice()) else {
        return PlanGrowth::default();
    };
    let mut growth = PlanGrowth::default();
    let mut labels: Vec<String> = Vec::new();
    for taken in wanted {
        let known = search.combinations.iter().find(|one| one.taken == taken);
        labels.push(match (taken.len(), known) {
            (0, _) => base.target.label.clone(),
            (all, _) if all == search.differences.len() => other.target.label.clone(),
            (_, Some(known)) => known.target.clone(),
            (_, None) => {
                let label = format!("{}+{}", base.target.label, ranges(&taken));
                let parts: Vec<&DifferencePart> =
                    taken.iter().flat_map(|at| &search.differences[*at as usize].parts).collect();
                let target = SpecTarget {
                    target: combined(&label, &base.target, &other.target, &parts),
                    ..base.clone()
                };
                growth.targets.push((target, TargetCombination { target: label.clone(), taken }));
                label
            }
        });
    }
    trials_of(plan, labels, &mut growth);
    growth
}

/// The next block: a trial of each of these targets, in random order.
fn trials_of(plan: &Plan, mut labels: Vec<String>, growth: &mut PlanGrowth) {
    let workload = plan.spec.workloads[0].label().to_owned();
    let threads = plan.spec.threads[0];
    let repeat = plan.blocks() + 1;
    let planned = plan.trials.len();
    shuffle(&mut labels, &mut Rng::from_seed(seed_of(&format!("{}/order/{planned}", plan.spec.seed))));
    for target in &labels {
        let cell = CellKey { target: target.clone(), workload: workload.clone(), threads, repeat };
        let index = (planned + growth.trials.len()) as u32;
        let seed = trial_seed(plan.spec.seed, &cell);
        let why = if planned == 0 { Why::AskedFor } else { Why::Searched };
        growth.trials.push(PlannedTrial { index, cell, workload: 0, seed, why });
    }
    growth.text = format!("block {repeat}: {}", labels.join(", "));
}

/// Numbers from 1 as ranges: `1-3,7`.
fn ranges(taken: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for at in taken.iter().map(|at| at + 1) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == at => *last = at,
            _ => ranges.push((at, at)),
        }
    }
    let range = |(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_follow_each_other_are_a_range() {
        assert_eq!(ranges(&[0, 1, 2, 6, 8, 9]), "1-3,7,9-10");
        assert_eq!(ranges(&[4]), "5");
    }
}
