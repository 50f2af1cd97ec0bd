//! Progress and results of a load.

use hdrhistogram::Histogram;
use model::{Failure, Interval, Measured};

/// Progress of [`offer`](crate::offer).
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
    /// The load is over: the times to open its connections, including those before its beginning.
    Connections {
        /// End of the load, seconds since its beginning.
        end_s: f64,
        /// `service:connect`, and with TLS `service:tls_handshake`.
        histograms: &'a [TaggedHistogram],
    },
}

/// A histogram of one interval, named as in `load.hlog`: `response:transaction`, `service:point_select`.
pub struct TaggedHistogram {
    /// The tag of the histogram.
    pub tag: String,
    /// The counts, in nanoseconds.
    pub histogram: Histogram<u64>,
}

/// The reason the load stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum Stopped {
    /// It reached its limit.
    AtLimit,
    /// It was cancelled.
    Cancelled,
    /// An error occurred that the policy does not allow.
    Failed(Failure),
}

/// The result of a load.
#[derive(Debug, Clone)]
pub struct Offered {
    /// The reason the load stopped.
    pub stopped: Stopped,
    /// The measurements until then.
    pub measured: Measured,
}

/// An error that ends a trial, and whose it was.
#[derive(Debug)]
pub(crate) struct Fatal {
    pub failure: Failure,
    pub client: u32,
}
