//! A specification as written: targets, workloads, load, design, and factors.

use std::collections::BTreeMap;

use model::About;

use crate::path::Path;
use crate::target::{TargetSpec, TargetWords};
use crate::values::Values;
use crate::workload::NamedWorkload;

/// The format that is written.
pub const FORMAT: u32 = 2;

/// A specification.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// Its name in the catalogue, or its file, where it was made from one.
    pub experiment: Option<String>,
    /// The question that it answers; with one it is an experiment.
    pub question: Option<String>,
    /// The question in Simplified Chinese.
    pub question_zh: Option<String>,
    /// Results published by others, and their method.
    pub published: Option<String>,
    /// The published results in Simplified Chinese.
    pub published_zh: Option<String>,
    /// What a small machine, or a single server, can and cannot show of it.
    pub shows: Option<String>,
    /// The same text in Simplified Chinese.
    pub shows_zh: Option<String>,
    /// Whether it was reduced to take only minutes.
    pub is_quick: bool,
    /// Whether its targets are arms of one server: they differ on purpose in the property under study.
    pub targets_are_arms: bool,
    /// Minimum number of targets that the user must name; 0: its own targets, or one to which arms add.
    pub targets_at_least: usize,
    /// Requirements on the machine, without which it shows nothing.
    pub needs: Vec<Need>,
    /// Options of load and design, and those of the whole.
    pub values: Values,
    /// Options of every workload that has them.
    pub defaults: Values,
    /// Servers under test.
    pub targets: Vec<TargetSpec>,
    /// Additions to the target; none: nothing is added.
    pub arms: Vec<Arm>,
    /// Workloads.
    pub workloads: Vec<WorkloadEntry>,
    /// Factors besides; all combinations are run.
    pub factors: Vec<FactorSpec>,
    /// Combinations of levels; only these are run.
    pub combinations: Vec<Combination>,
    /// The reductions with which it takes only minutes.
    pub quick: Quick,
    /// The workloads in files that its factors name, by the word that names them.
    pub files: BTreeMap<String, NamedWorkload>,
}

/// A property of the machine without which an experiment shows nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Need {
    pub cpus: u32,
    pub numa_nodes: u32,
    pub why: String,
}

/// An addition to a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arm {
    /// Label in charts.
    pub label: String,
    /// Keys of connection and placement, and server variables.
    pub adds: TargetWords,
}

/// A workload with its own options.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkloadEntry {
    /// Label in charts; none: its name.
    pub label: Option<String>,
    /// The workload; none: a factor names it.
    pub kind: Option<NamedWorkload>,
    /// Its options.
    pub values: Values,
    /// Load options that differ from those of the other workloads.
    pub load: Values,
}

/// A factor.
#[derive(Debug, Clone, PartialEq)]
pub struct FactorSpec {
    /// The path that it varies.
    pub path: Path,
    /// Its levels, the first one being what the others are compared with.
    pub levels: Vec<String>,
    /// Labels of the levels in charts; empty: the levels themselves.
    pub labels: Vec<String>,
}

/// Levels of several factors at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Combination {
    /// Label of its server in charts.
    pub label: Option<String>,
    /// A level for each path.
    pub levels: Vec<(Path, String)>,
}

/// The replacements for a quick run.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Quick {
    pub values: Values,
    pub defaults: Values,
    pub targets: Vec<TargetSpec>,
}

impl Document {
    /// The document reduced to take only minutes. Targets that the user named stay.
    #[must_use]
    pub fn quick(mut self, named: bool) -> Self {
        let quick = std::mem::take(&mut self.quick);
        self.values = self.values.with(quick.values.edits().cloned());
        self.defaults = self.defaults.with(quick.defaults.edits().cloned());
        if !named && !quick.targets.is_empty() {
            self.targets = quick.targets;
        }
        self.is_quick = true;
        self
    }

    /// The description of an experiment that a recording keeps; none if this is no experiment. `name` is its name in the
    /// catalogue, or its file.
    pub fn about(&self, name: &str) -> Option<About> {
        let one_line = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(About {
            experiment: name.to_owned(),
            question: one_line(self.question.as_ref()?),
            published: self.published.as_ref().map(one_line),
            shows: self.shows.as_ref().map(one_line),
            quick: self.is_quick,
            arms: self.targets_are_arms || !self.arms.is_empty() || self.paths().any(Path::is_of_target),
            question_zh: self.question_zh.as_ref().map(one_line),
            published_zh: self.published_zh.as_ref().map(one_line),
            shows_zh: self.shows_zh.as_ref().map(one_line),
        })
    }

    /// The paths that vary.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let listed = self.combinations.iter().flat_map(|one| one.levels.iter().map(|(path, _)| path));
        self.factors.iter().map(|factor| &factor.path).chain(listed)
    }

    /// The arm that sets that variable, if one does: what arms differ in cannot be set for all of them.
    pub fn arm_that_sets(&self, name: &str) -> Option<&str> {
        let plain = |text: &str| {
            let text = text.rsplit('.').next().unwrap_or(text);
            text.trim().replace('-', "_").to_ascii_lowercase()
        };
        let sets = |arm: &&Arm| arm.adds.keys().any(|key| plain(key) == plain(name));
        self.arms.iter().find(sets).map(|arm| arm.label.as_str())
    }

    /// The reason it shows nothing on a machine with this number of CPUs and memory nodes; none if it may.
    ///
    /// The requirements are checked on this machine: those of a server elsewhere are unknown.
    pub fn out_of_reach(&self, cpus: u32, numa_nodes: u32) -> Option<String> {
        let counted = |n: u32, one: &str| messages::number::counted(n.into(), one);
        self.needs.iter().find_map(|need| {
            let (wanted, there) = if need.cpus > cpus {
                (counted(need.cpus, "CPU"), counted(cpus, "CPU"))
            } else if need.numa_nodes > numa_nodes {
                (counted(need.numa_nodes, "memory node"), counted(numa_nodes, "memory node"))
            } else {
                return None;
            };
            Some(format!("it needs {wanted}, this machine has {there}: {}", need.why))
        })
    }
}
