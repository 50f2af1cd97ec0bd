//! Capacity: the highest rate at which every condition holds, with its interval.
//!
//! A trial at a rate either meets the conditions or does not. The capacity is the rate at which half of the trials meet
//! them: a threshold, estimated by `stats::LogisticThreshold`. Beside the conditions that the user names, queues must not
//! grow: neither the backlog of due transactions, nor the lag of a replica. The choice of the next rate and the end of the
//! search are in `search`.

mod found;
mod says;
mod search;
mod trial;

use std::collections::BTreeMap;

use messages::message;
use model::{Plan, TrialResult};
use stats::LogisticThreshold;

use crate::metric::MetricUnit;
use crate::{CONFIDENCE, Words};
pub use found::{Capacity, CapacityStanding, ConditionView, RateStanding, RateTried};
use search::Tried;
pub use search::{CapacityArm, End, Step, arms};
use trial::{Judged, Missed};

/// The capacity of each target with each workload; empty for a plan that does not search one.
pub fn capacities(plan: &Plan, results: &[TrialResult]) -> Vec<Capacity> {
    arms(plan, results).iter().map(|arm| of_arm(plan, arm)).collect()
}

/// The capacity of a target against that of the first one, with the same workload and number of clients.
#[derive(Debug, Clone, PartialEq)]
pub struct CapacityRatio {
    /// Label of the target.
    pub other: String,
    /// Its capacity over that of the first target.
    pub ratio: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of it.
    pub high: f64,
    /// The ratio in words.
    pub says: Words,
}

/// The capacities of further targets against that of the first one, where both are known.
pub fn ratios(capacities: &[Capacity]) -> Vec<CapacityRatio> {
    let mut ratios = Vec::new();
    for (at, other) in capacities.iter().enumerate() {
        let is_base = |one: &&Capacity| (&one.workload, one.threads) == (&other.workload, other.threads);
        let Some(base) = capacities[..at].iter().find(is_base) else { continue };
        let Some((ratio, low, high)) = ratio(base, other) else { continue };
        let verdict = if low > 1.0 || high < 1.0 { "differs" } else { "unsure" };
        let says = message!(
            "capacity-ratio",
            other = Text(&other.target),
            base = Text(&base.target),
            ratio = Ratio(ratio),
            interval = RatioInterval((low, high)),
            verdict = Word(verdict),
        );
        ratios.push(CapacityRatio { other: other.target.clone(), ratio, low, high, says });
    }
    ratios
}

/// Ratio of one capacity to another with its 95 % interval, where both are known. The searches are independent, so on a
/// logarithmic scale the distances of the ends add up as squares.
pub fn ratio(base: &Capacity, other: &Capacity) -> Option<(f64, f64, f64)> {
    let known = |one: &Capacity| Some((one.per_s?, one.low_per_s?, one.high_per_s?));
    let ((b, b_low, b_high), (o, o_low, o_high)) = (known(base)?, known(other)?);
    let ratio = o / b;
    let low = ratio * (-(o / o_low).ln().hypot((b_high / b).ln())).exp();
    let high = ratio * (o_high / o).ln().hypot((b / b_low).ln()).exp();
    Some((ratio, low, high))
}

fn of_arm(plan: &Plan, arm: &CapacityArm) -> Capacity {
    let threshold = arm.threshold();
    let standing = standing(arm);
    let estimate = threshold.as_ref().map(|known| known.estimate(CONFIDENCE));
    let within =
        estimate.filter(|_| matches!(standing, CapacityStanding::Confirmed | CapacityStanding::Unconfirmed));
    let conditions: Vec<ConditionView> = arm
        .conditions
        .iter()
        .map(|condition| {
            let (scale, unit) = shown(condition.metric.unit, condition.bound);
            ConditionView {
                text: condition.text.clone(),
                label: condition.metric.label(),
                unit: unit.to_owned(),
                bound: condition.bound * scale,
            }
        })
        .collect();
    let pair = arm.confirmed();
    let mut rates: Vec<f64> = arm.tried.iter().map(|one| one.rate).collect();
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    let rates: Vec<RateTried> =
        rates.into_iter().map(|rate| rate_tried(arm, rate, threshold.as_ref(), pair)).collect();
    let mut capacity = Capacity {
        target: arm.target.clone(),
        workload: plan.spec.workloads[arm.workload as usize].label().to_owned(),
        threads: arm.threads,
        standing,
        per_s: within.map(|one| one.value),
        low_per_s: within.map(|one| one.low),
        high_per_s: within.map(|one| one.high),
        closed_loop_per_s: stats::mean(&arm.closed),
        conditions,
        rates,
        says: Words::new("", ""),
        evidence: Words::new("", ""),
    };
    capacity.says = says::answer(&capacity, fails_first(arm));
    capacity.evidence = says::evidence(&capacity, arm.why_in_vain.clone());
    capacity
}

fn standing(arm: &CapacityArm) -> CapacityStanding {
    let held: Vec<bool> = arm.tried.iter().filter_map(Tried::held).collect();
    match arm.step() {
        _ if held.is_empty() => CapacityStanding::Unknown,
        // A search that ended early may have seen one side only.
        _ if !held.contains(&true) => CapacityStanding::Below,
        _ if !held.contains(&false) => CapacityStanding::Above,
        Step::Done(End::Confirmed) => CapacityStanding::Confirmed,
        Step::Done(End::Below) => CapacityStanding::Below,
        Step::Done(End::Above) => CapacityStanding::Above,
        _ => CapacityStanding::Unconfirmed,
    }
}

/// Factor from the unit to the one displayed beside a bound, and the name of the displayed unit.
fn shown(unit: MetricUnit, bound: f64) -> (f64, &'static str) {
    match unit {
        MetricUnit::Nanoseconds if bound >= 1e9 => (1e-9, "s"),
        MetricUnit::Nanoseconds => (1e-6, "ms"),
        MetricUnit::PerSecond => (1.0, "/s"),
        MetricUnit::PerMinute => (1.0, "/min"),
        MetricUnit::Microseconds => (1.0, "us"),
    }
}

fn rate_tried(
    arm: &CapacityArm,
    rate: f64,
    threshold: Option<&LogisticThreshold>,
    pair: Option<(f64, f64)>,
) -> RateTried {
    let own: Vec<&Tried> = arm.tried.iter().filter(|one| one.rate == rate).collect();
    let counting = || own.iter().filter(|one| one.held().is_some());
    let (trials, held) = arm.at(rate);
    let above = threshold.map_or(0.5, |known| known.above(rate));
    let unsure = (1.0 - CONFIDENCE) / 2.0;
    let values = arm.conditions.iter().enumerate().map(|(at, condition)| {
        let (scale, _) = shown(condition.metric.unit, condition.bound);
        let measured: Vec<f64> = counting().filter_map(|one| one.values[at]).collect();
        stats::mean(&measured).map(|mean| mean * scale)
    });
    let mean = |of: fn(&Tried) -> Option<f64>| {
        stats::mean(&counting().filter_map(|one| of(one)).collect::<Vec<_>>())
    };
    RateTried {
        per_s: rate,
        trials,
        held,
        set_aside: own.len() as u32 - trials,
        confirms: pair.is_some_and(|(low, high)| rate == low || rate == high),
        standing: match above {
            above if above >= 1.0 - unsure => RateStanding::Met,
            above if above <= unsure => RateStanding::Missed,
            _ => RateStanding::Undecided,
        },
        missed: most_frequent(&own).into_iter().map(|missed| says::missed(arm, missed)).collect(),
        done_per_s: mean(|one| one.done_per_s),
        p95_ms: mean(|one| one.p95_ns).map(|ns| ns / 1e6),
        values: values.collect(),
    }
}

/// The conditions that failed in these trials, the most frequent first.
fn most_frequent(tried: &[&Tried]) -> Vec<Missed> {
    let mut counts: BTreeMap<Missed, u32> = BTreeMap::new();
    for one in tried {
        if let Judged::Counts(missed) = &one.judged {
            missed.iter().for_each(|missed| *counts.entry(*missed).or_default() += 1);
        }
    }
    let mut counts: Vec<(Missed, u32)> = counts.into_iter().collect();
    counts.sort_by_key(|(missed, count)| (std::cmp::Reverse(*count), *missed));
    counts.into_iter().map(|(missed, _)| missed).collect()
}

/// The condition that fails first beyond the capacity: the one that failed in most of the trials up to 10 % above it.
fn fails_first(arm: &CapacityArm) -> Vec<Words> {
    /// Further away everything fails.
    const NEAR: f64 = 1.1;
    let Some(found) = arm.threshold().map(|known| known.estimate(CONFIDENCE)) else { return Vec::new() };
    let beyond = |one: &&Tried| one.rate > found.value && one.rate <= found.high * NEAR;
    let near: Vec<&Tried> = arm.tried.iter().filter(beyond).collect();
    let failed = |one: Missed| {
        let has = |tried: &&&Tried| matches!(&tried.judged, Judged::Counts(missed) if missed.contains(&one));
        near.iter().filter(has).count()
    };
    let all = most_frequent(&near);
    let most = all.iter().map(|one| failed(*one)).max().unwrap_or_default();
    all.into_iter().filter(|one| failed(*one) == most).map(|one| says::missed(arm, one)).collect()
}
