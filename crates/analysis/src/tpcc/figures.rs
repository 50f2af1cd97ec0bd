//! The figures of a TPC-C cell, as its table has them.

use model::{LatencySummary, TpccTransaction};
use serde::{Deserialize, Serialize};

use crate::Words;
use crate::input::Measure;

/// The figures of a TPC-C cell over its completed runs.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TpccSummary {
    /// New-Order transactions per minute (clause 5.4), those rolled back for an unused item among them.
    pub tpmc: Option<Measure>,
    /// All transactions per minute.
    pub tpm_total: Option<Measure>,
    /// One row per type that ran, in the order of the standard.
    pub types: Vec<TypeSummary>,
    /// Home warehouses that transactions worked for, in the run with the fewest.
    pub warehouses_touched: u32,
    /// Warehouses in the data.
    pub warehouses: u32,
    /// The consistency conditions, over every check that was made; none without one.
    pub consistency: Option<Consistent>,
    /// Checks that were asked for and could not be made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_missing: Option<CheckMissing>,
    /// In which ways the run was not as the standard wants it.
    pub deviations: Vec<Words>,
}

impl TpccSummary {
    /// The row of New-Order; none if none completed.
    pub fn new_order(&self) -> Option<&TypeSummary> {
        self.types.iter().find(|t| t.name == TpccTransaction::NewOrder.name())
    }
}

/// What the checks after the runs found.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Consistent {
    /// Conditions that held after every run.
    pub holding: u32,
    /// Conditions checked.
    pub checked: u32,
    /// The others: condition, number of keys, an example.
    pub violated: Vec<Words>,
}

/// Runs after which the conditions were to be checked and could not be.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckMissing {
    /// How many.
    pub runs: u32,
    /// What stood in the way of the first.
    pub reason: String,
}

/// One type of transaction.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypeSummary {
    /// Name of the operation, `new_order`.
    pub name: String,
    /// As the standard writes it.
    pub title: String,
    /// Completed.
    pub count: u64,
    /// Completed per minute.
    pub per_minute: f64,
    /// Share of all, percent.
    pub mix_pct: f64,
    /// The least share that the standard asks for, percent.
    pub mix_least_pct: f64,
    /// From due to done, retries included.
    pub response: Percentiles,
    /// From first sent to done, retries included.
    pub service: Percentiles,
    /// What 90 % of the response times must keep, seconds.
    pub limit_s: f64,
    /// Whether they do.
    pub limit_kept: bool,
    /// Tried again after an error that the policy forgives.
    pub retries: u64,
    /// Rolled back for an unused item; only New-Order has that.
    pub rollbacks: u64,
    /// Errors of all codes.
    pub errors: u64,
}

/// Latencies of a type of transaction, milliseconds.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)] // the names say it
pub struct Percentiles {
    pub p50_ms: f64,
    pub p90_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
}

impl Percentiles {
    pub(super) fn of(latency: &LatencySummary) -> Self {
        let ms = |ns: u64| ns as f64 / 1e6;
        Self {
            p50_ms: ms(latency.p50_ns),
            p90_ms: ms(latency.p90_ns),
            p95_ms: ms(latency.p95_ns),
            p99_ms: ms(latency.p99_ns),
            max_ms: ms(latency.max_ns),
        }
    }
}
