//! Periodic disturbances: a garbage collection every 60 seconds, a checkpoint.
//!
//! The statistic is the autocorrelation of the series without its trend, at the lag where it and its double are highest. A
//! periodogram would spread short dips over many harmonics. Two equal dips are no period: the double of their distance must
//! show as well. Throughput is autocorrelated, so the significance is tested against wandering series with the same
//! correlation of neighbours (first order autoregressive "red noise" as in Allen and Smith, "Monte Carlo SSA", 1996),
//! simulated from a seed.

use crate::line::line;
use crate::seeded::Seeded;
use crate::series::autocorrelations;

/// Values beyond which neighbours are put together first.
const VALUES_MAX: usize = 600;
/// Simulated series; the smallest p-value is one over one more.
const SIMULATED: usize = 199;
/// Number of equally strong simulated periods after which more are not informative (Besag and Clifford, "Sequential Monte
/// Carlo p-values", 1991).
const ENOUGH: usize = 10;

/// A period and how likely chance gives as strong a one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DetectedPeriod {
    /// Length of the period, in values of the series.
    pub length: f64,
    /// Autocorrelation at this lag or at its double, whichever is lower.
    pub strength: f64,
    /// Share of wandering series without a period that have as strong a one, at least 0.005.
    pub p_value: f64,
}

impl DetectedPeriod {
    /// Whether chance gives such a strong period in at most one of a hundred series.
    pub fn is_significant(&self) -> bool {
        self.p_value <= 0.01
    }
}

/// The strongest period from three values to a third of the series; none below 24 values, for a constant series, or where the
/// autocorrelation has no peak.
pub fn period(values: &[f64], seed: u64) -> Option<DetectedPeriod> {
    const VALUES_MIN: usize = 24;
    if values.len() < VALUES_MIN || values.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let together = values.len().div_ceil(VALUES_MAX);
    let means: Vec<f64> =
        values.chunks_exact(together).map(|chunk| chunk.iter().sum::<f64>() / together as f64).collect();
    let level = without_trend(&means)?;
    let (length, strength, kept) = strongest(&level)?;
    let mut random = Seeded::new(seed);
    let (mut as_strong, mut done) = (0, 0);
    while done < SIMULATED && as_strong < ENOUGH {
        let mut value = random.normal() / (1.0 - kept * kept).sqrt();
        let mut next = || {
            value = kept * value + random.normal();
            value
        };
        let simulated: Vec<f64> = level.iter().map(|_| next()).collect();
        let found = without_trend(&simulated).and_then(|s| strongest(&s));
        as_strong += usize::from(found.is_some_and(|(_, s, _)| s >= strength));
        done += 1;
    }
    let p_value = (as_strong + 1) as f64 / (done + 1) as f64;
    Some(DetectedPeriod { length: length * together as f64, strength, p_value })
}

fn without_trend(values: &[f64]) -> Option<Vec<f64>> {
    let x: Vec<f64> = (0..values.len()).map(|i| i as f64).collect();
    let trend = line(&x, values, 0.95)?;
    Some(x.iter().zip(values).map(|(x, v)| v - trend.at(*x)).collect())
}

/// Lag, strength, and correlation of neighbours.
fn strongest(values: &[f64]) -> Option<(f64, f64, f64)> {
    const LAG_MIN: usize = 3;
    let lag_max = values.len() / 3;
    let lags = autocorrelations(values, 2 * lag_max)?;
    // A wandering series resembles itself at short lags: periods are sought beyond its first crossing of 0.
    let from = lags.iter().position(|r| *r <= 0.0)?.max(LAG_MIN);
    // What comes back is never punctual: the highest of neighbouring lags counts, one in forty.
    let around = |lag: usize| {
        let reach = lag / 40;
        let part = &lags[lag - reach..=(lag + reach).min(lags.len() - 1)];
        part.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    };
    let strength = |lag: usize| around(lag).min(around(2 * lag));
    let best = (from..=lag_max).max_by(|a, b| strength(*a).total_cmp(&strength(*b)))?;
    let found = strength(best);
    (found > 0.0).then(|| (refined(&lags, best), found, lags[1].clamp(0.0, 0.99)))
}

/// The top of a parabola through the autocorrelation at the lag and beside it.
fn refined(lags: &[f64], lag: usize) -> f64 {
    let (before, at, after) = (lags[lag - 1], lags[lag], lags[lag + 1]);
    let bend = before - 2.0 * at + after;
    let shift = if bend < 0.0 { (before - after) / (2.0 * bend) } else { 0.0 };
    lag as f64 + shift.clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::wandering;

    /// Yearly sunspot numbers from 1749 to 1924 in the data of the study that brought up autoregressive models (Yule, "On a
    /// Method of Investigating Periodicities in Disturbed Series", 1927), as in statsmodels 0.15.0, datasets.sunspots.
    const SUNSPOTS: [f64; 176] = [
        80.9, 83.4, 47.7, 47.8, 30.7, 12.2, 9.6, 10.2, 32.4, 47.6, 54.0, 62.9, 85.9, 61.2, 45.1, 36.4, 20.9,
        11.4, 37.8, 69.8, 106.1, 100.8, 81.6, 66.5, 34.8, 30.6, 7.0, 19.8, 92.5, 154.4, 125.9, 84.8, 68.1,
        38.5, 22.8, 10.2, 24.1, 82.9, 132.0, 130.9, 118.1, 89.9, 66.6, 60.0, 46.9, 41.0, 21.3, 16.0, 6.4,
        4.1, 6.8, 14.5, 34.0, 45.0, 43.1, 47.5, 42.2, 28.1, 10.1, 8.1, 2.5, 0.0, 1.4, 5.0, 12.2, 13.9, 35.4,
        45.8, 41.1, 30.1, 23.9, 15.6, 6.6, 4.0, 1.8, 8.5, 16.6, 36.3, 49.6, 64.2, 67.0, 70.9, 47.8, 27.5,
        8.5, 13.2, 56.9, 121.5, 138.3, 103.2, 85.7, 64.6, 36.7, 24.2, 10.7, 15.0, 40.1, 61.5, 98.5, 124.7,
        96.3, 66.6, 64.5, 54.1, 39.0, 20.6, 6.7, 4.3, 22.7, 54.8, 93.8, 95.8, 77.2, 59.1, 44.0, 47.0, 30.5,
        16.3, 7.3, 37.6, 74.0, 139.0, 111.2, 101.6, 66.2, 44.7, 17.0, 11.3, 12.4, 3.4, 6.0, 32.3, 54.3, 59.7,
        63.7, 63.5, 52.2, 25.4, 13.1, 6.8, 6.3, 7.1, 35.6, 73.0, 85.1, 78.0, 64.0, 41.8, 26.2, 26.7, 12.1,
        9.5, 2.7, 5.0, 24.4, 42.0, 63.5, 53.8, 62.0, 48.5, 43.9, 18.6, 5.7, 3.6, 1.4, 9.6, 47.4, 57.1, 103.9,
        80.6, 63.6, 37.6, 26.1, 14.2, 5.8, 16.7,
    ];

    /// The cycle of Wolf: 11.1 years, which has been from 9 to 14 years long.
    #[test]
    fn sunspots_come_back_after_eleven_years() {
        let found = period(&SUNSPOTS, 1).expect("it has one");
        assert!((10.0..=11.5).contains(&found.length) && found.p_value <= 0.05, "{found:?}");
    }

    /// Dips of a third as in figure 4-12 of "The Art of Problem-Solving in Software Engineering", at 45, 107, 167, 228, 288 s.
    #[test]
    fn dips_once_a_minute_are_found() {
        let mut random = Seeded::new(71);
        let values: Vec<f64> = (0..300)
            .map(|i| {
                let dip = [45_i32, 107, 167, 228, 288].iter().any(|d| (i - d).abs() <= 1);
                (if dip { 6_000.0 } else { 21_000.0 }) + 500.0 * random.normal()
            })
            .collect();
        let found = period(&values, 2).expect("it has one");
        assert!((found.length - 60.5).abs() <= 1.5 && found.is_significant(), "{found:?}");
        // An hour of the same, longer than what is looked at value by value.
        let hour: Vec<f64> = (0..3_600)
            .map(|i| (if i % 60 < 3 { 6_000.0 } else { 21_000.0 }) + 500.0 * random.normal())
            .collect();
        let found = period(&hour, 2).expect("it has one");
        assert!((found.length - 60.0).abs() <= 1.0 && found.is_significant(), "{found:?}");
    }

    #[test]
    fn two_stalls_are_no_period() {
        let mut random = Seeded::new(73);
        let values: Vec<f64> = (0..180)
            .map(|i| if i == 50 || i == 110 { 0.0 } else { 1_000.0 + 20.0 * random.normal() })
            .collect();
        assert!(!period(&values, 3).is_some_and(|p| p.is_significant()));
    }

    /// 60 series of 120 values for each correlation of neighbours.
    #[test]
    fn a_wandering_series_seldom_has_a_period() {
        let mut random = Seeded::new(79);
        for kept in [0.0, 0.5, 0.8] {
            let alarms = (0..60).filter(|seed| {
                period(&wandering(&mut random, 120, kept), *seed).is_some_and(|p| p.is_significant())
            });
            let alarms = alarms.count();
            println!("kept {kept}: {alarms} of 60");
            assert!(alarms <= 4, "{kept} {alarms}");
        }
    }

    #[test]
    fn too_short_or_constant_has_none() {
        assert_eq!(period(&[1.0; 100], 1), None);
        assert_eq!(period(&[1.0, 2.0, 3.0], 1), None);
    }
}
