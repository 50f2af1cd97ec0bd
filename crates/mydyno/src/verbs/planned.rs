//! A plan in words: its trials, and how long it would take.

use messages::{Words, message};
use model::{LoadShape, Plan, PlannedTrial, Restore, Why};

use super::table::{self, Align};
use crate::display::phrase::duration;

/// Time of a trial besides its load, seconds: connecting, readings at both ends of the window, plans of statements.
const BESIDES_S: f64 = 1.0;
/// Starting a sandbox on its dataset snapshot.
const RESTART_S: f64 = 2.5;
/// Load until a crash, the start after it, and the comparison of rows.
const CRASH_S: f64 = 6.0;

/// Rejoining of the old primary, and the comparison of rows.
const FAILOVER_S: f64 = 6.0;

/// Every trial, a line each, and a summary sentence.
pub fn listing(plan: &Plan) -> String {
    let several = plan.spec.workloads.len() > 1;
    let mut head = vec![("trial", Align::Right), ("block", Align::Right), ("target", Align::Left)];
    head.extend(several.then_some(("workload", Align::Left)));
    head.extend([("clients", Align::Right), ("takes about", Align::Right), ("", Align::Left)]);
    let row = |trial: &PlannedTrial| {
        let cell = &trial.cell;
        let takes = seconds(plan, trial).map_or_else(|| "?".to_owned(), |s| duration(s.ceil()));
        let mut row = vec![(trial.index + 1).to_string(), cell.repeat.to_string(), cell.target.clone()];
        row.extend(several.then(|| cell.workload.clone()));
        let why = match trial.why {
            Why::DriftCheck => "drift check",
            Why::Profiled => "sampled by perf",
            _ => "",
        };
        row.extend([cell.threads.to_string(), takes, why.to_owned()]);
        row
    };
    let rows: Vec<Vec<String>> = plan.trials.iter().map(row).collect();
    format!("{}\n{}", table::table(&head, &rows).trim_end(), sentence(plan))
}

/// A summary of a plan, in a sentence.
pub fn sentence(plan: &Plan) -> String {
    let asked: Vec<&PlannedTrial> = plan.trials.iter().filter(|trial| trial.why.counts()).collect();
    let blocks = plan.blocks() as usize;
    let cells = asked.len() / blocks.max(1);
    let design = &plan.spec.design;
    let has_drift_check = plan.trials.iter().any(|trial| trial.why == Why::DriftCheck);
    let more = [
        (has_drift_check || (design.drift_check && design.grows())).then(|| message!("plan-drift-check")),
        design.perf.then(|| message!("plan-profiled")),
        design.until_sure.map(|until| message!("plan-until-sure", blocks = Count(until.blocks_max))),
        design.capacity.as_ref().map(|search| message!("plan-search", trials = Count(search.trials_max))),
        design.bisect.as_ref().map(|search| match search.in_order {
            true => message!("plan-versions", trials = Count(search.trials_max)),
            false => message!(
                "plan-bisect",
                differences = Count(search.differences.len() as u64),
                trials = Count(search.trials_max)
            ),
        }),
        design.refine.then(|| message!("plan-refine")),
    ];
    let more: Vec<Words> = more.into_iter().flatten().collect();
    let total: Option<f64> = plan.trials.iter().map(|trial| seconds(plan, trial)).sum();
    message!(
        "plan-in-words",
        cells = Count(cells as u64),
        blocks = Count(blocks as u64),
        trials = Count(asked.len() as u64),
        more = Parts?((!more.is_empty()).then_some(more)),
        time = Text?(total.map(duration)),
    )
    .en
}

/// Duration of a trial according to the plan, seconds.
fn seconds(plan: &Plan, trial: &PlannedTrial) -> Option<f64> {
    let load: &LoadShape = plan.spec.load_of(trial.workload);
    if load.events > 0 || load.time_s <= 0.0 {
        return None;
    }
    let workload = &plan.spec.workloads[trial.workload as usize];
    let target = plan.spec.targets.iter().find(|one| one.target.label == trial.cell.target);
    let is_sandbox = target.is_some_and(|one| one.target.is_sandbox());
    let restarts = load.crash.is_some()
        || load.failover.is_some()
        || is_sandbox
            && (!load.planned_events.is_empty()
                || match plan.spec.design.restore {
                    Restore::Changed => workload.changes_row_count(),
                    Restore::Written | Restore::Reload => workload.writes(),
                });
    let rest = if trial.index == 0 { 0.0 } else { plan.spec.design.cool_down_s };
    let restart = if restarts { RESTART_S } else { 0.0 };
    let crash = if load.crash.is_some() { CRASH_S } else { 0.0 };
    let failover = if load.failover.is_some() { FAILOVER_S } else { 0.0 };
    Some(rest + load.warmup_s + load.time_s + BESIDES_S + restart + crash + failover)
}
