//! Latencies: per operation, as a percentile curve, in sysbench's buckets.

use serde::{Deserialize, Serialize};

/// Latency of one operation.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Name, such as `point_select`.
    pub name: String,
    /// What it is.
    pub kind: model::OperationKind,
    /// How often it was run.
    pub count: u64,
    /// How often per transaction.
    pub per_transaction: f64,
    /// From due to done. Only transactions have a due time.
    pub response: Option<Latency>,
    /// From sent to done.
    pub service: Latency,
}

/// A latency distribution in a few numbers.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the names say it
pub struct Latency {
    pub min_ms: f64,
    pub avg_ms: f64,
    pub p50_ms: f64,
    pub p90_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub p999_ms: f64,
    pub p9999_ms: f64,
    pub max_ms: f64,
    pub sum_ms: f64,
}

/// A latency as another tool stated it; what it did not state is none.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the names say it
pub struct ReportedLatencyView {
    pub min_ms: Option<f64>,
    pub avg_ms: Option<f64>,
    pub p50_ms: Option<f64>,
    pub p90_ms: Option<f64>,
    pub p95_ms: Option<f64>,
    pub p99_ms: Option<f64>,
    pub p999_ms: Option<f64>,
    pub max_ms: Option<f64>,
}

/// All transactions of a trial, or those of one type, as another tool stated them.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatedRow {
    /// `transaction`, or the type.
    pub name: String,
    /// Completed.
    pub transactions: Option<u64>,
    /// Failed.
    pub errors: Option<u64>,
    /// Completed per minute.
    pub per_minute: Option<f64>,
    /// Response time.
    pub response: ReportedLatencyView,
}

/// A percentile curve: three columns of one length.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// Percentiles, 0 to 100, ascending. It ends where fewer than one value lies beyond.
    pub percentile: Vec<f64>,
    /// Response time at each.
    pub response_ms: Vec<f64>,
    /// Service time at each; empty if it was not recorded.
    pub service_ms: Vec<f64>,
}

/// sysbench's latency histogram without its empty buckets: two columns of one length.
#[cfg_attr(test, derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Value of each bucket, ascending.
    pub value_ms: Vec<f64>,
    /// Transactions in it.
    pub count: Vec<u64>,
}
