//! Functions over slices: intervals, quantiles; knows nothing of MySQL.
//!
//! What a statistics library lacks for benchmarks is here: intervals of ratios, trends of series. The rest is thin, so that there is one
//! place where a formula can be looked up.

mod describe;
mod estimate;
mod line;
mod steady;

pub use describe::{geometric_mean, mean, quantile, sd};
pub use estimate::{Estimate, mean_interval, paired_ratio_interval, ratio_interval};
pub use line::{Line, line};
pub use steady::warmup;
