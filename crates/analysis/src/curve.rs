//! Properties of a curve over concurrency: its scaling, the number of clients beyond which it does not grow, its collapse,
//! and crossovers between targets.

use messages::message;
use serde::{Deserialize, Serialize};
use stats::{Ahead, CrossoverLevel, Resampling};

use crate::compare::MARGIN;
use crate::input::Measure;
use crate::metric::THROUGHPUT;
use crate::summary::CellSummary;
use crate::{CONFIDENCE, Words};

/// The throughput of one target with one workload over the number of clients.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Label of the target.
    pub target: String,
    /// Label of the workload.
    pub workload: String,
    /// The Universal Scalability Law, if it describes the curve.
    pub law: Option<Law>,
    /// Where it breaks, if it does.
    pub cliff: Option<Break>,
    /// What there is to say, a sentence each.
    pub says: Vec<Words>,
}

/// X(N) = lambda N / (1 + alpha (N - 1) + beta N (N - 1)), with 95 % intervals where there are any.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Law {
    /// Throughput of one client.
    pub lambda: Measure,
    /// Share of the work that waits for others.
    pub alpha: Measure,
    /// Cost of keeping in step.
    pub beta: Measure,
    /// How far the points are from the law, root mean square of the relative distance.
    pub rms: f64,
    /// Number of clients at which perfect scaling would reach the highest throughput.
    pub knee: Option<f64>,
    /// Number of clients with the highest throughput.
    pub peak: Option<f64>,
}

/// A fall between two neighbouring numbers of clients that neither the law nor the noise explains.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Break {
    /// The last number of clients before it.
    pub below: u32,
    /// The first after it.
    pub above: u32,
    /// Share of the throughput that is lost.
    pub drop: f64,
    /// Numbers of clients between, at which to measure next.
    pub refine: Vec<u32>,
}

/// Where one target overtakes another.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CurveCrossover {
    /// Label of the workload.
    pub workload: String,
    /// Who is ahead before.
    pub before: String,
    /// Who is ahead after.
    pub after: String,
    /// The last number of clients at which the one is clearly ahead.
    pub below: u32,
    /// The first at which the other is.
    pub above: u32,
    /// Where both are equal, with its 95 % interval; none where the runs do not determine it.
    pub at: Option<Measure>,
    /// In words.
    pub says: Words,
}

/// Fixed seed: the same recording gives the same intervals.
const HOW: Resampling = Resampling { resamples: 1_000, confidence: CONFIDENCE, seed: 20_240_229 };

/// Every curve with at least two numbers of clients. Open loops have none: their throughput is the offered rate.
pub fn curves(cells: &[CellSummary]) -> Vec<Curve> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.open_loop.is_none()) {
        let key = (cell.target.as_str(), cell.workload.as_str());
        if !found.contains(&key) {
            found.push(key);
        }
    }
    found.into_iter().filter_map(|(target, workload)| curve(cells, target, workload)).collect()
}

/// (clients, throughput of each trial), by clients. Cells that are not valid are no points of a curve.
fn runs(cells: &[CellSummary], target: &str, workload: &str) -> Vec<(f64, Vec<f64>)> {
    let own =
        cells.iter().filter(|cell| cell.target == target && cell.workload == workload && cell.is_valid());
    let mut runs: Vec<(f64, Vec<f64>)> = own
        .map(|cell| (f64::from(cell.threads), cell.values(&THROUGHPUT).map(|(_, v)| v).collect::<Vec<f64>>()))
        .filter(|(_, values)| values.iter().any(|v| *v > 0.0))
        .collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    runs
}

fn curve(cells: &[CellSummary], target: &str, workload: &str) -> Option<Curve> {
    let runs = runs(cells, target, workload);
    let points: Vec<(f64, f64)> =
        runs.iter().flat_map(|(n, values)| values.iter().map(|v| (*n, *v))).collect();
    if runs.len() < 2 {
        return None;
    }
    let cliff = stats::cliff(&points, noise(&runs)).map(|cliff| Break {
        below: cliff.below as u32,
        above: cliff.above as u32,
        drop: cliff.drop,
        refine: cliff.refine.iter().map(|n| *n as u32).collect(),
    });
    // A law that bends does not describe a curve that breaks.
    let law = if cliff.is_none() { law(&points) } else { None };
    let mut curve =
        Curve { target: target.to_owned(), workload: workload.to_owned(), law, cliff, says: Vec::new() };
    curve.says = says(&curve, runs.last().map_or(0.0, |(n, _)| *n));
    Some(curve)
}

/// Standard deviation of the logarithm of one run, from repeats; 0 where there are none.
fn noise(runs: &[(f64, Vec<f64>)]) -> f64 {
    let spreads: Vec<f64> = runs
        .iter()
        .filter_map(|(_, values)| stats::sd(&values.iter().map(|v| v.ln()).collect::<Vec<_>>()))
        .map(|sd| sd * sd)
        .collect();
    stats::mean(&spreads).unwrap_or(0.0).sqrt()
}

fn law(points: &[(f64, f64)]) -> Option<Law> {
    let fitted = stats::usl(points).filter(stats::Usl::fits)?;
    let intervals = stats::usl_intervals(points, &HOW);
    let n = points.len() as u32;
    let measure = |mean: f64, of: fn(&stats::UslIntervals) -> stats::Estimate| {
        let interval = intervals.as_ref().map(of).filter(|i| i.low.is_finite() && i.high.is_finite());
        Measure { mean, low: interval.map(|i| i.low), high: interval.map(|i| i.high), n }
    };
    Some(Law {
        lambda: measure(fitted.lambda, |i| i.lambda),
        alpha: measure(fitted.alpha, |i| i.alpha),
        beta: measure(fitted.beta, |i| i.beta),
        rms: fitted.rms,
        knee: fitted.knee(),
        peak: fitted.peak(),
    })
}

fn says(curve: &Curve, most: f64) -> Vec<Words> {
    let target = &curve.target;
    let mut says = Vec::new();
    // With more than all of the work waiting, each client more costs throughput: the parameters mean nothing by themselves.
    if let Some(law) = curve.law.as_ref().filter(|law| law.alpha.mean <= 1.0) {
        says.push(message!(
            "scalability-law",
            target = Text(target),
            rms = Percent(law.rms),
            lambda = Figure(law.lambda.mean),
            serialised = Percent(law.alpha.mean),
        ));
        if let Some(knee) = law.knee.filter(|knee| *knee < most) {
            says.push(message!("queue-beyond", knee = Count(knee.round().max(1.0) as u64)));
        }
    }
    if let Some(cliff) = &curve.cliff {
        let next = cliff.refine.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        says.push(message!(
            "collapse",
            target = Text(target),
            below = Count(cliff.below),
            above = Count(cliff.above),
            drop = Percent(cliff.drop),
            next = Text?((!next.is_empty()).then_some(next)),
        ));
    }
    says
}

/// The crossovers of every pair of targets.
pub fn overtakings(cells: &[CellSummary]) -> Vec<CurveCrossover> {
    let curves = curves(cells);
    let mut found = Vec::new();
    for (at, a) in curves.iter().enumerate() {
        for b in curves[at + 1..].iter().filter(|b| b.workload == a.workload) {
            found.extend(between(cells, a, b));
        }
    }
    found
}

fn between(cells: &[CellSummary], a: &Curve, b: &Curve) -> Vec<CurveCrossover> {
    let (of_a, of_b) = (runs(cells, &a.target, &a.workload), runs(cells, &b.target, &b.workload));
    let levels: Vec<CrossoverLevel<'_>> = of_a
        .iter()
        .filter_map(|(n, a)| {
            Some(CrossoverLevel { n: *n, a, b: &of_b.iter().find(|(other, _)| other == n)?.1 })
        })
        .collect();
    let single = levels.iter().all(|level| level.a.len() < 2 && level.b.len() < 2);
    let found = stats::crossovers(&levels, MARGIN, &HOW).unwrap_or_default();
    found
        .into_iter()
        .map(|one| {
            let (before, after) = match one.ahead {
                Ahead::A => (&b.target, &a.target),
                Ahead::B => (&a.target, &b.target),
            };
            let at = one.at.map(|e| Measure {
                mean: e.value,
                low: Some(e.low),
                high: Some(e.high),
                n: levels.len() as u32,
            });
            let (below, above) = (one.below as u32, one.above as u32);
            let shown =
                |end: fn(&Measure) -> Option<f64>| at.map(|at| end(&at).unwrap_or(at.mean).round() as u64);
            // Without repeats nobody knows how much they scatter; with them the place may still be anywhere.
            let sure = match (single, at) {
                (true, _) => "single",
                (false, None) => "scattered",
                (false, Some(_)) => "sure",
            };
            CurveCrossover {
                workload: a.workload.clone(),
                says: message!(
                    "crossover",
                    below = Count(below),
                    above = Count(above),
                    at = Count?(shown(|at| Some(at.mean))),
                    low = Count?(shown(|at| at.low)),
                    high = Count?(shown(|at| at.high)),
                    after = Text(after),
                    before = Text(before),
                    sure = Word(sure),
                ),
                before: before.clone(),
                after: after.clone(),
                below,
                above,
                at,
            }
        })
        .collect()
}
