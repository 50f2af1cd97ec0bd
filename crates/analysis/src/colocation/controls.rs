//! The evidence of the controls on each hypothesis.
//!
//! A control is S without a suspected cause. If the cause explained everything, S would be 1 there. A hypothesis is
//! *supported* if S without the cause is significantly nearer to 1 (Holm over all controls and numbers of clients), and
//! *excluded* if the 95 % interval leaves out that the cause makes up half of the distance of S from 1, or more (on
//! logarithms).

use messages::message;
use model::{Plan, Why};

use super::blocks::Blocks;
use super::found::{ColocationPoint, Hypothesis, HypothesisStanding, SuspectedCause};
use super::measured::Measured;
use super::pairs::Arms;
use super::says;
use crate::Words;
use crate::caveat::{DRIFT, WORKER_BUSY_MAX};
use crate::compare::FALSE_ALARMS;
use crate::input::Measure;

/// S without a suspected cause, at one number of clients.
struct Control {
    cause: SuspectedCause,
    s: Blocks,
    /// The control's S divided by S.
    ratio: Blocks,
    evidence: Words,
}

/// All hypotheses, for the point at this position among all points.
pub(super) fn hypotheses(
    plan: &Plan,
    arms: &Arms<'_>,
    measured: &Measured<'_>,
    (points, lead): (&[ColocationPoint], usize),
) -> Vec<Hypothesis> {
    let all: Vec<(usize, Control)> = points
        .iter()
        .enumerate()
        .flat_map(|(at, point)| controls(arms, measured, point).into_iter().map(move |one| (at, one)))
        .collect();
    let (tested, p): (Vec<&(usize, Control)>, Vec<f64>) =
        all.iter().filter_map(|one| Some((one, one.1.ratio.p_value()?))).unzip();
    let adjusted = stats::holm(&p);
    let of_lead = |cause: SuspectedCause| {
        let is_it = |(at, one): &&(usize, Control)| *at == lead && one.cause == cause;
        let p = tested.iter().zip(&adjusted).find(|(one, _)| is_it(one)).map(|(_, p)| *p);
        all.iter().find(is_it).map(|(_, control)| (control, p))
    };
    let point = &points[lead];
    let by_control = [
        SuspectedCause::SharedLimit,
        SuspectedCause::Cpus,
        SuspectedCause::Memory,
        SuspectedCause::ReadViews,
        SuspectedCause::Commit,
    ];
    let mut found: Vec<Hypothesis> = by_control
        .into_iter()
        .map(|cause| match of_lead(cause) {
            Some((control, p)) => decided(point, control, p),
            None => plain(cause, HypothesisStanding::NotDecided, says::without_control(arms, cause)),
        })
        .collect();
    found.push(generator(arms, measured, point));
    found.push(order(plan, measured));
    found
}

/// Whatever the plan has that was measured at this number of clients.
fn controls(arms: &Arms<'_>, measured: &Measured<'_>, point: &ColocationPoint) -> Vec<Control> {
    let (pair, n) = (&arms.pair, point.threads);
    let all = n * pair.instances;
    let Some(s) = measured.s(pair, n) else { return Vec::new() };
    let alone = measured.blocks(pair.alone, n);
    let shared = || {
        let (together, one) = (measured.blocks(pair.together, all)?, measured.blocks(pair.alone, all)?);
        let own = together.over(&one)?;
        let grows = one.over(alone.as_ref()?)?;
        let evidence = says::shared_limit(all, &own.measure()?, n, &grows.measure()?);
        Some(Control { cause: SuspectedCause::SharedLimit, ratio: own.over(&s)?, s: own, evidence })
    };
    let memory = || {
        let less = measured.blocks(arms.less_memory?, all)?;
        let own = less.over(&alone.as_ref()?.times(f64::from(pair.instances)))?;
        let ratio = own.over(&s)?;
        let evidence = says::control(arms.less_memory?, &own.measure()?, &ratio.measure()?);
        Some(Control { cause: SuspectedCause::Memory, s: own, ratio, evidence })
    };
    let of_pair = |cause: SuspectedCause| {
        let control = arms.control(cause)?;
        let own = measured.s(control, n)?;
        let ratio = own.over(&s)?;
        let evidence = says::control(control.together, &own.measure()?, &ratio.measure()?);
        Some(Control { cause, s: own, ratio, evidence })
    };
    let of_pairs = [SuspectedCause::Cpus, SuspectedCause::ReadViews, SuspectedCause::Commit];
    [shared(), memory()].into_iter().chain(of_pairs.map(of_pair)).flatten().collect()
}

fn decided(point: &ColocationPoint, control: &Control, p_adjusted: Option<f64>) -> Hypothesis {
    let ratio = control.ratio.measure();
    let standing = match &ratio {
        Some(ratio) if point.standing.differs() => standing(point.s.mean, ratio, p_adjusted),
        _ => HypothesisStanding::NotDecided,
    };
    Hypothesis {
        s: control.s.measure(),
        ratio,
        p_adjusted,
        ..plain(control.cause, standing, control.evidence.clone())
    }
}

/// The standing of a hypothesis whose control has this ratio to S.
fn standing(s: f64, ratio: &Measure, p_adjusted: Option<f64>) -> HypothesisStanding {
    let Some((low, high)) = ratio.low.zip(ratio.high) else { return HypothesisStanding::NotDecided };
    // By how much of its logarithm S comes nearer to 1: in the mean, and at most.
    let (nearer, most) = match s > 1.0 {
        true => (-ratio.mean.ln(), -low.ln()),
        false => (ratio.mean.ln(), high.ln()),
    };
    if nearer > 0.0 && p_adjusted.is_some_and(|p| p <= FALSE_ALARMS) {
        HypothesisStanding::Supported
    } else if most < s.ln().abs() / 2.0 {
        HypothesisStanding::Excluded
    } else {
        HypothesisStanding::NotDecided
    }
}

/// One generator loads all instances, alone and together: it is the limit if a worker of it was.
fn generator(arms: &Arms<'_>, measured: &Measured<'_>, point: &ColocationPoint) -> Hypothesis {
    let pair = &arms.pair;
    let cells = [(pair.alone, point.threads), (pair.together, point.threads * pair.instances)];
    let used = cells.map(|(target, n)| Some(measured.cell(target, n)?.generator?.busiest_worker));
    let busiest = used.into_iter().collect::<Option<Vec<f64>>>();
    let busiest = busiest.and_then(|all| all.into_iter().reduce(f64::max));
    let (standing, evidence) = match busiest {
        Some(share) if share > WORKER_BUSY_MAX => (HypothesisStanding::Supported, says::busiest(share)),
        Some(share) => (HypothesisStanding::Excluded, says::busiest(share)),
        None => (HypothesisStanding::NotDecided, message!("colocation-generator-unknown")),
    };
    plain(SuspectedCause::Generator, standing, evidence)
}

/// Blocks are interleaved; the drift check shows whether that was needed.
fn order(plan: &Plan, measured: &Measured<'_>) -> Hypothesis {
    let drifted = measured.cells.iter().flat_map(|cell| &cell.caveats).find(|caveat| caveat.id == DRIFT);
    let checked = plan.trials.iter().any(|planned| planned.why == Why::DriftCheck);
    let blocks = plan.spec.repeats;
    let (standing, word) = match drifted {
        Some(_) => (HypothesisStanding::NotDecided, "drifted"),
        None if checked && blocks > 1 => (HypothesisStanding::Excluded, "level"),
        None => (HypothesisStanding::NotDecided, "unchecked"),
    };
    plain(
        SuspectedCause::Order,
        standing,
        message!("colocation-order", blocks = Count(blocks), drift = Word(word)),
    )
}

fn plain(cause: SuspectedCause, standing: HypothesisStanding, evidence: Words) -> Hypothesis {
    Hypothesis {
        cause,
        name: message!("colocation-cause", cause = Word(cause.word())),
        claim: message!("colocation-claim", cause = Word(cause.word())),
        standing,
        s: None,
        ratio: None,
        p_adjusted: None,
        evidence,
    }
}
