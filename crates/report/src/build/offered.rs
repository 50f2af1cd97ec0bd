//! The rate that an open loop offered over time, which only the plan knows.

use super::join::Group;
use super::latency::significant;
use crate::view::{Cell, TrialSeries};

/// Adds the offered rate to the completed one, in every trial of an open loop.
pub fn fill(cells: &mut [Cell], groups: &[Group]) {
    for group in groups {
        for joined in &group.trials {
            let Some(rate) = &group.plan.spec.load_of(joined.input.planned.workload).rate else { continue };
            let mut trials = cells.iter_mut().flat_map(|cell| &mut cell.trials);
            let own = trials.find(|trial| (trial.run, trial.index) == (joined.run, joined.index));
            if let Some(trial) = own {
                let warmup_s = trial.warmup_s;
                let at = |middle_s: f64| significant(rate.at_per_s(middle_s - warmup_s), 5);
                trial.series.offered_per_s = middles_s(&trial.series).into_iter().map(at).collect();
            }
        }
    }
}

/// Middle of each interval, seconds since the clients started.
fn middles_s(series: &TrialSeries) -> Vec<f64> {
    let mut begin_s = 0.0;
    series.end_s.iter().map(|&end_s| (std::mem::replace(&mut begin_s, end_s) + end_s) / 2.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_long_interval_is_its_own() {
        let series = TrialSeries { end_s: vec![1.0, 2.0, 8.0], ..TrialSeries::default() };
        assert_eq!(middles_s(&series), [0.5, 1.5, 5.0]);
    }
}
