//! Cells: the runs of one target, workload and number of clients, brought together.

use std::collections::BTreeMap;

use analysis::{CellSummary, Cost, Measure, Network, OverTime, SetAside, Span, Timeline, metric};
use messages::message;
use model::{
    ErrorCount, EventOutcome, Failover, Failure, Interval, LatencySummary, OperationKind, OperationSummary,
    Outcome, Promotion, TrialResult,
};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::input::TrialRecord;
use super::join::JoinedTrial;
use super::latency::{self, NS_PER_MS, significant};
use super::observed::{observed, observed_member};
use crate::view::{
    Cell, CellStatus, ErrorRow, EstimateView, Generator, Mark, TotalsView, Trial, TrialOutcome, TrialSeries,
};

/// The position of a cell in the view.
pub struct Place {
    /// Name for addresses.
    pub id: String,
    /// Position of its target.
    pub target: usize,
    /// Position of its workload.
    pub workload: usize,
}

/// A cell from its summary and all its runs.
pub fn cell(place: Place, summary: &CellSummary, trials: &[&JoinedTrial]) -> Cell {
    let aside = |t: &TrialRecord| summary.set_aside.iter().find(|one| one.index == t.planned.index);
    let counts = |t: &&TrialRecord| result_if_completed(t).is_some() && aside(t).is_none();
    let completed: Vec<&TrialRecord> = trials.iter().map(|t| &t.input).filter(counts).collect();
    let results: Vec<&TrialResult> = completed.iter().filter_map(|t| t.result.as_ref()).collect();
    let transactions = results.iter().map(|r| r.measured.transactions).sum();
    let measured_s: f64 = results.iter().map(|r| r.measured.measured_s).sum();
    // Percentiles are those of all trials together, as in the table of operations; the interval is that over the trials.
    let response = |id: &str, of: fn(&LatencySummary) -> u64| {
        let measure = summary.measure(metric::by_id(id)?)?;
        let pooled = summary.transaction().map_or(measure.mean, |t| of(&t.response) as f64);
        let (low, high) = (measure.low.map(|low| low.min(pooled)), measure.high.map(|high| high.max(pooled)));
        Some(estimate(&Measure { mean: pooled, low, high, n: measure.n }, NS_PER_MS))
    };
    let operations = latency::operations(&summary.target, &summary.operations, transactions);
    Cell {
        id: place.id,
        target: place.target,
        workload: place.workload,
        threads: summary.threads,
        status: status(trials.len(), completed.len(), !summary.failures.is_empty()),
        runs_completed: summary.completed(),
        runs_planned: summary.planned,
        failure: summary.failures.first().map(|f| f.failure.clone()),
        throughput_per_s: summary.throughput_per_s.map(|m| estimate(&m, 1.0)),
        queries_per_s: summary.queries_per_s.map(|m| estimate(&m, 1.0)),
        response_p50_ms: response("response_p50", |l| l.p50_ns),
        response_p95_ms: response("response_p95", |l| l.p95_ns),
        response_p99_ms: response("response_p99", |l| l.p99_ns),
        totals: totals(&results, &operations),
        distribution: operations.first().and_then(|o| latency::distribution(&completed, &o.name)),
        by_server: latency::by_server(&operations, measured_s),
        operations,
        errors: errors(trials.iter().filter_map(|t| t.input.result.as_ref()), measured_s),
        generator: generator(summary, &results),
        network: summary.network.as_ref().map(network),
        simulated_network: summary.simulated_network.clone(),
        together: summary.together.clone(),
        router: summary.router.clone(),
        crash: summary.crash.as_ref().map(rounded),
        failover: summary.failover.as_ref().map(rounded),
        events: summary.events.iter().map(rounded).collect(),
        breakdown: summary.breakdown.as_ref().map(rounded),
        costs: summary.costs.iter().map(cost).collect(),
        tops: summary.tops.as_ref().map(rounded),
        machine: summary.machine.as_ref().map(rounded),
        plans: summary.plans.clone(),
        tpmc: stated_tpmc(summary, &results),
        tpcc: summary.tpcc.clone(),
        open_loop: summary.open_loop.clone(),
        timelines: summary.timelines.iter().map(timeline).collect(),
        over_time: summary.over_time.as_ref().map(over_time),
        caveats: summary.caveats.clone(),
        trials: trials.iter().map(|t| trial(t, aside(&t.input))).collect(),
    }
}

fn network(network: &Network) -> Network {
    Network {
        sent_bytes: significant(network.sent_bytes, 6),
        received_bytes: significant(network.received_bytes, 6),
        tls: network.tls.clone(),
    }
}

fn cost(cost: &Cost) -> Cost {
    Cost { per_transaction: significant(cost.per_transaction, 4), ..cost.clone() }
}

/// The value with every fraction rounded to four digits.
pub(super) fn rounded<T: Serialize + DeserializeOwned>(value: &T) -> T {
    rounded_to(value, 4)
}

/// The value with every fraction rounded to six digits: four would shift the later seconds of a long trial.
fn over_time(over_time: &OverTime) -> OverTime {
    rounded_to(over_time, 6)
}

fn rounded_to<T: Serialize + DeserializeOwned>(value: &T, digits: i32) -> T {
    fn round(value: &mut Value, digits: i32) {
        match value {
            Value::Number(number) if number.is_f64() => {
                *value = number.as_f64().map_or(Value::Null, |v| significant(v, digits).into());
            }
            Value::Array(items) => items.iter_mut().for_each(|item| round(item, digits)),
            Value::Object(fields) => fields.values_mut().for_each(|field| round(field, digits)),
            _ => {}
        }
    }
    let mut json = serde_json::to_value(value).expect("the model has only string keys and plain values");
    round(&mut json, digits);
    serde_json::from_value(json).expect("only numbers have changed")
}

/// A measure in the unit of the view. Rates and times are not negative: an interval that reaches below zero only shows that
/// there are too few trials for one. `unit` is given in the measure's own unit. The division rounds as everywhere else: the
/// same figure has the same digits.
fn estimate(measure: &Measure, unit: f64) -> EstimateView {
    let show = |value: f64| significant(value / unit, 6);
    let means_something = measure.low.is_some_and(|low| low >= 0.0);
    EstimateView {
        mean: show(measure.mean),
        low: measure.low.filter(|_| means_something).map(show),
        high: measure.high.filter(|_| means_something).map(show),
        n: measure.n,
    }
}

fn result_if_completed(trial: &TrialRecord) -> Option<&TrialResult> {
    trial.result.as_ref().filter(|r| r.outcome.is_completed())
}

fn failure_of(trial: &TrialRecord) -> Option<Failure> {
    match &trial.result.as_ref()?.outcome {
        Outcome::Failed(failure) => Some(failure.clone()),
        Outcome::Completed | Outcome::Interrupted => None,
    }
}

fn status(planned: usize, completed: usize, any_failed: bool) -> CellStatus {
    if completed == planned && completed > 0 {
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
fn transaction(result: &TrialResult) -> Option<&OperationSummary> {
    result.measured.operations.iter().find(|o| o.kind == OperationKind::Transaction)
}

fn totals(results: &[&TrialResult], operations: &[crate::view::Operation]) -> Option<TotalsView> {
    let sum = |of: fn(&TrialResult) -> Option<u64>| results.iter().map(|r| of(r)).sum::<Option<u64>>();
    let response = operations.first().and_then(|o| o.response);
    let stated = results.first().and_then(|r| r.stated.as_ref());
    // A percentile of several runs that others measured cannot be known.
    let alone = stated.map(|s| s.response).filter(|_| results.len() == 1);
    let alone_ms = |ns: Option<f64>| ns.map(|ns| significant(ns / 1e6, 6));
    if results.is_empty() {
        return None;
    }
    Some(TotalsView {
        transactions: sum(|r| r.stated.as_ref().map_or(Some(r.measured.transactions), |s| s.transactions))?,
        queries: sum(|r| r.stated.as_ref().map_or(Some(r.measured.queries.total()), |s| s.queries)),
        time_s: significant(results.iter().map(|r| r.measured.measured_s).sum(), 8),
        response_avg_ms: response.map(|r| r.avg_ms).or_else(|| alone_ms(alone?.mean_ns)),
        response_p95_ms: response.map(|r| r.p95_ms).or_else(|| alone_ms(alone?.p95_ns)),
        reconnects: results.iter().map(|r| r.measured.reconnects).sum(),
    })
}

fn errors<'a>(results: impl Iterator<Item = &'a TrialResult>, measured_s: f64) -> Vec<ErrorRow> {
    let mut sum: BTreeMap<(u16, String, String, bool), ErrorCount> = BTreeMap::new();
    for error in results.flat_map(|r| &r.measured.errors) {
        let key = (error.code, error.statement.clone(), error.transaction.clone(), error.forgiven);
        sum.entry(key).and_modify(|e| e.count += error.count).or_insert_with(|| error.clone());
    }
    let row = |e: ErrorCount| ErrorRow {
        per_s: per_second(e.count, measured_s).map(|rate| significant(rate, 4)),
        code: e.code,
        state: e.state,
        message: e.message,
        statement: e.statement,
        transaction: e.transaction,
        count: e.count,
        forgiven: e.forgiven,
    };
    sum.into_values().map(row).collect()
}

fn generator(summary: &CellSummary, results: &[&TrialResult]) -> Option<Generator> {
    let used = summary.generator?;
    let cpu_s = used.user_s + used.system_s;
    let queries: u64 = results.iter().map(|r| r.measured.queries.total()).sum();
    Some(Generator {
        cpu_us_per_query: (queries > 0).then(|| significant(cpu_s * 1e6 / queries as f64, 4)),
        user_share: (cpu_s > 0.0).then(|| significant(used.user_s / cpu_s, 3)),
        host_share: significant(used.host_share, 4),
        busiest_worker: significant(used.busiest_worker, 4),
        workers: used.workers,
        run_queue_wait_s: significant(used.run_queue_wait_s, 4),
        memory_peak_bytes: used.memory_peak_bytes,
    })
}

/// Errors forgiven by the policy; for another tool, those that it reported.
fn errors_forgiven(result: &TrialResult) -> u64 {
    match &result.stated {
        Some(stated) => stated.errors.unwrap_or(0),
        None => result.measured.errors.iter().filter(|e| e.forgiven).map(|e| e.count).sum(),
    }
}

/// One trial, with its seconds and its histogram.
fn trial(joined: &JoinedTrial, aside: Option<&SetAside>) -> Trial {
    let input = &joined.input;
    let result = input.result.as_ref();
    let outcome = result.map(|r| match r.outcome {
        Outcome::Completed => TrialOutcome::Completed,
        Outcome::Failed(_) => TrialOutcome::Failed,
        Outcome::Interrupted => TrialOutcome::Interrupted,
    });
    let histogram = result
        .and_then(|r| r.measured.operations.first())
        .and_then(|o| input.histograms(&o.name)?.response.as_ref())
        .map(latency::sysbench_buckets)
        .unwrap_or_default();
    let latency = |of: fn(&OperationSummary) -> &LatencySummary| {
        Some(of(transaction(result?)?)).filter(|s| s.count > 0).map(latency::from_summary)
    };
    Trial {
        run: joined.run,
        index: joined.index,
        repeat: input.planned.cell.repeat,
        outcome,
        failure: failure_of(input),
        set_aside: aside.into_iter().flat_map(|one| &one.reasons).map(|reason| reason.text.clone()).collect(),
        started_at: result.map(|r| r.started_at.clone()),
        connect_s: result.map_or(0.0, |r| significant(r.measured.connect_s, 6)),
        warmup_s: result.map_or(0.0, |r| r.measured.warmup_s),
        measured_s: result.map_or(0.0, |r| r.measured.measured_s),
        transactions: result.map_or(0, |r| r.measured.transactions),
        queries: result.map(|r| r.measured.queries).unwrap_or_default(),
        errors_forgiven: result.map_or(0, errors_forgiven),
        errors_unknown: result
            .is_some_and(|r| r.stated.as_ref().is_some_and(|stated| stated.errors.is_none())),
        reconnects: result.map_or(0, |r| r.measured.reconnects),
        response: latency(|o| &o.response),
        service: latency(|o| &o.service),
        tpmc: result.and_then(metric::TPMC.value).map(|tpmc| significant(tpmc, 6)),
        fairness: result.map(|r| r.measured.fairness).unwrap_or_default(),
        data_restored: result.is_some_and(|r| r.data_restored),
        stood_still: result.map(|r| r.measured.stood_still.clone()).unwrap_or_default(),
        marks: result.map(marks).unwrap_or_default(),
        series: series(input),
        observed: observed(&input.watched.readings),
        others: input.others.iter().map(|watched| observed_member(&watched.readings)).collect(),
        histogram,
        stated: result.and_then(|r| r.stated.as_ref()).map(latency::stated).unwrap_or_default(),
    }
}

/// tpmC reported by another tool; mydyno's own is part of the TPC-C figures.
fn stated_tpmc(summary: &CellSummary, results: &[&TrialResult]) -> Option<EstimateView> {
    results.iter().find(|result| result.stated.is_some())?;
    Some(estimate(&summary.measure(&metric::TPMC)?, 1.0))
}

/// A timeline with figures as long as a reader needs them.
fn timeline(timeline: &Timeline) -> Timeline {
    let mut timeline = timeline.clone();
    for slot in &mut timeline.slots {
        slot.end_s = significant(slot.end_s, 6);
        slot.throughput_per_s = significant(slot.throughput_per_s, 5);
        slot.transactions_before = slot.transactions_before.round();
        for operation in &mut slot.operations {
            operation.per_s = significant(operation.per_s, 5);
            operation.p95_ms = operation.p95_ms.map(|ms| significant(ms, 4));
        }
    }
    timeline
}

/// Points of a line over time, at most; more would be more than a screen can show and a browser likes to draw.
const POINTS_MAX: usize = 1_500;

/// A run second by second; of a long one the measured window, in the stretches that its histograms were kept in.
fn series(input: &TrialRecord) -> TrialSeries {
    let intervals = &input.intervals;
    if intervals.len() <= POINTS_MAX {
        return by_second(intervals);
    }
    let spans = input.histograms.first().map_or(&[][..], |transaction| &transaction.response_spans);
    let is_open_loop = intervals.iter().any(|i| i.backlog.is_some());
    let mut series = TrialSeries::default();
    for stretch in stretches(intervals, spans) {
        let length_s: f64 = stretch.iter().map(|i| i.length_s).sum();
        let last = &stretch[stretch.len() - 1];
        let per_s = |count: u64| significant(per_second(count, length_s).unwrap_or(0.0), 4);
        series.end_s.push(significant(last.end_s, 6));
        series.throughput_per_s.push(per_s(stretch.iter().map(|i| i.transactions).sum()));
        series.response_p95_ms.push(p95_ms(spans, last.end_s - length_s, last.end_s));
        series.errors_per_s.push(per_s(stretch.iter().flat_map(|i| i.errors.values()).sum()));
        if is_open_loop {
            series.backlog.push(last.backlog.unwrap_or(0));
        }
    }
    series
}

/// The measured window, cut where its histograms were, so that each has its own; several of them together where they are
/// still too many. A histogram is missing where nothing was completed, so the cuts come from the intervals.
fn stretches<'a>(intervals: &'a [Interval], spans: &[Span]) -> Vec<&'a [Interval]> {
    let stretch_s = spans.iter().map(|span| span.length_s).fold(1.0, f64::max).round();
    let first = intervals.iter().take_while(|i| i.warmup).count();
    let (mut ends, mut length_s) = (Vec::new(), 0.0);
    for (at, interval) in intervals.iter().enumerate().skip(first) {
        length_s += interval.length_s;
        // An interval is a second or a little less.
        if length_s > stretch_s - 0.5 || at + 1 == intervals.len() {
            ends.push(at + 1);
            length_s = 0.0;
        }
    }
    let together = ends.len().div_ceil(POINTS_MAX).max(1);
    let mut begin = first;
    ends.chunks(together)
        .map(|part| {
            let end = part[part.len() - 1];
            &intervals[std::mem::replace(&mut begin, end)..end]
        })
        .collect()
}

/// The 95th percentile of the transactions completed in a stretch; a histogram belongs where its middle is.
fn p95_ms(spans: &[Span], begin_s: f64, end_s: f64) -> Option<f64> {
    let within = |span: &&Span| {
        let middle_s = span.end_s - span.length_s / 2.0;
        begin_s < middle_s && middle_s <= end_s
    };
    let mut own = spans.iter().filter(within).map(|span| &span.histogram);
    let mut sum = own.next()?.clone();
    // All histograms have the same bounds; one that had not would be no latency of ours.
    for histogram in own {
        let _ = sum.add(histogram);
    }
    (!sum.is_empty()).then(|| significant(sum.value_at_quantile(0.95) as f64 / 1e6, 4))
}

fn by_second(intervals: &[Interval]) -> TrialSeries {
    let rate = |count: u64, i: &Interval| significant(per_second(count, i.length_s).unwrap_or(0.0), 4);
    TrialSeries {
        end_s: intervals.iter().map(|i| significant(i.end_s, 6)).collect(),
        throughput_per_s: intervals.iter().map(|i| rate(i.transactions, i)).collect(),
        response_p95_ms: intervals
            .iter()
            .map(|i| (i.response.count > 0).then(|| significant(i.response.p95_ns as f64 / 1e6, 4)))
            .collect(),
        errors_per_s: intervals.iter().map(|i| rate(i.errors.values().sum(), i)).collect(),
        offered_per_s: Vec::new(),
        backlog: intervals.iter().filter_map(|i| i.backlog).collect(),
        warmup_intervals: intervals.iter().take_while(|i| i.warmup).count(),
    }
}

/// The times at which a primary was lost, and at which clients were told of a new one.
fn marks(result: &TrialResult) -> Vec<Mark> {
    let mark = |at_s, says| Mark { at_s, says, event: None, is_end: false };
    let lost = |one: &Failover| mark(one.at_s, message!("failover-mark-lost"));
    let new = |one: &Failover| match &one.promotion {
        Promotion::Promoted { after_s, .. } => {
            Some(mark(significant(one.at_s + after_s, 6), message!("failover-mark-new")))
        }
        Promotion::Failed(_) => None,
    };
    let failover = result.failover.iter().flat_map(|one| std::iter::once(lost(one)).chain(new(one)));
    failover.chain(result.events.iter().zip(1..).flat_map(marks_of_event)).collect()
}

/// The time it happened, and the time it was over if that is another second.
fn marks_of_event((outcome, number): (&EventOutcome, u32)) -> Vec<Mark> {
    let mark = |at_s: f64, is_end: bool| Mark {
        at_s: significant(at_s, 6),
        says: message!(
            "event-mark",
            event = Text(outcome.event.action.describe()),
            end = Word(if is_end { "yes" } else { "no" })
        ),
        event: Some(number),
        is_end,
    };
    let until_s = outcome.until_s.filter(|until_s| outcome.at_s.is_some_and(|at_s| until_s - at_s >= 1.0));
    outcome
        .at_s
        .map(|at_s| mark(at_s, false))
        .into_iter()
        .chain(until_s.map(|at_s| mark(at_s, true)))
        .collect()
}
