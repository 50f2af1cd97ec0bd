//! Adds a capacity search to a view.

use analysis::{Capacity, Words};
use messages::message;
use model::{Plan, PlannedTrial};

use super::cells;
use super::join::Group;
use crate::view::WorkloadView;

/// The capacities that a group's recording searches.
pub(super) fn capacities(group: &Group) -> Vec<Capacity> {
    let results: Vec<_> = group.trials.iter().filter_map(|trial| trial.input.result.clone()).collect();
    analysis::capacities(&group.plan, &results).iter().map(cells::rounded).collect()
}

/// Each capacity in a sentence or two, and those of further targets against the first one.
pub(super) fn answer(capacities: &[Capacity]) -> Option<Words> {
    let compared = analysis::capacity::ratios(capacities).into_iter().map(|ratio| ratio.says);
    let clauses: Vec<Words> = capacities.iter().map(|one| one.says.clone()).chain(compared).collect();
    (!capacities.is_empty()).then(|| message!("answer", clauses = Sentences(clauses)))
}

/// The workloads that a title names: those whose capacity is searched, not each of them at every rate.
pub(super) fn titles<'a>(capacities: &'a [Capacity], workloads: &'a [WorkloadView]) -> Vec<&'a str> {
    if capacities.is_empty() {
        return workloads.iter().map(|workload| workload.label.as_str()).collect();
    }
    let mut labels: Vec<&str> = capacities.iter().map(|one| one.workload.as_str()).collect();
    labels.dedup();
    labels
}

/// The trials of a plan, those at rates that a search tried in the order of the rates.
pub(super) fn by_rate(plan: &Plan) -> Vec<&PlannedTrial> {
    let mut trials: Vec<&PlannedTrial> = plan.trials.iter().collect();
    if plan.spec.design.capacity.is_some() {
        let rate = |trial: &&PlannedTrial| {
            let load = plan.spec.load_of(trial.workload);
            load.rate.as_ref().map_or(0.0, |rate| rate.at_per_s(0.0))
        };
        trials.sort_by(|a, b| rate(a).total_cmp(&rate(b)));
    }
    trials
}
