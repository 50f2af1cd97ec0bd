//! Absolute thresholds over every cell of a recording, or over the capacities that it found.

use analysis::metric::CAPACITY;
use analysis::threshold::{Judged, Threshold};
use store::{ReadError, Recording};

use crate::build::{read, summarise_run};
use crate::versus::capacities::capacities;

/// Judges each threshold in each cell, in the order of the thresholds.
///
/// # Errors
/// The recording's histograms cannot be read.
pub fn thresholds(recording: &Recording, thresholds: &[Threshold]) -> Result<Vec<Judged>, ReadError> {
    let input = read::input(recording)?;
    let (cells, capacities) = (summarise_run(&input), capacities(&input));
    let judge = |one: &Threshold| -> Vec<Judged> {
        match one.metric.id == CAPACITY.id && !capacities.is_empty() {
            true => capacities.iter().map(|found| one.judge_capacity(found)).collect(),
            false => cells.iter().map(|cell| one.judge(cell)).collect(),
        }
    };
    Ok(thresholds.iter().flat_map(judge).collect())
}
