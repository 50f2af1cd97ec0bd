//! CSV (RFC 4180): one row per trial and one per cell, distinguished by the first column. The header is stable: columns may
//! be added at its end, none changes its place or meaning.

use crate::View;
use crate::view::{Cell, CellStatus, EstimateView, Latency, ReportedLatencyView, Trial, TrialOutcome};

const HEADER: &[&str] = &[
    "row",
    "run",
    "target",
    "workload",
    "threads",
    "repeat",
    "runs_completed",
    "runs_planned",
    "status",
    "transactions",
    "queries",
    "queries_read",
    "queries_write",
    "queries_other",
    "time_s",
    "throughput_per_s",
    "throughput_low_per_s",
    "throughput_high_per_s",
    "response_min_ms",
    "response_avg_ms",
    "response_p50_ms",
    "response_p90_ms",
    "response_p95_ms",
    "response_p99_ms",
    "response_p999_ms",
    "response_max_ms",
    "errors_forgiven",
    "reconnects",
    "server_version",
    "durability",
    "started_at",
    "failure",
    "response_p9999_ms",
    "service_min_ms",
    "service_avg_ms",
    "service_p50_ms",
    "service_p90_ms",
    "service_p95_ms",
    "service_p99_ms",
    "service_p999_ms",
    "service_max_ms",
    "service_p9999_ms",
    "set_aside",
];

/// The whole table, header included. A field that has no value is empty.
pub fn csv(view: &View) -> String {
    let cells = view.cells.iter().flat_map(|cell| {
        let trials = cell.trials.iter().map(|trial| trial_row(view, cell, trial));
        trials.chain(std::iter::once(cell_row(view, cell)))
    });
    let mut writer = csv::Writer::from_writer(Vec::new());
    let into_memory = "memory takes everything, and all rows are as long as the header";
    writer.write_record(HEADER).expect(into_memory);
    cells.for_each(|row| writer.write_record(row).expect(into_memory));
    String::from_utf8(writer.into_inner().expect(into_memory)).expect("it was made of text")
}

fn some<T: ToString>(value: Option<T>) -> String {
    value.map(|v| v.to_string()).unwrap_or_default()
}

fn trial_row(view: &View, cell: &Cell, trial: &Trial) -> Vec<String> {
    let status = match trial.outcome {
        Some(TrialOutcome::Completed) => "completed",
        Some(TrialOutcome::Failed) => "failed",
        Some(TrialOutcome::Interrupted) => "interrupted",
        None => "missing",
    };
    let measured = trial.outcome.is_some() && trial.measured_s > 0.0;
    let count = |n: u64| some(measured.then_some(n));
    let mut row = vec!["trial".to_owned(), view.runs[trial.run].id.clone()];
    row.extend(place(view, cell));
    row.extend([trial.repeat.to_string(), String::new(), String::new(), status.to_owned()]);
    row.push(count(trial.transactions));
    // What another tool did not count is unknown.
    let counted = view.runs[trial.run].imported.is_none() || trial.queries.total() > 0;
    let queries = |n: u64| some((measured && counted).then_some(n));
    row.push(queries(trial.queries.total()));
    row.extend([queries(trial.queries.read), queries(trial.queries.write), queries(trial.queries.other)]);
    let rate = measured.then(|| format!("{:.3}", trial.transactions as f64 / trial.measured_s));
    row.extend([some(measured.then_some(trial.measured_s)), some(rate), String::new(), String::new()]);
    match (trial.response.as_ref(), trial.stated.first()) {
        (None, Some(stated)) => row.extend(stated_latency(&stated.response)),
        (response, _) => row.extend(latency(response)),
    }
    let errors = if trial.errors_unknown { String::new() } else { count(trial.errors_forgiven) };
    row.extend([errors, count(trial.reconnects)]);
    row.extend(server(view, cell));
    row.push(some(trial.started_at.as_ref()));
    row.push(some(trial.failure.as_ref().map(|f| &f.message)));
    row.extend(added_later(trial.response.as_ref(), trial.service.as_ref()));
    row.push(trial.set_aside.iter().map(|why| why.en.as_str()).collect::<Vec<_>>().join("; "));
    row
}

fn cell_row(view: &View, cell: &Cell) -> Vec<String> {
    let status = match cell.status {
        CellStatus::Completed => "completed",
        CellStatus::Partial => "partial",
        CellStatus::Failed => "failed",
        CellStatus::Missing => "missing",
    };
    let totals = cell.totals;
    let kinds = |pick: fn(&Trial) -> u64| {
        let counts = |t: &&Trial| t.outcome == Some(TrialOutcome::Completed) && t.set_aside.is_empty();
        let completed = cell.trials.iter().filter(counts);
        some(totals.map(|_| completed.map(pick).sum::<u64>()))
    };
    let estimate = |pick: fn(EstimateView) -> Option<f64>| some(cell.throughput_per_s.and_then(pick));
    let mut row = vec!["cell".to_owned(), String::new()];
    row.extend(place(view, cell));
    row.extend([
        String::new(),
        cell.runs_completed.to_string(),
        cell.runs_planned.to_string(),
        status.to_owned(),
    ]);
    row.extend([some(totals.map(|t| t.transactions)), some(totals.and_then(|t| t.queries))]);
    if kinds(|t| t.queries.total()) == "0" && totals.is_some_and(|t| t.queries != Some(0)) {
        row.extend([const { String::new() }; 3]);
    } else {
        row.extend([kinds(|t| t.queries.read), kinds(|t| t.queries.write), kinds(|t| t.queries.other)]);
    }
    row.push(some(totals.map(|t| t.time_s)));
    row.extend([estimate(|e| Some(e.mean)), estimate(|e| e.low), estimate(|e| e.high)]);
    match cell.operations.first() {
        Some(operation) => row.extend(latency(operation.response.as_ref())),
        // What another tool stated.
        None => {
            let mean = |estimate: Option<EstimateView>| some(estimate.map(|e| e.mean));
            row.extend([
                String::new(),
                some(totals.and_then(|t| t.response_avg_ms)),
                mean(cell.response_p50_ms),
            ]);
            row.extend([String::new(), mean(cell.response_p95_ms), mean(cell.response_p99_ms)]);
            row.extend([const { String::new() }; 2]);
        }
    }
    let unknown = cell.trials.iter().any(|t| t.outcome == Some(TrialOutcome::Completed) && t.errors_unknown);
    let errors = if unknown { String::new() } else { kinds(|t| t.errors_forgiven) };
    row.extend([errors, kinds(|t| t.reconnects)]);
    row.extend(server(view, cell));
    row.push(String::new());
    row.push(some(cell.failure.as_ref().map(|f| &f.message)));
    let transaction = cell.operations.first();
    row.extend(added_later(transaction.and_then(|o| o.response.as_ref()), transaction.map(|o| &o.service)));
    row.push(String::new());
    row
}

fn place(view: &View, cell: &Cell) -> [String; 3] {
    let (target, workload) = (&view.targets[cell.target], &view.workloads[cell.workload]);
    [target.label.clone(), workload.label.clone(), cell.threads.to_string()]
}

fn latency(latency: Option<&Latency>) -> [String; 8] {
    let Some(l) = latency else { return Default::default() };
    [l.min_ms, l.avg_ms, l.p50_ms, l.p90_ms, l.p95_ms, l.p99_ms, l.p999_ms, l.max_ms].map(|ms| ms.to_string())
}

fn stated_latency(l: &ReportedLatencyView) -> [String; 8] {
    [l.min_ms, l.avg_ms, l.p50_ms, l.p90_ms, l.p95_ms, l.p99_ms, l.p999_ms, l.max_ms].map(some)
}

fn added_later(response: Option<&Latency>, service: Option<&Latency>) -> Vec<String> {
    let p9999 = |latencies: Option<&Latency>| some(latencies.map(|l| l.p9999_ms));
    let mut fields = vec![p9999(response)];
    fields.extend(latency(service));
    fields.push(p9999(service));
    fields
}

fn server(view: &View, cell: &Cell) -> [String; 2] {
    let target = &view.targets[cell.target];
    let version = target.server.as_ref().map(|s| &s.version);
    [some(version), some(target.durability.as_ref().map(|d| &d.en))]
}
