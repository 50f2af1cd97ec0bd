//! The result of a capacity search, as shown in reports.

use serde::{Deserialize, Serialize};

use crate::Words;

/// The capacity of a target with a workload.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Capacity {
    /// Label of the target.
    pub target: String,
    /// Label of the workload.
    pub workload: String,
    /// Clients.
    pub threads: u32,
    /// How far the search came.
    pub standing: CapacityStanding,
    /// The rate at which half of the trials hold, transactions per second; none where it is not within the range.
    pub per_s: Option<f64>,
    /// Lower end of its 95 % interval.
    pub low_per_s: Option<f64>,
    /// Upper end of it.
    pub high_per_s: Option<f64>,
    /// Transactions per second of a closed loop with as many clients; none if none was run.
    pub closed_loop_per_s: Option<f64>,
    /// The conditions, in the order in which they were named.
    pub conditions: Vec<ConditionView>,
    /// The rates that were tried, ascending.
    pub rates: Vec<RateTried>,
    /// The answer in a sentence or two.
    pub says: Words,
    /// What was tried next to it, in a sentence.
    pub evidence: Words,
}

/// How far a search for a capacity came.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapacityStanding {
    /// The interval is as narrow as it was to be, and repeats at both of its sides agree with it.
    Confirmed,
    /// It ended before that.
    Unconfirmed,
    /// The lowest rate that was tried is too much.
    Below,
    /// The highest rate that was tried still holds.
    Above,
    /// No trial says anything.
    Unknown,
}

/// A condition.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConditionView {
    /// As it was written: `p99<20ms`.
    pub text: String,
    /// What the metric is called.
    pub label: Words,
    /// Unit of the bound and of the values at each rate.
    pub unit: String,
    /// The bound.
    pub bound: f64,
}

/// A rate that was tried.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RateTried {
    /// Transactions per second that were offered.
    pub per_s: f64,
    /// Trials that count.
    pub trials: u32,
    /// Those of them in which everything held.
    pub held: u32,
    /// Trials that say nothing of the server.
    pub set_aside: u32,
    /// It is one of the two that confirm the result.
    pub confirms: bool,
    /// Whether it holds, as far as all trials together tell.
    pub standing: RateStanding,
    /// What did not hold, the most frequent first.
    pub missed: Vec<Words>,
    /// Transactions per second that were completed, mean over the trials that count.
    pub done_per_s: Option<f64>,
    /// 95th percentile of the response time, mean over the trials that count.
    pub p95_ms: Option<f64>,
    /// Mean of each condition's metric over the trials that count; none where it was not measured.
    pub values: Vec<Option<f64>>,
}

/// Whether a rate holds, with 95 % confidence.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateStanding {
    /// It is below the capacity.
    Met,
    /// It is above the capacity.
    Missed,
    /// It may be either.
    Undecided,
}
