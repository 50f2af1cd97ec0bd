//! By what a plan grows while it is conducted.

use model::{Plan, PlannedTrial, Variant, WorkloadSpec};

/// Trials to be added, and why.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanGrowth {
    /// Workloads that are added behind those of the plan: at rates that it did not have.
    pub workloads: Vec<(WorkloadSpec, Variant)>,
    /// In the order in which they are to be run.
    pub trials: Vec<PlannedTrial>,
    /// In a sentence.
    pub text: String,
}

impl PlanGrowth {
    /// Makes it a part of the plan.
    pub fn add_to(self, plan: &mut Plan) {
        if !self.workloads.is_empty() {
            plan.spec.design.variants.resize(plan.spec.workloads.len(), Variant::default());
        }
        for (workload, variant) in self.workloads {
            plan.spec.workloads.push(workload);
            plan.spec.design.variants.push(variant);
        }
        plan.trials.extend(self.trials);
    }
}
