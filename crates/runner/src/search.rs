//! Extends a plan that searches for capacities: a rate for each target and workload whose capacity is not known yet.

use analysis::capacity::{CapacityArm, Step, arms};
use model::{CapacitySearch, CellKey, LoadShape, Phase, Plan, PlannedTrial, Rate, TrialResult, Variant, Why};
use random::Rng;

use crate::block::{block, seed_of, shuffle, trial_seed};
use crate::growth::PlanGrowth;

/// The trials that a search begins with: a closed loop of each, unless the bounds are given.
pub(crate) fn first(plan: &Plan, search: &CapacitySearch) -> PlanGrowth {
    if search.between.is_none() {
        let trials = block(plan, &plan.spec.threads, 1, Why::AskedFor);
        return PlanGrowth { trials, ..PlanGrowth::default() };
    }
    // Nothing has been measured, but the rates to begin with are known.
    let cells = block(plan, &plan.spec.threads, 1, Why::AskedFor);
    let probe = Plan { trials: cells, ..plan.clone() };
    round(plan, search, &arms(&probe, &[]))
}

/// The next trials; none if every capacity is known, or cannot be.
pub(crate) fn next(plan: &Plan, results: &[TrialResult], spent_s: f64) -> Option<PlanGrowth> {
    let search = plan.spec.design.capacity.as_ref()?;
    if search.budget_s.is_some_and(|budget| spent_s >= budget) {
        return None;
    }
    let growth = round(plan, search, &arms(plan, results));
    (!growth.trials.is_empty()).then_some(growth)
}

/// One step for each arm that is not done, side by side.
fn round(plan: &Plan, search: &CapacitySearch, arms: &[CapacityArm]) -> PlanGrowth {
    let mut growth = PlanGrowth::default();
    let mut said: Vec<String> = Vec::new();
    let mut cells: Vec<(&CapacityArm, u32, Why)> = Vec::new();
    for arm in arms {
        let (rates, why) = match arm.step() {
            Step::Done(_) => continue,
            Step::Closed => {
                cells.push((arm, arm.workload, Why::AskedFor));
                continue;
            }
            Step::Try(rate) => (vec![rate], Why::Searched),
            Step::Confirm(rates) => (rates, Why::Confirming),
        };
        let named = rates.iter().map(|rate| format!("{}/s", messages::number::figure(*rate)));
        said.push(format!("{} at {}", arm.target, named.collect::<Vec<_>>().join(" and ")));
        cells.extend(rates.into_iter().map(|rate| (arm, at_rate(plan, &mut growth, search, arm, rate), why)));
    }
    let planned = plan.trials.len();
    let mut order = Rng::from_seed(seed_of(&format!("{}/order/{planned}", plan.spec.seed)));
    shuffle(&mut cells, &mut order);
    for (arm, workload, why) in cells {
        let known = plan.spec.workloads.get(workload as usize);
        let label = known
            .unwrap_or_else(|| &growth.workloads[workload as usize - plan.spec.workloads.len()].0)
            .label();
        let same = |trial: &&PlannedTrial| {
            let cell = &trial.cell;
            (cell.target.as_str(), cell.workload.as_str(), cell.threads)
                == (arm.target.as_str(), label, arm.threads)
        };
        let repeat = plan.trials.iter().filter(same).count() as u32 + 1;
        let cell =
            CellKey { target: arm.target.clone(), workload: label.to_owned(), threads: arm.threads, repeat };
        let index = (planned + growth.trials.len()) as u32;
        let seed = trial_seed(plan.spec.seed, &cell);
        growth.trials.push(PlannedTrial { index, cell, workload, seed, why });
    }
    growth.text = match said.as_slice() {
        [] => "a closed loop once more".to_owned(),
        said => format!("next {}", said.join("; ")),
    };
    growth
}

/// The workload of an arm at a rate, by its index: one that the plan has, or one more.
fn at_rate(
    plan: &Plan,
    growth: &mut PlanGrowth,
    search: &CapacitySearch,
    arm: &CapacityArm,
    rate: f64,
) -> u32 {
    let spec = &plan.spec;
    let base = &spec.workloads[arm.workload as usize];
    let label = format!("{} at {}/s", base.label(), messages::number::figure(rate));
    let mut known = spec.workloads.iter().chain(growth.workloads.iter().map(|(workload, _)| workload));
    if let Some(at) = known.position(|known| known.label() == label) {
        return at as u32;
    }
    let mut workload = base.clone();
    workload.set_label(&label);
    let own = spec.design.variants.get(arm.workload as usize).cloned().unwrap_or_default();
    let phases = vec![Phase { from_per_s: rate, to_per_s: rate, length_s: None }];
    let load = LoadShape {
        rate: Some(Rate { arrivals: search.arrivals, phases }),
        ..spec.load_of(arm.workload).clone()
    };
    growth.workloads.push((workload, Variant { load: Some(load), rate_of: Some(arm.workload), ..own }));
    (spec.workloads.len() + growth.workloads.len()) as u32 - 1
}
