//! Cells: the runs of one target, workload and number of clients, brought together.

use std::collections::BTreeMap;

use model::{ErrorCount, Failure, Interval, LatencySummary, OperationKind, Outcome, TrialResult};

use super::input::TrialInput;
use super::latency::{self, significant};
use super::{estimate, trust};
use crate::view::{Cell, CellStatus, ErrorRow, Generator, Series, Totals, Trial, TrialOutcome};

/// A run of a cell, and the recording it comes from.
pub struct CellTrial<'a> {
    /// Position of the recording in the view.
    pub run: usize,
    /// The trial.
    pub trial: &'a TrialInput,
}

/// Where a cell belongs.
pub struct Place {
    /// Name for addresses.
    pub id: String,
    /// Position of its target.
    pub target: usize,
    /// Position of its workload.
    pub workload: usize,
    /// Clients.
    pub threads: u32,
}

/// A cell from all its runs.
pub fn cell(place: Place, trials: &[CellTrial]) -> Cell {
    let completed: Vec<&TrialInput> =
        trials.iter().map(|t| t.trial).filter(|t| result_if_completed(t).is_some()).collect();
    let results: Vec<&TrialResult> = completed.iter().filter_map(|t| t.result.as_ref()).collect();
    let failure = trials.iter().find_map(|t| failure_of(t.trial));
    let over_runs = |figure: &dyn Fn(&TrialResult) -> Option<f64>| {
        estimate::over_runs(&results.iter().filter_map(|r| figure(r)).collect::<Vec<f64>>())
    };
    let response = |pick: fn(&LatencySummary) -> u64| {
        over_runs(&|r| transaction(r).filter(|s| s.count > 0).map(|s| pick(s) as f64 / 1e6))
    };
    let operations = latency::operations(&completed);
    let measured_s: f64 = results.iter().map(|r| r.measured_s).sum();
    let mut cell = Cell {
        id: place.id,
        target: place.target,
        workload: place.workload,
        threads: place.threads,
        status: status(trials, completed.len(), failure.is_some()),
        runs_completed: completed.len() as u32,
        runs_planned: trials.len() as u32,
        throughput_per_s: over_runs(&|r| per_second(r.transactions, r.measured_s)),
        queries_per_s: over_runs(&|r| per_second(r.queries.total(), r.measured_s)),
        response_p50_ms: response(|s| s.p50_ns),
        response_p95_ms: response(|s| s.p95_ns),
        response_p99_ms: response(|s| s.p99_ns),
        totals: totals(&results, &operations),
        distribution: operations.first().and_then(|o| latency::distribution(&completed, &o.name)),
        operations,
        errors: errors(trials.iter().filter_map(|t| t.trial.result.as_ref()), measured_s),
        generator: generator(&results),
        failure,
        caveats: Vec::new(),
        trials: trials.iter().map(trial).collect(),
    };
    cell.caveats = trust::cell_caveats(&cell);
    cell
}

fn result_if_completed(trial: &TrialInput) -> Option<&TrialResult> {
    trial.result.as_ref().filter(|r| r.outcome.is_completed())
}

fn failure_of(trial: &TrialInput) -> Option<Failure> {
    match &trial.result.as_ref()?.outcome {
        Outcome::Failed(failure) => Some(failure.clone()),
        Outcome::Completed | Outcome::Interrupted => None,
    }
}

fn status(trials: &[CellTrial], completed: usize, any_failed: bool) -> CellStatus {
    if completed == trials.len() && completed > 0 {
        CellStatus::Completed
    } else if completed > 0 {
        CellStatus::Partial
    } else if any_failed {
        CellStatus::Failed
    } else {
        CellStatus::Missing
    }
}

fn per_second(count: u64, seconds: f64) -> Option<f64> {
    (seconds > 0.0).then(|| count as f64 / seconds)
}

/// Response time of the transaction as a whole.
fn transaction(result: &TrialResult) -> Option<&LatencySummary> {
    result.operations.iter().find(|o| o.kind == OperationKind::Transaction).map(|o| &o.response)
}

fn totals(results: &[&TrialResult], operations: &[crate::view::Operation]) -> Option<Totals> {
    let response = operations.first()?.response?;
    Some(Totals {
        transactions: results.iter().map(|r| r.transactions).sum(),
        queries: results.iter().map(|r| r.queries.total()).sum(),
        time_s: significant(results.iter().map(|r| r.measured_s).sum(), 8),
        response_avg_ms: response.avg_ms,
        response_p95_ms: response.p95_ms,
        reconnects: results.iter().map(|r| r.reconnects).sum(),
    })
}

fn errors<'a>(results: impl Iterator<Item = &'a TrialResult>, measured_s: f64) -> Vec<ErrorRow> {
    let mut sum: BTreeMap<(u16, String, bool), ErrorCount> = BTreeMap::new();
    for error in results.flat_map(|r| &r.errors) {
        let key = (error.code, error.statement.clone(), error.forgiven);
        sum.entry(key).and_modify(|e| e.count += error.count).or_insert_with(|| error.clone());
    }
    let row = |e: ErrorCount| ErrorRow {
        per_s: per_second(e.count, measured_s).map(|rate| significant(rate, 4)),
        code: e.code,
        state: e.state,
        message: e.message,
        statement: e.statement,
        count: e.count,
        forgiven: e.forgiven,
    };
    sum.into_values().map(row).collect()
}

fn generator(results: &[&TrialResult]) -> Option<Generator> {
    if results.is_empty() {
        return None;
    }
    let uses = || results.iter().map(|r| r.generator);
    let user_s: f64 = uses().map(|g| g.user_s).sum();
    let cpu_s: f64 = uses().map(|g| g.user_s + g.system_s).sum();
    let queries: u64 = results.iter().map(|r| r.queries.total()).sum();
    Some(Generator {
        cpu_us_per_query: (queries > 0).then(|| significant(cpu_s * 1e6 / queries as f64, 4)),
        user_share: (cpu_s > 0.0).then(|| significant(user_s / cpu_s, 3)),
        host_share: significant(uses().map(|g| g.host_share).fold(0.0, f64::max), 4),
        busiest_worker: significant(uses().map(|g| g.busiest_worker).fold(0.0, f64::max), 4),
        workers: uses().map(|g| g.workers).max().unwrap_or(0),
        run_queue_wait_s: significant(uses().map(|g| g.run_queue_wait_s).sum(), 4),
        memory_peak_bytes: uses().map(|g| g.memory_peak_bytes).max().unwrap_or(0),
    })
}

/// One run, with its seconds and its histogram.
fn trial(cell_trial: &CellTrial) -> Trial {
    let input = cell_trial.trial;
    let result = input.result.as_ref();
    let outcome = result.map(|r| match r.outcome {
        Outcome::Completed => TrialOutcome::Completed,
        Outcome::Failed(_) => TrialOutcome::Failed,
        Outcome::Interrupted => TrialOutcome::Interrupted,
    });
    let histogram = result
        .and_then(|r| r.operations.first())
        .and_then(|o| input.histograms(&o.name)?.response.as_ref())
        .map(latency::sysbench_buckets)
        .unwrap_or_default();
    Trial {
        run: cell_trial.run,
        index: input.planned.index,
        repeat: input.planned.cell.repeat,
        outcome,
        failure: failure_of(input),
        started_at: result.map(|r| r.started_at.clone()),
        connect_s: result.map_or(0.0, |r| significant(r.connect_s, 6)),
        warmup_s: result.map_or(0.0, |r| r.warmup_s),
        measured_s: result.map_or(0.0, |r| r.measured_s),
        transactions: result.map_or(0, |r| r.transactions),
        queries: result.map(|r| r.queries).unwrap_or_default(),
        errors_forgiven: result.map_or(0, |r| r.errors.iter().filter(|e| e.forgiven).map(|e| e.count).sum()),
        reconnects: result.map_or(0, |r| r.reconnects),
        response: result.and_then(transaction).filter(|s| s.count > 0).map(latency::from_summary),
        fairness: result.map(|r| r.fairness).unwrap_or_default(),
        data_restored: result.is_some_and(|r| r.data_restored),
        series: series(&input.intervals),
        histogram,
    }
}

fn series(intervals: &[Interval]) -> Series {
    let rate = |count: u64, i: &Interval| significant(per_second(count, i.length_s).unwrap_or(0.0), 4);
    Series {
        end_s: intervals.iter().map(|i| significant(i.end_s, 6)).collect(),
        throughput_per_s: intervals.iter().map(|i| rate(i.transactions, i)).collect(),
        response_p95_ms: intervals
            .iter()
            .map(|i| (i.response.count > 0).then(|| significant(i.response.p95_ns as f64 / 1e6, 4)))
            .collect(),
        errors_per_s: intervals.iter().map(|i| rate(i.errors.values().sum(), i)).collect(),
        warmup_intervals: intervals.iter().take_while(|i| i.warmup).count(),
    }
}
