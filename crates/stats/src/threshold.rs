//! The level at which something begins to fail, found by trials that pass or fail.
//!
//! A psychometric function, the usual model for thresholds found by pass or fail: the probability to pass falls with the
//! logarithm of the level as a logistic curve. The knowledge of its place and its spread is a posterior on a grid, and the
//! next level is the most informative one about the place: the psi method (Kontsevich and Tyler, "Bayesian adaptive
//! estimation of psychometric slope and threshold", Vision Research 39, 1999), with the spread as a nuisance parameter
//! (Prins, "The psi-marginal adaptive method", Journal of Vision 13(7), 2013).

use crate::estimate::Estimate;

/// Ratio of two neighbouring places of the grid.
const STEP: f64 = 1.0025;
/// Spreads of the curve, in natural logarithms of the level: from a cliff to a slope over a third of the level.
const SPREADS: [f64; 6] = [0.002, 0.005, 0.01, 0.02, 0.04, 0.08];
/// Share of trials that pass or fail whatever the level: a stall that has nothing to do with the load.
const LAPSE: f64 = 0.02;
/// Drift of the place from one trial to the next, standard deviation of its logarithm: a machine does not stay the same for
/// half an hour. Old trials then carry less information about the current place.
const WANDERS: f64 = 0.003;
/// Number of candidate levels for the next trial.
const LOOKED_AT: usize = 50;

/// The posterior of a threshold: the level at which half of all trials pass.
#[derive(Debug, Clone)]
pub struct LogisticThreshold {
    /// Logarithms of the places that it may have.
    places: Vec<f64>,
    /// Probability of each place with each spread, the spreads of a place side by side.
    weights: Vec<f64>,
}

impl LogisticThreshold {
    /// Somewhere between two levels, each stretch of the range as likely as any other of its length. None unless the levels are
    /// positive and the second is the larger one.
    pub fn between(low: f64, high: f64) -> Option<Self> {
        if !(low > 0.0 && low < high && high.is_finite()) {
            return None;
        }
        let steps = ((high / low).ln() / STEP.ln()).ceil().max(1.0) as usize;
        let places: Vec<f64> = (0..=steps).map(|at| low.ln() + at as f64 * STEP.ln()).collect();
        // Places are even on logarithms: a higher one stands for a longer stretch.
        let stretches: Vec<f64> = places.iter().map(|place| place.exp()).collect();
        let whole = stretches.iter().sum::<f64>() * SPREADS.len() as f64;
        let weights = stretches.iter().flat_map(|stretch| [stretch / whole; SPREADS.len()]).collect();
        Some(Self { places, weights })
    }

    /// Takes a trial at a level into account.
    pub fn add(&mut self, level: f64, passed: bool) {
        let passing = self.passing(level);
        for (weight, passes) in self.weights.iter_mut().zip(passing) {
            *weight *= if passed { passes } else { 1.0 - passes };
        }
        // Never zero: whatever the place, a lapse explains a trial.
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
    }

    /// Advances to the next trial: the place may have drifted.
    pub fn wander(&mut self) {
        // A step to either side with a chance of a quarter each has half a step of variance.
        let rounds = (WANDERS / STEP.ln()).powi(2) / 0.5;
        let width = SPREADS.len();
        for _ in 0..rounds.round() as usize {
            let last = self.weights.len() - width;
            let old = self.weights.clone();
            for (at, weight) in self.weights.iter_mut().enumerate() {
                // What would leave the range stays at its end.
                let below = if at < width { old[at] } else { old[at - width] };
                let above = if at >= last { old[at] } else { old[at + width] };
                *weight = 0.5 * old[at] + 0.25 * (below + above);
            }
        }
    }

    /// The median with the interval that holds the threshold with this probability.
    pub fn estimate(&self, confidence: f64) -> Estimate {
        let tail = (1.0 - confidence) / 2.0;
        Estimate { value: self.quantile(0.5), low: self.quantile(tail), high: self.quantile(1.0 - tail) }
    }

    /// The probability that the threshold is above a level.
    pub fn above(&self, level: f64) -> f64 {
        let each = self.places.iter().zip(self.of_places(&self.weights));
        each.filter(|(place, _)| **place > level.ln()).map(|(_, weight)| weight).sum()
    }

    /// The level, of these, whose trial is expected to leave the least entropy of the place; none if there are no levels.
    pub fn most_telling(&self, levels: &[f64]) -> Option<f64> {
        let (low, high) = (self.quantile(0.005), self.quantile(0.995));
        let inside: Vec<f64> = levels.iter().copied().filter(|level| (low..=high).contains(level)).collect();
        // Neighbours tell nearly the same.
        let every = inside.len().div_ceil(LOOKED_AT).max(1);
        let nearest =
            || levels.iter().copied().min_by(|a, b| self.distance(*a).total_cmp(&self.distance(*b)));
        let expected = |level: &f64| {
            let passing = self.passing(*level);
            let passed: Vec<f64> = self.weights.iter().zip(&passing).map(|(w, p)| w * p).collect();
            let failed: Vec<f64> = self.weights.iter().zip(&passing).map(|(w, p)| w * (1.0 - p)).collect();
            self.entropy(&passed) + self.entropy(&failed)
        };
        inside
            .into_iter()
            .step_by(every)
            .map(|level| (level, expected(&level)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(level, _)| level)
            .or_else(nearest)
    }

    fn distance(&self, level: f64) -> f64 {
        (level.ln() - self.quantile(0.5).ln()).abs()
    }

    /// The probability to pass at a level, for each place and spread.
    fn passing(&self, level: f64) -> Vec<f64> {
        let at = level.ln();
        let one = |place: &f64, spread: f64| {
            let logistic = 1.0 / (1.0 + ((at - place) / spread).exp());
            LAPSE + (1.0 - 2.0 * LAPSE) * logistic
        };
        self.places.iter().flat_map(|place| SPREADS.map(|spread| one(place, spread))).collect()
    }

    fn of_places(&self, weights: &[f64]) -> Vec<f64> {
        weights.chunks(SPREADS.len()).map(|spreads| spreads.iter().sum()).collect()
    }

    /// Entropy of the place, times the probability of the weights as a whole.
    fn entropy(&self, weights: &[f64]) -> f64 {
        let whole: f64 = weights.iter().sum();
        let each = self.of_places(weights).into_iter().filter(|weight| *weight > 0.0);
        each.map(|weight| -weight * (weight / whole).ln()).sum()
    }

    fn quantile(&self, share: f64) -> f64 {
        let mut below = 0.0;
        for (place, weight) in self.places.iter().zip(self.of_places(&self.weights)) {
            if below + weight >= share {
                // A place stands for the step around it.
                let within = if weight > 0.0 { (share - below) / weight } else { 0.5 };
                return (place + (within - 0.5) * STEP.ln()).exp();
            }
            below += weight;
        }
        self.places.last().map_or(f64::NAN, |place| place.exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::Seeded;

    /// Searches a threshold of 1 among levels of 1 % distance until its interval is this narrow; where it was found, and after
    /// how many trials.
    fn search(spread: f64, width: f64, most: usize, seed: u64) -> (Estimate, usize) {
        let mut random = Seeded::new(seed);
        // The threshold falls between two levels, wherever chance wants it.
        let shift = random.unit();
        let levels: Vec<f64> = (0..483).map(|n| 0.01 * 1.01_f64.powf(f64::from(n) + shift)).collect();
        let mut known = LogisticThreshold::between(0.01, 1.25).expect("a range");
        for trial in 0..most {
            let found = known.estimate(0.95);
            if found.high / found.low <= width {
                return (found, trial);
            }
            let level = known.most_telling(&levels).expect("there are levels");
            known.wander();
            let passes = 0.01 + 0.98 / (1.0 + (level.ln() / spread).exp());
            known.add(level, random.unit() < passes);
        }
        (known.estimate(0.95), most)
    }

    /// Coverage of the interval over 60 searches, and the mean number of trials.
    fn count(spread: f64) -> (usize, f64) {
        let found: Vec<(Estimate, usize)> = (0..60).map(|seed| search(spread, 1.05, 60, seed)).collect();
        let held = found.iter().filter(|(one, _)| one.low <= 1.0 && 1.0 <= one.high).count();
        (held, found.iter().map(|(_, trials)| *trials as f64).sum::<f64>() / found.len() as f64)
    }

    #[test]
    fn intervals_hold_the_threshold_whatever_the_spread() {
        for (spread, trials_max) in [(0.001, 18.0), (0.01, 36.0), (0.03, 60.0)] {
            let (held, trials) = count(spread);
            assert!(held >= 54, "{held} of 60 at a spread of {spread}, nominal 57");
            println!("spread {spread}: held {held} of 60, {trials} trials");
            assert!(trials <= trials_max, "{trials} trials at a spread of {spread}");
        }
    }

    /// The threshold moves by this amount per trial, and is at 1 in the end; the interval refers to the end.
    fn search_of_what_moves(per_trial: f64, seed: u64) -> Estimate {
        const TRIALS: i32 = 40;
        let mut random = Seeded::new(seed);
        let levels: Vec<f64> = (0..483).map(|n| 0.01 * 1.01_f64.powi(n)).collect();
        let mut known = LogisticThreshold::between(0.01, 1.25).expect("a range");
        for trial in 0..TRIALS {
            known.wander();
            let level = known.most_telling(&levels).expect("there are levels");
            let place = f64::from(trial - TRIALS) * per_trial;
            known.add(level, random.unit() < 1.0 / (1.0 + ((level.ln() - place) / 0.02).exp()));
        }
        known.estimate(0.95)
    }

    #[test]
    fn intervals_are_of_the_end_where_the_threshold_moves() {
        for per_trial in [-0.003, 0.003] {
            let found: Vec<Estimate> = (0..60).map(|seed| search_of_what_moves(per_trial, seed)).collect();
            let held = found.iter().filter(|one| one.low <= 1.0 && 1.0 <= one.high).count();
            println!("{per_trial}: held {held} of 60");
            assert!(held >= 51, "{held} of 60 at {per_trial}");
        }
    }

    #[test]
    fn one_lapse_far_below_does_not_move_it_far() {
        let mut known = LogisticThreshold::between(10.0, 10_000.0).expect("a range");
        [(1000.0, true), (200.0, false), (2000.0, false), (1200.0, true), (1400.0, false), (1100.0, true)]
            .into_iter()
            .for_each(|(level, passed)| known.add(level, passed));
        let found = known.estimate(0.95);
        assert!(found.low > 1000.0 && found.high < 2000.0, "{found:?}");
        assert!(known.above(1000.0) > 0.97 && known.above(2000.0) < 0.03);
    }

    #[test]
    fn a_range_that_is_none_gives_none() {
        assert!(
            LogisticThreshold::between(0.0, 1.0).is_none() && LogisticThreshold::between(2.0, 1.0).is_none()
        );
        assert!(LogisticThreshold::between(1.0, f64::INFINITY).is_none());
        assert_eq!(LogisticThreshold::between(1.0, 2.0).expect("a range").most_telling(&[]), None);
    }
}
