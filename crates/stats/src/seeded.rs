//! Random numbers from a seed, for resampling and for the simulations in the tests.

use random::Xoshiro256;

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Seeded(Xoshiro256);

impl Seeded {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256::from_seed(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.star_star()
    }

    /// A number from 0 to `n` - 1. The bias of multiplying instead of rejecting is below n / 2^64.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// Above 0 and below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Standard normal (Box and Muller, 1958; one of the two values is dropped).
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Puts the values into a random order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_values_have_mean_0_and_variance_1() {
        let mut random = Seeded::new(1);
        let values: Vec<f64> = (0..40_000).map(|_| random.normal()).collect();
        assert!(crate::mean(&values).expect("values").abs() < 0.02);
        assert!((crate::sd(&values).expect("values") - 1.0).abs() < 0.02);
    }

    #[test]
    fn a_shuffle_keeps_the_values() {
        let mut values: Vec<usize> = (0..50).collect();
        Seeded::new(7).shuffle(&mut values);
        assert_ne!(values, (0..50).collect::<Vec<_>>());
        values.sort_unstable();
        assert_eq!(values, (0..50).collect::<Vec<_>>());
    }
}
