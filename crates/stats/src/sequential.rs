//! The stopping rule for repeats: a decision that stays valid when checked after every block.
//!
//! Looking at a 95 % interval after each block and stopping when it leaves 1 out finds a difference between equal arms in
//! far more than 5 % of cases. Two sequential rules are used here, each where it decides sooner.
//!
//! A difference: a confidence sequence for the mean of the paired log-ratios with unknown variance. It inverts the Bayes
//! factor of the t-test with a normal prior on the mean in standard deviations (Gönen, Johnson, Lu and Westfall, "The
//! Bayesian Two-Sample t Test", 2005), which is a martingale where the mean is the hypothesis (Lai, "On Confidence
//! Sequences", 1976; Wang and Ramdas, "Anytime-Valid t-tests and Confidence Sequences for Gaussian Means with Unknown
//! Variance", 2025), so that by Ville's inequality it ever excludes the truth in at most 5 % of cases. It needs no maximum
//! of blocks and stays valid if that is raised, or if the run stops for another reason.
//!
//! Equivalence: two one-sided t-tests against the margin, their error spent as O'Brien and Fleming would over a known
//! maximum of blocks (Lan and DeMets, "Discrete Sequential Boundaries for Clinical Trials", 1983; nominal levels applied to
//! t as in Jennison and Turnbull, "Group Sequential Methods", 2000, section 4.4). The boundary is the one for continuous
//! monitoring, from the reflection principle of Brownian motion, so it holds for any choice of looks. A confidence sequence
//! would need about twice the blocks for this.

use statrs::distribution::ContinuousCDF;

use crate::bootstrap::normal;
use crate::estimate::{Contrast, Estimate, Pairing};

/// Variance of the prior on the difference, in standard deviations of a block: the rule is quickest for differences of one
/// to four of them (a difference of 5 % with runs that scatter by 2 % is 1.8).
const PRIOR_VARIANCE: f64 = 4.0;

/// Parameters of the stopping rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stopping {
    /// 0.95: at most 5 % false differences, and at most 5 % false equalities, over all looks.
    pub confidence: f64,
    /// Equivalence margin: ratios from 1 / (1 + margin) to 1 + margin are equivalent.
    pub margin: f64,
    /// Maximum number of blocks; must not depend on the results. At least 3.
    pub blocks_max: usize,
}

/// The decision after a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// a is higher than b.
    Higher,
    /// a is lower than b.
    Lower,
    /// They are equivalent within the margin.
    Same,
    /// Run one more block.
    Continue,
    /// The maximum number of blocks is reached without a decision.
    Undecided,
}

/// A look after a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The decision.
    pub decision: Decision,
    /// Ratio a / b of geometric means; the interval covers the true value at all looks together with the requested confidence,
    /// and is therefore wider than a fixed-sample interval. Unbounded (0 to infinity) while there are too few blocks.
    pub ratio: Estimate,
}

/// Evaluates all blocks so far: values at the same position belong to one block. None with fewer than two blocks, for
/// slices of different length, for a value that is not positive, or for an invalid rule.
pub fn look(a: &[f64], b: &[f64], rule: &Stopping) -> Option<Look> {
    if rule.blocks_max < 3 || rule.margin < 0.0 || !(0.0..1.0).contains(&rule.confidence) {
        return None;
    }
    let blocks = a.len();
    let contrast = Contrast::of(a, b, Pairing::Paired)?;
    let t = sequence_t(blocks, rule.confidence);
    // Blocks without any scatter do not make up for too few of them.
    let half_width = if t.is_finite() { t * contrast.standard_error } else { f64::INFINITY };
    let ratio = Estimate::around(contrast.value, half_width).exp();
    let decision = if blocks >= 3 && is_same(&contrast, blocks, rule) {
        Decision::Same
    } else if ratio.low > 1.0 {
        Decision::Higher
    } else if ratio.high < 1.0 {
        Decision::Lower
    } else if blocks < rule.blocks_max {
        Decision::Continue
    } else {
        Decision::Undecided
    };
    Some(Look { decision, ratio })
}

/// The t at which the Bayes factor reaches 1 / (1 - confidence): (1 + ng)^-1/2 [(1 + t²/v) / (1 + t²/((1 + ng) v))]^(n/2)
/// with v = n - 1, solved for t.
fn sequence_t(blocks: usize, confidence: f64) -> f64 {
    let (n, freedom) = (blocks as f64, blocks as f64 - 1.0);
    let spread = 1.0 + n * PRIOR_VARIANCE;
    let power = (spread.sqrt() / (1.0 - confidence)).powf(2.0 / n);
    if power >= spread { f64::INFINITY } else { (freedom * (power - 1.0) / (1.0 - power / spread)).sqrt() }
}

fn is_same(contrast: &Contrast, blocks: usize, rule: &Stopping) -> bool {
    let bound = rule.margin.ln_1p();
    if contrast.value.abs() >= bound {
        return false;
    }
    let left = (rule.blocks_max as f64 / blocks as f64).max(1.0);
    // A Brownian motion ever passes c by time 1 with probability 2 (1 - Φ(c)).
    let boundary = normal().inverse_cdf((1.0 + rule.confidence) / 2.0) * left.sqrt();
    let nominal = normal().cdf(-boundary);
    contrast.probability_below(bound) <= nominal && 1.0 - contrast.probability_below(-bound) <= nominal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{paired_ratio_interval, seeded::Seeded};

    const RULE: Stopping = Stopping { confidence: 0.95, margin: 0.02, blocks_max: 30 };

    /// The decision, and the number of blocks it took.
    fn decide(random: &mut Seeded, ratio: f64, noise: &impl Fn(&mut Seeded) -> f64) -> (Decision, usize) {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        loop {
            let block = 0.05 * random.normal();
            a.push(ratio * (block + noise(random)).exp());
            b.push((block + noise(random)).exp());
            match look(&a, &b, &RULE).map_or(Decision::Continue, |look| look.decision) {
                Decision::Continue => {}
                decision => return (decision, a.len()),
            }
        }
    }

    /// Shares of higher, lower, same; mean and 90 % quantile of the blocks.
    fn simulate(sequences: usize, ratio: f64, noise: impl Fn(&mut Seeded) -> f64) -> ([f64; 3], f64, f64) {
        let mut random = Seeded::new(23);
        let found: Vec<(Decision, usize)> =
            (0..sequences).map(|_| decide(&mut random, ratio, &noise)).collect();
        let share = |decision| found.iter().filter(|(d, _)| *d == decision).count() as f64 / sequences as f64;
        let blocks: Vec<f64> = found.iter().map(|(_, blocks)| *blocks as f64).collect();
        let mean = crate::mean(&blocks).expect("sequences");
        let most = crate::quantile(&blocks, 0.9).expect("sequences");
        println!(
            "ratio {ratio}: higher {}, lower {}, same {}; blocks {mean:.1}, 90 % within {most}",
            share(Decision::Higher),
            share(Decision::Lower),
            share(Decision::Same)
        );
        ([share(Decision::Higher), share(Decision::Lower), share(Decision::Same)], mean, most)
    }

    fn two_percent(random: &mut Seeded) -> f64 {
        0.02 * random.normal()
    }

    /// 3,000 sequences: the standard error of a share of 5 % is 0.4 %.
    #[test]
    fn equal_arms_are_seldom_called_different() {
        let ([higher, lower, same], ..) = simulate(3_000, 1.0, two_percent);
        assert!(higher + lower <= 0.05 && same >= 0.8, "{higher} {lower} {same}");
        // With so much noise that equality is never found, no false difference is prevented by it.
        let ([higher, lower, same], ..) = simulate(2_000, 1.0, |random| 0.2 * random.normal());
        assert!(higher + lower <= 0.05 && same == 0.0, "{higher} {lower} {same}");
    }

    /// Noise of heavy tails (a mixture: one run in ten scatters five times as much) and of one long tail.
    #[test]
    fn other_noise_than_normal_raises_no_more_alarms() {
        let heavy = |random: &mut Seeded| {
            let scale = if random.below(10) == 0 { 0.1 } else { 0.02 };
            scale * random.normal()
        };
        let ([higher, lower, _], ..) = simulate(2_000, 1.0, heavy);
        assert!(higher + lower <= 0.05, "{higher} {lower}");
        let ([higher, lower, _], ..) = simulate(2_000, 1.0, |random| 0.2 * random.unit().ln());
        assert!(higher + lower <= 0.05, "{higher} {lower}");
    }

    /// Arms that differ by just the margin: Same is false then.
    #[test]
    fn different_arms_are_seldom_called_the_same() {
        let ([_, _, same], ..) = simulate(2_000, 1.02, two_percent);
        assert!(same <= 0.05 + 0.015, "{same}");
        let ([higher, ..], ..) = simulate(2_000, 0.98, two_percent);
        assert!(higher <= 0.01, "{higher}");
    }

    #[test]
    fn a_difference_of_five_percent_is_found_soon() {
        let ([higher, lower, _], mean, most) = simulate(1_000, 1.05, two_percent);
        assert!(
            higher >= 0.99 && lower == 0.0 && mean < 10.0 && most <= 13.0,
            "{higher} {lower} {mean} {most}"
        );
        let ([_, lower, _], mean, _) = simulate(500, 0.8, two_percent);
        assert!(lower == 1.0 && mean < 5.5, "{lower} {mean}");
    }

    /// The reason for this module: Student's interval, checked after each block, misleads.
    #[test]
    fn looking_often_at_an_interval_for_one_look_misleads() {
        let mut random = Seeded::new(29);
        let false_alarms = (0..500).filter(|_| {
            let mut a: Vec<f64> = Vec::new();
            (0..30).any(|_| {
                a.push(two_percent(&mut random).exp());
                paired_ratio_interval(&a, &vec![1.0; a.len()], 0.95)
                    .is_some_and(|i| i.low > 1.0 || i.high < 1.0)
            })
        });
        let share = false_alarms.count() as f64 / 500.0;
        println!("Student's interval at each look: {share}");
        assert!(share > 0.15, "{share}");
    }

    /// The bound solves its equation: the Bayes factor there is 20.
    #[test]
    fn the_interval_ends_where_the_bayes_factor_is_20() {
        for blocks in [5, 10, 30] {
            let (t, n) = (sequence_t(blocks, 0.95), blocks as f64);
            let (freedom, spread) = (n - 1.0, 1.0 + n * PRIOR_VARIANCE);
            let base = (1.0 + t * t / freedom) / (1.0 + t * t / (spread * freedom));
            let factor = base.powf(n / 2.0) / spread.sqrt();
            assert!((factor - 20.0).abs() < 1e-9, "{factor}");
        }
        assert_eq!(sequence_t(2, 0.95), f64::INFINITY);
    }

    #[test]
    fn a_rule_that_is_none_and_too_few_blocks_give_nothing() {
        assert_eq!(look(&[1.0], &[1.0], &RULE), None);
        assert_eq!(look(&[1.0; 4], &[1.0; 4], &Stopping { blocks_max: 2, ..RULE }), None);
        let two = look(&[2.0, 2.0], &[1.0, 1.0], &RULE).expect("two blocks");
        assert_eq!((two.decision, two.ratio.low), (Decision::Continue, 0.0));
        let three = look(&[2.0; 3], &[1.0; 3], &RULE).expect("three blocks");
        assert_eq!((three.decision, three.ratio.high), (Decision::Continue, f64::INFINITY));
        assert_eq!(look(&[2.0; 4], &[1.0; 4], &RULE).expect("four blocks").decision, Decision::Higher);
        assert_eq!(look(&[2.0; 4], &[2.0; 4], &RULE).expect("four blocks").decision, Decision::Same);
    }
}
