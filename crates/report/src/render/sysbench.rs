//! sysbench 1.0.20's report, since parsers of it exist everywhere: one per trial.
//!
//! Byte for byte where the meaning is the same. What differs: the first line names mydyno and the cell, times and counts
//! are those of the measured window (sysbench 1.0 has no warm-up), and the percentile comes from finer buckets where
//! mydyno has it.

use std::fmt::Write;

use crate::View;
use crate::render::Latencies;
use crate::view::{Cell, Histogram, Latency, Trial, TrialOutcome};

/// One report per trial that has a result, in the order of cells and repeats.
pub fn sysbench(view: &View, latencies: &Latencies) -> String {
    let mut text = String::new();
    for cell in &view.cells {
        for trial in &cell.trials {
            let Some(outcome) = trial.outcome else { continue };
            head(&mut text, view, cell, trial);
            if let Some(imported) = &view.runs[trial.run].imported {
                let tool = imported.tool_and_version();
                put(
                    &mut text,
                    format_args!(
                        "Imported: measured with {tool}, whose own report is in {}.\n\n",
                        imported.files.join(", ")
                    ),
                );
            } else if outcome == TrialOutcome::Failed {
                let why = trial.failure.as_ref().map_or("unknown", |f| f.message.as_str());
                put(&mut text, format_args!("FATAL: {why}\n\n"));
            } else {
                if latencies.histogram {
                    histogram(&mut text, &trial.histogram);
                }
                body(&mut text, trial, latencies.percentile);
            }
        }
    }
    text
}

/// Writing to a string cannot fail.
fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a string takes everything");
}

fn head(text: &mut String, view: &View, cell: &Cell, trial: &Trial) {
    let (target, workload) = (&view.targets[cell.target].label, &view.workloads[cell.workload].label);
    let run = &view.runs[trial.run];
    let version = &view.mydyno_version;
    put(text, format_args!("mydyno {version} ({workload} on {target}, run {})\n\n", trial.repeat));
    put(
        text,
        format_args!("Running the test with following options:\nNumber of threads: {}\n", cell.threads),
    );
    if let Some(rate) = run.rate_per_s {
        put(text, format_args!("Target transaction rate: {rate:.0}/sec\n"));
    }
    put(text, format_args!("Initializing random number generator from seed ({}).\n\n\n", run.seed));
    text.push_str("Initializing worker threads...\n\nThreads started!\n\n");
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

/// From the recorded summary where it has that percentile, else as sysbench finds it in its buckets.
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
