//! Requirements of TPC-C on a figure.

use messages::message;

use super::kind::Severity;
use super::rule::{Context, Found};
use crate::tpcc::TypeSummary;

/// Percentage points by which a deck of exact shares may seem to miss them.
pub(super) const ROUNDING_PCT: f64 = 0.2;

/// The conditions of clause 3.3.2 did not hold after a run: the measured work was not that of this workload.
pub(super) fn inconsistent(c: &Context<'_>) -> Option<Found> {
    let consistency = c.cell.tpcc.as_ref()?.consistency.as_ref()?;
    let first = consistency.violated.first()?;
    let (holding, checked) = (consistency.holding, consistency.checked);
    Some(Found {
        severity: Severity::Invalid,
        text: message!(
            "inconsistent",
            holding = Count(holding),
            checked = Count(checked),
            first = Message(first.clone())
        ),
        evidence: vec![("conditions_holding", holding.into()), ("conditions_checked", checked.into())],
    })
}

/// Consistency of the database was to be checked and is unknown.
pub(super) fn check_missing(c: &Context<'_>) -> Option<Found> {
    let missing = c.cell.tpcc.as_ref()?.check_missing.as_ref()?;
    let (runs, reason) = (missing.runs, &missing.reason);
    let of = c.completed.len() + c.cell.set_aside.len();
    Some(Found {
        severity: Severity::Warn,
        text: message!("check-missing", trials = Count(runs), of = Count(of as u64), why = Text(reason)),
        evidence: vec![("runs_unchecked", runs.into())],
    })
}

/// Clause 5.2.5.3: 90 % of the response times of each type within its limit.
pub(super) fn tpcc_limits(c: &Context<'_>) -> Option<Found> {
    let beyond = c.cell.tpcc.as_ref()?.types.iter().filter(|t| !t.limit_kept);
    let times = |t: &TypeSummary| t.response.p90_ms / t.limit_s;
    let worst = beyond.max_by(|a, b| times(a).total_cmp(&times(b)))?;
    let p90_s = worst.response.p90_ms / 1e3;
    Some(Found {
        severity: Severity::Warn,
        text: message!("tpcc-limits", type = Text(&worst.title), found = Seconds(p90_s), limit = Seconds(worst.limit_s)),
        evidence: vec![("p90_s", p90_s), ("limit_s", worst.limit_s)],
    })
}

/// Clause 5.2.3: the least shares of the mix. A deck gives exact shares, so only a deck of another mix or a very short run
/// misses them by more than a rounding.
pub(super) fn tpcc_mix(c: &Context<'_>) -> Option<Found> {
    let types = &c.cell.tpcc.as_ref()?.types;
    let short = types.iter().find(|t| t.mix_pct + ROUNDING_PCT < t.mix_least_pct)?;
    let (share, least) = (short.mix_pct, short.mix_least_pct);
    Some(Found {
        severity: Severity::Warn,
        text: message!("tpcc-mix", type = Text(&short.title), share = Tenths(share), least = Whole(least)),
        evidence: vec![("mix_pct", share), ("least_pct", least)],
    })
}
