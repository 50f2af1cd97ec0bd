//! Sequential experiments: their intervals and verdicts are those of a rule that stays valid when checked after every
//! block, not those of a fixed number of blocks.

use model::Plan;
use serde::{Deserialize, Serialize};
use stats::{Decision, Estimate, Stopping};

use crate::CONFIDENCE;
use crate::metric::Direction;
use crate::verdict::Verdict;

/// The rule by which repeats were added.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Equivalence margin: ratios within this distance of 1 are equivalent.
    pub margin: f64,
    /// Blocks at most.
    pub blocks_max: u32,
    /// Comparisons that share the chance of a false alarm.
    pub comparisons: u32,
}

impl Rule {
    /// The rule of a sequential plan; none for a plan with a fixed number of repeats.
    pub fn of(plan: &Plan) -> Option<Self> {
        let until = plan.spec.design.until_sure?;
        let threads = plan.trials.iter().filter(|trial| trial.why.is_asked_for()).map(|t| t.cell.threads);
        let points = threads.collect::<std::collections::BTreeSet<_>>().len() * plan.spec.workloads.len();
        let others = plan.spec.targets.len().saturating_sub(1);
        Some(Self {
            margin: until.margin,
            blocks_max: until.blocks_max.max(3),
            comparisons: (points * others).max(1) as u32,
        })
    }

    /// The ratio other / base with an interval that stays valid when checked after every block, and the verdict. None with
    /// fewer than two blocks.
    pub fn look(&self, other: &[f64], base: &[f64], better: Direction) -> Option<(Estimate, Verdict)> {
        let rule = Stopping {
            // Bonferroni: whichever comparison stops first, all of them together are false in at most 5 %.
            confidence: 1.0 - (1.0 - CONFIDENCE) / f64::from(self.comparisons),
            margin: self.margin,
            blocks_max: self.blocks_max as usize,
        };
        let look = stats::look(other, base, &rule)?;
        let verdict = match (look.decision, better) {
            (Decision::Higher, Direction::Higher) | (Decision::Lower, Direction::Lower) => Verdict::Better,
            (Decision::Higher, Direction::Lower) | (Decision::Lower, Direction::Higher) => Verdict::Worse,
            (Decision::Same, _) => Verdict::Same,
            (Decision::Continue | Decision::Undecided, _) => Verdict::Inconclusive,
        };
        Some((look.ratio, verdict))
    }
}
