//! Numbers as people read them.

pub use messages::number::figure;
pub use messages::number::thousands;

use messages::message;

use crate::view::EstimateView;
use crate::words::Lang;

/// `[860, 880]`; that the trials are too few for one; nothing for a single trial.
pub fn ends(estimate: &EstimateView, lang: Lang) -> String {
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => format!("[{}, {}]", figure(low), figure(high)),
        _ if estimate.n > 1 => lang.said(message!("interval-unknown")),
        _ => String::new(),
    }
}
