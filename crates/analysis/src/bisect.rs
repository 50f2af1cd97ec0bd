//! Which differences between two targets make one of them faster: found by measuring combinations of both.
//!
//! `differences` lists what can be exchanged, `search` decides which combinations to measure next, `effects` says what each difference
//! does, `says` words it. All of it is pure: a search that was stopped goes on as it would have.

mod differences;
mod effects;
mod found;
mod measured;
mod planned;
mod says;
mod search;
#[cfg(test)]
mod simulated;

use model::{Plan, TrialResult};
use stats::{BlockContrast, Estimate};

pub use differences::{NotExchangeable, differences};
use effects::UnitEffect;
pub use found::{BisectStanding, Bisection, FoundDifference, NotStarted, RatioEstimate, ShareEstimate};
use measured::USUAL;
pub(crate) use measured::{Arm, MeasuredArms, Taken};
pub(crate) use planned::add_result;
use search::{Ending, Next, Search, Unit};

/// The combinations to measure next, by the differences that each takes from the second target; none if the search is over, or the
/// plan is none.
pub fn next(plan: &Plan, results: &[TrialResult]) -> Option<Vec<Vec<u32>>> {
    match planned::search(plan, results)?.look().next {
        Next::Measure(arms) => Some(arms.into_iter().map(|arm| arm.into_iter().collect()).collect()),
        Next::Done(_) => None,
    }
}

/// What a search found so far; none of a plan that is no search.
pub fn bisection(plan: &Plan, results: &[TrialResult]) -> Option<Bisection> {
    let asked = plan.spec.design.bisect.as_ref()?;
    let search = planned::search(plan, results)?;
    let outlook = search.look();
    let first = plan.trials.first()?;
    let label = |at: usize| plan.spec.targets.get(at).map(|one| one.target.label.clone());
    let effects = effects::effects(&search, &outlook.units);
    let names: Vec<String> = asked.differences.iter().map(|one| one.name.clone()).collect();
    let (none, all) = (Taken::new(), search.without(&Unit::new()));
    let mut found: Vec<FoundDifference> = Vec::new();
    let standing = standing(&outlook.next);
    // Before the end, what was measured in one direction alone is no finding.
    let is_proved = |one: &UnitEffect| {
        standing != BisectStanding::Unfinished || (one.alone.is_some() && one.last.is_some())
    };
    let oppose = oppose(&effects);
    for one in &effects {
        found.push(FoundDifference {
            name: name(&names, &one.unit),
            base: value(asked, &one.unit, |difference| difference.base.as_deref()),
            other: value(asked, &one.unit, |difference| difference.other.as_deref()),
            named: one.is_named() && is_proved(one),
            share: one.share.filter(|_| !oppose).map(|(value, low, high)| ShareEstimate { value, low, high }),
            alone: one.alone.map(ratio),
            last: one.last.map(ratio),
            depends: depends(one, &effects, &names),
        });
    }
    found.sort_by(|a, b| {
        let size = |one: &FoundDifference| {
            one.share.map_or_else(|| one.alone.map_or(0.0, |r| r.value.ln().abs()), |share| share.value.abs())
        };
        b.named.cmp(&a.named).then(size(b).total_cmp(&size(a)))
    });
    let total = search.total();
    let has_whole = total.abs() > search.margin.ln_1p();
    let mut all_found = Bisection {
        base: label(0)?,
        other: label(1)?,
        workload: first.cell.workload.clone(),
        threads: first.cell.threads,
        standing,
        ratio: search.measured.difference(&none, &all).map(ratio),
        differences: names.len() as u32,
        unexplained: has_whole.then(|| left(&search, &effects)).flatten(),
        others_max: has_whole.then(|| search.threshold() / total.abs()),
        not_started: not_started(&search, &names),
        trials: search.measured.arms().iter().map(|arm| arm.values.len() as u32).sum(),
        not_valid: search.measured.arms().iter().map(|arm| arm.not_valid).sum(),
        combinations: search.measured.arms().iter().filter(|arm| !arm.values.is_empty()).count() as u32,
        found,
        says: messages::Words::new("", ""),
        evidence: messages::Words::new("", ""),
    };
    // Before the end nothing has failed to be confirmed.
    let is_over = all_found.standing == BisectStanding::Explained;
    let dropped =
        all_found.found.iter().filter(|one| is_over && !one.named).map(|one| one.name.clone()).collect();
    let reasons = [&none, &all].into_iter().filter_map(|arm| search.measured.arm(arm)?.why_in_vain.clone());
    all_found.says = says::answer(&all_found, oppose, reasons.collect());
    all_found.evidence = says::evidence(&all_found, (outlook.reaches, outlook.falls_back), dropped);
    Some(all_found)
}

/// From this multiple of the whole difference on, effects in both directions make shares of it unreadable.
const OPPOSING: f64 = 1.5;

/// Whether differences that are named work against each other so much that a share of the whole says little.
fn oppose(effects: &[UnitEffect]) -> bool {
    let shares = || effects.iter().filter(|one| one.is_named()).filter_map(|one| Some(one.share?.0));
    shares().any(|share| share > OPPOSING) && shares().any(|share| share < 0.0)
}

fn standing(next: &Next) -> BisectStanding {
    match next {
        Next::Measure(_) => BisectStanding::Unfinished,
        Next::Done(Ending::Equivalent) => BisectStanding::Equivalent,
        Next::Done(Ending::Undecided) => BisectStanding::Undecided,
        Next::Done(Ending::Nothing) => BisectStanding::Unexplained,
        Next::Done(Ending::Found) => BisectStanding::Explained,
        Next::Done(Ending::InVain) => BisectStanding::Failed,
    }
}

fn ratio(contrast: BlockContrast) -> RatioEstimate {
    let Estimate { value, low, high } = contrast.interval(USUAL);
    RatioEstimate { value: value.exp(), low: low.exp(), high: high.exp() }
}

fn name(names: &[String], unit: &Unit) -> String {
    unit.iter().map(|at| names[*at as usize].as_str()).collect::<Vec<_>>().join(", ")
}

fn value(
    asked: &model::BisectSearch,
    unit: &Unit,
    of: impl Fn(&model::TargetDifference) -> Option<&str>,
) -> messages::Words {
    let values = unit.iter().map(|at| says::value(of(&asked.differences[*at as usize])));
    messages::Words::parts(values.collect::<Vec<_>>())
}

/// How a difference depends on others that are named, each pair once.
fn depends(one: &UnitEffect, all: &[UnitEffect], names: &[String]) -> Vec<messages::Words> {
    let own = all.iter().position(|other| other.unit == one.unit).unwrap_or_default();
    let is_named = |at: &usize| all[*at].is_named();
    let needed: Vec<String> =
        one.only_with.iter().filter(|at| is_named(at)).map(|at| name(names, &all[*at].unit)).collect();
    let mut found = Vec::new();
    if !needed.is_empty() {
        found.push(says::only_with(&name(names, &one.unit), needed));
    }
    let needs_us = |at: usize| all[at].only_with.contains(&own);
    let changed = one.interacts.iter().filter(|(at, _)| is_named(at) && *at > own && !needs_us(*at));
    found.extend(
        changed.map(|(at, factor)| {
            says::interacts(&name(names, &one.unit), &name(names, &all[*at].unit), *factor)
        }),
    );
    found
}

/// The share of the whole difference that is left with everything that is named.
fn left(search: &Search, effects: &[UnitEffect]) -> Option<ShareEstimate> {
    let named: Vec<&Unit> = effects.iter().filter(|one| one.is_named()).map(|one| &one.unit).collect();
    let (none, all, with) = (Taken::new(), search.without(&Unit::new()), search.only(&named));
    let total = search.total();
    let value = search.measured.difference(&with, &all)?.value / total;
    let linear = [(&all, 1.0 - value), (&with, -1.0), (&none, value)];
    let interval = search.measured.sum(&linear)?.interval(USUAL);
    let half = (interval.high - interval.low) / 2.0 / total.abs();
    Some(ShareEstimate { value, low: value - half, high: value + half })
}

fn not_started(search: &Search, names: &[String]) -> Vec<NotStarted> {
    let failed = search.measured.arms().iter().filter(|arm| arm.does_not_start);
    failed
        .map(|arm| NotStarted {
            taken: arm.taken.iter().map(|at| names[*at as usize].clone()).collect(),
            why: arm.why_in_vain.clone().unwrap_or_else(|| messages::Words::new("", "")),
        })
        .collect()
}
