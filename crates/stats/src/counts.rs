//! A histogram in a few kilobytes: which buckets of an HdrHistogram hold how many.
//!
//! An `hdrhistogram::Histogram` of three digits up to an hour takes 270 KB, nearly all of it zeros; a recording of a thousand trials
//! has some ten thousand of them. Here are only the buckets, as HdrHistogram's V2 encoding has them: counts as zigzag LEB128,
//! a negative number being a run of empty buckets. Adding is exact: it is the buckets that are added.

use hdrhistogram::Histogram;

/// Counts by value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    encoded: Box<[u8]>,
    total: u64,
}

/// Significant digits of the buckets, and what follows from them: within a power of two there are so many buckets.
const DIGITS: u8 = 3;
const HALF: u64 = 1024;
const HALF_BITS: u32 = HALF.trailing_zeros();

/// The head of the V2 encoding: cookie, length, offset, digits, lowest and highest value, ratio.
const HEAD: usize = 40;
/// Cookie of V2 without the deflated frame around it; a bit of it says how wide its words are, and does not matter.
const COOKIE: u32 = 0x1c84_9303;

impl Counts {
    /// Decodes a plain (inflated) V2 encoding; none unless it is one of three digits from 1 on.
    pub fn from_v2(plain: &[u8]) -> Option<Self> {
        let word = |at: usize| Some(u32::from_be_bytes(plain.get(at..at + 4)?.try_into().ok()?));
        let lowest = u64::from_be_bytes(plain.get(16..24)?.try_into().ok()?);
        let fits = word(0)? | 0x10 == COOKIE | 0x10
            && word(4)? as usize == plain.len().checked_sub(HEAD)?
            && word(8)? == 0
            && word(12)? == u32::from(DIGITS)
            && lowest <= 1;
        let encoded = fits.then(|| &plain[HEAD..])?;
        let (mut at, mut total, mut index) = (0, 0_u64, 0_u64);
        while at < encoded.len() {
            match next(encoded, &mut at)? {
                count if count > 0 => {
                    total = total.checked_add(count.unsigned_abs())?;
                    index += 1;
                }
                zeros => index = index.checked_add(zeros.unsigned_abs().max(1))?,
            }
        }
        // More buckets than 64 bits have values for.
        (index <= HALF * 65).then(|| Self { encoded: encoded.into(), total })
    }

    /// The total count.
    pub fn len(&self) -> u64 {
        self.total
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Every non-empty bucket, ascending: its lowest value, the number of values it covers, and its count.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let (mut at, mut index) = (0, 0);
        std::iter::from_fn(move || {
            while at < self.encoded.len() {
                let found = next(&self.encoded, &mut at)?;
                if found > 0 {
                    let (lowest, width) = bucket(index);
                    index += 1;
                    return Some((lowest, width, found.unsigned_abs()));
                }
                index += found.unsigned_abs().max(1);
            }
            None
        })
    }

    /// Adds them to a histogram; those beyond its range count at its end.
    pub fn add_to(&self, sum: &mut Histogram<u64>) {
        for (lowest, _, count) in self.buckets() {
            sum.saturating_record_n(lowest, count);
        }
    }

    /// The counts as an auto-resizing histogram.
    pub fn histogram(&self) -> Histogram<u64> {
        let mut histogram = Histogram::new(DIGITS).expect("three digits are valid");
        self.add_to_growing(&mut histogram);
        histogram
    }

    /// Adds them to a histogram that grows, the largest first so that it grows once.
    pub fn add_to_growing(&self, sum: &mut Histogram<u64>) {
        if let Some((lowest, ..)) = self.buckets().last() {
            // Of no occurrence: only the room is made.
            let _ = sum.record_n(lowest, 0);
        }
        self.add_to(sum);
    }
}

impl From<&Histogram<u64>> for Counts {
    fn from(histogram: &Histogram<u64>) -> Self {
        let (mut encoded, mut expected) = (Vec::new(), 0);
        for step in histogram.iter_recorded() {
            let index = index(step.value_iterated_to());
            match index - expected {
                0 => {}
                zeros => put(&mut encoded, -(zeros as i64)),
            }
            put(&mut encoded, step.count_at_value() as i64);
            expected = index + 1;
        }
        Self { encoded: encoded.into(), total: histogram.len() }
    }
}

impl From<Histogram<u64>> for Counts {
    fn from(histogram: Histogram<u64>) -> Self {
        Self::from(&histogram)
    }
}

/// Lowest value and width of a bucket.
fn bucket(index: u64) -> (u64, u64) {
    match index >> HALF_BITS {
        0 => (index, 1),
        part => {
            let shift = (part - 1) as u32;
            (((index & (HALF - 1)) + HALF) << shift, 1 << shift)
        }
    }
}

/// The bucket of a value.
fn index(value: u64) -> u64 {
    let shift = (u64::BITS - value.leading_zeros()).saturating_sub(HALF_BITS + 1);
    u64::from(shift) * HALF + (value >> shift)
}

/// The next number of an encoding: zigzag LEB128 of at most nine bytes, the ninth of which is whole.
fn next(encoded: &[u8], at: &mut usize) -> Option<i64> {
    let mut value = 0_u64;
    for part in 0..9 {
        let byte = u64::from(*encoded.get(*at)?);
        *at += 1;
        if part == 8 {
            value |= byte << 56;
            break;
        }
        value |= (byte & 0x7f) << (7 * part);
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some((value >> 1) as i64 ^ -((value & 1) as i64))
}

fn put(encoded: &mut Vec<u8>, number: i64) {
    let mut value = ((number << 1) ^ (number >> 63)) as u64;
    for _ in 0..8 {
        if value < 0x80 {
            encoded.push(value as u8);
            return;
        }
        encoded.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    encoded.push(value as u8);
}

#[cfg(test)]
mod tests {
    use hdrhistogram::serialization::{Serializer, V2Serializer};
    use proptest::prelude::*;

    use super::*;

    fn recorded(values: &[(u64, u64)]) -> Histogram<u64> {
        let mut histogram =
            Histogram::new_with_bounds(1, 3_600_000_000_000, DIGITS).expect("bounds are valid");
        values.iter().for_each(|(value, count)| histogram.saturating_record_n(*value, *count));
        histogram
    }

    proptest! {
        #[test]
        fn nothing_is_lost_on_either_way(values in prop::collection::vec((0..3_600_000_000_000_u64, 1..1_000_000_u64), 0..60)) {
            let histogram = recorded(&values);
            let mut plain = Vec::new();
            V2Serializer::new().serialize(&histogram, &mut plain).expect("memory has room");
            let read = Counts::from_v2(&plain).expect("it is of three digits");
            prop_assert_eq!(read.len(), histogram.len());
            let mut sum = recorded(&[]);
            read.add_to(&mut sum);
            prop_assert_eq!(&sum, &histogram);
            prop_assert_eq!((sum.min(), sum.max()), (histogram.min(), histogram.max()));
            let made = Counts::from(&histogram);
            prop_assert!(made.buckets().eq(read.buckets()));
            let grown = made.histogram();
            prop_assert_eq!(&grown, &histogram);
            for q in [0.5, 0.95, 0.999, 1.0] {
                prop_assert_eq!(grown.value_at_quantile(q), histogram.value_at_quantile(q));
            }
            for (lowest, width, _) in made.buckets() {
                prop_assert_eq!(histogram.lowest_equivalent(lowest), lowest);
                prop_assert_eq!(histogram.highest_equivalent(lowest), lowest + width - 1);
            }
        }
    }

    #[test]
    fn what_is_no_encoding_of_three_digits_is_refused() {
        assert_eq!(Counts::from_v2(&[]), None);
        assert_eq!(Counts::from_v2(&[0; 64]), None);
        let mut plain = Vec::new();
        let two = Histogram::<u64>::new_with_bounds(1, 1_000_000, 2).expect("bounds are valid");
        V2Serializer::new().serialize(&two, &mut plain).expect("memory has room");
        assert_eq!(Counts::from_v2(&plain), None);
    }
}
