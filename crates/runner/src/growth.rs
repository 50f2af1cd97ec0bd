//! The additions to a plan while it is conducted.

use model::{Plan, PlannedTrial, SpecTarget, TargetCombination, Variant, WorkloadSpec};

/// Trials to be added, and why.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanGrowth {
    /// Workloads that are added behind those of the plan: at rates that it did not have.
    pub workloads: Vec<(WorkloadSpec, Variant)>,
    /// Targets that are added behind those of the plan: combinations of two.
    pub targets: Vec<(SpecTarget, TargetCombination)>,
    /// The trials in the order of execution.
    pub trials: Vec<PlannedTrial>,
    /// A summary in a sentence.
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
        for (target, combination) in self.targets {
            plan.spec.targets.push(target);
            plan.spec.design.bisect.get_or_insert_default().combinations.push(combination);
        }
        plan.trials.extend(self.trials);
    }
}
