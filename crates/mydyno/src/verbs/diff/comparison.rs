//! A comparison of servers as data, and for programs.

use std::collections::BTreeSet;

use analysis::Setting;
use analysis::unequal::{self, ComparedServer, Warning, Work};
use knowledge::variables::Group;
use model::{FORMAT, WorkloadSpec};
use serde::Serialize;

use super::column::Column;
use spec::NamedWorkload;

/// The load that the differences are judged for.
#[derive(Debug, Serialize)]
pub struct Load {
    /// Names of the workloads; none: not given.
    pub workloads: Vec<String>,
    /// Their combined work.
    pub work: Work,
}

/// The result of a comparison.
#[derive(Debug, Serialize)]
pub struct Comparison {
    format: u32,
    /// The load that it is judged for.
    pub load: Load,
    /// Differences that make curves over these servers unequal.
    pub warnings: Vec<Warning>,
    /// The servers.
    pub columns: Vec<Column>,
    /// Variables that differ.
    pub differences: Vec<Difference>,
    /// Number of variables compared.
    pub compared: usize,
}

/// A variable that differs.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// The variable.
    #[serde(flatten)]
    pub setting: Setting,
    /// True if the load does not feel it.
    pub is_idle: bool,
    /// True if only some of the servers have it, with no value but its default.
    pub is_familys_own: bool,
}

impl Load {
    /// The workload that was named, or else those of the recordings.
    pub fn new(named: Option<&NamedWorkload>, recorded: &[WorkloadSpec]) -> Self {
        let (names, writes): (BTreeSet<&str>, bool) = match named {
            Some(choice) => ([choice.name()].into(), choice.writes()),
            None => (
                recorded.iter().map(|workload| workload.name()).collect(),
                recorded.iter().any(|workload| workload.writes()),
            ),
        };
        let work = match (names.is_empty(), writes) {
            (true, _) => Work::Unknown,
            (false, true) => Work::Writes,
            (false, false) => Work::Reads,
        };
        Self { workloads: names.into_iter().map(str::to_owned).collect(), work }
    }
}

impl Comparison {
    /// Compares.
    pub fn new(columns: Vec<Column>, load: Load) -> Self {
        let servers: Vec<ComparedServer<'_>> = columns
            .iter()
            .map(|column| ComparedServer {
                label: &column.label,
                target: &column.target,
                is_sandbox: column.is_sandbox,
                class: &column.durability,
                binlog: column.binlog,
            })
            .collect();
        let warnings = unequal::warnings(&servers, load.work, &BTreeSet::new());
        let settings =
            analysis::side_by_side(&columns.iter().map(|c| Some(&c.variables)).collect::<Vec<_>>());
        let compared = settings.len();
        let mut differences: Vec<Difference> = settings
            .into_iter()
            .filter(|setting| setting.differs)
            .map(|setting| Difference {
                is_idle: setting.is_idle(load.work),
                is_familys_own: setting.is_familys_own(),
                setting,
            })
            .collect();
        differences.sort_by_key(|one| (one.setting.group, one.is_idle));
        Self { format: FORMAT, load, warnings, columns, differences, compared }
    }

    /// The comparison as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a comparison has only plain values")
    }

    /// Differences by group. With `all`, also those of little effect and variables that only one flavour has.
    pub fn groups(&self, all: bool) -> Vec<(Group, Vec<&Difference>)> {
        let mut groups: Vec<(Group, Vec<&Difference>)> = Vec::new();
        for one in self.differences.iter().filter(|one| all || one.matters()) {
            match groups.last_mut() {
                Some((group, list)) if *group == one.setting.group => list.push(one),
                _ => groups.push((one.setting.group, vec![one])),
            }
        }
        groups
    }

    /// Number of differences hidden unless all are requested: those of little importance, and those specific to a family.
    pub fn folded(&self) -> (usize, usize) {
        let (own, little): (Vec<&Difference>, Vec<&Difference>) =
            self.differences.iter().filter(|one| !one.matters()).partition(|one| one.is_familys_own);
        (little.iter().filter(|one| one.setting.group != Group::Version).count(), own.len())
    }
}

impl Difference {
    /// Whether it is shown by default. Versions are above the groups.
    fn matters(&self) -> bool {
        !self.is_familys_own && !self.setting.decides_little()
    }
}
