//! Servers side by side on one machine: whether their total throughput differs from the sum of their throughputs alone, and
//! which explanations the controls of the experiment leave.
//!
//! S is the throughput of all instances together over the sum of their throughputs alone, each with as many clients of its
//! own. It takes a target of independent servers and a target of one such server, at every number of clients that fits
//! both. A pair that differs from the first one in a single respect is a control: S without a suspected cause. `controls`
//! judges it.

mod blocks;
mod controls;
mod found;
mod measured;
mod pairs;
mod says;

use model::Plan;

use crate::compare::{FALSE_ALARMS, MARGIN};
use crate::summary::CellSummary;
pub use found::{
    Colocation, ColocationPoint, ColocationStanding, Hypothesis, HypothesisStanding, SuspectedCause,
};
use measured::Measured;
use pairs::{Arms, InstancePair};

/// The colocation results of every workload of a plan that has servers side by side and one of them alone. The cells may
/// include others than the plan's.
pub fn colocations(plan: &Plan, cells: &[CellSummary]) -> Vec<Colocation> {
    let Some(arms) = Arms::of(plan) else { return Vec::new() };
    let several = plan.spec.workloads.len() > 1;
    let labels = plan.spec.workloads.iter().map(|workload| workload.label());
    labels.filter_map(|workload| of_workload(plan, &arms, &Measured { cells, workload }, several)).collect()
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

/// Corrects the p-values, and sets the standings.
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
