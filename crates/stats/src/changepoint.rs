//! Change points: the times at which the level changed.
//!
//! Of a series of runs, whose values are independent, two methods look for the split that makes the parts before and after it
//! most different by energy distance (Székely and Rizzo, 2004), again and again within the parts: E-divisive. They differ in
//! what they call significant. `e_divisive` permutes and has the false-alarm rate it is asked for; take it unless there are
//! more than some five hundred values. `e_divisive_t` is what Apache Otava does, quick and the same each time, with more
//! false alarms than its p-value says.
//!
//! The seconds of one run resemble each other, which both would take for jumps: `shifts` is for those.

mod energy;
mod permutation;
mod student;
mod wandering;

pub use permutation::{Permutations, e_divisive};
pub use student::{Windows, e_divisive_t};
pub use wandering::{LevelShift, Wandering, shifts};

/// A jump.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// Index of the first value of the new level.
    pub index: usize,
    /// Mean from the change-point before (or the beginning) to this.
    pub mean_before: f64,
    /// Mean from this to the next (or the end).
    pub mean_after: f64,
    /// P-value of the test that found it; its meaning depends on the method.
    pub p_value: f64,
}

/// Adds the means of the parts between `found` indices, which ascend.
fn with_means(values: &[f64], found: &[(usize, f64)]) -> Vec<ChangePoint> {
    let mean = |from: usize, to: usize| values[from..to].iter().sum::<f64>() / (to - from) as f64;
    let end = |i: usize| found.get(i).map_or(values.len(), |(index, _)| *index);
    let begin = |i: usize| if i == 0 { 0 } else { found[i - 1].0 };
    let point = |(i, (index, p_value)): (usize, &(usize, f64))| ChangePoint {
        index: *index,
        mean_before: mean(begin(i), *index),
        mean_after: mean(*index, end(i + 1)),
        p_value: *p_value,
    };
    found.iter().enumerate().map(point).collect()
}
