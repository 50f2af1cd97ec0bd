//! The only list of metrics: what each means, its unit, which way is better, and where a trial keeps it.

use messages::message;
use model::{LatencySummary, ReportedLatency, TpccTransaction, TrialResult};

use crate::Words;

/// A metric.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Stable name, for files and options.
    pub id: &'static str,
    /// Unit of the value.
    pub unit: MetricUnit,
    /// The direction in which it is better.
    pub direction: Direction,
    /// The value for one run; none if the run does not determine it.
    pub value: fn(&TrialResult) -> Option<f64>,
}

/// Unit of a metric's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricUnit {
    /// Events per second.
    PerSecond,
    /// Events per minute.
    PerMinute,
    /// Nanoseconds; shown as milliseconds.
    Nanoseconds,
    /// Microseconds.
    Microseconds,
}

/// The direction in which a metric is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

/// Transactions per second: what comparisons and curves are about unless another metric is named.
pub const THROUGHPUT: Metric = Metric {
    id: "throughput",
    unit: MetricUnit::PerSecond,
    direction: Direction::Higher,
    value: |trial| match &trial.stated {
        Some(stated) => stated.throughput_per_s,
        None => per_second(trial, trial.measured.transactions),
    },
};

/// 95th percentile of the response time: the metric for open loops, whose throughput is the offered rate.
pub const RESPONSE_P95: Metric = latency("response_p95", |t| known(t, |s| s.p95_ns, |r| r.p95_ns as f64));

/// Statements per second.
pub const QUERIES: Metric = Metric {
    id: "queries",
    unit: MetricUnit::PerSecond,
    direction: Direction::Higher,
    value: |trial| match &trial.stated {
        Some(stated) => stated.queries_per_s,
        None => per_second(trial, trial.measured.queries.total()),
    },
};

/// New-Order transactions per minute, TPC-C's measure.
pub const TPMC: Metric = Metric {
    id: "tpmc",
    unit: MetricUnit::PerMinute,
    direction: Direction::Higher,
    value: |trial| {
        if let Some(stated) = &trial.stated {
            return stated.tpmc;
        }
        trial.measured.tpcc.as_ref()?;
        let name = TpccTransaction::NewOrder.name();
        let new_orders = trial.measured.operations.iter().find(|o| o.name == name)?.response.count;
        Some(per_second(trial, new_orders)? * 60.0)
    },
};

/// The highest rate within an SLO: of a search as a whole, not of a trial (`crate::capacity`).
pub const CAPACITY: Metric =
    Metric { id: "capacity", unit: MetricUnit::PerSecond, direction: Direction::Higher, value: |_| None };

/// Every metric.
pub const ALL: [Metric; 14] = [
    THROUGHPUT,
    QUERIES,
    TPMC,
    latency("response_mean", |t| known(t, |s| s.mean_ns, |r| r.mean_ns).filter(|ns| ns.is_finite())),
    latency("response_p50", |t| known(t, |s| s.p50_ns, |r| r.p50_ns as f64)),
    RESPONSE_P95,
    latency("response_p99", |t| known(t, |s| s.p99_ns, |r| r.p99_ns as f64)),
    latency("response_p999", |t| known(t, |s| s.p999_ns, |r| r.p999_ns as f64)),
    latency("response_p9999", |t| known(t, |_| None, |r| r.p9999_ns as f64)),
    latency("response_max", |t| known(t, |s| s.max_ns, |r| r.max_ns as f64)),
    Metric {
        id: "lag",
        unit: MetricUnit::Nanoseconds,
        direction: Direction::Lower,
        value: |trial| Some(trial.together.as_ref()?.lag_max_s? * 1e9),
    },
    Metric {
        id: "errors",
        unit: MetricUnit::PerSecond,
        direction: Direction::Lower,
        value: |trial| match &trial.stated {
            Some(stated) => per_second(trial, stated.errors?),
            None => per_second(trial, trial.measured.errors.iter().map(|e| e.count).sum()),
        },
    },
    Metric {
        id: "generator_cpu",
        unit: MetricUnit::Microseconds,
        direction: Direction::Lower,
        value: |trial| {
            let queries = trial.measured.queries.total();
            let cpu_s = trial.measured.generator.user_s + trial.measured.generator.system_s;
            (queries > 0 && trial.stated.is_none()).then(|| cpu_s * 1e6 / queries as f64)
        },
    },
    CAPACITY,
];

/// Short names of the metrics, as gates and options have them.
pub const NAMES: [(&str, &str); 12] = [
    ("throughput", "throughput"),
    ("queries", "queries"),
    ("tpmc", "tpmc"),
    ("mean", "response_mean"),
    ("p50", "response_p50"),
    ("p95", "response_p95"),
    ("p99", "response_p99"),
    ("p99.9", "response_p999"),
    ("p99.99", "response_p9999"),
    ("max", "response_max"),
    ("lag", "lag"),
    ("capacity", "capacity"),
];

/// The metric of that short name.
pub fn metric_of(name: &str) -> Option<&'static Metric> {
    let (_, id) = NAMES.iter().find(|(short, _)| *short == name)?;
    by_id(id)
}

/// The metric of that id, if there is one.
pub fn by_id(id: &str) -> Option<&'static Metric> {
    ALL.iter().find(|m| m.id == id)
}

const fn latency(id: &'static str, value: fn(&TrialResult) -> Option<f64>) -> Metric {
    Metric { id, unit: MetricUnit::Nanoseconds, direction: Direction::Lower, value }
}

impl Metric {
    /// The name shown to users.
    pub fn label(&self) -> Words {
        message!("metric-label", metric = Word(self.id))
    }
}

fn per_second(trial: &TrialResult, count: u64) -> Option<f64> {
    (trial.measured.measured_s > 0.0).then(|| count as f64 / trial.measured.measured_s)
}

/// A latency reported by another tool, or from our own summary.
fn known(
    trial: &TrialResult,
    stated: fn(&ReportedLatency) -> Option<f64>,
    own: fn(&LatencySummary) -> f64,
) -> Option<f64> {
    match &trial.stated {
        Some(figures) => stated(&figures.response),
        None => response(trial).map(own),
    }
}

/// Response time of transactions, if any completed. The first operation is the transaction as a whole.
fn response(trial: &TrialResult) -> Option<&LatencySummary> {
    trial.measured.operations.first().map(|o| &o.response).filter(|r| r.count > 0)
}
