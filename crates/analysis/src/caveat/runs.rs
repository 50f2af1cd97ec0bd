//! Events that affected the trials of a cell.

use codes::ErrorClass;
use messages::message;
use model::{EventOutcome, PlannedTrial, ServerKind, WorkloadSpec};

use super::kind::{Caveat, RUNS_MIN, Severity, is_worse};
use super::rule::{Context, Found};
use crate::Words;

/// Changes beyond this count as drift of the machine: thermal throttling or a busy neighbour, and more than repeats scatter.
pub(super) const DRIFT_MAX: f64 = 0.05;
pub(super) const ERROR_SHARE_MAX: f64 = 0.01;

/// Trials that were not valid, by finding: they are left out of the figures, but stay in the report.
pub(super) fn set_aside(c: &Context<'_>) -> Option<Found> {
    let aside = &c.cell.set_aside;
    let mut worst: Vec<(Vec<u32>, &Caveat)> = Vec::new();
    for (repeat, reason) in aside.iter().flat_map(|one| one.reasons.iter().map(|r| (one.repeat, r))) {
        match worst.iter_mut().find(|(_, known)| known.id == reason.id) {
            Some((repeats, known)) => {
                repeats.push(repeat);
                if is_worse(reason, known) {
                    *known = reason;
                }
            }
            None => worst.push((vec![repeat], reason)),
        }
    }
    let (n, of) = (aside.len(), aside.len() + c.completed.len());
    let reasons: Vec<Words> =
        worst.iter().map(|(repeats, reason)| of_repeats(&reason.text, repeats)).collect();
    (n > 0).then(|| Found {
        severity: Severity::Warn,
        text: message!(
            "set-aside",
            aside = Count(n as u64),
            of = Count(of as u64),
            reasons = Clauses(reasons),
        ),
        evidence: vec![("trials_set_aside", n as f64)],
    })
}

/// `... (repeats 2 and 4)`.
fn of_repeats(text: &Words, repeats: &[u32]) -> Words {
    let all: Vec<String> = repeats.iter().map(ToString::to_string).collect();
    message!(
        "in-repeats",
        text = Message(text.clone()),
        repeats = List(all),
        count = Count(repeats.len() as u64)
    )
}

pub(super) fn interrupted(c: &Context<'_>) -> Option<Found> {
    let runs = c.cell.interrupted;
    (runs > 0).then(|| Found {
        severity: Severity::Warn,
        text: message!("interrupted", trials = Count(runs), of = Count(c.cell.planned)),
        evidence: vec![("interrupted", runs.into())],
    })
}

pub(super) fn some_runs_failed(c: &Context<'_>) -> Option<Found> {
    let first = c.cell.failures.first()?;
    let runs = c.cell.failures.len();
    Some(Found {
        severity: Severity::Warn,
        text: message!(
            "some-trials-failed",
            trials = Count(runs as u64),
            of = Count(c.cell.planned),
            why = Text(&first.failure.message),
        ),
        evidence: vec![("failed", runs as f64)],
    })
}

/// A planned event of the load did not happen.
pub(super) fn event_failed(c: &Context<'_>) -> Option<Found> {
    let all: Vec<&EventOutcome> = c.completed.iter().flat_map(|trial| &trial.result.events).collect();
    let failed = || all.iter().filter(|one| one.at_s.is_none() || one.trouble.is_some());
    let first = failed().next()?;
    Some(Found {
        severity: Severity::Invalid,
        text: message!(
            "event-failed",
            event = Text(first.event.describe()),
            why = Text?(first.trouble.as_deref())
        ),
        evidence: vec![("failed", failed().count() as f64)],
    })
}

/// Connections that were lost: their transactions had to begin again, and connecting takes time.
pub(super) fn connections_lost(c: &Context<'_>) -> Option<Found> {
    const CLASSES: [ErrorClass; 3] =
        [ErrorClass::ConnectionLost, ErrorClass::ConnectionKilled, ErrorClass::Shutdown];
    let is_lost = |code: u16| codes::is(code, &CLASSES);
    let lost: u64 = c.cell.errors.iter().filter(|e| is_lost(e.code)).map(|e| e.count).sum();
    let why = &c.cell.errors.iter().find(|e| is_lost(e.code))?.message;
    Some(Found {
        severity: Severity::Warn,
        text: message!("connections-lost", lost = Count(lost), why = Text(why)),
        evidence: vec![("connections_lost", lost as f64)],
    })
}

pub(super) fn errors(c: &Context<'_>) -> Option<Found> {
    let own: u64 = c.cell.errors.iter().map(|e| e.count).sum();
    // Another tool states how many there were, not which.
    let stated: u64 = c.completed.iter().filter_map(|t| t.result.stated.as_ref()?.errors).sum();
    let errors = own + stated;
    let transactions: u64 = c.completed.iter().map(|t| t.result.measured.transactions).sum();
    let share = errors as f64 / (errors + transactions).max(1) as f64;
    let most = c.cell.errors.first();
    (share > ERROR_SHARE_MAX).then(|| Found {
        severity: Severity::Warn,
        text: message!(
            "errors",
            share = Percent(share),
            code = Text?(most.map(|most| most.code.to_string())),
            why = Text?(most.map(|most| &most.message)),
        ),
        evidence: vec![("error_share", share)],
    })
}

pub(super) fn few_runs(c: &Context<'_>) -> Option<Found> {
    let runs = c.cell.completed();
    (runs < RUNS_MIN).then(|| Found {
        severity: Severity::Warn,
        text: message!("few-trials", trials = Count(runs)),
        evidence: vec![("runs", runs.into())],
    })
}

/// The machine drifted between the beginning and the end. Blocks remove slow drift from comparisons; the figures themselves
/// contain it.
pub(super) fn drift(c: &Context<'_>) -> Option<Found> {
    let far = |ratio: f64| ratio.ln().abs() > DRIFT_MAX.ln_1p();
    let drift = c.drift?;
    let trend = drift.trend.filter(|t| far(t.value) && (t.low > 1.0 || t.high < 1.0));
    // The first cell once more is a single run: it counts as far as it leaves the scatter of its cell behind.
    let scatter = c.cell.throughput_per_s.and_then(|m| m.relative_half_width()).unwrap_or(DRIFT_MAX);
    let first_cell = drift.first_cell.filter(|ratio| far(*ratio) && ratio.ln().abs() > 2.0 * scatter);
    let (text, evidence) = match (trend, first_cell) {
        (None, None) => return None,
        (Some(trend), _) => (
            message!(
                "drift-trend",
                change = ChangePercent(trend.value),
                low = ChangePercent(trend.low),
                high = ChangePercent(trend.high),
            ),
            ("trend", trend.value),
        ),
        (None, Some(ratio)) => {
            (message!("drift-first-cell", change = ChangePercent(ratio)), ("bookend", ratio))
        }
    };
    Some(Found { severity: Severity::Warn, text, evidence: vec![evidence] })
}

/// Whether a target has the tables of this cell's: arms on one external server do.
fn same_server(c: &Context<'_>, label: &str) -> bool {
    let place = |label: &str| {
        let target = c.plan.spec.targets.iter().find(|one| one.target.label == label)?;
        match target.target.entry() {
            ServerKind::External(endpoint) => Some((&endpoint.address, &endpoint.database)),
            ServerKind::Sandbox(_) | ServerKind::Imported { .. } => None,
        }
    };
    label == c.cell.target || place(label).is_some_and(|of| Some(of) == place(&c.cell.target))
}

/// Later trials meet what earlier ones wrote. How much that matters depends on whether the tables keep their size.
pub(super) fn data_not_restored(c: &Context<'_>) -> Option<Found> {
    let writes = |planned: &PlannedTrial| {
        c.plan.spec.workloads.get(planned.workload as usize).filter(|workload| workload.writes())
    };
    let earlier = |index: u32| {
        let before = c.plan.trials.iter().filter(|p| p.index < index && same_server(c, &p.cell.target));
        before.filter_map(writes).collect::<Vec<_>>()
    };
    let met: Vec<&WorkloadSpec> = c
        .completed
        .iter()
        .filter(|t| !t.result.data_restored && c.planned.iter().any(|p| p.index == t.result.index))
        .flat_map(|t| earlier(t.result.index))
        .collect();
    if met.is_empty() {
        return None;
    }
    let (severity, size) = if met.iter().any(|workload| workload.changes_row_count()) {
        (Severity::Warn, "changed")
    } else {
        (Severity::Note, "kept")
    };
    Some(Found {
        severity,
        text: message!("data-not-restored", size = Word(size)),
        evidence: vec![("writing_trials_before", met.len() as f64)],
    })
}

/// A file of a completed trial that is not as it was written: the remainder could pass for the whole.
pub(super) fn damaged_file(c: &Context<'_>) -> Option<Found> {
    let what: Vec<&str> = c.completed.iter().flat_map(|t| t.damaged.iter().map(String::as_str)).collect();
    (!what.is_empty()).then(|| Found {
        severity: Severity::Warn,
        text: message!("damaged-file", files = Count(what.len() as u64), what = Text(what.join("; "))),
        evidence: vec![("files", what.len() as f64)],
    })
}

pub(super) fn histograms_lost(c: &Context<'_>) -> Option<Found> {
    // Other tools print no histograms that could be merged.
    let own = c.plan.imported.is_none();
    (own && c.cell.operations.is_empty() && c.cell.completed() > 1).then(|| Found {
        severity: Severity::Warn,
        text: message!("histograms-lost"),
        evidence: Vec::new(),
    })
}
