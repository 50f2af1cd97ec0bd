//! Numbers that look random and never repeat: the ids of oltp_insert without AUTO_INCREMENT.
//!
//! A permutation of all 32-bit numbers by quadratic residues (Jeff Preshing, "How to generate a sequence of unique
//! random integers", 2012, public domain), composed as sysbench's `sb_rand_unique` does.

/// The largest 32-bit prime; it is 3 modulo 4, which the permutation needs.
const PRIME: u32 = 4_294_967_291;

/// The `index`-th number of the sequence that `offset` selects. For one `offset`, different indexes give different
/// numbers, over the whole range of `u32`.
pub fn unique(index: u32, offset: u32) -> u32 {
    permute(permute(index).wrapping_add(offset) ^ 0x5bf0_3635)
}

/// Turns two seeds into the first index and the offset of a sequence, as sysbench does at start, so that close seeds
/// do not give close sequences.
pub fn unique_start(index_seed: u32, offset_seed: u32) -> (u32, u32) {
    (
        permute(permute(index_seed).wrapping_add(0x682f_0161)),
        permute(permute(offset_seed).wrapping_add(0x4679_0905)),
    )
}

fn permute(x: u32) -> u32 {
    if x >= PRIME {
        return x; // The five numbers above the prime stand for themselves.
    }
    let residue = (u64::from(x) * u64::from(x) % u64::from(PRIME)) as u32;
    if x <= PRIME / 2 { residue } else { PRIME - residue }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_sequence_of_sysbench() {
        // Five numbers that sysbench 1.0.20 printed, and the only index and offset that give them.
        let numbers = [0, 1, 2, 3, 4].map(|i| unique(2_558_848_604 + i, 2_678_856_557));
        assert_eq!(numbers, [2_781_401_625, 2_054_589_109, 4_130_571_652, 1_857_046_922, 4_222_015_789]);
    }

    #[test]
    fn never_repeats() {
        let mut seen = std::collections::HashSet::new();
        for start in [0, 1 << 31, u32::MAX - 50_000] {
            for i in 0..100_000 {
                let index = u32::wrapping_add(start, i);
                assert!(seen.insert(unique(index, 99)) || index < 50_000, "index {index}");
            }
        }
        assert_eq!(seen.len(), 100_000 * 3 - 50_000 + 1);
    }
}
