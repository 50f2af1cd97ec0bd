//! Servers side by side on one machine: whether together they do more or less than the sum of what each does alone, and which
//! explanations the controls of the experiment leave.
//!
//! S is the throughput of all instances together over the sum of what each does alone with as many clients of its own. A target of
//! independent servers and a target of one such server make it, at every number of clients of the one that the other has in all.
//! What differs from the first such pair in one respect is a control: S without a suspected cause. How it is judged is in
//! `controls`.

mod blocks;
mod controls;
mod pairs;
mod says;

use model::Plan;
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::compare::{FALSE_ALARMS, MARGIN};
use crate::input::Measure;
use crate::summary::CellSummary;
use blocks::Blocks;
use pairs::{Arms, InstancePair};

/// What instances side by side do, with one workload.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Colocation {
    /// Label of the target of one instance.
    pub alone: String,
    /// Label of the target of several.
    pub together: String,
    /// How many those are.
    pub instances: u32,
    /// Label of the workload.
    pub workload: String,
    /// S at each number of clients.
    pub points: Vec<ColocationPoint>,
    /// Position of the point that the answer and the hypotheses are about: the significant one farthest from 1, or the one with
    /// the most clients.
    pub lead: usize,
    /// What might explain it.
    pub hypotheses: Vec<Hypothesis>,
    /// S in words.
    pub says: Words,
    /// Which hypotheses are supported, excluded, not decided, in words.
    pub verdicts: Words,
}

/// S at a number of clients.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColocationPoint {
    /// Clients of each instance, alone and together.
    pub threads: u32,
    /// Throughput of one instance alone, transactions per second.
    pub alone_per_s: f64,
    /// Throughput of all instances together.
    pub together_per_s: f64,
    /// Together over the sum of each alone, with its 95 % interval.
    pub s: Measure,
    /// Two-sided p-value of S = 1, after Holm's correction over the numbers of clients; none of single trials.
    pub p_adjusted: Option<f64>,
    /// What may be said.
    pub standing: ColocationStanding,
}

/// What may be said of S.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColocationStanding {
    /// Significantly above 1.
    SuperLinear,
    /// Equivalent to 1.
    Linear,
    /// Significantly below 1.
    Contention,
    /// None of these.
    Inconclusive,
    /// There is no interval.
    SingleTrial,
}

/// A possible explanation of S, and what its control says.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hypothesis {
    /// What is suspected.
    pub cause: SuspectedCause,
    /// In a word or two.
    pub name: Words,
    /// As a claim.
    pub claim: Words,
    /// What the control says of it.
    pub standing: HypothesisStanding,
    /// S without the suspected cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub s: Option<Measure>,
    /// That over S, with its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Measure>,
    /// Two-sided p-value of a ratio of 1, after Holm's correction over all controls and numbers of clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_adjusted: Option<f64>,
    /// What the standing rests on.
    pub evidence: Words,
}

/// What may be behind an S other than 1.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuspectedCause {
    /// What all instances share.
    SharedLimit,
    /// CPUs and memory nodes.
    Cpus,
    /// Buffer pools.
    Memory,
    /// Read views.
    ReadViews,
    /// Waits for the disk at commit.
    Commit,
    /// The generator.
    Generator,
    /// The order of the trials.
    Order,
}

/// What a control says of a hypothesis.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HypothesisStanding {
    /// Without the cause S is significantly nearer to 1.
    Supported,
    /// The cause makes up less than half of the distance of S from 1.
    Excluded,
    /// Neither, or there is no control.
    NotDecided,
}

/// Of every workload of a plan that has servers side by side and one of them alone. The cells may be more than the plan's.
pub fn colocations(plan: &Plan, cells: &[CellSummary]) -> Vec<Colocation> {
    let Some(arms) = Arms::of(plan) else { return Vec::new() };
    let several = plan.spec.workloads.len() > 1;
    let labels = plan.spec.workloads.iter().map(|workload| workload.label());
    labels.filter_map(|workload| of_workload(plan, &arms, &Measured { cells, workload }, several)).collect()
}

/// The cells of a workload.
struct Measured<'a> {
    cells: &'a [CellSummary],
    workload: &'a str,
}

impl<'a> Measured<'a> {
    fn cell(&self, target: &str, threads: u32) -> Option<&'a CellSummary> {
        let is_it =
            |c: &&CellSummary| c.target == target && c.workload == self.workload && c.threads == threads;
        self.cells.iter().find(is_it)
    }

    /// Throughput block by block, of a cell that says something of the server.
    fn blocks(&self, target: &str, threads: u32) -> Option<Blocks> {
        let cell = self.cell(target, threads)?;
        (cell.is_valid() && !cell.throughput_is_offered()).then(|| Blocks::of(cell))?
    }

    /// S of a pair, block by block.
    fn s(&self, pair: &InstancePair<'_>, threads: u32) -> Option<Blocks> {
        let together = self.blocks(pair.together, threads * pair.instances)?;
        together.over(&self.blocks(pair.alone, threads)?.times(f64::from(pair.instances)))
    }
}

fn of_workload(plan: &Plan, arms: &Arms<'_>, measured: &Measured<'_>, several: bool) -> Option<Colocation> {
    let pair = &arms.pair;
    let own = measured.cells.iter().filter(|c| c.target == pair.alone && c.workload == measured.workload);
    let mut threads: Vec<u32> = own.map(|cell| cell.threads).collect();
    threads.sort_unstable();
    let mut points: Vec<ColocationPoint> = threads.iter().filter_map(|n| point(measured, pair, *n)).collect();
    judge(&mut points);
    let distance = |at: &usize| points[*at].s.mean.ln().abs();
    let lead = (0..points.len()).filter(|at| points[*at].standing.differs());
    let lead = lead.max_by(|a, b| distance(a).total_cmp(&distance(b))).or(points.len().checked_sub(1))?;
    let hypotheses = controls::hypotheses(plan, arms, measured, (&points, lead));
    let of = says::Of { pair, workload: several.then_some(measured.workload), point: &points[lead] };
    Some(Colocation {
        alone: pair.alone.to_owned(),
        together: pair.together.to_owned(),
        instances: pair.instances,
        workload: measured.workload.to_owned(),
        says: says::answer(&of),
        verdicts: says::verdicts(&of, &hypotheses),
        points,
        lead,
        hypotheses,
    })
}

fn point(measured: &Measured<'_>, pair: &InstancePair<'_>, threads: u32) -> Option<ColocationPoint> {
    let s = measured.s(pair, threads)?;
    let per_s = |target: &str, threads: u32| Some(measured.cell(target, threads)?.throughput_per_s?.mean);
    Some(ColocationPoint {
        threads,
        alone_per_s: per_s(pair.alone, threads)?,
        together_per_s: per_s(pair.together, threads * pair.instances)?,
        s: s.measure()?,
        p_adjusted: s.p_value(),
        standing: ColocationStanding::SingleTrial,
    })
}

/// Corrects the p-values, and says what may be said.
fn judge(points: &mut [ColocationPoint]) {
    let p: Vec<f64> = points.iter().filter_map(|point| point.p_adjusted).collect();
    let mut adjusted = stats::holm(&p).into_iter();
    for point in points {
        let Some((low, high)) = point.s.low.zip(point.s.high) else { continue };
        point.p_adjusted = point.p_adjusted.and_then(|_| adjusted.next());
        let is_significant = point.p_adjusted.is_some_and(|p| p <= FALSE_ALARMS);
        point.standing = match point.s.mean > 1.0 {
            _ if low >= 1.0 / (1.0 + MARGIN) && high <= 1.0 + MARGIN => ColocationStanding::Linear,
            true if is_significant => ColocationStanding::SuperLinear,
            false if is_significant => ColocationStanding::Contention,
            _ => ColocationStanding::Inconclusive,
        };
    }
}

impl ColocationStanding {
    /// Whether there is something to explain.
    fn differs(self) -> bool {
        matches!(self, Self::SuperLinear | Self::Contention)
    }

    /// As the catalogue names it.
    pub fn word(self) -> &'static str {
        match self {
            Self::SuperLinear => "super-linear",
            Self::Linear => "linear",
            Self::Contention => "contention",
            Self::Inconclusive => "inconclusive",
            Self::SingleTrial => "single",
        }
    }
}

impl HypothesisStanding {
    /// As the catalogue names it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Excluded => "excluded",
            Self::NotDecided => "not-decided",
        }
    }
}

impl SuspectedCause {
    /// As the catalogue names it.
    pub fn word(self) -> &'static str {
        match self {
            Self::SharedLimit => "shared-limit",
            Self::Cpus => "cpus",
            Self::Memory => "memory",
            Self::ReadViews => "read-views",
            Self::Commit => "commit",
            Self::Generator => "generator",
            Self::Order => "order",
        }
    }
}
