//! Random numbers from a seed, for resampling and for the simulations in the tests.
//!
//! xoshiro256** (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021), its state filled by
//! SplitMix64 as its authors advise. `stats` is on floor 0 and may not use `random`, which is beside it.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Seeded([u64; 4]);

impl Seeded {
    pub(crate) fn new(seed: u64) -> Self {
        let mut state = seed;
        let mut split_mix = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        };
        Self([split_mix(), split_mix(), split_mix(), split_mix()])
    }

    pub(crate) fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// From 0 to `n` - 1. The bias of multiplying instead of rejecting is below n / 2^64.
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

    /// Expected values from the reference programs splitmix64.c and xoshiro256starstar.c of Vigna (prng.di.unimi.it),
    /// done anew in Python with integers of arbitrary length.
    #[test]
    fn a_seed_gives_the_reference_stream() {
        let mut random = Seeded::new(42);
        let found: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(found, [1_546_998_764_402_558_742, 6_990_951_692_964_543_102, 12_544_586_762_248_559_009]);
    }

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
