//! The choice of the next rate, and the decision when the highest rate that holds is known.

use std::collections::BTreeMap;

use model::{CapacitySearch, Plan, PlannedTrial, TrialResult, Why};
use stats::LogisticThreshold;

use super::trial::{self, Judged};
use crate::condition::SloCondition;
use crate::{CONFIDENCE, Words, metric};

/// Bounds of the initial range, relative to the throughput of a closed loop.
const ABOVE_CLOSED: f64 = 1.25;
const BELOW_CLOSED: f64 = 0.01;
/// The range is stretched by this where its highest rate holds.
const STRETCH: f64 = 1.5;
/// Number of consecutive inconclusive trials after which the server is given up.
const IN_VAIN: usize = 3;
/// Number of steps between rates within the requested precision.
const STEPS: f64 = 5.0;
/// Beyond the range, as a ratio: a threshold may lie there.
const MARGIN: f64 = 1.1;

/// A trial at a rate.
#[derive(Debug, Clone)]
pub(super) struct Tried {
    pub rate: f64,
    pub why: Why,
    pub judged: Judged,
    pub done_per_s: Option<f64>,
    pub p95_ns: Option<f64>,
    /// Value per condition; none where it was not measured.
    pub values: Vec<Option<f64>>,
}

impl Tried {
    /// Whether every condition held; none if the trial is inconclusive about the server.
    pub fn held(&self) -> Option<bool> {
        match &self.judged {
            Judged::Counts(missed) => Some(missed.is_empty()),
            Judged::SetAside(_) => None,
        }
    }
}

/// A target with a workload and a number of clients, whose capacity is searched.
#[derive(Debug, Clone)]
pub struct CapacityArm {
    /// Label of the target.
    pub target: String,
    /// The workload, by its index.
    pub workload: u32,
    /// Clients.
    pub threads: u32,
    pub(super) conditions: Vec<SloCondition>,
    pub(super) search: CapacitySearch,
    /// Trials of each rate that confirm it.
    pub(super) repeats: u32,
    /// Transactions per second of closed loops that count.
    pub(super) closed: Vec<f64>,
    /// Closed loops and trials that were inconclusive, since the last one that was not.
    in_vain: usize,
    /// The reason for the last of them.
    pub(super) why_in_vain: Option<Words>,
    /// The trials, in the order of execution.
    pub(super) tried: Vec<Tried>,
}

/// The next step for an arm.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Measure a closed loop.
    Closed,
    /// A rate of which most is to be learned.
    Try(f64),
    /// The highest rate that holds and the lowest that does not, once more.
    Confirm(Vec<f64>),
    /// Nothing.
    Done(End),
}

/// The way a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The rate is known, and confirmed.
    Confirmed,
    /// The lowest rate of the range is too much.
    Below,
    /// The highest rate of the range still holds.
    Above,
    /// The maximum number of trials was reached.
    TooMany,
    /// Trial after trial says nothing.
    InVain,
}

/// The arms of a plan that searches a capacity, in the order of the plan; none of any other plan. Conditions that cannot be read are
/// refused when the plan is made.
pub fn arms(plan: &Plan, results: &[TrialResult]) -> Vec<CapacityArm> {
    let Some(search) = &plan.spec.design.capacity else { return Vec::new() };
    let conditions: Vec<SloCondition> =
        search.slo.iter().filter_map(|text| SloCondition::parse(text).ok()).collect();
    let results: BTreeMap<u32, &TrialResult> = results.iter().map(|one| (one.index, one)).collect();
    let mut arms: Vec<CapacityArm> = Vec::new();
    for planned in &plan.trials {
        let variant = plan.spec.design.variants.get(planned.workload as usize);
        let of = variant.and_then(|variant| variant.rate_of);
        let workload = of.unwrap_or(planned.workload);
        let (target, threads) = (&planned.cell.target, planned.cell.threads);
        let is_own =
            |arm: &CapacityArm| arm.target == *target && arm.workload == workload && arm.threads == threads;
        let at = arms.iter().position(is_own).unwrap_or_else(|| {
            arms.push(CapacityArm {
                target: target.clone(),
                workload,
                threads,
                conditions: conditions.clone(),
                search: search.clone(),
                repeats: plan.spec.repeats,
                closed: Vec::new(),
                in_vain: 0,
                why_in_vain: None,
                tried: Vec::new(),
            });
            arms.len() - 1
        });
        if let Some(result) = results.get(&planned.index) {
            arms[at].add(plan, planned, result);
        }
    }
    // The first target is the one that the others are compared with.
    let position =
        |arm: &CapacityArm| plan.spec.targets.iter().position(|one| one.target.label == arm.target);
    arms.sort_by_key(|arm| (arm.workload, position(arm), arm.threads));
    arms
}

impl CapacityArm {
    fn add(&mut self, plan: &Plan, planned: &PlannedTrial, result: &TrialResult) {
        let rate = plan.spec.load_of(planned.workload).rate.as_ref();
        // A closed loop shows what the server does at most: it has no condition to meet.
        let conditions = if rate.is_some() { &self.conditions[..] } else { &[] };
        let Some(judged) = trial::judge(plan, planned, result, conditions) else { return };
        match &judged {
            Judged::Counts(_) => self.in_vain = 0,
            Judged::SetAside(why) => {
                self.in_vain += 1;
                self.why_in_vain = Some(why.clone());
            }
        }
        match (rate.and_then(|rate| rate.phases.first()), &judged) {
            (Some(phase), _) => self.tried.push(Tried {
                rate: phase.from_per_s,
                why: planned.why,
                done_per_s: (metric::THROUGHPUT.value)(result),
                p95_ns: (metric::RESPONSE_P95.value)(result),
                values: self.conditions.iter().map(|condition| condition.value(result)).collect(),
                judged,
            }),
            (None, Judged::Counts(_)) => self.closed.extend((metric::THROUGHPUT.value)(result)),
            (None, Judged::SetAside(_)) => {}
        }
    }

    /// The range that contains the rate; none as long as it is unknown.
    pub(super) fn range(&self) -> Option<(f64, f64)> {
        if let Some(range) = self.search.between {
            return Some(range);
        }
        let closed = stats::mean(&self.closed).filter(|mean| *mean > 0.0)?;
        let (low, mut high) = (closed * BELOW_CLOSED, closed * ABOVE_CLOSED);
        // Where the highest rate holds, the closed loop was not the limit.
        let held = self.tried.iter().filter(|one| one.held() == Some(true)).map(|one| one.rate);
        let highest = held.fold(0.0, f64::max);
        while highest * (1.0 + self.search.precision) >= high {
            high *= STRETCH;
        }
        Some((low, high))
    }

    /// The candidate rates: on an even scale, and round numbers.
    fn rates(&self, (low, high): (f64, f64)) -> Vec<f64> {
        let step = (1.0 + self.search.precision / STEPS).ln();
        let (first, last) = ((low.ln() / step).ceil() as i64, (high.ln() / step).floor() as i64);
        let digits = if self.search.precision < 0.02 { 4 } else { 3 };
        let mut rates: Vec<f64> =
            (first..=last).map(|at| rounded((at as f64 * step).exp(), digits)).collect();
        rates.retain(|rate| (low..=high).contains(rate));
        if rates.is_empty() {
            rates = vec![low, high];
        }
        rates.dedup();
        rates
    }

    /// The estimate of the threshold from the trials so far; none until the range is known.
    pub(super) fn threshold(&self) -> Option<LogisticThreshold> {
        let (low, high) = self.range()?;
        let mut threshold = LogisticThreshold::between(low / MARGIN, high * MARGIN)?;
        for (rate, held) in self.tried.iter().filter_map(|one| Some((one.rate, one.held()?))) {
            threshold.wander();
            threshold.add(rate, held);
        }
        Some(threshold)
    }

    /// Trials at a rate that count, and those of them in which everything held.
    pub(super) fn at(&self, rate: f64) -> (u32, u32) {
        let own = self.tried.iter().filter(|one| one.rate == rate).filter_map(Tried::held);
        own.fold((0, 0), |(all, held), one| (all + 1, held + u32::from(one)))
    }

    /// The next step.
    pub fn step(&self) -> Step {
        if self.in_vain >= IN_VAIN {
            return Step::Done(End::InVain);
        }
        let (Some(range), Some(threshold)) = (self.range(), self.threshold()) else { return Step::Closed };
        let rates = self.rates(range);
        let (lowest, highest) = (rates[0], rates[rates.len() - 1]);
        let unsure = (1.0 - CONFIDENCE) / 2.0;
        if threshold.above(lowest) < unsure && self.at(lowest).0 >= 2 {
            return Step::Done(End::Below);
        }
        if self.search.between.is_some() && threshold.above(highest) > 1.0 - unsure && self.at(highest).0 >= 2
        {
            return Step::Done(End::Above);
        }
        let pair = self.pair(&threshold, &rates);
        if let Some((low, high)) = pair {
            let is_held = threshold.above(low) >= 1.0 - unsure && threshold.above(high) <= unsure;
            let lacking: Vec<f64> =
                [low, high].into_iter().filter(|rate| self.at(*rate).0 < self.repeats).collect();
            if lacking.is_empty() && is_held {
                return Step::Done(End::Confirmed);
            }
            if !lacking.is_empty() && self.tried.len() < self.search.trials_max as usize {
                return Step::Confirm(lacking);
            }
        }
        if self.tried.len() >= self.search.trials_max as usize {
            return Step::Done(End::TooMany);
        }
        threshold.most_telling(&rates).map_or(Step::Done(End::TooMany), Step::Try)
    }

    /// The highest rate known to hold and the lowest known not to, as long as they are near each other: the pair that is being
    /// confirmed until it has its trials.
    pub(super) fn pair(&self, threshold: &LogisticThreshold, rates: &[f64]) -> Option<(f64, f64)> {
        let confirming = || self.tried.iter().filter(|one| one.why == Why::Confirming).map(|one| one.rate);
        if let Some(latest) = confirming().next_back() {
            // They were tried in turns: the other one is the latest that is not this one.
            let other = confirming().rfind(|rate| *rate != latest);
            let pair = other.map(|other| (latest.min(other), latest.max(other)));
            let near = pair.filter(|(low, high)| high / low <= 1.0 + 2.0 * self.search.precision);
            let unsure = (1.0 - CONFIDENCE) / 2.0;
            let stands = |(low, high): &(f64, f64)| {
                let is_held = threshold.above(*low) >= 1.0 - unsure && threshold.above(*high) <= unsure;
                is_held || [low, high].iter().any(|rate| self.at(**rate).0 < self.repeats)
            };
            if let Some(pair) = near.filter(stands) {
                return Some(pair);
            }
        }
        let found = threshold.estimate(CONFIDENCE);
        if found.high / found.low > 1.0 + self.search.precision {
            return None;
        }
        let low = rates.iter().rev().find(|rate| **rate <= found.low)?;
        let high = rates.iter().find(|rate| **rate >= found.high)?;
        Some((*low, *high))
    }

    /// The confirmed pair, if there is one.
    pub(super) fn confirmed(&self) -> Option<(f64, f64)> {
        let (range, threshold) = (self.range()?, self.threshold()?);
        self.pair(&threshold, &self.rates(range))
    }
}

/// Rounds to this many significant digits.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits - 1 - value.log10().floor() as i32);
    (value * scale).round() / scale
}
