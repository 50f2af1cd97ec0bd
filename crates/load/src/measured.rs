//! What a load tells while it runs and when it is over.

use hdrhistogram::Histogram;
use model::{Failure, Interval, Measured};

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

/// What came of a load.
#[derive(Debug, Clone)]
pub struct Offered {
    /// How it ended.
    pub stopped: Stopped,
    /// What was measured until then.
    pub measured: Measured,
}

/// An error that ends a trial, and whose it was.
#[derive(Debug)]
pub(crate) struct Fatal {
    pub failure: Failure,
    pub client: u32,
}
