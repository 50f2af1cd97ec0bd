//! What a load tells while it runs and when it is over.

use hdrhistogram::Histogram;
use model::{
    ErrorCount, Failure, Fairness, GeneratorUse, Interval, OpenLoop, OperationSummary, QueryCounts, Stalls,
    Straddling, Stretch, TlsUse, TpccResult, Traffic,
};

/// What [`offer`](crate::offer) tells while it runs.
pub enum Progress<'a> {
    /// All clients are connected and ready; the load begins.
    Connected {
        /// Seconds it took.
        seconds: f64,
    },
    /// An interval is over.
    Interval {
        /// Its figures.
        interval: &'a Interval,
        /// Its histograms.
        histograms: &'a [TaggedHistogram],
    },
    /// The load is over: how long its connections took to open, those before its beginning among them.
    Connections {
        /// End of the load, seconds since its beginning.
        end_s: f64,
        /// `service:connect`, and with TLS `service:tls_handshake`.
        histograms: &'a [TaggedHistogram],
    },
}

/// A histogram of one interval, named as in `load.hlog`: `response:transaction`, `service:point_select`.
pub struct TaggedHistogram {
    /// What was measured.
    pub tag: String,
    /// The counts, in nanoseconds.
    pub histogram: Histogram<u64>,
}

/// How the load ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Stopped {
    /// By its limit.
    AtLimit,
    /// By `cancel`.
    Cancelled,
    /// By an error that the policy does not forgive.
    Failed(Failure),
}

/// What was measured. All figures are of the measured window.
#[derive(Debug, Clone)]
pub struct Measured {
    /// How it ended.
    pub stopped: Stopped,
    /// Seconds until all clients were ready.
    pub connect_s: f64,
    /// Seconds of warm-up.
    pub warmup_s: f64,
    /// Length of the window, seconds.
    pub measured_s: f64,
    /// Transactions completed.
    pub transactions: u64,
    /// Statements answered.
    pub queries: QueryCounts,
    /// Latency per operation; the transaction first, and `connect` (which covers the whole trial) last.
    pub operations: Vec<OperationSummary>,
    /// Errors by code, and by type of transaction where there are several.
    pub errors: Vec<ErrorCount>,
    /// Connections opened again.
    pub reconnects: u64,
    /// What the generator used.
    pub generator: GeneratorUse,
    /// How evenly the clients shared the work.
    pub fairness: Fairness,
    /// Transactions in flight when the window closed; they are not counted.
    pub in_flight: u64,
    /// For how long the longest of them had been running, nanoseconds.
    pub in_flight_longest_ns: Option<u64>,
    /// Transactions that straddle the ends of the window.
    pub straddling: Straddling,
    /// When the whole generator stood still, also in the warm-up.
    pub stood_still: Vec<Stretch>,
    /// Stretches of the window in which no client completed a transaction.
    pub stalls: Stalls,
    /// Bytes over all sockets.
    pub traffic: Traffic,
    /// What TLS agreed on; none without TLS.
    pub tls: Option<TlsUse>,
    /// What only TPC-C knows.
    pub tpcc: Option<TpccResult>,
    /// What only an open loop knows.
    pub open_loop: Option<OpenLoop>,
}

/// An error that ends a trial, and whose it was.
#[derive(Debug)]
pub(crate) struct Fatal {
    pub failure: Failure,
    pub client: u32,
}
