//! The streams that keys, rows and orders are drawn from: xoshiro256++.

use crate::xoshiro::{GOLDEN, Xoshiro256, mix};

/// One stream of random numbers. Copying it copies its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    state: Xoshiro256,
}

impl Rng {
    /// The stream that belongs to a seed.
    pub fn from_seed(seed: u64) -> Self {
        Self { state: Xoshiro256::from_seed(seed) }
    }

    /// One of 2^64 streams that belong to a seed, for clients, tables or chunks that must not influence each other. Stream
    /// numbers need no spacing: 0, 1, 2 are as good as any.
    pub fn stream(seed: u64, stream: u64) -> Self {
        // Both are scrambled before they meet, so that neighbouring seeds and neighbouring streams share nothing.
        let scrambled =
            mix(seed.wrapping_add(GOLDEN)) ^ mix(stream.wrapping_mul(GOLDEN) ^ 0x6d79_6479_6e6f_2121);
        Self::from_seed(scrambled)
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state.plus_plus()
    }

    /// Uniform in `[0, 1)`, on a grid of 2^-53.
    #[inline]
    pub fn uniform_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform in `0..n`, every value exactly equally likely; 0 if `n` is 0. (Lemire, "Fast random integer generation
    /// in an interval", 2019.)
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if (product as u64) < n {
            // Values that would make the first ones of 0..n more likely are drawn again.
            let uneven = n.wrapping_neg() % n;
            while (product as u64) < uneven {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_stream_for_ever() {
        let mut rng = Rng::from_seed(0);
        assert_eq!([rng.next_u64(), rng.next_u64()], [5987356902031041503, 7051070477665621255]);
        let mut rng = Rng::stream(42, 7);
        assert_eq!([rng.next_u64(), rng.next_u64()], [5577836147107026427, 18171731822965425230]);
        assert_eq!([rng.below(1000), rng.below(1000)], [391, 775]);
    }

    #[test]
    fn neighbouring_streams_share_nothing() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..30 {
            for stream in 0..30 {
                let mut rng = Rng::stream(seed, stream);
                for _ in 0..10 {
                    assert!(
                        seen.insert(rng.next_u64()),
                        "seed {seed}, stream {stream} repeats another stream"
                    );
                }
            }
        }
    }

    #[test]
    fn below_stays_in_its_range() {
        let mut rng = Rng::from_seed(1);
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.below(1), 0);
        for n in [2, 3, 10, 1 << 32, (1 << 63) + 1, u64::MAX] {
            for _ in 0..1000 {
                assert!(rng.below(n) < n);
            }
        }
    }

    #[test]
    fn uniform_f64_fills_the_unit_interval() {
        let mut rng = Rng::from_seed(2);
        let draws: Vec<f64> = (0..100_000).map(|_| rng.uniform_f64()).collect();
        assert!(draws.iter().all(|u| (0.0..1.0).contains(u)));
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        assert!((mean - 0.5).abs() < 0.005, "mean {mean}");
    }
}
