//! From recordings to a view: one step per part of the view.

mod answer;
mod cells;
mod command;
mod estimate;
pub mod input;
mod latency;
mod read;
mod targets;
mod trust;
mod variables;

use std::collections::BTreeMap;

use model::{Variables, WorkloadSpec};

use crate::view::{Cell, Comparison, SCHEMA_VERSION, View};
use crate::words::Lang;
use cells::{CellTrial, Place};
use input::RunInput;

pub use variables::readable;

/// Choices of the reader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Language to show first.
    pub lang: Lang,
}

impl View {
    /// Builds a view of one or several recordings. Histograms are read from their directories; nothing else is.
    ///
    /// Recordings of one plan are brought together, run by run. Targets and workloads of different plans that bear
    /// the same label stay apart and get the id of their run behind the label.
    pub fn build(recordings: &[store::Recording], options: &Options) -> Result<Self, store::ReadError> {
        let inputs = recordings.iter().map(read::input).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::from_inputs(&inputs, options))
    }

    /// Builds a view of recordings that have been read. Pure.
    pub fn from_inputs(inputs: &[RunInput], options: &Options) -> Self {
        let names = Names::new(inputs);
        let runs: Vec<_> = inputs.iter().map(targets::run).collect();
        let targets: Vec<_> =
            names.targets.iter().map(|n| targets::target(&inputs[n.run], n.index, n.label.clone())).collect();
        let specs: Vec<&WorkloadSpec> =
            names.workloads.iter().map(|n| &inputs[n.run].plan.workloads[n.index]).collect();
        let workloads: Vec<_> = names
            .workloads
            .iter()
            .zip(&specs)
            .map(|(n, spec)| targets::workload(spec, n.label.clone()))
            .collect();
        let cells = all_cells(inputs, &names);
        let comparisons = comparisons(&cells, targets.len());
        let variables = variables::matrix(&target_variables(inputs, &names));
        let writes = |workload: usize| {
            let WorkloadSpec::Sysbench(options) = specs[workload];
            options.workload.writes()
        };
        let labels = |list: Vec<&str>| list.join(", ");
        Self {
            schema_version: SCHEMA_VERSION,
            mydyno_version: env!("CARGO_PKG_VERSION").to_owned(),
            lang: options.lang,
            title: format!(
                "{}: {}",
                labels(workloads.iter().map(|w| w.label.as_str()).collect()),
                labels(targets.iter().map(|t| t.label.as_str()).collect())
            ),
            answer: answer::answer(&targets, &workloads, &cells, &comparisons),
            trust: trust::trust(&runs, &targets, &workloads, &cells, writes),
            differences: variables::differences(&targets, &variables),
            runs,
            targets,
            workloads,
            cells,
            comparisons,
            variables,
        }
    }
}

/// A target or workload under the label it has in the view.
struct Name {
    label: String,
    /// The recording that it is described from.
    run: usize,
    /// Its position in that recording's plan.
    index: usize,
}

/// Labels made unique over recordings.
struct Names {
    targets: Vec<Name>,
    workloads: Vec<Name>,
    /// Positions in `targets` by (plan hash, label in the plan).
    target_of: BTreeMap<(String, String), usize>,
    /// Positions in `workloads` by (recording, label in the plan).
    workload_of: BTreeMap<(usize, String), usize>,
}

impl Names {
    fn new(inputs: &[RunInput]) -> Self {
        let mut names = Self {
            targets: Vec::new(),
            workloads: Vec::new(),
            target_of: BTreeMap::new(),
            workload_of: BTreeMap::new(),
        };
        for (run, input) in inputs.iter().enumerate() {
            for (index, target) in input.plan.targets.iter().enumerate() {
                let label = &target.target.label;
                let key = (input.plan.hash.clone(), label.clone());
                if !names.target_of.contains_key(&key) {
                    let label = unique(label, &names.targets, &input.id);
                    names.target_of.insert(key, names.targets.len());
                    names.targets.push(Name { label, run, index });
                }
            }
            for trial in &input.plan.trials {
                names.add_workload(inputs, run, &trial.cell.workload, trial.workload as usize);
            }
        }
        names
    }

    fn add_workload(&mut self, inputs: &[RunInput], run: usize, label: &str, index: usize) {
        let key = (run, label.to_owned());
        if self.workload_of.contains_key(&key) || index >= inputs[run].plan.workloads.len() {
            return;
        }
        let spec = &inputs[run].plan.workloads[index];
        let same = self.workload_of.iter().find(|((other, name), position)| {
            let known = &self.workloads[**position];
            *other != run && name == label && inputs[known.run].plan.workloads[known.index] == *spec
        });
        let position = match same {
            Some((_, position)) => *position,
            None => {
                let label = unique(label, &self.workloads, &inputs[run].id);
                self.workloads.push(Name { label, run, index });
                self.workloads.len() - 1
            }
        };
        self.workload_of.insert(key, position);
    }
}

fn unique(label: &str, taken: &[Name], run: &str) -> String {
    if taken.iter().any(|n| n.label == label) { format!("{label} ({run})") } else { label.to_owned() }
}

/// Every cell of every plan, ordered by workload, target, clients.
fn all_cells(inputs: &[RunInput], names: &Names) -> Vec<Cell> {
    let mut groups: BTreeMap<(usize, usize, u32), Vec<CellTrial>> = BTreeMap::new();
    for (run, input) in inputs.iter().enumerate() {
        for trial in &input.trials {
            let key = &trial.planned.cell;
            let target = names.target_of.get(&(input.plan.hash.clone(), key.target.clone()));
            let workload = names.workload_of.get(&(run, key.workload.clone()));
            if let (Some(target), Some(workload)) = (target, workload) {
                let group = groups.entry((*workload, *target, key.threads)).or_default();
                group.push(CellTrial { run, trial });
            }
        }
    }
    let make = |((workload, target, threads), mut trials): ((usize, usize, u32), Vec<CellTrial>)| {
        trials.sort_by_key(|t| (t.run, t.trial.planned.cell.repeat));
        let labels = (&names.targets[target].label, &names.workloads[workload].label);
        let id = address(&format!("{}-{}-{threads}", labels.0, labels.1));
        cells::cell(Place { id, target, workload, threads }, &trials)
    };
    groups.into_iter().map(make).collect()
}

/// A name as an address of a page can hold it.
fn address(name: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    name.chars().map(kept).collect()
}

/// Ratios to the first target, from runs of the same recording and repeat.
fn comparisons(cells: &[Cell], targets: usize) -> Vec<Comparison> {
    let find = |target: usize, like: &Cell| {
        cells.iter().find(|c| c.target == target && c.workload == like.workload && c.threads == like.threads)
    };
    let mut found = Vec::new();
    for base in cells.iter().filter(|c| c.target == 0) {
        for other in (1..targets).filter_map(|target| find(target, base)) {
            if let Some((throughput_ratio, interval)) = estimate::ratio(&pairs(base, other)) {
                found.push(Comparison {
                    workload: base.workload,
                    threads: base.threads,
                    base: 0,
                    other: other.target,
                    throughput_ratio,
                    low: interval.map(|i| i.0),
                    high: interval.map(|i| i.1),
                });
            }
        }
    }
    found
}

/// Throughput of both cells in the runs that both completed. Runs of different recordings pair by repeat.
fn pairs(base: &Cell, other: &Cell) -> Vec<(f64, f64)> {
    let rates = |cell: &Cell| -> Vec<(u32, f64)> {
        let completed =
            cell.trials.iter().filter(|t| t.outcome == Some(crate::view::TrialOutcome::Completed));
        let measured = completed.filter(|t| t.measured_s > 0.0);
        measured.map(|t| (t.repeat, t.transactions as f64 / t.measured_s)).collect()
    };
    let others = rates(other);
    let pair = |(repeat, rate): (u32, f64)| {
        others.iter().find(|(other_repeat, _)| *other_repeat == repeat).map(|(_, o)| (rate, *o))
    };
    rates(base).into_iter().filter_map(pair).collect()
}

/// The variables of each target, from the first of its trials that has them.
fn target_variables<'a>(inputs: &'a [RunInput], names: &Names) -> Vec<Option<&'a Variables>> {
    let of = |name: &Name| {
        let input = &inputs[name.run];
        let label = &input.plan.targets[name.index].target.label;
        input.trials.iter().filter(|t| t.planned.cell.target == *label).find_map(|t| t.variables.as_ref())
    };
    names.targets.iter().map(of).collect()
}
