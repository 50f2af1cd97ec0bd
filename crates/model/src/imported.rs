//! Figures measured by another tool, as far as it reported them.
//!
//! A recording made from another tool's output keeps the figures that the tool reported. Everything else stays unknown: no
//! histogram is made up, and no zero stands for a missing value.

use serde::{Deserialize, Serialize};

/// Where a recording comes from that mydyno did not make itself.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// The tool that measured, such as `sysbench`; of a table: `a table`.
    pub tool: String,
    /// Its version, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Names of the files, without their directories.
    pub files: Vec<String>,
    /// What a reader must know of the figures, in sentences; may be empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Imported {
    /// `sysbench 1.0.20`.
    pub fn tool_and_version(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.tool),
            None => self.tool.clone(),
        }
    }
}

/// The figures of a trial as reported by another tool. Those that are none are unknown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stated {
    /// Transactions completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transactions: Option<u64>,
    /// Statements answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<u64>,
    /// Errors of all kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<u64>,
    /// Transactions per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throughput_per_s: Option<f64>,
    /// Statements per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries_per_s: Option<f64>,
    /// New-Order transactions per minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tpmc: Option<f64>,
    /// Offered transactions per second; none for a closed loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_per_s: Option<f64>,
    /// Response time of a transaction.
    pub response: ReportedLatency,
    /// The figures of each type of transaction, if they were reported separately.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<StatedType>,
}

/// A type of transaction as reported by another tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StatedType {
    /// Its name: `New-Order` of TPC-C, otherwise as the tool has it.
    pub name: String,
    /// Completed.
    pub transactions: u64,
    /// Failed.
    pub errors: u64,
    /// Completed per minute.
    pub per_minute: f64,
    /// Response time.
    pub response: ReportedLatency,
}

/// Latencies as reported by another tool, nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the names say it
pub struct ReportedLatency {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p90_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p999_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ns: Option<f64>,
}
