//! Renderers: one file for each form of a report.

mod csv;
mod experiment;
pub mod grid;
pub mod history;
mod html;
mod json;
mod markdown;
mod over_time;
mod server;
mod sysbench;
mod text;
mod tpcc;
pub mod versus;

pub use csv::csv;
pub use html::{HtmlError, history_page, html};
pub use json::json;
pub use markdown::markdown;
pub use sysbench::sysbench;
pub use text::text;

/// What the text and sysbench forms show of latencies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Latencies {
    /// Percentile in sysbench's report, 1 to 100; 0 switches it off.
    pub percentile: f64,
    /// sysbench's latency histogram too.
    pub histogram: bool,
}

impl Default for Latencies {
    /// As sysbench: the 95th percentile, no histogram.
    fn default() -> Self {
        Self { percentile: 95.0, histogram: false }
    }
}
