//! The trials of a plan, block by block: their order and their seeds, which nothing but the plan's seed decides.

use std::collections::BTreeMap;

use model::{CellKey, Design, Plan, PlannedTrial, Why};
use random::Rng;
use sha2::{Digest, Sha256};

/// A complete block: every cell once, at these numbers of clients, numbered after the trials of the plan.
pub(crate) fn block(plan: &Plan, threads: &[u32], repeat: u32, why: Why) -> Vec<PlannedTrial> {
    let mut groups: Vec<(u32, u32)> =
        (0..plan.spec.workloads.len() as u32).flat_map(|w| threads.iter().map(move |t| (w, *t))).collect();
    // The order is a matter of the seed and the block alone: what is run does not depend on what was run.
    let mut order = Rng::from_seed(seed_of(&format!("{}/order/{repeat}/{threads:?}", plan.spec.seed)));
    shuffle(&mut groups, &mut order);
    let mut trials: Vec<PlannedTrial> = Vec::new();
    for (workload, threads) in groups {
        let label = plan.spec.workloads[workload as usize].label();
        let mut targets: Vec<&str> = plan.spec.targets.iter().map(|one| one.target.label.as_str()).collect();
        targets.retain(|target| is_wanted(&plan.spec.design, target, label, threads));
        shuffle(&mut targets, &mut order);
        for target in targets {
            let cell = CellKey { target: target.to_owned(), workload: label.to_owned(), threads, repeat };
            let index = (plan.trials.len() + trials.len()) as u32;
            let seed = trial_seed(plan.spec.seed, &cell);
            trials.push(PlannedTrial { index, cell, workload, seed, why });
        }
    }
    trials
}

/// What ends a plan: the drift check, then the trials in which servers are sampled, so that these disturb nothing that counts.
pub(crate) fn closing(plan: &Plan) -> Vec<PlannedTrial> {
    let mut plan = plan.clone();
    let before = plan.trials.len();
    let last = drift_check(&plan);
    plan.trials.extend(last);
    let sampled = profiled(&plan);
    plan.trials.extend(sampled);
    plan.trials.split_off(before)
}

/// Each target once more with each workload, at its greatest number of clients, if the design asks for it.
fn profiled(plan: &Plan) -> Vec<PlannedTrial> {
    let position = |trial: &PlannedTrial| {
        plan.spec.targets.iter().position(|one| one.target.label == trial.cell.target).unwrap_or(usize::MAX)
    };
    let mut greatest: BTreeMap<(u32, usize), &PlannedTrial> = BTreeMap::new();
    for trial in plan.trials.iter().filter(|trial| plan.spec.design.perf && trial.why.counts()) {
        let known = greatest.entry((trial.workload, position(trial))).or_insert(trial);
        if trial.cell.threads > known.cell.threads {
            *known = trial;
        }
    }
    let repeat = plan.trials.iter().map(|trial| trial.cell.repeat).max().unwrap_or(0) + 1;
    let trial = |(at, of): (usize, &PlannedTrial)| {
        let cell = CellKey { repeat, ..of.cell.clone() };
        PlannedTrial {
            index: (plan.trials.len() + at) as u32,
            seed: trial_seed(plan.spec.seed, &cell),
            cell,
            workload: of.workload,
            why: Why::Profiled,
        }
    };
    greatest.into_values().enumerate().map(trial).collect()
}

/// The first cell once more, behind everything else, if the design asks for it. Its keys are those of the first time. So few
/// trials that it would be one half of them, or all eight hours again, have none.
fn drift_check(plan: &Plan) -> Option<PlannedTrial> {
    const TRIALS_MIN: usize = 3;
    let first =
        plan.trials.first().filter(|_| plan.spec.design.drift_check && plan.trials.len() >= TRIALS_MIN)?;
    let repeat = plan.trials.iter().map(|trial| trial.cell.repeat).max().unwrap_or(0) + 1;
    Some(PlannedTrial {
        index: plan.trials.len() as u32,
        cell: CellKey { repeat, ..first.cell.clone() },
        why: Why::DriftCheck,
        ..first.clone()
    })
}

fn is_wanted(design: &Design, target: &str, workload: &str, threads: u32) -> bool {
    let same = |one: &model::OnlyCell| {
        one.target == target && one.workload == workload && one.threads.is_none_or(|own| own == threads)
    };
    design.only.is_empty() || design.only.iter().any(same)
}

/// Fisher and Yates.
pub(crate) fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for at in (1..items.len()).rev() {
        items.swap(at, rng.below(at as u64 + 1) as usize);
    }
}

/// A trial's seed depends on its cell, not on its position in the plan: adding a cell changes no other.
pub(crate) fn trial_seed(seed: u64, cell: &CellKey) -> u64 {
    let CellKey { target: _, workload, threads, repeat } = cell;
    // All targets get the same keys in the same cell, so that they are asked the same questions.
    seed_of(&format!("{seed}/{workload}/{threads}/{repeat}"))
}

pub(crate) fn seed_of(text: &str) -> u64 {
    let digest = Sha256::digest(text);
    u64::from_be_bytes(digest[..8].try_into().expect("a SHA-256 digest has 32 bytes"))
}
