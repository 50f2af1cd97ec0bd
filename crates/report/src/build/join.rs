//! Several recordings as one list of trials with unambiguous labels.
//!
//! Recordings of one plan (same hash) are joined: their repeats are numbered consecutively. Targets and workloads of
//! different plans with the same label stay separate; the later ones get the id of their run appended.

use std::collections::BTreeMap;

use model::{CellKey, Plan, RecommendationTrials, SpecTarget};

use super::input::{RunInput, TrialRecord};

/// Recordings of one plan.
pub struct Group {
    /// The plan with all their trials, labels unique over all groups.
    pub plan: Plan,
    /// Their trials, under the labels, indexes and repeats of `plan`.
    pub trials: Vec<JoinedTrial>,
}

/// A trial and where it comes from.
pub struct JoinedTrial {
    /// Position of its recording.
    pub run: usize,
    /// Its index in that recording's own plan.
    pub index: u32,
    /// The trial, renamed and renumbered.
    pub input: TrialRecord,
}

/// Every target, with the group it belongs to. Combinations of two, which a search measured, are no targets of their own.
pub fn specs(groups: &[Group]) -> impl Iterator<Item = (&Group, &SpecTarget)> {
    let is_shown = |group: &Group, label: &str| {
        let search = group.plan.spec.design.bisect.as_ref();
        !search.is_some_and(|search| search.combinations.iter().any(|one| one.target == label))
    };
    groups
        .iter()
        .flat_map(|group| group.plan.spec.targets.iter().map(move |spec| (group, spec)))
        .filter(move |(group, spec)| is_shown(group, &spec.target.label))
}

/// Brings recordings together.
pub fn join(inputs: &[RunInput]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut labels = Labels::default();
    for (run, input) in inputs.iter().enumerate() {
        // A search chooses its own trials, which another search of the same plan need not have.
        let searches = input.plan.spec.design.is_search();
        match groups.iter_mut().find(|g| g.plan.hash == input.plan.hash && !searches) {
            Some(group) => {
                let earlier = &inputs[group.trials.first().map_or(run, |t| t.run)];
                let renamed = labels.renamed(&earlier.id);
                append(group, run, input, &renamed);
            }
            None => {
                let renamed = labels.claim(input);
                let mut plan = input.plan.clone();
                plan.trials.clear();
                for target in &mut plan.spec.targets {
                    target.target.label = renamed.target(&target.target.label);
                }
                for combination in
                    plan.spec.design.bisect.iter_mut().flat_map(|search| &mut search.combinations)
                {
                    combination.target = renamed.target(&combination.target);
                }
                for target in plan.spec.design.proof.iter_mut().flat_map(RecommendationTrials::targets_mut) {
                    *target = renamed.target(target);
                }
                let mut group = Group { plan, trials: Vec::new() };
                append(&mut group, run, input, &renamed);
                groups.push(group);
            }
        }
    }
    groups
}

/// Adds the trials of a recording behind those that are there.
fn append(group: &mut Group, run: usize, input: &RunInput, renamed: &Renamed) {
    let index_offset = group.plan.trials.iter().map(|t| t.index + 1).max().unwrap_or(0);
    let repeat_offset = group.plan.trials.iter().map(|t| t.cell.repeat).max().unwrap_or(0);
    let key = |cell: &CellKey| CellKey {
        target: renamed.target(&cell.target),
        workload: renamed.workload(&cell.workload),
        threads: cell.threads,
        repeat: cell.repeat + repeat_offset,
    };
    for trial in &input.trials {
        let index = trial.planned.index;
        let mut joined = trial.clone();
        joined.planned.index += index_offset;
        joined.planned.cell = key(&trial.planned.cell);
        if let Some(result) = &mut joined.result {
            result.index += index_offset;
            result.cell = joined.planned.cell.clone();
        }
        group.plan.trials.push(joined.planned.clone());
        group.trials.push(JoinedTrial { run, index, input: joined });
    }
}

/// Labels given away so far.
#[derive(Default)]
struct Labels {
    targets: Vec<String>,
    workloads: Vec<(String, model::WorkloadSpec)>,
    by_run: BTreeMap<String, Renamed>,
}

/// New labels by old, of one plan.
#[derive(Default, Clone)]
struct Renamed {
    targets: BTreeMap<String, String>,
    workloads: BTreeMap<String, String>,
}

impl Renamed {
    fn target(&self, label: &str) -> String {
        self.targets.get(label).cloned().unwrap_or_else(|| label.to_owned())
    }

    fn workload(&self, label: &str) -> String {
        self.workloads.get(label).cloned().unwrap_or_else(|| label.to_owned())
    }
}

impl Labels {
    fn renamed(&self, run: &str) -> Renamed {
        self.by_run.get(run).cloned().unwrap_or_default()
    }

    /// Gives every target and workload of a plan a label of its own. Workloads that agree in every option share theirs, or
    /// nothing could be compared.
    fn claim(&mut self, input: &RunInput) -> Renamed {
        let mut renamed = Renamed::default();
        for target in &input.plan.spec.targets {
            let old = &target.target.label;
            let new = if self.targets.contains(old) { format!("{old} ({})", input.id) } else { old.clone() };
            self.targets.push(new.clone());
            renamed.targets.insert(old.clone(), new);
        }
        for trial in &input.plan.trials {
            let old = &trial.cell.workload;
            let Some(spec) = input.plan.spec.workloads.get(trial.workload as usize) else { continue };
            if renamed.workloads.contains_key(old) {
                continue;
            }
            let new = match self.workloads.iter().find(|(label, _)| label == old) {
                Some((_, other)) if other != spec => format!("{old} ({})", input.id),
                _ => old.clone(),
            };
            self.workloads.push((new.clone(), spec.clone()));
            renamed.workloads.insert(old.clone(), new);
        }
        self.by_run.insert(input.id.clone(), renamed.clone());
        renamed
    }
}
