//! The input of the analysis: trials with their histograms, and means over trials.

use hdrhistogram::Histogram;
use model::{Interval, TrialResult, Watched};
use serde::{Deserialize, Serialize};
use stats::Counts;

use crate::CONFIDENCE;

/// The data of one trial.
#[derive(Debug, Clone, Copy)]
pub struct TrialInput<'a> {
    /// The result of the trial.
    pub result: &'a TrialResult,
    /// Histograms of the measured window per operation; empty if they are lost.
    pub histograms: &'a [OperationHistograms],
    /// Its seconds, warm-up included; empty if they are lost.
    pub intervals: &'a [Interval],
    /// Observations of the server meanwhile.
    pub watched: &'a Watched,
    /// Observations of the further servers of a topology, in their order.
    pub others: &'a [Watched],
    /// Its files that are damaged although it completed, a sentence each.
    pub damaged: &'a [String],
}

impl<'a> TrialInput<'a> {
    /// Observations of each server, with its name; the first is the one that clients connect to.
    pub(crate) fn servers(&self) -> impl Iterator<Item = (String, &'a Watched)> {
        let target = self.result.cell.target.clone();
        let all = std::iter::once(self.watched).chain(self.others).enumerate();
        all.map(move |(at, watched)| (model::member_name(&target, at), watched))
    }

    /// Observations of the servers that clients connected to.
    pub(crate) fn used(&self) -> impl Iterator<Item = &'a Watched> {
        let counted: Vec<usize> =
            self.result.measured.operations.iter().filter_map(|one| one.server()).collect();
        let all = std::iter::once(self.watched).chain(self.others).enumerate();
        all.filter(move |(at, _)| if counted.is_empty() { *at == 0 } else { counted.contains(at) })
            .map(|(_, watched)| watched)
    }
}

/// Latencies of one operation over a measured window, nanoseconds.
#[derive(Debug, Clone)]
pub struct OperationHistograms {
    /// Name, as in [`OperationSummary::name`].
    pub name: String,
    /// Response times: from due to done.
    pub response: Option<Counts>,
    /// Service times: from sent to done.
    pub service: Option<Counts>,
    /// The response times by span of the measured window; empty for statements, and where [`crate::timeline::asks_for_spans`]
    /// says that they are not needed.
    pub response_spans: Vec<Span>,
}

/// Latencies of a stretch of the measured window, nanoseconds.
#[derive(Debug, Clone)]
pub struct Span {
    /// End, seconds since the clients started.
    pub end_s: f64,
    /// Length, seconds.
    pub length_s: f64,
    /// The latencies.
    pub histogram: Histogram<u64>,
}

/// A mean over runs, with its 95 % interval where there can be one.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// Mean over the runs; of a single run its value.
    pub mean: f64,
    /// Lower end of the interval; none for a single run.
    pub low: Option<f64>,
    /// Upper end of the interval; none for a single run.
    pub high: Option<f64>,
    /// Runs.
    pub n: u32,
}

impl Measure {
    /// The mean with its interval, of one value per trial; none without a trial.
    pub fn of(values: &[f64]) -> Option<Self> {
        let interval = stats::mean_interval(values, CONFIDENCE);
        Some(Self {
            mean: stats::mean(values)?,
            low: interval.map(|i| i.low),
            high: interval.map(|i| i.high),
            n: values.len() as u32,
        })
    }

    /// Half the width of the interval as a share of the mean; none for a single run or a mean of zero.
    pub fn relative_half_width(&self) -> Option<f64> {
        let (low, high) = (self.low?, self.high?);
        (self.mean > 0.0).then(|| (high - low) / 2.0 / self.mean)
    }
}
