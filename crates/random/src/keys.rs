//! Draws the row to access: sysbench's five key distributions.
//!
//! The formulas are those of sysbench 1.0.20's `sb_rand.c`, and of its 1.1 for `zipfian`, widened from 32 to 64 bits.
//! Everything that does not depend on the range is computed once, so that a draw is a few multiplications.

use crate::Rng;

/// A key distribution, ready to draw from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keys(Kind);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Uniform,
    Gaussian(Mean),
    Special(Special),
    Pareto { power: f64 },
    Zipfian(Zipf),
}

impl Keys {
    /// Every key equally likely.
    pub fn uniform() -> Self {
        Self(Kind::Uniform)
    }

    /// Mean of `iter` uniform draws (`--rand-spec-iter`); 0 counts as 1.
    pub fn gaussian(iter: u32) -> Self {
        Self(Kind::Gaussian(Mean::of(iter)))
    }

    /// `res` per cent of the draws fall evenly on the `pct` per cent of the keys in the middle, the others are
    /// gaussian over all keys. Percentages above 100 count as 100.
    pub fn special(iter: u32, pct: u32, res: u32) -> Self {
        let (pct, res) = (f64::from(pct.min(100)), f64::from(res.min(100)));
        Self(Kind::Special(Special {
            mean: Mean::of(iter),
            width: pct / 100.0,
            half_width: pct / 200.0,
            gaussian_share: 1.0 - res / 100.0,
        }))
    }

    /// Low keys are hot: with h = 0.2, 80 % of the draws hit the first 20 % of the keys. `h` lies strictly between 0
    /// and 1; other values are brought into that range.
    pub fn pareto(h: f64) -> Self {
        let h = if h.is_finite() { h.clamp(1e-9, 1.0 - 1e-9) } else { 0.2 };
        Self(Kind::Pareto { power: h.ln() / (1.0 - h).ln() })
    }

    /// Key number i of a range is drawn in proportion to 1 / i^exponent. `n` is the most frequent length of the range; other
    /// ranges work, a little slower. A negative exponent counts as 0.
    pub fn zipfian(exponent: f64, n: u64) -> Self {
        Self(Kind::Zipfian(Zipf::new(if exponent > 0.0 { exponent } else { 0.0 }, n)))
    }

    /// A key in `low..=high` (the bounds may come in either order).
    #[inline]
    pub fn draw(&self, rng: &mut Rng, low: u64, high: u64) -> u64 {
        let (low, high) = if low <= high { (low, high) } else { (high, low) };
        let span = high - low;
        // Number of keys; as sysbench computes in floating point, so do we, and only uniform needs it exactly.
        let count = span as f64 + 1.0;
        let offset = match &self.0 {
            Kind::Uniform => match span.checked_add(1) {
                Some(n) => rng.below(n),
                None => rng.next_u64(),
            },
            Kind::Gaussian(mean) => (mean.draw(rng) * count) as u64,
            Kind::Special(special) => special.draw(rng, span as f64) as u64,
            Kind::Pareto { power } => (count * rng.uniform_f64().powf(*power)) as u64,
            Kind::Zipfian(zipf) => zipf.draw(rng, span.saturating_add(1)) - 1,
        };
        // Rounding can reach one past the end.
        low + offset.min(span)
    }
}

/// The mean of several uniform draws, near enough to a gaussian.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Mean {
    iter: u32,
    factor: f64,
}

impl Mean {
    fn of(iter: u32) -> Self {
        let iter = iter.max(1);
        Self { iter, factor: 1.0 / f64::from(iter) }
    }

    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        let mut sum = 0.0;
        for _ in 0..self.iter {
            sum += rng.uniform_f64();
        }
        sum * self.factor
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Special {
    mean: Mean,
    /// Width of the hot centre as a share of the range, and half of it.
    width: f64,
    half_width: f64,
    gaussian_share: f64,
}

impl Special {
    #[inline]
    fn draw(&self, rng: &mut Rng, span: f64) -> f64 {
        let u = rng.uniform_f64();
        if u < self.gaussian_share && span > 0.0 {
            return self.mean.draw(rng) * span;
        }
        // sysbench uses the same draw again, so that u is not below the gaussian share here: the hot keys are the
        // upper part of the centre. Kept, because it decides which pages are hot.
        u * (span * self.width + 1.0) + span / 2.0 - span * self.half_width
    }
}

/// Zipf's law by rejection-inversion (Hörmann and Derflinger, "Rejection-inversion to generate variates from monotone
/// discrete distributions", ACM TOMACS 6.3, 1996), with the integral that also works for exponents up to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Zipf {
    exponent: f64,
    /// Below this distance from its key a point is accepted without computing the hat.
    sure: f64,
    integral_first: f64,
    n: u64,
    integral_n: f64,
}

impl Zipf {
    fn new(exponent: f64, n: u64) -> Self {
        Self {
            exponent,
            sure: 2.0 - integral_inverse(integral(2.5, exponent) - weight(2.0, exponent), exponent),
            integral_first: integral(1.5, exponent) - 1.0,
            n,
            integral_n: integral(n as f64 + 0.5, exponent),
        }
    }

    /// A number in `1..=n`.
    fn draw(&self, rng: &mut Rng, n: u64) -> u64 {
        let integral_n = if n == self.n { self.integral_n } else { integral(n as f64 + 0.5, self.exponent) };
        loop {
            let area = integral_n + rng.uniform_f64() * (self.integral_first - integral_n);
            let x = integral_inverse(area, self.exponent);
            let key = ((x + 0.5) as u64).clamp(1, n);
            let k = key as f64;
            if k - x <= self.sure || area >= integral(k + 0.5, self.exponent) - weight(k, self.exponent) {
                return key;
            }
        }
    }
}

/// 1 / x^e.
fn weight(x: f64, e: f64) -> f64 {
    (-e * x.ln()).exp()
}

/// (x^(1-e) - 1) / (1-e), and its limit ln x for e = 1: an integral of `weight`.
fn integral(x: f64, e: f64) -> f64 {
    let ln = x.ln();
    let t = (1.0 - e) * ln;
    // (exp(t) - 1) / t, by its series where the quotient would lose digits
    let ratio = if t.abs() > 1e-8 { t.exp_m1() / t } else { 1.0 + t / 2.0 * (1.0 + t / 3.0) };
    ratio * ln
}

fn integral_inverse(y: f64, e: f64) -> f64 {
    // Rounding can take t just below -1, where the logarithm ends.
    let t = (y * (1.0 - e)).max(-1.0);
    // ln(1 + t) / t, likewise
    let ratio = if t.abs() > 1e-8 { t.ln_1p() / t } else { 1.0 - t * (0.5 - t / 3.0) };
    (ratio * y).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_kind() -> Vec<Keys> {
        let mut all = vec![Keys::uniform(), Keys::gaussian(12), Keys::gaussian(0), Keys::pareto(0.2)];
        all.extend(
            [(1, 75), (100, 100), (0, 0), (1, 100), (900, 900)].map(|(pct, res)| Keys::special(12, pct, res)),
        );
        all.extend([0.0, 1e-9, f64::NAN, f64::INFINITY, 1.0, 7.0].map(Keys::pareto));
        all.extend(
            [-1.0, 0.0, 0.8, 1.0, 1.0 + 1e-12, 3.0, 50.0].map(|exponent| Keys::zipfian(exponent, 1000)),
        );
        all
    }

    #[test]
    fn every_draw_is_within_its_bounds() {
        let mut rng = Rng::from_seed(1);
        let ranges =
            [(1, 1), (0, 0), (1, 2), (5, 1), (1, 1000), (7, 1 << 40), (0, u64::MAX), (u64::MAX, u64::MAX)];
        for keys in every_kind() {
            for (low, high) in ranges {
                for _ in 0..300 {
                    let key = keys.draw(&mut rng, low, high);
                    assert!((low.min(high)..=low.max(high)).contains(&key), "{keys:?} {low} {high}: {key}");
                }
            }
        }
    }

    #[test]
    fn every_key_of_a_small_range_comes() {
        let mut rng = Rng::from_seed(2);
        for keys in [Keys::uniform(), Keys::gaussian(2), Keys::pareto(0.2), Keys::zipfian(0.8, 4)] {
            let mut seen = [false; 4];
            for _ in 0..5000 {
                seen[keys.draw(&mut rng, 1, 4) as usize - 1] = true;
            }
            assert_eq!(seen, [true; 4], "{keys:?}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_keys_for_ever() {
        let draws = |keys: Keys| {
            let mut rng = Rng::stream(1, 1);
            [(); 4].map(|()| keys.draw(&mut rng, 1, 1_000_000))
        };
        assert_eq!(draws(Keys::uniform()), [127_280, 800_357, 584_999, 633_059]);
        assert_eq!(draws(Keys::gaussian(12)), [452_033, 473_572, 458_740, 544_033]);
        assert_eq!(draws(Keys::special(12, 1, 75)), [460_606, 500_661, 500_518, 498_643]);
        assert_eq!(draws(Keys::pareto(0.2)), [1, 200_645, 20_922, 36_975]);
        assert_eq!(draws(Keys::zipfian(0.8, 1_000_000)), [527_204, 870, 17_976, 10_534]);
    }
}
