//! The random numbers of TPC-C: NURand (clause 2.1.6) and customers' last names (clause 4.3.2.3), which loading and load
//! must agree on.

use crate::Rng;

/// Items, and stock rows of a warehouse.
pub const ITEMS: u64 = 100_000;
/// Customers of a district.
pub const CUSTOMERS: u64 = 3_000;
/// Districts of a warehouse.
pub const DISTRICTS: u64 = 10;

/// C of the last names when the data are loaded. Any value from 0 to 255 will do; a run's own has to keep its distance.
const C_LOAD: u64 = 157;

/// The three C of a run or of a load, constant while it lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NuRand {
    c_last: u64,
    c_customer: u64,
    c_item: u64,
}

impl NuRand {
    /// The constants for loading.
    pub fn of_load() -> Self {
        Self { c_last: C_LOAD, c_customer: 0, c_item: 0 }
    }

    /// The constants for a run. The C of last names differs from the load's as clause 2.1.6.1 requires: by 65 to 119, but
    /// neither 96 nor 112.
    pub fn of_run(seed: u64) -> Self {
        let mut rng = Rng::stream(seed, 0x0074_7063_635f_6e75);
        let c_last = loop {
            let c = rng.below(256);
            if is_allowed(c.abs_diff(C_LOAD)) {
                break c;
            }
        };
        Self { c_last, c_customer: rng.below(1024), c_item: rng.below(8192) }
    }

    /// Number of a last name, 0 to 999, for a run or for a load.
    pub fn last_name(&self, rng: &mut Rng) -> u64 {
        nurand(rng, 255, 0, 999, self.c_last)
    }

    /// Id of a customer, 1 to 3,000.
    pub fn customer(&self, rng: &mut Rng) -> u64 {
        nurand(rng, 1023, 1, CUSTOMERS, self.c_customer)
    }

    /// Id of an item, 1 to 100,000.
    pub fn item(&self, rng: &mut Rng) -> u64 {
        nurand(rng, 8191, 1, ITEMS, self.c_item)
    }
}

fn is_allowed(distance: u64) -> bool {
    (65..=119).contains(&distance) && distance != 96 && distance != 112
}

/// `(((random(0, A) | random(x, y)) + C) % (y - x + 1)) + x`
fn nurand(rng: &mut Rng, a: u64, x: u64, y: u64, c: u64) -> u64 {
    let either = rng.below(a + 1) | (x + rng.below(y - x + 1));
    (either + c) % (y - x + 1) + x
}

/// The syllables of last names, clause 4.3.2.3.
const SYLLABLES: [&str; 10] =
    ["BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"];

/// The last name of a number from 0 to 999: one syllable per digit.
pub fn last_name(number: u64) -> String {
    let digit = |place: u64| SYLLABLES[(number / place % 10) as usize];
    [digit(100), digit(10), digit(1)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_names_have_a_syllable_per_digit() {
        // The standard's own example.
        assert_eq!(last_name(371), "PRICALLYOUGHT");
        assert_eq!(last_name(40), "BARPRESBAR");
        assert_eq!(last_name(0), "BARBARBAR");
    }

    #[test]
    fn the_run_keeps_its_distance_from_the_load() {
        for seed in 0..1_000 {
            assert!(is_allowed(NuRand::of_run(seed).c_last.abs_diff(C_LOAD)), "seed {seed}");
        }
    }

    #[test]
    fn numbers_are_in_range_and_non_uniform() {
        let (nurand, mut rng) = (NuRand::of_run(1), Rng::from_seed(1));
        let mut hits = vec![0u32; 3_001];
        for _ in 0..100_000 {
            hits[nurand.customer(&mut rng) as usize] += 1;
            assert!((1..=ITEMS).contains(&nurand.item(&mut rng)));
            assert!(nurand.last_name(&mut rng) <= 999);
        }
        assert_eq!(hits[0], 0);
        // OR with a number of ten bits: the probability of a value grows with the bits set in it, so that the most
        // frequent customer comes far more often than 1 in 3,000, and all come.
        let most = hits[1..].iter().max().copied().unwrap_or(0);
        assert!(most > 500, "{most}");
        assert!(hits[1..].iter().filter(|&&n| n > 0).count() > 2_000);
    }
}
