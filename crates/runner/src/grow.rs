//! The next trials, given the results: for plans that are not complete at the beginning.
//!
//! Pure: the same plan and results give the same trials, so that a run that was killed goes on as it would have.

use std::collections::BTreeSet;

use analysis::{CellSummary, Comparison, Metric, Severity, Verdict};
use messages::{Words, message};
use model::{Plan, PlannedTrial, TrialResult, Watched, Why};

use crate::block::{block, closing};
use crate::growth::PlanGrowth;
use crate::{bisect, search};

/// The trials added to a plan whose trials have all been run; none if no question is left. `spent_s` is the time used so
/// far, seconds.
pub fn grow(plan: &Plan, results: &[TrialResult], spent_s: f64) -> Option<PlanGrowth> {
    if !plan.spec.design.grows() || plan.trials.iter().any(|trial| !trial.why.counts()) {
        return None;
    }
    if plan.spec.design.capacity.is_some() {
        return search::next(plan, results, spent_s);
    }
    if plan.spec.design.bisect.is_some() {
        return bisect::next(plan, results, spent_s);
    }
    let cells = summaries(plan, results);
    repeat(plan, &cells, spent_s).or_else(|| refine(plan, &cells)).or_else(|| last(plan))
}

/// What ends a plan that no longer grows.
fn last(plan: &Plan) -> Option<PlanGrowth> {
    let trials = closing(plan);
    let text = match trials.first()?.why {
        Why::DriftCheck => message!("drift-check-trial").en,
        _ => message!("profiled-trials").en,
    };
    Some(PlanGrowth { trials, text, ..PlanGrowth::default() })
}

fn summaries(plan: &Plan, results: &[TrialResult]) -> Vec<CellSummary> {
    let watched = Watched::default();
    let input = |result| analysis::TrialInput {
        result,
        histograms: &[],
        intervals: &[],
        watched: &watched,
        others: &[],
        damaged: &[],
    };
    analysis::summarise(plan, &results.iter().map(input).collect::<Vec<_>>())
}

/// The metric that decides: the throughput of an open loop that keeps up is the offered rate.
fn metric(plan: &Plan) -> &'static Metric {
    if plan.spec.loads().iter().any(|load| load.rate.is_some()) {
        &analysis::metric::RESPONSE_P95
    } else {
        &analysis::metric::THROUGHPUT
    }
}

/// Whether more trials may decide the comparison. Invalid trials can be replaced; a cell that is not valid as a whole cannot.
fn is_undecided_by_now(found: &Comparison, cells: &[CellSummary]) -> bool {
    let is_side = |cell: &CellSummary| {
        (cell.target == found.base || cell.target == found.other)
            && (&cell.workload, cell.threads) == (&found.workload, found.threads)
    };
    let is_beyond_repair = |cell: &CellSummary| {
        cell.caveats.iter().any(|caveat| caveat.severity == Severity::Invalid && caveat.trials.is_none())
    };
    match found.verdict {
        Verdict::Inconclusive | Verdict::SingleRun => true,
        Verdict::Withheld => !cells.iter().any(|cell| is_side(cell) && is_beyond_repair(cell)),
        Verdict::Better | Verdict::Worse | Verdict::Same => false,
    }
}

/// One more block of all cells with an inconclusive comparison.
fn repeat(plan: &Plan, cells: &[CellSummary], spent_s: f64) -> Option<PlanGrowth> {
    let rule = plan.spec.design.until_sure.as_ref()?;
    let blocks = plan.blocks();
    if blocks >= rule.blocks_max || rule.budget_s.is_some_and(|budget| spent_s >= budget) {
        return None;
    }
    let base = &plan.spec.targets.first()?.target.label;
    let undecided: BTreeSet<(&str, &str, u32)> = plan.spec.targets[1..]
        .iter()
        .flat_map(|other| analysis::compare(cells, metric(plan), base, &other.target.label))
        .filter(|found| is_undecided_by_now(found, cells))
        .flat_map(|found| {
            let label =
                |name: &str| plan.spec.workloads.iter().map(|w| w.label()).find(|known| *known == name);
            let target = |name: &str| {
                plan.spec.targets.iter().map(|one| one.target.label.as_str()).find(|known| *known == name)
            };
            let (workload, threads) = (label(&found.workload), found.threads);
            // The base takes part in every comparison.
            [target(&found.base), target(&found.other)]
                .into_iter()
                .filter_map(move |target| Some((target?, workload?, threads)))
        })
        .collect();
    let is_undecided = |trial: &PlannedTrial| {
        let cell = &trial.cell;
        undecided.contains(&(cell.target.as_str(), cell.workload.as_str(), cell.threads))
    };
    let mut trials = block(plan, &asked_for(plan), blocks + 1, Why::Undecided);
    trials.retain(is_undecided);
    number(plan, &mut trials);
    let count = trials.len();
    (!trials.is_empty()).then(|| PlanGrowth {
        trials,
        text: message!(
            "next-block",
            block = Count(blocks + 1),
            blocks = Count(rule.blocks_max),
            cells = Count(count as u64)
        )
        .en,
        ..PlanGrowth::default()
    })
}

fn asked_for(plan: &Plan) -> Vec<u32> {
    let asked = plan.trials.iter().filter(|trial| trial.why == Why::AskedFor);
    asked.map(|trial| trial.cell.threads).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Maximum number of client counts that are added.
const ADDED: usize = 12;
/// Ratio of two neighbouring numbers of clients below which nothing between them is measured.
const CLOSE: f64 = 1.12;

/// More numbers of clients where a curve breaks, or where two cross.
fn refine(plan: &Plan, cells: &[CellSummary]) -> Option<PlanGrowth> {
    if !plan.spec.design.refine {
        return None;
    }
    let known: BTreeSet<u32> = plan.trials.iter().map(|trial| trial.cell.threads).collect();
    let cliffs = analysis::curves(cells).into_iter().filter_map(|curve| {
        let cliff = curve.cliff?;
        let (below, above) = (cliff.below, cliff.above);
        let why = message!(
            "refined-collapse",
            target = Text(curve.target),
            below = Count(below),
            above = Count(above)
        );
        Some((below, above, why))
    });
    let crossings = analysis::overtakings(cells).into_iter().map(|one| {
        let (below, above) = (one.below, one.above);
        let why = message!(
            "refined-crossover",
            after = Text(one.after),
            before = Text(one.before),
            below = Count(below),
            above = Count(above)
        );
        (below, above, why)
    });
    let places: Vec<(u32, u32, Words)> = cliffs
        .chain(crossings)
        .filter(|(below, above, _)| f64::from(*above) > CLOSE * f64::from(*below))
        .collect();
    let between: BTreeSet<u32> = places
        .iter()
        .flat_map(|(below, above, _)| stats::between(f64::from(*below), f64::from(*above)))
        .map(|n| n as u32)
        .filter(|n| !known.contains(n))
        .collect();
    let added = plan.trials.iter().filter(|trial| trial.why == Why::Refined).map(|t| t.cell.threads);
    let room = ADDED.saturating_sub(added.collect::<BTreeSet<_>>().len());
    let threads: Vec<u32> = between.into_iter().take(room).collect();
    if threads.is_empty() {
        return None;
    }
    let repeats = plan
        .trials
        .iter()
        .filter(|trial| trial.why == Why::AskedFor)
        .map(|trial| trial.cell.repeat)
        .max()
        .unwrap_or(1);
    let mut trials: Vec<PlannedTrial> =
        (1..=repeats).flat_map(|repeat| block(plan, &threads, repeat, Why::Refined)).collect();
    number(plan, &mut trials);
    let at: Vec<String> = threads.iter().map(ToString::to_string).collect();
    let mut why: Vec<Words> = places.into_iter().map(|(_, _, why)| why).collect();
    why.sort_by(|one, other| one.en.cmp(&other.en));
    why.dedup();
    let text = message!("refined", why = Clauses(why), clients = List(at)).en;
    (!trials.is_empty()).then(|| PlanGrowth { trials, text, ..PlanGrowth::default() })
}

/// Numbers them after the trials of the plan.
fn number(plan: &Plan, trials: &mut [PlannedTrial]) {
    for (at, trial) in trials.iter_mut().enumerate() {
        trial.index = (plan.trials.len() + at) as u32;
    }
}
