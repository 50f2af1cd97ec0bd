//! Interference by others with the server while it was measured.

use knowledge::variables::{entries, same};
use messages::message;
use model::{ChangedVariable, Observation};

use super::kind::Severity;
use super::rule::{Context, Found};
use crate::input::TrialInput;
use crate::machine::readings;

/// Share of the server's statements that other clients sent.
pub(super) const OTHERS_MAX: f64 = 0.1;
/// Beyond this share, most of the work did not come from the measured load.
pub(super) const OTHERS_INVALID: f64 = 0.5;
/// Statements of monitoring, and of the observation itself.
pub(super) const OTHERS_PER_S_MAX: f64 = 50.0;
/// Seconds between two readings below which counts of the server and of the client cannot be held against each other.
const SPAN_S_MIN: f64 = 2.5;

/// The server answered more statements than the clients of this trial sent it.
pub(super) fn other_clients(c: &Context<'_>) -> Option<Found> {
    let share = c.completed.iter().filter_map(|t| share_of_others(t)).fold(0.0, f64::max);
    (share > OTHERS_MAX).then(|| Found {
        severity: if share > OTHERS_INVALID { Severity::Invalid } else { Severity::Warn },
        text: message!("other-clients", share = Percent(share)),
        evidence: vec![("other_clients_share", share)],
    })
}

/// Share of the server's statements over the readings of the window that did not come from the trial's clients.
fn share_of_others(trial: &TrialInput<'_>) -> Option<f64> {
    let readings = readings(trial, trial.watched);
    let (first, last) = (readings.first()?, readings.last()?);
    let span_s = last.at_s - first.at_s;
    if span_s < SPAN_S_MIN {
        return None;
    }
    let questions = |o: &Observation| o.status.get("questions").copied();
    let answered = questions(last)?.checked_sub(questions(first)?)? as f64;
    let own = sent_between(trial, first.at_s, last.at_s);
    // A reading falls somewhere within an interval: one interval more or less at each end says nothing.
    let busiest = trial.intervals.iter().map(|i| i.queries.total()).max()? as f64;
    let others = answered - own - busiest - OTHERS_PER_S_MAX * span_s;
    (others > 0.0).then_some((answered - own) / answered)
}

/// Statements of the trial's own clients between two instants; partly overlapping intervals count proportionally.
fn sent_between(trial: &TrialInput<'_>, from_s: f64, to_s: f64) -> f64 {
    let overlap = |interval: &model::Interval| {
        let begin_s = interval.end_s - interval.length_s;
        let shared_s = (interval.end_s.min(to_s) - begin_s.max(from_s)).max(0.0);
        let share = if interval.length_s > 0.0 { shared_s / interval.length_s } else { 0.0 };
        share * interval.queries.total() as f64
    };
    trial.intervals.iter().map(overlap).sum()
}

/// A relevant variable changed between the beginning and the end of a trial.
pub(super) fn variables_changed(c: &Context<'_>) -> Option<Found> {
    /// InnoDB sets it by itself.
    const ADAPTIVE: [&str; 1] = ["innodb_thread_sleep_delay"];
    let matters = |changed: &&ChangedVariable| {
        let name = same::name(&changed.name);
        !ADAPTIVE.contains(&name) && entries().any(|(_, entry)| entry.name == name)
    };
    let changed: Vec<&ChangedVariable> =
        c.completed.iter().flat_map(|t| &t.watched.changed_variables).filter(matters).collect();
    let first = changed.first()?;
    Some(Found {
        severity: Severity::Invalid,
        text: message!(
            "variables-changed",
            name = Text(&first.name),
            before = Text(&first.before),
            after = Text(&first.after),
            more = Count(changed.len() as u64 - 1),
        ),
        evidence: vec![("changed_variables", changed.len() as f64)],
    })
}
