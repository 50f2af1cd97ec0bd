//! Absolute thresholds over every cell of a recording.

use analysis::threshold::{Judged, Threshold};
use store::{ReadError, Recording};

use crate::build::{read, summarise_run};

/// How each threshold stands in each cell, in the order of the thresholds.
///
/// # Errors
/// The recording's histograms cannot be read.
pub fn thresholds(recording: &Recording, thresholds: &[Threshold]) -> Result<Vec<Judged>, ReadError> {
    let cells = summarise_run(&read::input(recording)?);
    Ok(thresholds.iter().flat_map(|one| cells.iter().map(|cell| one.judge(cell))).collect())
}
