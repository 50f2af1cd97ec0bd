//! sysbench 1.0.20's report, since parsers of it exist everywhere: one per trial.
//!
//! Identical byte for byte where the meaning is the same. Differences: the text in the parentheses of the first line; times
//! and counts are those of the measured window (sysbench 1.0 has no warm-up); the percentile comes from finer buckets where
//! mydyno has it.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::View;
use crate::render::Latencies;
use crate::view::{Histogram, Latency, Trial, TrialOutcome};

/// Lines of figures above the reports of trials, as sysbench prints them while it runs.
#[derive(Debug, Clone, Default)]
pub struct IntervalLines {
    /// Seconds between two of them; none: there are no such lines.
    pub every_s: Option<u32>,
    /// Lines of each trial, keyed by the position of its run in [`View::runs`] and its position in that run's plan.
    pub of_trial: BTreeMap<(usize, u32), String>,
}

/// One report per trial that has a result, in the order of cells and repeats.
pub fn sysbench(view: &View, latencies: &Latencies, lines: &IntervalLines) -> String {
    let mut text = String::new();
    for cell in &view.cells {
        for trial in cell.trials.iter().filter(|trial| trial.outcome.is_some()) {
            let (target, workload) = (&view.targets[cell.target].label, &view.workloads[cell.workload].label);
            let run = &view.runs[trial.run];
            text.push_str(&sysbench_head(&SysbenchHead {
                what: &format!("{workload} on {target}, repeat {}", trial.repeat),
                mydyno_version: &view.mydyno_version,
                threads: cell.threads,
                rate_per_s: run.rate_per_s,
                interval_s: lines.every_s,
                seed: run.seed,
            }));
            text.push_str(THREADS_STARTED);
            text.push_str(lines.of_trial.get(&(trial.run, trial.index)).map_or("", String::as_str));
            report(&mut text, view, trial, latencies);
        }
    }
    text
}

/// The reports without the lines before the figures, for a reader who has seen them.
pub fn sysbench_figures(view: &View, latencies: &Latencies) -> String {
    let mut text = String::new();
    for trial in view.cells.iter().flat_map(|cell| &cell.trials).filter(|trial| trial.outcome.is_some()) {
        report(&mut text, view, trial, latencies);
    }
    text
}

fn report(text: &mut String, view: &View, trial: &Trial, latencies: &Latencies) {
    if let Some(imported) = &view.runs[trial.run].imported {
        let (tool, files) = (imported.tool_and_version(), imported.files.join(", "));
        put(text, format_args!("Imported: measured with {tool}, whose own report is in {files}.\n\n"));
    } else if trial.outcome == Some(TrialOutcome::Failed) {
        let why = trial.failure.as_ref().map_or("unknown", |f| f.message.as_str());
        put(text, format_args!("FATAL: {why}\n\n"));
    } else {
        if latencies.histogram {
            histogram(text, &trial.histogram);
        }
        body(text, trial, latencies.percentile);
    }
}

/// The lines before the figures.
#[derive(Debug, Clone, Copy)]
pub struct SysbenchHead<'a> {
    /// The workload and the target.
    pub what: &'a str,
    /// Version of this program.
    pub mydyno_version: &'a str,
    /// Clients.
    pub threads: u32,
    /// Transactions per second that are offered; none: a closed loop.
    pub rate_per_s: Option<f64>,
    /// Seconds between two lines of figures; none: there are no such lines.
    pub interval_s: Option<u32>,
    /// Seed of everything random.
    pub seed: u64,
}

/// Printed once all clients are connected.
pub const THREADS_STARTED: &str = "Threads started!\n\n";

/// The first lines, as sysbench 1.0.20 prints them until its threads are started.
pub fn sysbench_head(head: &SysbenchHead<'_>) -> String {
    let mut text = format!("sysbench 1.0.20 (using mydyno {}: {})\n\n", head.mydyno_version, head.what);
    put(
        &mut text,
        format_args!("Running the test with following options:\nNumber of threads: {}\n", head.threads),
    );
    if let Some(rate) = head.rate_per_s {
        put(&mut text, format_args!("Target transaction rate: {rate:.0}/sec\n"));
    }
    if let Some(seconds) = head.interval_s {
        put(&mut text, format_args!("Report intermediate results every {seconds} second(s)\n"));
    }
    put(&mut text, format_args!("Initializing random number generator from seed ({}).\n\n\n", head.seed));
    text.push_str("Initializing worker threads...\n\n");
    text
}

/// Writing to a string cannot fail.
fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a string takes everything");
}

fn body(text: &mut String, trial: &Trial, percentile: f64) {
    let per_s = |count: u64| if trial.measured_s > 0.0 { count as f64 / trial.measured_s } else { 0.0 };
    let queries = trial.queries;
    text.push_str("SQL statistics:\n    queries performed:\n");
    let kinds = [
        ("read", queries.read),
        ("write", queries.write),
        ("other", queries.other),
        ("total", queries.total()),
    ];
    for (kind, count) in kinds {
        put(text, format_args!("        {:<33}{count}\n", format!("{kind}:")));
    }
    let rates = [
        ("transactions", trial.transactions),
        ("queries", queries.total()),
        ("ignored errors", trial.errors_forgiven),
        ("reconnects", trial.reconnects),
    ];
    for (name, count) in rates {
        put(text, format_args!("    {:<37}{count:<6} ({:.2} per sec.)\n", format!("{name}:"), per_s(count)));
    }
    text.push_str("\nGeneral statistics:\n");
    put(text, format_args!("    total time:                          {:.4}s\n", trial.measured_s));
    put(text, format_args!("    total number of events:              {}\n", trial.transactions));
    latency(text, trial, percentile);
    let f = trial.fairness;
    text.push_str("\nThreads fairness:\n");
    let (events, spread) = (f.transactions_mean, f.transactions_stddev);
    put(text, format_args!("    events (avg/stddev):           {events:.4}/{spread:.2}\n"));
    let (busy_s, spread_s) = (f.busy_s_mean, f.busy_s_stddev);
    put(text, format_args!("    execution time (avg/stddev):   {busy_s:.4}/{spread_s:.2}\n\n"));
}

fn latency(text: &mut String, trial: &Trial, percentile: f64) {
    let l = trial.response.unwrap_or_default();
    text.push_str("\nLatency (ms):\n");
    let mut line = |name: &str, ms: f64| put(text, format_args!("{name:<43}{ms:>10.2}\n"));
    line("         min:", l.min_ms);
    line("         avg:", l.avg_ms);
    line("         max:", l.max_ms);
    if percentile == 0.0 {
        text.push_str("         percentile stats:               disabled\n");
    } else {
        let ms = percentile_ms(&l, &trial.histogram, percentile);
        put(text, format_args!("{:<43}{ms:>10.2}\n", format!("        {percentile:>3}th percentile:")));
    }
    put(text, format_args!("{:<43}{:>10.2}\n", "         sum:", l.sum_ms));
}

/// The percentile from the recorded summary if it is there, else as sysbench computes it from its buckets.
fn percentile_ms(latency: &Latency, histogram: &Histogram, percentile: f64) -> f64 {
    let known = [
        (50.0, latency.p50_ms),
        (90.0, latency.p90_ms),
        (95.0, latency.p95_ms),
        (99.0, latency.p99_ms),
        (99.9, latency.p999_ms),
        (99.99, latency.p9999_ms),
        (100.0, latency.max_ms),
    ];
    if let Some((_, ms)) = known.into_iter().find(|(at, _)| *at == percentile) {
        return ms;
    }
    let total: u64 = histogram.count.iter().sum();
    let wanted = (total as f64 * percentile / 100.0 + 0.5).floor();
    let mut seen = 0;
    let reached = histogram.count.iter().position(|count| {
        seen += count;
        seen as f64 >= wanted
    });
    reached.and_then(|i| histogram.value_ms.get(i)).copied().unwrap_or(0.0)
}

/// `--histogram=on`.
pub(super) fn histogram(text: &mut String, histogram: &Histogram) {
    const WIDTH: f64 = 40.0;
    let Some(most) = histogram.count.iter().max() else { return };
    text.push_str("Latency histogram (values are in milliseconds)\n");
    text.push_str("       value  ------------- distribution ------------- count\n");
    for (value, count) in histogram.value_ms.iter().zip(&histogram.count) {
        let stars = (*count as f64 * WIDTH / *most as f64 + 0.5).floor() as usize;
        put(text, format_args!("{value:12.3} |{:<40} {count}\n", "*".repeat(stars)));
    }
    text.push_str(" \n");
}
