//! Drift of the machine during a recording: the first cell measured again at the end, and every cell against its own mean
//! in the order in which trials were run.

use std::collections::BTreeMap;

use model::{Plan, Why};
use stats::Estimate;

use crate::CONFIDENCE;
use crate::input::TrialInput;
use crate::metric::THROUGHPUT;

/// Change from the first trial to the last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// Throughput of the first cell at the end over that at the beginning, if it was measured again.
    pub first_cell: Option<f64>,
    /// Throughput at the end over that at the beginning, in the mean of all cells, with its 95 % interval; none if no cell
    /// was run twice.
    pub trend: Option<Estimate>,
}

/// The drift over the valid completed trials of a plan; none if nothing was measured twice.
pub(crate) fn drift<'a, 'b: 'a>(
    plan: &Plan,
    trials: impl Iterator<Item = &'a TrialInput<'b>>,
) -> Option<Drift> {
    let by_index: BTreeMap<u32, f64> = trials
        .filter(|trial| trial.result.outcome.is_completed())
        .filter_map(|trial| Some((trial.result.index, (THROUGHPUT.value)(trial.result)?)))
        .filter(|(_, value)| *value > 0.0)
        .collect();
    let value = |index: u32| by_index.get(&index).copied();
    let last = plan.trials.iter().find(|planned| planned.why == Why::DriftCheck);
    let first_cell =
        last.and_then(|planned| Some(value(planned.index)? / value(plan.trials.first()?.index)?));
    let mut cells: BTreeMap<(&str, &str, u32), Vec<Run>> = BTreeMap::new();
    for planned in plan.trials.iter().filter(|planned| planned.why != Why::Profiled) {
        if let Some(value) = by_index.get(&planned.index) {
            let key = (planned.cell.target.as_str(), planned.cell.workload.as_str(), planned.cell.threads);
            cells.entry(key).or_default().push((f64::from(planned.index), value.ln()));
        }
    }
    let measured = plan.trials.iter().filter(|planned| planned.why != Why::Profiled).count();
    let trend = trend(cells.into_values().filter(|runs| runs.len() > 1), measured);
    (first_cell.is_some() || trend.is_some()).then_some(Drift { first_cell, trend })
}

/// Place in the plan, and logarithm of the throughput.
type Run = (f64, f64);

/// A line through the distances of all runs from the mean of their cell, in both directions, so that which cells came late
/// makes no slope.
fn trend(cells: impl Iterator<Item = Vec<Run>>, trials: usize) -> Option<Estimate> {
    let (mut x, mut y, mut means) = (Vec::new(), Vec::new(), 0.0);
    for runs in cells {
        let mean = |of: fn(&Run) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
        let (at, level) = (mean(|run| run.0), mean(|run| run.1));
        x.extend(runs.iter().map(|run| run.0 - at));
        y.extend(runs.iter().map(|run| run.1 - level));
        means += 1.0;
    }
    let slope = stats::line(&x, &y, CONFIDENCE)?.slope;
    // The mean of each cell was taken from the same runs.
    let (all, left) = (x.len() as f64 - 2.0, x.len() as f64 - means - 1.0);
    if left < 1.0 {
        return None;
    }
    let (widening, span) = ((all / left).sqrt(), trials.saturating_sub(1) as f64);
    let end = |bound: f64| ((slope.value + (bound - slope.value) * widening) * span).exp();
    Some(Estimate { value: (slope.value * span).exp(), low: end(slope.low), high: end(slope.high) })
}
