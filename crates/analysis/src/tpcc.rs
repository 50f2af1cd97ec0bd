//! Requirements of the TPC-C standard on a result: the table by type of transaction, tpmC, the mix, the response-time
//! limits, and the caveats for comparisons.

mod figures;

use messages::message;
use model::{
    Condition, Plan, PlannedTrial, StockLevelForm, TpccDeck, TpccHome, TpccOptions, TpccResult,
    TpccTransaction, TrialResult, Unchecked, WorkloadSpec,
};

pub use figures::{CheckMissing, Consistent, Percentiles, TpccSummary, TypeSummary};

use crate::Words;
use crate::cell::CellSummary;
use crate::input::{Measure, TrialInput};
use crate::metric;

/// The options of the workload that a cell ran, if it is TPC-C.
pub(crate) fn options<'a>(plan: &'a Plan, planned: &[&PlannedTrial]) -> Option<&'a TpccOptions> {
    let WorkloadSpec::Tpcc(options) = plan.spec.workloads.get(planned.first()?.workload as usize)? else {
        return None;
    };
    Some(options)
}

/// The summary of a cell; none for another workload or without a valid completed trial. Consistency of the database is
/// checked over all trials: damage counts whatever else disturbed the trial.
pub(crate) fn summarise(
    options: &TpccOptions,
    cell: &CellSummary,
    completed: &[&TrialInput<'_>],
    all: &[&TrialInput<'_>],
) -> Option<TpccSummary> {
    let results: Vec<(&TrialResult, &TpccResult)> = completed.iter().filter_map(|t| of_tpcc(t)).collect();
    let every: Vec<(&TrialResult, &TpccResult)> = all.iter().filter_map(|t| of_tpcc(t)).collect();
    if results.is_empty() {
        return None;
    }
    let per_minute = |measure: Measure| Measure {
        mean: measure.mean * 60.0,
        low: measure.low.map(|low| low * 60.0),
        high: measure.high.map(|high| high * 60.0),
        n: measure.n,
    };
    Some(TpccSummary {
        tpmc: cell.measure(&metric::TPMC),
        tpm_total: cell.throughput_per_s.map(per_minute),
        types: types(cell, &results),
        warehouses_touched: results.iter().map(|(_, tpcc)| tpcc.warehouses_touched).min().unwrap_or(0),
        warehouses: options.data.warehouses,
        consistency: consistent(&every),
        check_missing: check_missing(&results),
        deviations: deviations(options),
    })
}

fn of_tpcc<'a>(trial: &TrialInput<'a>) -> Option<(&'a TrialResult, &'a TpccResult)> {
    let result = trial.result;
    Some((result, result.measured.tpcc.as_ref().filter(|_| result.outcome.is_completed())?))
}

fn types(cell: &CellSummary, results: &[(&TrialResult, &TpccResult)]) -> Vec<TypeSummary> {
    let minutes: f64 = results.iter().map(|(result, _)| result.measured.measured_s).sum::<f64>() / 60.0;
    let operation = |name: &str| cell.operations.iter().find(|o| o.name == name);
    let counts = TpccTransaction::ALL.iter().filter_map(|kind| operation(kind.name()));
    let all: u64 = counts.map(|operation| operation.response.count).sum();
    let row = |(index, kind): (usize, TpccTransaction)| {
        let operation = operation(kind.name()).filter(|operation| operation.response.count > 0)?;
        let latency = &operation.response;
        let errors = cell.errors.iter().filter(|e| e.transaction == kind.name()).map(|e| e.count).sum();
        let rollbacks = results.iter().map(|(_, tpcc)| tpcc.rollbacks).sum();
        Some(TypeSummary {
            name: kind.name().to_owned(),
            title: kind.title().to_owned(),
            count: latency.count,
            per_minute: latency.count as f64 / minutes,
            mix_pct: latency.count as f64 / all as f64 * 100.0,
            mix_least_pct: kind.least_percent(),
            response: Percentiles::of(latency),
            service: Percentiles::of(&operation.service),
            limit_s: kind.limit_s(),
            limit_kept: latency.p90_ns as f64 <= kind.limit_s() * 1e9,
            retries: results.iter().map(|(_, tpcc)| tpcc.retries[index]).sum(),
            rollbacks: if kind == TpccTransaction::NewOrder { rollbacks } else { 0 },
            errors,
        })
    };
    TpccTransaction::ALL.into_iter().enumerate().filter_map(row).collect()
}

fn consistent(results: &[(&TrialResult, &TpccResult)]) -> Option<Consistent> {
    let checks: Vec<_> = results.iter().filter_map(|(_, tpcc)| tpcc.consistency.as_ref()).collect();
    let first = checks.first()?;
    let mut violated = Vec::new();
    let mut holding = first.conditions.len() as u32;
    for condition in first.conditions.iter().chain(&first.additional) {
        let same = |c: &&Condition| c.number == condition.number;
        let Some(broken) = checks.iter().find_map(|check| check.violated().find(same)) else { continue };
        violated.push(message!(
            "condition-violated",
            condition = Text(broken.name()),
            says = Text(broken.says.clone()),
            keys = Count(broken.violations),
            example = Text?(broken.examples.first().cloned()),
        ));
        holding -= u32::from(first.conditions.contains(condition));
    }
    Some(Consistent { holding, checked: first.conditions.len() as u32, violated })
}

fn check_missing(results: &[(&TrialResult, &TpccResult)]) -> Option<CheckMissing> {
    let reasons = results.iter().filter_map(|(_, tpcc)| match &tpcc.unchecked {
        Some(Unchecked::Impossible { reason }) => Some(reason),
        Some(Unchecked::NotAskedFor) | None => None,
    });
    let first = reasons.clone().next()?.clone();
    Some(CheckMissing { runs: reasons.count() as u32, reason: first })
}

/// The deviations of a run with these options from the standard. The missing audit always comes first.
pub fn deviations(options: &TpccOptions) -> Vec<Words> {
    let mut found = vec![message!("tpcc-unaudited")];
    let think = options.think;
    if think == 0.0 {
        found.push(message!("tpcc-no-think-time"));
    } else if think != 1.0 {
        found.push(message!("tpcc-think-time", times = Figure(think)));
    }
    let d = options.deck;
    if d != TpccDeck::STANDARD {
        let cards =
            format!("{}/{}/{}/{}/{}", d.new_order, d.payment, d.order_status, d.delivery, d.stock_level);
        found.push(message!("tpcc-deck", cards = Text(cards)));
    }
    match options.home {
        TpccHome::Fixed => {}
        TpccHome::Random => found.push(message!("tpcc-home", home = Word("random"))),
        TpccHome::Skewed => found.push(message!("tpcc-home", home = Word("skewed"))),
    }
    for (percent, standard, of) in [
        (options.remote_lines_pct, 1, "remote_lines"),
        (options.remote_payments_pct, 15, "remote_payments"),
        (options.rollback_pct, 1, "rollback"),
    ] {
        if percent != standard {
            found.push(message!("tpcc-share", percent = Count(percent), of = Word(of)));
        }
    }
    if options.stock_level == StockLevelForm::Join {
        found.push(message!("tpcc-stock-level-join"));
    }
    // Clause 4.3.3.1 wants the time of loading, which would make two loads of a seed differ.
    found.push(message!("tpcc-dates"));
    found.push(message!("tpcc-statements", style = Text(options.style.name())));
    found
}
