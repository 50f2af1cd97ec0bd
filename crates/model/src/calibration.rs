//! The overhead of the generator itself on a machine.

use serde::{Deserialize, Serialize};

/// A calibration of the generator on one machine.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Format version.
    pub format: u32,
    /// When, RFC 3339 in UTC.
    pub at: String,
    /// mydyno's version.
    pub mydyno_version: String,
    /// CPU model of the machine.
    pub cpu_model: String,
    /// CPUs that mydyno might use.
    pub cpus: u32,
    /// Kernel release.
    pub kernel: String,
    /// A bare round trip over loopback TCP, median, nanoseconds.
    pub round_trip_ns: u64,
    /// The generator against a server that answers from memory, prepared point selects over TCP.
    pub points: Vec<CalibrationPoint>,
    /// From due to begun with clients to spare, median, nanoseconds.
    pub timer_p50_ns: u64,
    /// The 99th percentile.
    pub timer_p99_ns: u64,
    /// The longest.
    pub timer_max_ns: u64,
}

/// The generator's cost at a number of connections.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CalibrationPoint {
    /// Connections.
    pub connections: u32,
    /// Queries per second that it reached beside the null server, which took the rest of the machine.
    pub queries_per_s: f64,
    /// CPU per query, microseconds.
    pub cpu_us: f64,
    /// The part of it in user space.
    pub user_us: f64,
}

impl Calibration {
    /// Queries per second that one CPU can drive at most: at the cheapest point, with nothing else on that CPU.
    pub fn ceiling_per_cpu(&self) -> f64 {
        self.points.iter().map(|point| 1e6 / point.cpu_us).filter(|rate| rate.is_finite()).fold(0.0, f64::max)
    }
}
