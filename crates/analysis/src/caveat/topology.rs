//! Whether a topology was what its label says, and whether its servers were equal at the end.

use messages::message;
use model::{EventOutcome, LinkCut, NetworkUse, Together, TopologyFault};

use super::kind::Severity;
use super::rule::{Context, Found};
use crate::queues::{HELD_BACK_MIN, queues};

/// Replicas that need longer than this after the load, and longer than [`BEHIND_SHARE`] of its window, could not keep up.
pub(super) const BEHIND_S: f64 = 1.0;
/// Share of the measured window.
pub(super) const BEHIND_SHARE: f64 = 0.02;

fn together<'a>(c: &'a Context<'_>) -> impl Iterator<Item = &'a Together> {
    c.completed.iter().filter_map(|trial| trial.result.together.as_ref())
}

/// Time after a cut, seconds, within which its effect on the topology may show: a group expels an unreachable member and
/// takes it back.
pub(super) const CUT_SHOWS_S: f64 = 30.0;

/// Whether a fault results from a planned cut or event, which the label already states.
fn follows(fault: &TopologyFault, cut: Option<LinkCut>, events: &[EventOutcome]) -> bool {
    let cut = cut.map(|cut| (cut.from_ms as f64 / 1e3, cut.until_ms() as f64 / 1e3));
    let disturbing = events.iter().filter(|one| one.event.action.disturbs());
    let disturbing = disturbing.filter_map(|one| {
        let until_s = if one.event.action.ends_server() { f64::INFINITY } else { one.until_s? };
        Some((one.at_s?, until_s))
    });
    cut.into_iter()
        .chain(disturbing)
        .any(|(from_s, until_s)| (from_s..=until_s + CUT_SHOWS_S).contains(&fault.from_s))
}

/// A replica stopped, a member was expelled, semisynchronous replication fell back to asynchronous.
pub(super) fn topology_degraded(c: &Context<'_>) -> Option<Found> {
    let each = c.completed.iter().flat_map(|trial| {
        let cut = trial.result.network.and_then(|network| network.cut);
        let together = trial.result.together.as_ref();
        let events = &trial.result.events;
        together
            .into_iter()
            .flat_map(|one| &one.faults)
            .map(move |fault| (fault, follows(fault, cut, events)))
    });
    let (asked, others): (Vec<_>, Vec<_>) = each.partition(|(_, is_asked)| *is_asked);
    let is_asked = others.is_empty();
    let faults = if is_asked { asked } else { others };
    let (first, _) = *faults.first()?;
    Some(Found {
        severity: if is_asked { Severity::Note } else { Severity::Invalid },
        text: message!(
            "topology-degraded",
            asked = Word(if is_asked { "yes" } else { "no" }),
            server = Text(&first.server),
            fault = Word(first.kind.id()),
            detail = Text(&first.detail),
            from = Seconds(first.from_s),
            more = Count(faults.len() as u64 - 1)
        ),
        evidence: vec![("from_s", first.from_s), ("faults", faults.len() as f64)],
    })
}

/// A replica's rows differ from the primary's after the load.
pub(super) fn servers_differ(c: &Context<'_>) -> Option<Found> {
    let differing: Vec<_> = together(c).flat_map(|one| &one.differing).collect();
    let first = differing.first()?;
    let compared = together(c).map(|one| one.compared).max().unwrap_or_default();
    Some(Found {
        severity: Severity::Invalid,
        text: message!(
            "servers-differ",
            server = Text(&first.server),
            table = Text(&first.table),
            more = Count(differing.len() as u64 - 1),
            compared = Count(compared)
        ),
        evidence: vec![("tables_differing", differing.len() as f64)],
    })
}

/// The load was more than the replicas can apply.
pub(super) fn replicas_behind(c: &Context<'_>) -> Option<Found> {
    let behind = c.completed.iter().filter_map(|trial| {
        let took_s = trial.result.together.as_ref()?.caught_up_s?;
        (took_s > BEHIND_S.max(BEHIND_SHARE * trial.result.measured.measured_s)).then_some(took_s)
    });
    let worst_s = behind.reduce(f64::max)?;
    Some(Found {
        severity: Severity::Warn,
        text: message!("replicas-behind", after = Seconds(worst_s)),
        evidence: vec![("caught_up_s", worst_s)],
    })
}

/// Share of the window above which flow control is part of the measurement.
pub(super) const FLOW_CONTROL_MIN: f64 = HELD_BACK_MIN;

/// Commits were held back for a server that could not apply them as fast.
pub(super) fn flow_control(c: &Context<'_>) -> Option<Found> {
    let each = c.completed.iter().filter_map(|trial| queues(trial).flow_control);
    let worst = each.max_by(|a, b| a.share.total_cmp(&b.share)).filter(|one| one.share > FLOW_CONTROL_MIN)?;
    // A share of the window that large is one of some part of it.
    let from_s = worst.from_s?;
    Some(Found {
        severity: Severity::Warn,
        text: message!(
            "flow-control",
            share = Percent(worst.share),
            server = Text(&worst.server),
            from = Seconds(from_s)
        ),
        evidence: vec![("flow_control_share", worst.share), ("from_s", from_s)],
    })
}

/// Equality of the servers was to be checked and is unknown.
pub(super) fn equality_unknown(c: &Context<'_>) -> Option<Found> {
    let why = together(c).find_map(|one| one.unknown.as_ref())?;
    Some(Found {
        severity: Severity::Warn,
        text: message!("equality-unknown", why = Text(why)),
        evidence: Vec::new(),
    })
}

/// The simulated network was late by more than this, and by more than [`LATE_SHARE`] of its delay.
pub(super) const LATE_NS: u64 = 300_000;
/// Share of the delay.
pub(super) const LATE_SHARE: f64 = 0.1;

/// Packets arrived later than the delay that the target names.
pub(super) fn network_late(c: &Context<'_>) -> Option<Found> {
    let used = c.completed.iter().filter_map(|trial| trial.result.network);
    let least_us = |one: &NetworkUse| {
        let delays = [one.delay_us, one.client_delay_us].into_iter().flatten();
        delays.filter(|us| *us > 0).min().unwrap_or_default() as f64
    };
    let late = used
        .filter(|one| one.late_p99_ns > LATE_NS && one.late_p99_ns as f64 > LATE_SHARE * least_us(one) * 1e3);
    let worst = late.max_by_key(|one| one.late_p99_ns)?;
    let (delay_ms, p99_ms) = (least_us(&worst) / 1e3, worst.late_p99_ns as f64 / 1e6);
    Some(Found {
        severity: Severity::Warn,
        text: message!("network-late", delay = Figure(delay_ms), p99 = Figure(p99_ms)),
        evidence: vec![("late_p99_ms", p99_ms), ("delay_ms", delay_ms)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{EventAction, FaultKind, PlannedEvent};

    #[test]
    fn only_what_begins_during_a_cut_or_soon_after_it_was_asked_for() {
        let cut = Some(LinkCut { server: 2, from_ms: 10_000, length_ms: 5000 });
        let at = |from_s| TopologyFault {
            from_s,
            until_s: from_s + 1.0,
            server: "ha:2".to_owned(),
            kind: FaultKind::NotReceiving,
            detail: String::new(),
        };
        let asked = |from_s, cut| follows(&at(from_s), cut, &[]);
        assert!(asked(10.5, cut) && asked(44.0, cut));
        assert!(!asked(9.0, cut) && !asked(46.0, cut) && !asked(10.5, None));
    }

    #[test]
    fn so_was_what_an_event_did() {
        let event = |action, until_s| EventOutcome {
            event: PlannedEvent { at_s: 10.0, action },
            at_s: Some(10.0),
            until_s,
            trouble: None,
        };
        let at = |from_s| TopologyFault {
            from_s,
            until_s: from_s + 1.0,
            server: "ha:2".to_owned(),
            kind: FaultKind::NoAnswer,
            detail: String::new(),
        };
        let asked = |from_s, one: &EventOutcome| follows(&at(from_s), None, std::slice::from_ref(one));
        let freeze = event(EventAction::Freeze { server: 2, for_s: 2.0 }, Some(12.0));
        assert!(
            asked(10.5, &freeze) && asked(41.0, &freeze) && !asked(9.0, &freeze) && !asked(43.0, &freeze)
        );
        // A server that is gone does not come back.
        assert!(asked(300.0, &event(EventAction::Kill { server: 2 }, None)));
        let set = EventAction::Set { server: 1, variable: "a".to_owned(), value: "b".to_owned() };
        assert!(!asked(10.5, &event(set, Some(10.0))));
    }
}
