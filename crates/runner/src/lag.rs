//! Lag of a topology's replicas within a measured window, and its growth.

use std::collections::BTreeMap;

use analysis::CONFIDENCE;
use model::{LagGrowth, Observation};

/// The readings of each replica within a window.
pub(crate) struct Lag {
    from_s: f64,
    to_s: f64,
    /// Instants and lags, in seconds, by the replica's position.
    seen: BTreeMap<usize, (Vec<f64>, Vec<f64>)>,
}

impl Lag {
    /// The lag in the window between two instants, seconds since the clients started; a window that ends where it begins never
    /// ends.
    pub fn within(from_s: f64, to_s: f64) -> Self {
        Self { from_s, to_s, seen: BTreeMap::new() }
    }

    /// Takes readings of a replica.
    pub fn add(&mut self, replica: usize, seen: &[Observation]) {
        let (from_s, to_s) = (self.from_s, self.to_s);
        let is_within = |at_s: f64| at_s >= from_s && (at_s <= to_s || to_s <= from_s);
        for (at_s, lag_s) in seen.iter().filter_map(|one| Some((one.at_s, one.lag_s?))) {
            if is_within(at_s) {
                let (instants, lags) = self.seen.entry(replica).or_default();
                instants.push(at_s);
                lags.push(lag_s);
            }
        }
    }

    /// The longest lag of any replica, seconds.
    pub fn max_s(&self) -> Option<f64> {
        self.seen.values().flat_map(|(_, lags)| lags).copied().reduce(f64::max)
    }

    /// The growth on the replica where it is fastest.
    pub fn growth(&self) -> Option<LagGrowth> {
        let lines = self.seen.values().filter_map(|(instants, lags)| stats::line(instants, lags, CONFIDENCE));
        let fastest = lines.max_by(|a, b| a.slope.value.total_cmp(&b.slope.value))?;
        Some(LagGrowth { per_s: fastest.slope.value, low_per_s: fastest.slope.low })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(at_s: f64, lag_s: f64) -> Observation {
        Observation { at_s, lag_s: Some(lag_s), ..Observation::default() }
    }

    #[test]
    fn the_replica_that_falls_behind_tells() {
        let mut lag = Lag::within(5.0, 15.0);
        let level: Vec<_> = (0..20).map(|at| reading(f64::from(at), 0.1)).collect();
        let behind: Vec<_> = (0..20).map(|at| reading(f64::from(at), 0.05 * f64::from(at))).collect();
        lag.add(1, &level);
        lag.add(2, &behind);
        assert_eq!(lag.max_s(), Some(0.75), "15 s into the load, not later");
        let growth = lag.growth().expect("eleven readings");
        assert!((growth.per_s - 0.05).abs() < 1e-9 && growth.low_per_s > 0.049, "{growth:?}");
        assert_eq!(Lag::within(0.0, 1.0).growth(), None);
    }
}
