//! Cost efficiency of both sides of a comparison.

use serde::{Deserialize, Serialize};

/// Cost efficiency of both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Worth {
    /// Currency of both prices, in small letters.
    pub currency: String,
    /// An hour of the base.
    pub base_per_hour: f64,
    /// An hour of the other.
    pub other_per_hour: f64,
    /// Wherever the throughput of both is compared.
    pub points: Vec<WorthPoint>,
}

/// Cost efficiency of both sides at a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorthPoint {
    /// Label of the workload.
    pub workload: String,
    /// Clients.
    pub threads: u32,
    /// Transactions of the base for one unit of the currency.
    pub base_per_unit: f64,
    /// Transactions of the other for it.
    pub other_per_unit: f64,
    /// Other over base: the ratio of the throughputs over that of the prices.
    pub ratio: f64,
    /// Lower end of the interval of the throughput ratio, scaled likewise; a price has no scatter. None with a single trial.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}
