//! At which of several builds in order a metric changed: a binary search on measurements that scatter.
//!
//! The first and the last build are measured until they differ. Then the middle one is measured beside both until it is sure which of
//! them it is like, and so on. Each decision has a share of the error rate of the whole (the union bound), which simulations confirm.

mod found;
mod look;
mod says;
#[cfg(test)]
mod simulated;

use std::collections::BTreeMap;

use model::{Plan, TrialResult};
use stats::{BlockContrast, Estimate};

use crate::Words;
use crate::bisect::{Arm, MeasuredArms, RatioEstimate, Taken, add_result};
use crate::metric::{Metric, THROUGHPUT, metric_of};
pub use found::{ERROR, SearchedBuild, VersionSearch, VersionStanding};
use look::{Next, Rule};

/// The builds to measure next, by their positions; none if the search is over, or the plan is none.
pub fn next_builds(plan: &Plan, results: &[TrialResult]) -> Option<Vec<u32>> {
    match rule(plan)?.look(&measured(plan, results)).next {
        Next::Measure(builds) => Some(builds),
        Next::Done(_) => None,
    }
}

/// What a search found so far; none of a plan that is no such search.
pub fn version_search(plan: &Plan, results: &[TrialResult]) -> Option<VersionSearch> {
    let rule = rule(plan)?;
    let arms = measured(plan, results);
    let look = rule.look(&arms);
    let first = plan.trials.first()?;
    let label = |at: u32| plan.spec.targets.get(at as usize).map(|one| one.target.label.clone());
    let ratio = |from: u32, to: u32| {
        let known = arms.difference(&Taken::from([from]), &Taken::from([to]));
        known.filter(|_| from != to).map(estimate)
    };
    let last = rule.builds - 1;
    let builds = (0..rule.builds).map(|at| {
        let arm = arms.arm(&Taken::from([at]));
        Some(SearchedBuild {
            target: label(at)?,
            trials: arm.map_or(0, |arm| arm.values.len() as u32),
            ratio: ratio(0, at),
            why: arm.filter(|arm| arm.values.is_empty()).and_then(|arm| arm.why_in_vain.clone()),
        })
    });
    let standing = match look.next {
        Next::Measure(_) => VersionStanding::Unfinished,
        Next::Done(standing) => standing,
    };
    let is_found = standing == VersionStanding::Found;
    let mut found = VersionSearch {
        metric: metric(plan)?.id.to_owned(),
        workload: first.cell.workload.clone(),
        threads: first.cell.threads,
        standing,
        builds: builds.collect::<Option<_>>()?,
        ratio: ratio(0, last),
        before: label(look.before).filter(|_| is_found),
        after: label(look.after).filter(|_| is_found),
        step: ratio(look.before, look.after).filter(|_| is_found),
        is_estimated: look.is_estimated,
        says: Words::new("", ""),
    };
    found.says = says::answer(&found);
    Some(found)
}

fn rule(plan: &Plan) -> Option<Rule> {
    let asked = plan.spec.design.bisect.as_ref().filter(|search| search.in_order)?;
    let builds = plan.spec.targets.len() as u32;
    (builds >= 2).then_some(Rule { builds, margin: asked.margin, trials_max: asked.trials_max as usize })
}

/// By what builds are compared.
fn metric(plan: &Plan) -> Option<&'static Metric> {
    match plan.spec.design.bisect.as_ref()?.metric.as_deref() {
        None => Some(&THROUGHPUT),
        Some(name) => metric_of(name),
    }
}

fn measured(plan: &Plan, results: &[TrialResult]) -> MeasuredArms {
    let results: BTreeMap<u32, &TrialResult> = results.iter().map(|one| (one.index, one)).collect();
    let metric = metric(plan).unwrap_or(&THROUGHPUT);
    let arms = plan.spec.targets.iter().enumerate().map(|(at, target)| {
        let mut arm = Arm { taken: Taken::from([at as u32]), ..Arm::default() };
        for planned in plan.trials.iter().filter(|trial| trial.cell.target == target.target.label) {
            if let Some(result) = results.get(&planned.index) {
                add_result(&mut arm, plan, planned, result, metric);
            }
        }
        arm
    });
    MeasuredArms::of(arms.collect())
}

fn estimate(contrast: BlockContrast) -> RatioEstimate {
    let Estimate { value, low, high } = contrast.interval(crate::CONFIDENCE);
    RatioEstimate { value: value.exp(), low: low.exp(), high: high.exp() }
}
