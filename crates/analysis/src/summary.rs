//! Summarises the trials of a cell: means with intervals over trials, latencies merged over all of them.

use std::collections::{BTreeMap, BTreeSet};

use hdrhistogram::Histogram;
use model::{
    Arrivals, ErrorCount, GeneratorUse, LatencySummary, LoadShape, OperationKind, OperationSummary, Outcome,
    Plan, PlannedTrial, TlsUse, Traffic, TrialResult,
};
use stats::Counts;

use crate::breakdown;
use crate::caveat::{self, Caveat, Severity};
pub use crate::cell::{CellSummary, FailedRun, Network, RunFigures, SetAside};
use crate::costs;
use crate::drift::{Drift, drift};
use crate::input::{OperationHistograms, TrialInput};
use crate::machine;
use crate::metric::{self, Metric};
use crate::open_loop;
use crate::over_time::{self, RunOverTime};
use crate::plans;
use crate::sequence;
use crate::timeline::{self, Timeline};
use crate::tops;
use crate::tpcc;

/// A summary of every cell of the plan, also of those without a result, ordered by workload, target and clients in the
/// order of the plan.
pub fn summarise(plan: &Plan, trials: &[TrialInput<'_>]) -> Vec<CellSummary> {
    let position = |planned: &PlannedTrial| {
        plan.spec.targets.iter().position(|t| t.target.label == planned.cell.target).unwrap_or(usize::MAX)
    };
    let mut cells: BTreeMap<(u32, usize, u32), Vec<&PlannedTrial>> = BTreeMap::new();
    for planned in plan.trials.iter().filter(|planned| planned.why.counts()) {
        let key = (planned.workload, position(planned), planned.cell.threads);
        cells.entry(key).or_default().push(planned);
    }
    let by_index: BTreeMap<u32, &TrialInput<'_>> = trials.iter().map(|t| (t.result.index, t)).collect();
    let judged: Vec<Judged<'_>> =
        cells.into_values().map(|planned| Judged::of(plan, planned, &by_index)).collect();
    let aside: BTreeSet<u32> = judged.iter().flat_map(|cell| &cell.set_aside).map(|one| one.index).collect();
    // What concerns the whole run stands beside its first cell.
    let whole = drift(plan, trials.iter().filter(|t| !aside.contains(&t.result.index)));
    let first = plan.trials.first().map(|first| first.index);
    let of_cell = |judged: Judged<'_>| {
        let drift = whole.filter(|_| judged.planned.iter().any(|p| Some(p.index) == first));
        cell(plan, judged, drift)
    };
    judged.into_iter().map(of_cell).collect()
}

fn cell(plan: &Plan, judged: Judged<'_>, drift: Option<Drift>) -> CellSummary {
    let Judged { planned, own, counted, set_aside } = judged;
    let (planned, key) = (&planned[..], &planned[0].cell);
    let completed: Vec<&TrialInput<'_>> = counted.iter().map(|t| t.input).collect();
    let mut summary = CellSummary {
        target: key.target.clone(),
        workload: key.workload.clone(),
        threads: key.threads,
        planned: planned.len() as u32,
        runs: completed.iter().map(|t| run_figures(t.result)).collect(),
        set_aside,
        failures: own.iter().filter_map(|t| failed_run(t.result)).collect(),
        interrupted: own.iter().filter(|t| t.result.outcome == Outcome::Interrupted).count() as u32,
        throughput_per_s: None,
        queries_per_s: None,
        operations: operations(&completed),
        errors: errors(&completed),
        generator: generator(&completed),
        network: network(&completed),
        together: crate::together::together(&completed),
        simulated_network: crate::together::simulated_network(&completed),
        router: crate::router::router(&completed),
        crash: crate::crash::crashes(&key.target, &own),
        failover: crate::failover::failovers(&key.target, &own),
        events: crate::events::events(&key.target, &own),
        breakdown: breakdown::breakdown(&completed),
        costs: costs::costs(&completed),
        tops: tops::tops(&completed),
        machine: machine::machine_use(&completed),
        plans: plans::plans(&completed),
        tpcc: None,
        open_loop: open_loop::summarise(plan.spec.load_of(planned[0].workload), &completed),
        timelines: Vec::new(),
        rule: sequence::Rule::of(plan),
        over_time: over_time::of_cell(counted.iter().filter_map(|t| t.over_time.clone()).collect()),
        caveats: Vec::new(),
    };
    summary.throughput_per_s = summary.measure(&metric::THROUGHPUT);
    summary.queries_per_s = summary.measure(&metric::QUERIES);
    if let Some(options) = tpcc::options(plan, planned) {
        summary.tpcc = tpcc::summarise(options, &summary, &completed, &own);
    }
    let timelines = counted.iter().filter_map(|t| t.timeline.clone());
    summary.timelines = timelines.filter(|t| summary.tpcc.is_some() || t.sustained.is_some()).collect();
    let of_trials: Vec<(u32, &[Caveat])> =
        counted.iter().map(|t| (t.input.result.cell.repeat, &t.caveats[..])).collect();
    let context = caveat::Context { plan, planned, cell: &summary, completed: &completed, drift };
    summary.caveats = caveat::of_cell(&context, &of_trials);
    summary
}

/// The trials of a cell, each completed one judged by itself.
struct Judged<'a> {
    planned: Vec<&'a PlannedTrial>,
    /// All that have a result, by repeat.
    own: Vec<&'a TrialInput<'a>>,
    /// The completed ones that count: those without anything invalid, or all if there is none.
    counted: Vec<JudgedTrial<'a>>,
    set_aside: Vec<SetAside>,
}

/// A completed trial.
struct JudgedTrial<'a> {
    input: &'a TrialInput<'a>,
    timeline: Option<Timeline>,
    over_time: Option<RunOverTime>,
    caveats: Vec<Caveat>,
}

impl<'a> Judged<'a> {
    fn of(
        plan: &'a Plan,
        planned: Vec<&'a PlannedTrial>,
        trials: &BTreeMap<u32, &'a TrialInput<'a>>,
    ) -> Self {
        let mut own: Vec<&TrialInput<'_>> =
            planned.iter().filter_map(|planned| trials.get(&planned.index).copied()).collect();
        own.sort_by_key(|t| t.result.cell.repeat);
        let completed = own.iter().filter(|t| t.result.outcome.is_completed());
        let all: Vec<JudgedTrial<'_>> =
            completed.map(|input| JudgedTrial::of(plan, &planned, input)).collect();
        let (invalid, valid): (Vec<_>, Vec<_>) = all.into_iter().partition(JudgedTrial::is_invalid);
        let (counted, aside) = if valid.is_empty() { (invalid, valid) } else { (valid, invalid) };
        let set_aside = aside.into_iter().map(JudgedTrial::set_aside).collect();
        Self { planned, own, counted, set_aside }
    }
}

/// The context of a trial's rules: no histogram is pooled here.
fn alone(load: &LoadShape, input: &TrialInput<'_>, over_time: Option<&RunOverTime>) -> CellSummary {
    let (result, completed) = (input.result, [input]);
    CellSummary {
        target: result.cell.target.clone(),
        workload: result.cell.workload.clone(),
        threads: result.cell.threads,
        planned: 1,
        runs: vec![run_figures(result)],
        operations: result.measured.operations.clone(),
        errors: errors(&completed),
        generator: generator(&completed),
        open_loop: open_loop::summarise(load, &completed),
        over_time: over_time.and_then(|one| over_time::of_cell(vec![one.clone()])),
        ..CellSummary::default()
    }
}

/// The caveat that makes a completed trial invalid, if there is one.
pub(crate) fn invalid(plan: &Plan, planned: &PlannedTrial, input: &TrialInput<'_>) -> Option<Caveat> {
    let alone = alone(plan.spec.load_of(planned.workload), input, None);
    let context =
        caveat::Context { plan, planned: &[planned], cell: &alone, completed: &[input], drift: None };
    caveat::invalid(&context)
}

impl<'a> JudgedTrial<'a> {
    fn of(plan: &Plan, planned: &[&PlannedTrial], input: &'a TrialInput<'a>) -> Self {
        let load = plan.spec.load_of(planned[0].workload);
        // Arrivals at random vary by themselves.
        let is_even = |rate: &model::Rate| rate.is_steady() && rate.arrivals == Arrivals::Constant;
        let timeline = timeline::timeline(input, load.rate.as_ref().is_none_or(is_even));
        let over_time = over_time::of_trial(load, input, timeline.as_ref());
        let alone = alone(load, input, over_time.as_ref());
        let completed = [input];
        let context = caveat::Context { plan, planned, cell: &alone, completed: &completed, drift: None };
        Self { input, timeline, caveats: caveat::of_trial(&context), over_time }
    }

    fn is_invalid(&self) -> bool {
        self.caveats.iter().any(|caveat| caveat.severity == Severity::Invalid)
    }

    fn set_aside(self) -> SetAside {
        let reasons = self.caveats.into_iter().filter(|caveat| caveat.severity == Severity::Invalid);
        let result = self.input.result;
        SetAside { index: result.index, repeat: result.cell.repeat, reasons: reasons.collect() }
    }
}

fn run_figures(result: &TrialResult) -> RunFigures {
    let value = |m: &Metric| Some((m.id.to_owned(), (m.value)(result).filter(|v| v.is_finite())?));
    RunFigures {
        index: result.index,
        repeat: result.cell.repeat,
        values: metric::ALL.iter().filter_map(value).collect(),
    }
}

fn failed_run(result: &TrialResult) -> Option<FailedRun> {
    match &result.outcome {
        Outcome::Failed(failure) => {
            Some(FailedRun { index: result.index, repeat: result.cell.repeat, failure: failure.clone() })
        }
        _ => None,
    }
}

/// For a single trial its own summaries, which need no histogram; for several the merged histograms, or nothing.
fn operations(completed: &[&TrialInput<'_>]) -> Vec<OperationSummary> {
    match completed {
        [] => Vec::new(),
        [one] => one.result.measured.operations.clone(),
        several => {
            let names = several.iter().flat_map(|t| &t.result.measured.operations);
            let mut seen: Vec<(&str, OperationKind)> = Vec::new();
            for operation in names {
                if !seen.iter().any(|(name, _)| *name == operation.name) {
                    seen.push((&operation.name, operation.kind));
                }
            }
            // Older recordings have no histogram of connecting.
            let kept = |(name, kind): &(&str, OperationKind)| {
                *kind != OperationKind::Connect
                    || pooled(several, name, |o| o.service, |h| h.service.as_ref()).is_some()
            };
            seen.into_iter()
                .filter(kept)
                .map(|(name, kind)| {
                    Some(OperationSummary {
                        name: name.to_owned(),
                        kind,
                        response: pooled(several, name, |o| o.response, |h| h.response.as_ref())?,
                        service: pooled(several, name, |o| o.service, |h| h.service.as_ref())?,
                    })
                })
                .collect::<Option<Vec<_>>>()
                .unwrap_or_default()
        }
    }
}

/// The pooled histogram; none if a trial that counted this operation has lost its histogram: the remainder would pass for
/// the whole.
fn pooled(
    trials: &[&TrialInput<'_>],
    name: &str,
    summary: fn(&OperationSummary) -> LatencySummary,
    counts: fn(&OperationHistograms) -> Option<&Counts>,
) -> Option<LatencySummary> {
    let mut merged: Option<Histogram<u64>> = None;
    let mut parts = LatencySummary::default();
    for trial in trials {
        let Some(part) = trial.result.measured.operations.iter().find(|o| o.name == name).map(summary) else {
            continue;
        };
        if part.count == 0 {
            continue;
        }
        let own = trial.histograms.iter().find(|h| h.name == name).and_then(counts)?;
        parts.saturated += part.saturated;
        parts.sum_ns += part.sum_ns;
        match &mut merged {
            None => merged = Some(own.histogram()),
            Some(merged) => own.add_to_growing(merged),
        }
    }
    let Some(merged) = merged else { return Some(parts) };
    let count = merged.len();
    Some(LatencySummary {
        count,
        mean_ns: parts.sum_ns / count as f64,
        min_ns: merged.min(),
        p50_ns: merged.value_at_quantile(0.5),
        p90_ns: merged.value_at_quantile(0.9),
        p95_ns: merged.value_at_quantile(0.95),
        p99_ns: merged.value_at_quantile(0.99),
        p999_ns: merged.value_at_quantile(0.999),
        p9999_ns: merged.value_at_quantile(0.9999),
        max_ns: merged.max(),
        ..parts
    })
}

fn network(completed: &[&TrialInput<'_>]) -> Option<Network> {
    let mut traffic = Traffic::default();
    completed.iter().for_each(|t| traffic.add(t.result.measured.traffic));
    let transactions = completed.iter().map(|t| t.result.measured.transactions).sum::<u64>() as f64;
    let mut tls: Option<TlsUse> = None;
    for used in completed.iter().filter_map(|t| t.result.measured.tls.as_ref()) {
        match &mut tls {
            None => tls = Some(used.clone()),
            Some(sum) => {
                sum.handshakes += used.handshakes;
                sum.resumed += used.resumed;
            }
        }
    }
    (traffic != Traffic::default() && transactions > 0.0).then(|| Network {
        sent_bytes: traffic.sent_bytes as f64 / transactions,
        received_bytes: traffic.received_bytes as f64 / transactions,
        tls,
    })
}

fn errors(trials: &[&TrialInput<'_>]) -> Vec<ErrorCount> {
    let mut merged: Vec<ErrorCount> = Vec::new();
    for error in trials.iter().flat_map(|t| &t.result.measured.errors) {
        match merged.iter_mut().find(|e| is_same(e, error)) {
            Some(same) => same.count += error.count,
            None => merged.push(error.clone()),
        }
    }
    merged.sort_by(|a, b| b.count.cmp(&a.count).then(a.code.cmp(&b.code)));
    merged
}

fn is_same(a: &ErrorCount, b: &ErrorCount) -> bool {
    a.code == b.code && a.statement == b.statement && a.transaction == b.transaction
}

fn generator(trials: &[&TrialInput<'_>]) -> Option<GeneratorUse> {
    // Of other tools nothing is known.
    let own = trials.iter().filter(|t| t.result.stated.is_none());
    own.map(|t| t.result.measured.generator).reduce(|a, b| GeneratorUse {
        user_s: a.user_s + b.user_s,
        system_s: a.system_s + b.system_s,
        workers: a.workers.max(b.workers),
        busiest_worker: a.busiest_worker.max(b.busiest_worker),
        host_share: a.host_share.max(b.host_share),
        run_queue_wait_s: a.run_queue_wait_s + b.run_queue_wait_s,
        memory_peak_bytes: a.memory_peak_bytes.max(b.memory_peak_bytes),
        clock_set_back_s: a.clock_set_back_s.max(b.clock_set_back_s),
    })
}
