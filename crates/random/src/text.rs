//! Random digits in templates, as the columns `c` and `pad` hold them.
//!
//! Loading makes 170 digits per row, so one draw yields eleven of them instead of one.

use crate::Rng;

/// Shape of column `c`: ten groups of eleven digits, 119 characters.
pub const C_TEMPLATE: &[u8; 119] = b"###########-###########-###########-###########-###########-\
###########-###########-###########-###########-###########";

/// Shape of column `pad`: five groups of eleven digits, 59 characters.
pub const PAD_TEMPLATE: &[u8; 59] = b"###########-###########-###########-###########-###########";

/// Digits taken from one draw. The odds of two of the 10^11 outcomes differ by less than 10^-8.
const DIGITS_PER_DRAW: usize = 11;

/// Letters taken from one draw; as even as the digits.
const LETTERS_PER_DRAW: usize = 8;

/// `00` to `99`.
const PAIRS: [[u8; 2]; 100] = pairs();

const fn pairs() -> [[u8; 2]; 100] {
    let mut table = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        table[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    table
}

/// Writes `template` to `out` with every `#` replaced by a random digit and every `@` by a random letter `a` to `z`;
/// other bytes are copied. The same generator state gives the same text.
///
/// # Panics
/// If `out` is not as long as `template`.
pub fn fill_digits(template: &[u8], out: &mut [u8], rng: &mut Rng) {
    assert_eq!(template.len(), out.len(), "a template is filled into a buffer of its own length");
    let mut at = 0;
    while at < template.len() {
        let rest = &template[at..];
        at += match rest[0] {
            b'#' => {
                let run = run_length(rest, DIGITS_PER_DRAW);
                digits(&mut out[at..at + run], rng.next_u64());
                run
            }
            b'@' => {
                let run = run_length(rest, LETTERS_PER_DRAW);
                letters(&mut out[at..at + run], rng.next_u64());
                run
            }
            other => {
                out[at] = other;
                1
            }
        };
    }
}

/// Fills `out` with random letters `a` to `z`.
pub(crate) fn fill_letters(out: &mut [u8], rng: &mut Rng) {
    out.chunks_mut(LETTERS_PER_DRAW).for_each(|some| letters(some, rng.next_u64()));
}

/// Number of repetitions of the first byte at the start, up to a limit.
#[inline]
fn run_length(bytes: &[u8], limit: usize) -> usize {
    bytes.iter().take(limit).take_while(|b| **b == bytes[0]).count()
}

/// Reads `bits` as a binary fraction and writes its first decimal digits.
#[inline]
fn digits(out: &mut [u8], mut bits: u64) {
    let mut pairs = out.chunks_exact_mut(2);
    for pair in &mut pairs {
        pair.copy_from_slice(&PAIRS[take(&mut bits, 100)]);
    }
    for last in pairs.into_remainder() {
        *last = b'0' + take(&mut bits, 10) as u8;
    }
}

/// Random letters: digits in base 26.
fn letters(out: &mut [u8], mut bits: u64) {
    for letter in out {
        *letter = b'a' + take(&mut bits, 26) as u8;
    }
}

/// The next digit, in the given base, of a binary fraction.
#[inline]
fn take(fraction: &mut u64, base: u64) -> usize {
    let product = u128::from(*fraction) * u128::from(base);
    *fraction = product as u64;
    (product >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_sysbenchs_shape() {
        for (template, groups) in [(&C_TEMPLATE[..], 10), (&PAD_TEMPLATE[..], 5)] {
            assert_eq!(template, [&b"###########"[..]].repeat(groups).join(&b'-'));
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_text_for_ever() {
        let mut rng = Rng::from_seed(5);
        let mut out = [0; 24];
        fill_digits(b"##-@@@@@@@@@@-##########", &mut out, &mut rng);
        assert_eq!(std::str::from_utf8(&out), Ok("29-pxirdpcaco-0586112022"));
    }

    #[test]
    fn only_placeholders_are_replaced() {
        let mut rng = Rng::from_seed(6);
        let template = b"key #@ \\ # 12@-############-";
        for _ in 0..100 {
            let mut out = vec![0; template.len()];
            fill_digits(template, &mut out, &mut rng);
            for (t, o) in template.iter().zip(&out) {
                match t {
                    b'#' => assert!(o.is_ascii_digit()),
                    b'@' => assert!(o.is_ascii_lowercase()),
                    t => assert_eq!(t, o),
                }
            }
        }
    }

    #[test]
    fn every_digit_is_equally_likely_at_every_place() {
        const ROWS: usize = 20_000;
        let mut rng = Rng::from_seed(7);
        let mut counts = [[0u32; 10]; 119];
        let mut out = [0; 119];
        for _ in 0..ROWS {
            fill_digits(C_TEMPLATE, &mut out, &mut rng);
            for (count, digit) in counts.iter_mut().zip(out).filter(|(_, b)| *b != b'-') {
                count[usize::from(digit - b'0')] += 1;
            }
        }
        let expected = ROWS as f64 / 10.0;
        for (place, count) in counts.iter().enumerate().filter(|(place, _)| C_TEMPLATE[*place] == b'#') {
            let chi_square: f64 = count.iter().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
            // 9 degrees of freedom: 40 is passed once in 100,000 times.
            assert!(chi_square < 40.0, "place {place}: {chi_square}");
        }
    }
}
