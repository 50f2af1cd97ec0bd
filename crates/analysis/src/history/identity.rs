//! Groups recordings that measured the same thing.

use std::collections::{BTreeMap, BTreeSet};

use messages::message;
use model::{LoadShape, Plan, ServerKind, Target, Topology, Why, WorkloadSpec};
use serde::{Deserialize, Serialize};

use crate::Words;

/// The question that a plan asks.
///
/// It holds what a reader takes for granted when two points are on one line: the servers by the user's labels, the
/// workloads with their options, the numbers of clients, and the load shape. It leaves out what a history is there to show
/// (versions, builds, settings, a server's address and machine), and what only affects the precision or order of a point
/// (seed, repeats, sequentially added blocks, the drift check, the date). Numbers of clients added automatically near a
/// cliff are results, and are left out too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Kind of each target, by label: `sandbox:mysql`, `server`, `imported`.
    pub targets: BTreeMap<String, String>,
    /// The workload with its options and load shape as JSON, by label.
    pub workloads: BTreeMap<String, String>,
    /// Target, workload and number of clients.
    pub cells: BTreeSet<(String, String, u32)>,
}

impl Identity {
    /// The identity of a plan.
    pub fn of(plan: &Plan) -> Self {
        #[derive(Serialize)]
        struct Work<'a> {
            spec: &'a WorkloadSpec,
            load: &'a LoadShape,
        }
        let asked =
            || plan.trials.iter().filter(|trial| trial.why.is_asked_for() || trial.why == Why::Undecided);
        let mut workloads: BTreeMap<String, String> = BTreeMap::new();
        for trial in asked() {
            let label = &trial.cell.workload;
            if let Some(spec) = plan.spec.workloads.get(trial.workload as usize)
                && !workloads.contains_key(label)
            {
                let work = Work { spec, load: plan.spec.load_of(trial.workload) };
                let json = serde_json::to_string(&work).expect("the model has only string keys");
                workloads.insert(label.clone(), json);
            }
        }
        let cells =
            asked().map(|t| (t.cell.target.clone(), t.cell.workload.clone(), t.cell.threads)).collect();
        let kind = |kind: &ServerKind| match kind {
            ServerKind::Sandbox(spec) => format!("sandbox:{}", spec.flavour.name()),
            ServerKind::External(_) => "server".to_owned(),
            ServerKind::Imported { .. } => "imported".to_owned(),
        };
        let of_target = |target: &Target| match (target.topology, target.members.len()) {
            (Topology::Single, _) => kind(target.entry()),
            (topology, count) => format!("{} of {count}: {}", topology.name(), kind(target.entry())),
        };
        let targets =
            plan.spec.targets.iter().map(|t| (t.target.label.clone(), of_target(&t.target))).collect();
        Self { targets, workloads, cells }
    }

    /// The respects in which another one differs; empty: they are the same question.
    pub fn differs_in(&self, other: &Self) -> Vec<Words> {
        let labels = |identity: &Self| identity.workloads.keys().cloned().collect::<Vec<_>>();
        let threads = |identity: &Self| identity.cells.iter().map(|(_, _, n)| *n).collect::<BTreeSet<_>>();
        let mut found = Vec::new();
        if self.targets != other.targets {
            found.push(message!("asks-another", what = Word("targets")));
        }
        if labels(self) != labels(other) {
            found.push(message!("asks-another", what = Word("workloads")));
        } else if self.workloads != other.workloads {
            found.push(message!("asks-another", what = Word("options")));
        }
        if threads(self) != threads(other) {
            found.push(message!("asks-another", what = Word("clients")));
        }
        if found.is_empty() && self != other {
            found.push(message!("asks-another", what = Word("cells")));
        }
        found
    }
}
