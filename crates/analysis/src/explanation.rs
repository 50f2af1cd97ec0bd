//! Which parts of the response time carry the difference between two targets.

use messages::message;
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::breakdown::{Breakdown, BreakdownPart, TrialParts, UNATTRIBUTED, of};
use crate::cell::CellSummary;
use crate::compare::{Family, Judgement, Verdict, compare_all};
use crate::input::Measure;
use crate::metric::{RESPONSE_P95, THROUGHPUT};

/// Parts with less of the whole difference than this are not named.
const WORTH_NAMING: f64 = 0.1;
/// So many of each kind are named, those that carry most.
const NAMED_MAX: usize = 3;

/// Why transactions take longer on one target than on another.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// Label of the workload.
    pub workload: String,
    /// Clients.
    pub threads: u32,
    /// Label of the target that the other one is compared with.
    pub base: String,
    /// Label of the other one.
    pub other: String,
    /// Mean response time of `base`, milliseconds.
    pub base_ms: f64,
    /// Mean response time of `other`, milliseconds.
    pub other_ms: f64,
    /// The difference, `other` less `base`, trial by trial.
    pub change_ms: Measure,
    /// By statement.
    pub statements: Vec<PartChange>,
    /// By what the time was spent on.
    pub resources: Vec<PartChange>,
    /// Of the numbers of clients of this pair of targets, the one at which response times differ most.
    pub leads: bool,
    /// The difference and the parts that carry it, in a sentence.
    pub says: Words,
}

/// A part of the response time on both targets.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartChange {
    /// Which.
    pub id: String,
    /// What it is called.
    pub label: Words,
    /// Milliseconds of a transaction on the base.
    pub base_ms: f64,
    /// The same on the other.
    pub other_ms: f64,
    /// The difference, trial by trial.
    pub change_ms: Measure,
    /// It carries a part of the difference that is worth naming, and its interval leaves zero out.
    pub named: bool,
}

/// Of `base`, or else the first target, with every other one, wherever the verdict is that one is faster and the mean response times
/// differ as well: by then a part is named if its own interval leaves zero out.
pub fn explanations(cells: &[CellSummary], base: Option<&str>) -> Vec<Explanation> {
    let Some(base) = base.or_else(|| cells.first().map(|cell| cell.target.as_str())) else {
        return Vec::new();
    };
    let own: Vec<&CellSummary> = cells.iter().filter(|cell| cell.target == base).collect();
    let mut others: Vec<&str> = Vec::new();
    for target in cells.iter().map(|cell| cell.target.as_str()) {
        if target != base && !others.contains(&target) {
            others.push(target);
        }
    }
    let mut found: Vec<Explanation> = Vec::new();
    for target in others {
        let other: Vec<&CellSummary> = cells.iter().filter(|cell| cell.target == target).collect();
        let compared = compare_all(&own, &other, &[&THROUGHPUT, &RESPONSE_P95], Judgement::default());
        let decided = compared.iter().filter(|one| {
            one.family == Family::Primary && matches!(one.verdict, Verdict::Better | Verdict::Worse)
        });
        for one in decided {
            let at = |cells: &[&'_ CellSummary]| {
                cells.iter().position(|cell| (&cell.workload, cell.threads) == (&one.workload, one.threads))
            };
            let pair = at(&own).zip(at(&other));
            found.extend(pair.and_then(|(a, b)| explanation(own[a], other[b])));
        }
    }
    let several = cells.iter().any(|cell| cell.workload != cells[0].workload);
    for one in &mut found {
        one.says = says(one, several);
    }
    for at in 0..found.len() {
        let size = |one: &Explanation| (one.other_ms / one.base_ms).ln().abs();
        let own = (&found[at].workload, &found[at].other);
        let mine = found.iter().filter(|one| (&one.workload, &one.other) == own);
        found[at].leads = mine.map(size).fold(0.0, f64::max) <= size(&found[at]);
    }
    found
}

fn explanation(base: &CellSummary, other: &CellSummary) -> Option<Explanation> {
    let (a, b) = (base.breakdown.as_ref()?, other.breakdown.as_ref()?);
    let pairs: Vec<(&TrialParts, &TrialParts)> = a
        .trials
        .iter()
        .filter_map(|one| Some((one, b.trials.iter().find(|two| two.repeat == one.repeat)?)))
        .collect();
    let change = |of: &dyn Fn(&TrialParts) -> f64| {
        Measure::of(&pairs.iter().map(|(a, b)| of(b) - of(a)).collect::<Vec<_>>())
    };
    let whole = change(&|one| one.response_ms).filter(is_significant)?;
    let changed = |of_breakdown: fn(&Breakdown) -> &[BreakdownPart],
                   of: &dyn Fn(&TrialParts, &str) -> f64| {
        let (a, b) = (of_breakdown(a), of_breakdown(b));
        let only_b = b.iter().filter(|two| !a.iter().any(|one| one.id == two.id));
        let mut all: Vec<PartChange> = a
            .iter()
            .chain(only_b)
            .filter_map(|part| {
                let mean = |parts: &[BreakdownPart]| {
                    parts.iter().find(|one| one.id == part.id).map_or(0.0, |one| one.ms.mean)
                };
                let change_ms = change(&|one| of(one, &part.id))?;
                let carries = change_ms.mean.abs() >= WORTH_NAMING * whole.mean.abs();
                Some(PartChange {
                    id: part.id.clone(),
                    label: part.label.clone(),
                    base_ms: mean(a),
                    other_ms: mean(b),
                    change_ms,
                    named: carries && is_significant(&change_ms),
                })
            })
            .collect();
        all.sort_by(|one, two| two.change_ms.mean.abs().total_cmp(&one.change_ms.mean.abs()));
        all
    };
    // Of what only one of them tells, both have it in the remainder.
    let told = |id: &str| [a, b].iter().all(|one| one.resources.iter().any(|part| part.id == id));
    let told_of = |one: &TrialParts, id: &str| match id {
        UNATTRIBUTED => {
            let known = one.resources.iter().filter(|(id, _)| told(id));
            one.response_ms - known.map(|(_, ms)| ms).sum::<f64>()
        }
        _ => of(&one.resources, id),
    };
    let statements = changed(|one| &one.statements, &|one, id| of(&one.statements, id));
    let mut resources = changed(|one| &one.resources, &told_of);
    resources.retain(|part| told(&part.id));
    let mean = |trials: &[TrialParts], id: &str| {
        stats::mean(&trials.iter().map(|one| told_of(one, id)).collect::<Vec<_>>()).unwrap_or_default()
    };
    for part in resources.iter_mut().filter(|part| part.id == UNATTRIBUTED) {
        (part.base_ms, part.other_ms) = (mean(&a.trials, &part.id), mean(&b.trials, &part.id));
    }
    let (base_ms, other_ms) = (a.response_ms.mean, b.response_ms.mean);
    Some(Explanation {
        workload: base.workload.clone(),
        threads: base.threads,
        base: base.target.clone(),
        other: other.target.clone(),
        base_ms,
        other_ms,
        change_ms: whole,
        statements,
        resources,
        leads: false,
        says: Words::new("", ""),
    })
}

fn is_significant(change: &Measure) -> bool {
    change.low.is_some_and(|low| low > 0.0) || change.high.is_some_and(|high| high < 0.0)
}

/// In a sentence, with the workload where there are several.
fn says(one: &Explanation, several: bool) -> Words {
    let whole = &one.change_ms;
    let named = |parts: &[PartChange]| {
        let one = |part: &PartChange| {
            message!(
                "part-changes",
                part = Message(part.label.clone()),
                ms = Figure(part.change_ms.mean.abs()),
                direction = Word(direction(&part.change_ms)),
            )
        };
        parts.iter().filter(|part| part.named).take(NAMED_MAX).map(one).collect::<Vec<_>>()
    };
    let (by_statement, by_resource) = (named(&one.statements), named(&one.resources));
    let listed = |parts: Vec<Words>| (!parts.is_empty()).then(|| Words::parts(parts));
    let (low, high) = (whole.low.unwrap_or(whole.mean).abs(), whole.high.unwrap_or(whole.mean).abs());
    message!(
        "explanation",
        base = Text(&one.base),
        other = Text(&one.other),
        workload = Text?(several.then_some(&one.workload)),
        clients = Count(one.threads),
        ms = Figure(whole.mean.abs()),
        interval = Interval((low.min(high), low.max(high))),
        direction = Word(direction(whole)),
        was = Figure(one.base_ms),
        is = Figure(one.other_ms),
        statements = Message?(listed(by_statement)),
        resources = Message?(listed(by_resource)),
    )
}

fn direction(change: &Measure) -> &'static str {
    if change.mean < 0.0 { "less" } else { "more" }
}
