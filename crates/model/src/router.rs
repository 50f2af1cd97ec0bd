//! The cost of MySQL Router between clients and servers.

use serde::{Deserialize, Serialize};

/// The cost of MySQL Router during a trial.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RouterUse {
    /// Its version, as reported by its program.
    pub version: String,
    /// Latency added to a round trip, measured just before the trial; none where it could not be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip: Option<RouterRoundTrip>,
    /// CPU that it used within the measured window; none where the window was not reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<RouterCpu>,
    /// Its resident memory at the end of the load, bytes; none where it had ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
}

/// Small requests of one client, sent to the server directly and through the router in turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct RouterRoundTrip {
    /// Requests measured with the router, and as many without.
    pub requests: u32,
    /// Directly: median, nanoseconds.
    pub direct_p50_ns: u64,
    /// Directly: 99th percentile, nanoseconds.
    pub direct_p99_ns: u64,
    /// Through the router: median, nanoseconds.
    pub through_p50_ns: u64,
    /// Through the router: 99th percentile, nanoseconds.
    pub through_p99_ns: u64,
}

impl RouterRoundTrip {
    /// Latency that the router adds to the median, nanoseconds; negative where the difference is within noise.
    pub fn added_p50_ns(&self) -> f64 {
        self.through_p50_ns as f64 - self.direct_p50_ns as f64
    }
}

/// CPU that a router used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct RouterCpu {
    /// Time from the first reading to the last, seconds.
    pub window_s: f64,
    /// All of it, seconds.
    pub cpu_s: f64,
    /// CPU time of the busiest of its threads, seconds.
    pub busiest_thread_s: f64,
}
