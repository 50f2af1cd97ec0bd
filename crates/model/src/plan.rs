//! Spec and Plan: what the user asked for, and what will be done about it, trial by trial.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{Design, Imported, Instance, Levels, LoadShape, Observe, Target, Why, WorkloadSpec};

/// What was asked for, with everything resolved. Stored within `plan.json`; mydyno 0.1 wrote it as `spec.toml` too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Format version.
    pub format: u32,
    /// Name of the run, used in its id.
    pub name: String,
    /// The experiment that it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<About>,
    /// Numbers of clients. Plans of mydyno 0.1 had them in their trials alone.
    #[serde(default)]
    pub threads: Vec<u32>,
    /// How often every cell is run. Likewise.
    #[serde(default)]
    pub repeats: u32,
    /// Seed of everything random. The same seed gives the same plan and the same streams of keys.
    pub seed: u64,
    /// When a trial starts and ends.
    pub load: LoadShape,
    /// Prepare missing data, and restore it for the next trial where that is possible.
    pub prepare: bool,
    /// How much of the servers is looked at beside the load.
    #[serde(default, skip_serializing_if = "Observe::is_off")]
    pub observe: Observe,
    /// Cells that cannot work (such as more clients than max_connections) are recorded as failed instead of refused.
    pub allow_failing_cells: bool,
    /// How trials are arranged beyond the product of all that varies.
    #[serde(default, skip_serializing_if = "Design::is_plain")]
    pub design: Design,
    /// Servers under test.
    #[serde(alias = "target")]
    pub targets: Vec<SpecTarget>,
    /// Workloads.
    #[serde(alias = "workload")]
    pub workloads: Vec<WorkloadSpec>,
}

impl Spec {
    /// How load is offered with the workload of that index.
    pub fn load_of(&self, workload: u32) -> &LoadShape {
        let own = self.design.variants.get(workload as usize).and_then(|variant| variant.load.as_ref());
        own.unwrap_or(&self.load)
    }

    /// True if a target is started when a trial of it is due, and that it does not start is a finding: one that the plan makes from
    /// others, or one between the first and the last of targets in order.
    pub fn starts_late(&self, target: &str) -> bool {
        let is_searched = self.design.bisect.as_ref().is_some_and(|search| search.in_order);
        let ends = [self.targets.first(), self.targets.last()];
        let is_end = ends.into_iter().flatten().any(|one| one.target.label == target);
        self.design.is_made(target) || (is_searched && !is_end)
    }

    /// Distinct loads, the one for all among them if a workload uses it.
    pub fn loads(&self) -> Vec<&LoadShape> {
        let mut loads: Vec<&LoadShape> = Vec::new();
        for index in 0..self.workloads.len() as u32 {
            let load = self.load_of(index);
            if !loads.contains(&load) {
                loads.push(load);
            }
        }
        loads
    }
}

/// The experiment that a run belongs to.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Its name in the catalogue, or its file.
    pub experiment: String,
    /// What it is to answer.
    pub question: String,
    /// What others found, and how.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// What a small machine, or one server, can show of it and what not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<String>,
    /// In the size of minutes.
    #[serde(default)]
    pub quick: bool,
    /// Its targets are arms of one server: they differ in what is asked about, and on purpose.
    #[serde(default)]
    pub arms: bool,
    /// The question in Simplified Chinese; none: it was not translated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_zh: Option<String>,
    /// What others found, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_zh: Option<String>,
    /// What a small machine can show of it, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows_zh: Option<String>,
}

/// A target and what the user said about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecTarget {
    /// The target.
    pub target: Target,
    /// Metadata for the report.
    #[serde(default)]
    pub instance: Instance,
    /// Its levels of the experiment's factors, by path.
    #[serde(default, skip_serializing_if = "Levels::is_empty")]
    pub levels: Levels,
}

/// Every trial resolved, ordered, seeded and hashed. Stored as `plan.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "ReadPlan")]
pub struct Plan {
    /// What was asked for.
    #[serde(flatten)]
    pub spec: Spec,
    /// SHA-256 of the canonical JSON of this plan with this field empty, hexadecimal.
    pub hash: String,
    /// Where it comes from, if another tool measured it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// Trials in the order in which they are run.
    pub trials: Vec<PlannedTrial>,
}

/// A plan as it was written, by any version.
#[derive(Deserialize)]
struct ReadPlan {
    #[serde(flatten)]
    spec: Spec,
    hash: String,
    imported: Option<Imported>,
    trials: Vec<PlannedTrial>,
}

impl From<ReadPlan> for Plan {
    fn from(read: ReadPlan) -> Self {
        let ReadPlan { mut spec, hash, imported, trials } = read;
        let asked = || trials.iter().filter(|trial| trial.why == Why::AskedFor).map(|trial| &trial.cell);
        if spec.threads.is_empty() {
            spec.threads = asked().map(|cell| cell.threads).collect::<BTreeSet<_>>().into_iter().collect();
        }
        if spec.repeats == 0 {
            spec.repeats = asked().map(|cell| cell.repeat).max().unwrap_or(0);
        }
        Self { spec, hash, imported, trials }
    }
}

/// One trial of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedTrial {
    /// Position in the plan, from 0.
    pub index: u32,
    /// What is varied.
    pub cell: CellKey,
    /// Index into `Plan::workloads`.
    pub workload: u32,
    /// Seed of this trial's random streams.
    pub seed: u64,
    /// Why it is in the plan.
    #[serde(default, skip_serializing_if = "Why::is_asked_for")]
    pub why: Why,
}

impl Plan {
    /// How often some cell is run: complete blocks, without trials whose figures do not count.
    pub fn blocks(&self) -> u32 {
        let cells = self.trials.iter().filter(|trial| trial.why.counts());
        cells.map(|trial| trial.cell.repeat).max().unwrap_or(0)
    }
}

/// What identifies one run of one cell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CellKey {
    /// Label of the target.
    pub target: String,
    /// Label of the workload (its name, or a label of the user's).
    pub workload: String,
    /// Number of clients.
    pub threads: u32,
    /// Which repeat, from 1.
    pub repeat: u32,
}

impl std::fmt::Display for CellKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {} clients, run {}", self.target, self.workload, self.threads, self.repeat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As mydyno 0.1 wrote it: without what its trials say.
    const OLD: &str = r#"{"format":1,"name":"n","hash":"h","seed":7,"load":{"warmup_s":1.0,"time_s":2.0,"events":0,"workers":null},
        "prepare":true,"allow_failing_cells":false,"targets":[],"workloads":[],"trials":[
        {"index":0,"cell":{"target":"a","workload":"w","threads":16,"repeat":1},"workload":0,"seed":1},
        {"index":1,"cell":{"target":"a","workload":"w","threads":4,"repeat":2},"workload":0,"seed":2},
        {"index":2,"cell":{"target":"a","workload":"w","threads":8,"repeat":3},"workload":0,"seed":3,"why":"bookend"}]}"#;

    #[test]
    fn a_plan_without_clients_and_repeats_has_those_of_its_trials() {
        let old: Plan = serde_json::from_str(OLD).expect("a plan of mydyno 0.1");
        assert_eq!((old.spec.threads.as_slice(), old.spec.repeats), ([4, 16].as_slice(), 2));
        let written = serde_json::to_string(&old).expect("plain values");
        assert_eq!(serde_json::from_str::<Plan>(&written).expect("its own"), old);
    }
}
