//! Latencies from nanoseconds in histograms to milliseconds on a page.

use analysis::Words;
use hdrhistogram::Histogram;
use messages::message;
use model::{LatencySummary, OperationKind, OperationSummary, Stated, StatedType};

use stats::Counts;

use super::input::TrialRecord;
use crate::view::{self, Distribution, Latency, Operation, ReportedLatencyView, StatedRow};

/// Nanoseconds in a millisecond.
pub const NS_PER_MS: f64 = 1e6;

/// Percentiles of the curve: dense where a log axis of the distance to 100 gives room.
const LADDER: [f64; 29] = [
    0.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 75.0, 80.0, 85.0, 90.0, 92.5, 95.0, 96.5, 98.0, 99.0,
    99.3, 99.5, 99.7, 99.8, 99.9, 99.95, 99.97, 99.99, 99.995, 99.999, 100.0,
];

/// Rounds to this many significant digits, so that a view is no larger than its information.
pub fn significant(value: f64, digits: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return if value.is_finite() { value } else { 0.0 };
    }
    let magnitude = digits - 1 - value.abs().log10().floor() as i32;
    if magnitude >= 0 {
        // Dividing by a power of ten gives the double nearest to the decimal; multiplying by its inverse does not.
        let scale = 10f64.powi(magnitude);
        (value * scale).round() / scale
    } else {
        value.round()
    }
}

/// Nanoseconds as milliseconds.
pub fn ms(ns: u64) -> f64 {
    significant(ns as f64 / NS_PER_MS, 6)
}

fn ms_of(ns: f64) -> f64 {
    significant(ns / NS_PER_MS, 9)
}

/// A recorded summary in milliseconds.
pub fn from_summary(s: &LatencySummary) -> Latency {
    Latency {
        min_ms: ms(s.min_ns),
        avg_ms: significant(s.mean_ns / NS_PER_MS, 6),
        p50_ms: ms(s.p50_ns),
        p90_ms: ms(s.p90_ns),
        p95_ms: ms(s.p95_ns),
        p99_ms: ms(s.p99_ns),
        p999_ms: ms(s.p999_ns),
        p9999_ms: ms(s.p9999_ns),
        max_ms: ms(s.max_ns),
        sum_ms: ms_of(s.sum_ns),
    }
}

/// Figures of a trial reported by another tool: all transactions together, then each type.
pub fn stated(stated: &Stated) -> Vec<StatedRow> {
    let ms = |ns: Option<f64>| ns.map(|ns| significant(ns / NS_PER_MS, 6));
    let latency = |l: &model::ReportedLatency| ReportedLatencyView {
        min_ms: ms(l.min_ns),
        avg_ms: ms(l.mean_ns),
        p50_ms: ms(l.p50_ns),
        p90_ms: ms(l.p90_ns),
        p95_ms: ms(l.p95_ns),
        p99_ms: ms(l.p99_ns),
        p999_ms: ms(l.p999_ns),
        max_ms: ms(l.max_ns),
    };
    let all = StatedRow {
        name: "transaction".to_owned(),
        transactions: stated.transactions,
        errors: stated.errors,
        per_minute: stated.throughput_per_s.map(|per_s| significant(per_s * 60.0, 6)),
        response: latency(&stated.response),
    };
    let of_type = |one: &StatedType| StatedRow {
        name: one.name.clone(),
        transactions: Some(one.transactions),
        errors: Some(one.errors),
        per_minute: Some(one.per_minute),
        response: latency(&one.response),
    };
    std::iter::once(all).chain(stated.types.iter().map(of_type)).collect()
}

/// The two origins of latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Response time: from due to done.
    Response,
    /// Service time: from sent to done.
    Service,
}

/// All runs' histograms of one operation together.
pub fn merged_histogram(trials: &[&TrialRecord], operation: &str, origin: Origin) -> Option<Histogram<u64>> {
    let mut sum: Option<Histogram<u64>> = None;
    for trial in trials {
        let found = trial.histograms(operation)?;
        let one = match origin {
            Origin::Response => found.response.as_ref(),
            Origin::Service => found.service.as_ref(),
        }?;
        match &mut sum {
            None => sum = Some(one.histogram()),
            Some(sum) => one.add_to_growing(sum),
        }
    }
    sum
}

/// Operations as the view shows them: per transaction, in milliseconds.
pub fn operations(target: &str, summaries: &[OperationSummary], transactions: u64) -> Vec<Operation> {
    let one = |o: &OperationSummary| Operation {
        name: match (o.server(), o.name.split_once('@')) {
            (Some(at), Some((unit, _))) => format!("{unit}@{}", model::member_name(target, at)),
            _ => o.name.clone(),
        },
        kind: o.kind,
        count: o.service.count,
        per_transaction: if transactions > 0 {
            significant(o.service.count as f64 / transactions as f64, 4)
        } else {
            0.0
        },
        response: (o.response.count > 0).then(|| from_summary(&o.response)),
        service: from_summary(&o.service),
    };
    // The transaction stands first. Where none was completed, what connecting took would pass for it.
    let completed =
        summaries.first().is_some_and(|o| o.service.count > 0 && o.kind == OperationKind::Transaction);
    let seen = summaries.iter().filter(|o| completed && o.service.count > 0);
    seen.map(one).collect()
}

/// Requests to each server within the measured time, in a sentence.
pub fn by_server(operations: &[Operation], measured_s: f64) -> Option<Words> {
    const ENOUGH: u64 = 100;
    let mut of_servers = Vec::new();
    for one in operations.iter().filter(|one| one.kind == OperationKind::Server) {
        let (unit, server) = one.name.split_once('@')?;
        of_servers.push((one, unit, server));
    }
    let (_, unit, _) = of_servers.first()?;
    let each = of_servers.iter().map(|(one, _, server)| {
        let latency = one.response.unwrap_or(one.service);
        message!(
            "by-server-of",
            server = Text(*server),
            per_s = Figure(one.count as f64 / measured_s.max(f64::MIN_POSITIVE)),
            p50 = Figure(latency.p50_ms),
            p99 = Figure?((one.count >= ENOUGH).then_some(latency.p99_ms))
        )
    });
    Some(message!("by-server", unit = Word(*unit), servers = Clauses(each.collect::<Vec<_>>())))
}

/// The percentile curve of transactions over the completed runs.
pub fn distribution(trials: &[&TrialRecord], operation: &str) -> Option<Distribution> {
    let response = merged_histogram(trials, operation, Origin::Response)?;
    if response.is_empty() {
        return None;
    }
    let service = merged_histogram(trials, operation, Origin::Service);
    let beyond = |p: f64| response.len() as f64 * (100.0 - p) / 100.0;
    let percentile: Vec<f64> =
        LADDER.into_iter().filter(|p| *p == 0.0 || *p == 100.0 || beyond(*p) >= 1.0).collect();
    let column = |h: &Histogram<u64>| percentile.iter().map(|p| ms(h.value_at_percentile(*p))).collect();
    Some(Distribution {
        response_ms: column(&response),
        service_ms: service.as_ref().map(column).unwrap_or_default(),
        percentile,
    })
}

/// sysbench's histogram: 1,024 buckets, logarithmic from 0.001 ms to 100 s (`sb_histogram_init` in sysbench 1.0.20).
pub fn sysbench_buckets(histogram: &Counts) -> view::Histogram {
    const BUCKETS: usize = 1024;
    const LEAST_MS: f64 = 0.001;
    const GREATEST_MS: f64 = 100_000.0;
    let step = (GREATEST_MS / LEAST_MS).ln() / (BUCKETS - 1) as f64;
    let mut counts = [0u64; BUCKETS];
    for (lowest_ns, width_ns, count) in histogram.buckets() {
        let ns = lowest_ns + width_ns / 2;
        let index = ((ns as f64 / NS_PER_MS / LEAST_MS).ln() / step + 0.5).floor();
        counts[index.clamp(0.0, (BUCKETS - 1) as f64) as usize] += count;
    }
    let used: Vec<usize> = (0..BUCKETS).filter(|i| counts[*i] > 0).collect();
    view::Histogram {
        value_ms: used.iter().map(|i| significant(LEAST_MS * (*i as f64 * step).exp(), 7)).collect(),
        count: used.iter().map(|i| counts[*i]).collect(),
    }
}
