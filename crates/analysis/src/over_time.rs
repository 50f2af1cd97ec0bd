//! The runs of a cell over time: has throughput settled, is it level, does it fall silent, dip at equal distances, change its
//! level?
//!
//! A mean says nothing of these, and each of them can make it the mean of nothing. Each question needs a run of some length
//! ([`NEEDS`]); below it nothing is asked. What is found in one run is kept for that run; of the cell it is said where its
//! runs agree. How often each method errs is in docs/design/statistics.md.

mod figures;
mod judge;
mod says;
mod seconds;

pub use figures::{
    Finding, Jitter, LevelChange, NEEDS, OverTime, Period, Question, RunOverTime, Stall, Steady, Trend,
};
use model::LoadShape;

use crate::input::TrialInput;
use crate::timeline::Timeline;

/// One completed trial; none without its seconds.
pub(crate) fn of_trial(
    load: &LoadShape,
    trial: &TrialInput<'_>,
    timeline: Option<&Timeline>,
) -> Option<RunOverTime> {
    judge::run(trial, timeline, load)
}

/// The trials of a cell that count; none if none has its seconds.
pub(crate) fn of_cell(runs: Vec<RunOverTime>) -> Option<OverTime> {
    let (findings, too_short) = (says::findings(&runs), says::too_short(&runs));
    (!runs.is_empty()).then_some(OverTime { runs, findings, too_short })
}
