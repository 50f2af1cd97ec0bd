//! The trials of a cell over time: whether throughput has settled and is level, whether it stalls, dips periodically, or
//! changes its level.
//!
//! A mean hides these, and each of them can make it meaningless. Each question needs a trial of some length ([`NEEDS`]);
//! shorter trials are not examined. Findings are kept per trial, and reported for the cell where its trials agree. The
//! error rate of each method is in docs/design/statistics.md.

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

/// The behaviour of one completed trial over time; none without its seconds.
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
