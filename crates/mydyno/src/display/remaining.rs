//! The time left: planned seconds, and what the cells so far took besides (connecting, restoring data, checks).

use model::{CellKey, LoadShape, Outcome, Plan, PlannedTrial};

/// Durations of the cells so far.
pub struct Remaining {
    plan: Plan,
    /// Cells that have ended, those of earlier attempts included.
    ended: u32,
    /// Time at which the last cell ended, or the first began: restoring data belongs to the cell that follows.
    since_ms: Option<u64>,
    /// Place in the plan of the cell that runs or comes next.
    place: usize,
    took: Vec<(CellKey, f64)>,
}

impl Remaining {
    /// The estimate for a plan of which nothing is done.
    pub fn new(plan: &Plan) -> Self {
        Self { plan: plan.clone(), ended: 0, since_ms: None, place: 0, took: Vec::new() }
    }

    /// Trials were added.
    pub fn grown(&mut self, trials: &[PlannedTrial]) {
        self.plan.trials.extend_from_slice(trials);
    }

    /// Adds cells completed by an earlier attempt.
    pub fn done_before(&mut self, cells: u32) {
        self.ended = cells;
    }

    /// Cells that have ended.
    pub fn ended(&self) -> u32 {
        self.ended
    }

    /// A cell began.
    pub fn started(&mut self, index: u32, at_ms: u64) {
        self.place = index as usize;
        self.since_ms.get_or_insert(at_ms);
    }

    /// A cell ended. A failed one is no basis for the others.
    pub fn finished(&mut self, index: u32, at_ms: u64, outcome: &Outcome) {
        self.ended += 1;
        self.place = index as usize + 1;
        let began_ms = self.since_ms.replace(at_ms);
        let cell = self.plan.trials.get(index as usize).map(|trial| &trial.cell);
        if let (Some(cell), Some(began_ms), true) = (cell.cloned(), began_ms, outcome.is_completed()) {
            self.took.push((cell, at_ms.saturating_sub(began_ms) as f64 / 1e3));
        }
    }

    /// Planned seconds of load of the cell that runs or comes next; none if they are not what ends it.
    pub fn planned_s(&self) -> Option<f64> {
        planned_s(self.load())
    }

    /// Load shape of the cell that runs or comes next.
    fn load(&self) -> &LoadShape {
        let trial = self.plan.trials.get(self.place).or(self.plan.trials.last());
        trial.map_or(&self.plan.spec.load, |trial| self.plan.spec.load_of(trial.workload))
    }

    /// Seconds to the end of the plan; none as long as it is unknown, and when nothing is left.
    pub fn seconds(&self, now_ms: u64) -> Option<f64> {
        let since_ms = self.since_ms?;
        let here = self.expected_s(self.plan.trials.get(self.place)?)?;
        let here = (here - now_ms.saturating_sub(since_ms) as f64 / 1e3).max(0.0);
        // After an earlier attempt, some of those that follow are done; which ones is not known here.
        let after = &self.plan.trials[self.place + 1..];
        let left = (self.plan.trials.len() as u32).saturating_sub(self.ended + 1).min(after.len() as u32);
        if left == 0 {
            return Some(here);
        }
        let all = after.iter().map(|trial| self.expected_s(trial)).sum::<Option<f64>>()?;
        Some(here + all * f64::from(left) / after.len() as f64)
    }

    /// Expected duration of a cell, seconds: the mean of similar cells, at least the planned one.
    fn expected_s(&self, trial: &PlannedTrial) -> Option<f64> {
        let cell = &trial.cell;
        let like = |one: &CellKey| one.target == cell.target && one.workload == cell.workload;
        let Some(planned_s) = planned_s(self.plan.spec.load_of(trial.workload)) else {
            return self
                .mean_s(|one| like(one) && one.threads == cell.threads)
                .or_else(|| self.mean_s(like))
                .or_else(|| self.mean_s(|_| true));
        };
        let took = self.mean_s(like).or_else(|| self.mean_s(|_| true));
        Some(took.map_or(planned_s, |took| took.max(planned_s)))
    }

    fn mean_s(&self, wanted: impl Fn(&CellKey) -> bool) -> Option<f64> {
        let times: Vec<f64> = self.took.iter().filter(|(cell, _)| wanted(cell)).map(|(_, s)| *s).collect();
        (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
    }
}

fn planned_s(load: &LoadShape) -> Option<f64> {
    (load.time_s > 0.0 && load.events == 0).then_some(load.warmup_s + load.time_s)
}
