//! The method of an experiment, from its plan.

use analysis::Words;
use messages::message;
use model::{LoadShape, Plan, SpecTarget, Why};

use super::input::RunInput;
use crate::view::{ArmView, Method};

/// The method of recordings of one experiment; none without a recording.
pub fn method(inputs: &[RunInput], targets: &[&SpecTarget]) -> Option<Method> {
    let first = inputs.first()?;
    Some(Method { arms: arms(targets), says: says(first, inputs) })
}

/// The part of each target's text that distinguishes it from all others.
fn arms(targets: &[&SpecTarget]) -> Vec<ArmView> {
    let parts: Vec<Vec<String>> = targets.iter().map(|target| spec::TargetSpec::of(target).parts()).collect();
    let is_common = |part: &String| parts.iter().all(|other| other.contains(part));
    let arm = |(target, own): (usize, &Vec<String>)| ArmView {
        target,
        differs: own.iter().filter(|part| !is_common(part)).cloned().collect(),
    };
    parts.iter().enumerate().map(arm).collect()
}

fn says(first: &RunInput, inputs: &[RunInput]) -> Vec<Words> {
    let plan = &first.plan;
    let repeats: u32 = inputs.iter().map(|input| input.plan.blocks()).sum();
    let trials: usize = inputs.iter().map(|input| input.plan.trials.len()).sum();
    if let Some(search) = &plan.spec.design.capacity {
        let searched = message!(
            "method-search",
            trials = Count(trials as u64),
            repeats = Count(plan.spec.repeats),
            precision = Percent(search.precision),
            seed = Text(plan.spec.seed.to_string()),
        );
        return [searched, window_of(&plan.spec.load)].into_iter().chain(restored(inputs)).collect();
    }
    let order = message!(
        "method-order",
        trials = Count(trials as u64),
        blocks = Count(repeats),
        seed = Text(plan.spec.seed.to_string()),
    );
    let correction = message!("method-correction");
    vec![Some(order), Some(window(plan)), drift_check(plan), profiled(plan), Some(correction)]
        .into_iter()
        .flatten()
        .chain(grown(plan))
        .chain(restored(inputs))
        .collect()
}

fn window(plan: &Plan) -> Words {
    match plan.spec.loads().as_slice() {
        [one] => window_of(one),
        _ => message!("method-loads-differ"),
    }
}

fn window_of(load: &LoadShape) -> Words {
    message!("method-window", time = Text(load.time_s.to_string()), warmup = Text(load.warmup_s.to_string()),)
}

fn drift_check(plan: &Plan) -> Option<Words> {
    plan.trials.iter().any(|trial| trial.why == Why::DriftCheck).then(|| message!("method-drift-check"))
}

fn profiled(plan: &Plan) -> Option<Words> {
    plan.trials.iter().any(|trial| trial.why == Why::Profiled).then(|| message!("method-profiled"))
}

/// Trials that were added while the plan ran.
fn grown(plan: &Plan) -> Vec<Words> {
    let count = |why: Why| plan.trials.iter().filter(|trial| trial.why == why).count() as u64;
    let until_sure = plan.spec.design.until_sure.as_ref().map(|until| {
        message!("method-until-sure", most = Count(until.blocks_max), added = Count(count(Why::Undecided)),)
    });
    let refined = count(Why::Refined);
    let refined = (refined > 0).then(|| message!("method-refined", added = Count(refined)));
    until_sure.into_iter().chain(refined).collect()
}

/// Whether every trial ran on the same data; none if none was completed.
fn restored(inputs: &[RunInput]) -> Option<Words> {
    let results: Vec<_> =
        inputs.iter().flat_map(|input| &input.trials).filter_map(|t| t.result.as_ref()).collect();
    let all = results.iter().all(|result| result.data_restored);
    let data = if all { "restored" } else { "kept" };
    (!results.is_empty()).then(|| message!("method-data", data = Word(data)))
}
