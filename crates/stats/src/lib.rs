//! Functions over slices: intervals, tests, models of curves and series; knows nothing of MySQL.
//!
//! It contains what statistics libraries lack for benchmarks: intervals of ratios, stopping rules, models of throughput
//! over concurrency, trends of series. docs/design/statistics.md lists the method for each question, with its error rate.
//! Randomness comes from the caller's seed.

mod blocks;
mod bootstrap;
mod changepoint;
mod cliff;
mod counts;
mod crossover;
mod describe;
mod estimate;
mod growth;
mod holm;
mod interaction;
mod law;
mod line;
mod next;
mod period;
mod seeded;
mod sequential;
mod series;
mod steady;
mod threshold;
mod usl;

pub use blocks::{BlockContrast, BlockFit, BlockValue};
pub use bootstrap::{IntervalMethod, Resampling, bootstrap, paired_ratio_bootstrap};
pub use changepoint::{
    ChangePoint, LevelShift, Permutations, Wandering, Windows, e_divisive, e_divisive_t, shifts,
};
pub use cliff::{Cliff, between, cliff};
pub use counts::Counts;
pub use crossover::{Ahead, Crossover, CrossoverLevel, crossovers};
pub use describe::{geometric_mean, mean, quantile, sd};
pub use estimate::{Estimate, Pairing, mean_interval, paired_ratio_interval, ratio_interval};
pub use growth::{Growth, growth};
pub use holm::{equivalence_p_value, holm, ratio_p_value};
pub use interaction::{Factorial, InteractionEffects, interaction, joint_ratio};
pub use line::{Line, line};
pub use next::{Next, next};
pub use period::{DetectedPeriod, period};
pub use sequential::{Decision, Look, Stopping, look};
pub use series::{
    JITTER_MAX, SlidingVariation, ZeroRun, batch_means_interval, effective_sample_size, jitter, silence,
};
pub use steady::warmup;
pub use threshold::LogisticThreshold;
pub use usl::{RMS_MAX as USL_RMS_MAX, Usl, UslIntervals, amdahl, usl, usl_intervals};
