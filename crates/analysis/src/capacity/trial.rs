//! Judges one trial at a rate: whether every condition held.

use model::{FailureCode, Outcome, Plan, PlannedTrial, TrialResult, Watched};

use crate::Words;
use crate::condition::SloCondition;
use crate::input::TrialInput;
use crate::open_loop;
use crate::summary;

/// A lag that grows by less than this over a measured window is not told from one that stays, seconds.
pub(super) const LAG_RISE_S: f64 = 0.2;

/// A failed condition, in the order in which they are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Missed {
    /// A condition, by its position.
    Condition(usize),
    /// Transactions were due and not started: the queue of those grew.
    Queue,
    /// A replica fell behind more and more.
    Lag,
    /// The topology was not what its label says.
    Topology,
    /// The trial failed.
    Failed,
}

/// The judgement of a trial at its rate.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Judged {
    /// The failed conditions; empty if all held.
    Counts(Vec<Missed>),
    /// The trial says nothing about the server, with the reason.
    SetAside(Words),
}

/// Judges a trial by its result alone, so that a search continues after a restart as it would have; none for a trial that
/// the user stopped.
pub(super) fn judge(
    plan: &Plan,
    planned: &PlannedTrial,
    result: &TrialResult,
    conditions: &[SloCondition],
) -> Option<Judged> {
    Some(match &result.outcome {
        Outcome::Interrupted => return None,
        Outcome::Failed(failure) => match failure.code {
            FailureCode::Data | FailureCode::Machine | FailureCode::Sandbox => {
                Judged::SetAside(Words::new(&failure.message, &failure.message))
            }
            _ => Judged::Counts(vec![Missed::Failed]),
        },
        Outcome::Completed => completed(plan, planned, result, conditions),
    })
}

fn completed(
    plan: &Plan,
    planned: &PlannedTrial,
    result: &TrialResult,
    conditions: &[SloCondition],
) -> Judged {
    let watched = Watched::default();
    let input =
        TrialInput { result, histograms: &[], intervals: &[], watched: &watched, others: &[], damaged: &[] };
    match summary::invalid(plan, planned, &input) {
        None => {}
        // What the load did to the server is an answer.
        Some(caveat) if caveat.id == "topology_degraded" => return Judged::Counts(vec![Missed::Topology]),
        Some(caveat) if caveat.id == "no_transactions" => return Judged::Counts(vec![Missed::Queue]),
        Some(caveat) => return Judged::SetAside(caveat.text),
    }
    let open = open_loop::summarise(plan.spec.load_of(planned.workload), &[&input]);
    let growth = result.together.as_ref().and_then(|together| together.lag_growth);
    let lags =
        growth.is_some_and(|lag| lag.low_per_s > 0.0 && lag.per_s * result.measured.measured_s >= LAG_RISE_S);
    let mut missed = Vec::new();
    for (at, condition) in conditions.iter().enumerate() {
        match condition.value(result) {
            Some(value) if condition.holds(value) => {}
            Some(_) => missed.push(Missed::Condition(at)),
            None => {
                let metric = condition.metric.label();
                return Judged::SetAside(messages::message!(
                    "capacity-not-measured",
                    metric = Message(metric)
                ));
            }
        }
    }
    missed.extend(open.is_some_and(|open| open.overloaded()).then_some(Missed::Queue));
    // A bound on the lag that is passed says as much.
    let is_passed =
        missed.iter().any(|one| matches!(one, Missed::Condition(at) if conditions[*at].metric.id == "lag"));
    missed.extend((lags && !is_passed).then_some(Missed::Lag));
    Judged::Counts(missed)
}
