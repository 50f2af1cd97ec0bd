//! Spec and Plan: what the user asked for, and what will be done about it, trial by trial.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{Design, Imported, Instance, Levels, Observe, Target, Why, WorkloadSpec};

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

/// The three numbers that bound a trial, and how fast work comes due.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadShape {
    /// Seconds before the measured window.
    pub warmup_s: f64,
    /// Seconds of the measured window.
    pub time_s: f64,
    /// Stop after so many transactions; 0: no such limit.
    pub events: u64,
    /// When transactions are due whatever the server does; none: closed loop.
    #[serde(default, alias = "rate_per_s", skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Transactions in flight at the same time, over all clients; none: as many as there are clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_flight: Option<u32>,
    /// Mean seconds that a client thinks between two transactions (negative exponential).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub think_s: f64,
    /// Worker threads of the generator; none: chosen from CPUs and clients.
    pub workers: Option<u32>,
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// An open loop: transactions that are due by the clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// How they follow each other.
    pub arrivals: Arrivals,
    /// The rate over the measured window, in phases that follow each other. The warm-up has the rate of the beginning.
    pub phases: Vec<Phase>,
}

/// How transactions that are due by the clock follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// At random, independently of each other: exponential distances.
    Poisson,
    /// At equal distances.
    Constant,
}

/// A stretch of time with a rate that is constant or changes in a straight line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Transactions per second at its beginning.
    pub from_per_s: f64,
    /// Transactions per second at its end.
    pub to_per_s: f64,
    /// Its length, seconds; none: until the end, which only the last phase may have.
    pub length_s: Option<f64>,
}

impl Rate {
    /// Mean over a window of so many seconds.
    pub fn mean_per_s(&self, time_s: f64) -> f64 {
        let mut left_s = time_s;
        let mut sum = 0.0;
        for phase in &self.phases {
            let length_s = phase.length_s.unwrap_or(left_s).min(left_s);
            sum += length_s * (phase.from_per_s + phase.to_per_s) / 2.0;
            left_s -= length_s;
        }
        if time_s > 0.0 { sum / time_s } else { self.phases.first().map_or(0.0, |phase| phase.from_per_s) }
    }

    /// At so many seconds into the measured window; before it, in the warm-up, that of its beginning.
    pub fn at_per_s(&self, at_s: f64) -> f64 {
        let mut left_s = at_s.max(0.0);
        let mut last = 0.0;
        for phase in &self.phases {
            match phase.length_s {
                Some(length_s) if left_s >= length_s => left_s -= length_s,
                Some(length_s) => {
                    return phase.from_per_s + (phase.to_per_s - phase.from_per_s) * left_s / length_s;
                }
                None => return phase.from_per_s,
            }
            last = phase.to_per_s;
        }
        last
    }

    /// Whether it is the same from the beginning to the end.
    pub fn is_steady(&self) -> bool {
        let first = self.phases.first().map(|phase| phase.from_per_s);
        self.phases.iter().all(|phase| Some(phase.from_per_s) == first && Some(phase.to_per_s) == first)
    }

    /// In a few characters, as `--rate` takes it: `500`, `500..2000:60,2000:30`.
    pub fn describe(&self) -> String {
        let phase = |phase: &Phase| {
            let to = if phase.to_per_s == phase.from_per_s {
                String::new()
            } else {
                format!("..{}", phase.to_per_s)
            };
            let length = phase.length_s.map(|s| format!(":{s}")).unwrap_or_default();
            format!("{}{to}{length}", phase.from_per_s)
        };
        self.phases.iter().map(phase).collect::<Vec<_>>().join(",")
    }
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
    /// How often some cell is run: complete blocks, the first cell once more not among them.
    pub fn blocks(&self) -> u32 {
        let cells = self.trials.iter().filter(|trial| trial.why != Why::Bookend);
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

    #[test]
    fn a_rate_is_known_at_every_second() {
        let phase = |from_per_s, to_per_s, length_s| Phase { from_per_s, to_per_s, length_s };
        let phases =
            vec![phase(100.0, 100.0, Some(10.0)), phase(100.0, 300.0, Some(10.0)), phase(50.0, 50.0, None)];
        let rate = Rate { arrivals: Arrivals::Poisson, phases };
        assert_eq!(
            [-5.0, 5.0, 15.0, 20.0, 1e6].map(|at_s| rate.at_per_s(at_s)),
            [100.0, 100.0, 200.0, 50.0, 50.0]
        );
        let ends = Rate { arrivals: Arrivals::Poisson, phases: vec![phase(1.0, 9.0, Some(8.0))] };
        assert_eq!([4.0, 8.0, 9.0].map(|at_s| ends.at_per_s(at_s)), [5.0, 9.0, 9.0]);
    }
}
