//! Draws row ids.

use model::SysbenchOptions;

/// The key distribution that a workload's options ask for, compiled for drawing from `1..=n`.
pub(crate) fn keys(options: &SysbenchOptions, n: u64) -> random::Keys {
    match options.rand {
        model::KeyDistribution::Uniform => random::Keys::uniform(),
        model::KeyDistribution::Gaussian { iter } => random::Keys::gaussian(iter),
        model::KeyDistribution::Special(shape) => random::Keys::special(shape.iter, shape.pct, shape.res),
        model::KeyDistribution::Pareto { h } => random::Keys::pareto(h),
        model::KeyDistribution::Zipfian { exponent } => random::Keys::zipfian(exponent, n),
    }
}
