//! Two factors at once: does one change what the other does?
//!
//! A factorial of two by two, judged by ratios (Montgomery, "Design and Analysis of Experiments", chapter 5, on logarithms):
//! the interaction is the effect of the second factor where the first is on, divided by its effect where it is off.

use crate::describe::mean;
use crate::estimate::{Contrast, Estimate, Pairing};

/// One value for each block (or trial) of the four cells, in any unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factorial<'a> {
    /// Both factors off.
    pub neither: &'a [f64],
    /// Only the first on.
    pub first: &'a [f64],
    /// Only the second on.
    pub second: &'a [f64],
    /// Both on.
    pub both: &'a [f64],
}

/// Effects as ratios of geometric means; 1 is no effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InteractionEffects {
    /// The first factor where the second is off.
    pub first: Estimate,
    /// The first where the second is on.
    pub first_with_second: Estimate,
    /// The second where the first is off.
    pub second: Estimate,
    /// The second where the first is on.
    pub second_with_first: Estimate,
    /// Ratio of ratios, (both / second) / (first / neither): 1 if the effects multiply.
    pub interaction: Estimate,
    /// Two-sided p-value of an interaction of 1.
    pub p_value: f64,
}

/// Effects and interaction with Student's intervals: of one contrast for each block if paired, with Welch and
/// Satterthwaite's degrees of freedom if independent. None with fewer than two values in a cell, for paired cells of
/// different length, or for a value that is not positive.
pub fn interaction(cells: &Factorial<'_>, pairing: Pairing, confidence: f64) -> Option<InteractionEffects> {
    let effect = |on: &[f64], off: &[f64]| Some(Contrast::of(on, off, pairing)?.interval(confidence).exp());
    let signs = [(1.0, cells.both), (-1.0, cells.second), (-1.0, cells.first), (1.0, cells.neither)];
    let contrast = Contrast::sum(&signs, pairing)?;
    Some(InteractionEffects {
        first: effect(cells.first, cells.neither)?,
        first_with_second: effect(cells.both, cells.second)?,
        second: effect(cells.second, cells.neither)?,
        second_with_first: effect(cells.both, cells.first)?,
        interaction: contrast.interval(confidence).exp(),
        p_value: contrast.p_value(),
    })
}

/// The joint value of several things over the sum of their values alone: above 1 is super-linear. For several blocks, use
/// the sums of each block and `paired_ratio_interval`. None for an empty slice or a sum that is not positive.
pub fn joint_ratio(together: &[f64], alone: &[f64]) -> Option<f64> {
    let (together, alone) = (mean(together)? * together.len() as f64, mean(alone)? * alone.len() as f64);
    (together > 0.0 && alone > 0.0).then(|| together / alone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeded::Seeded;

    fn runs(random: &mut Seeded, level: f64, block: &[f64]) -> Vec<f64> {
        block.iter().map(|b| level * (b + 0.02 * random.normal()).exp()).collect()
    }

    /// 2,000 factorials of five blocks whose level wanders by 10 %: a 95 % interval misses in 5 % of them.
    #[test]
    fn an_interaction_is_held_as_often_as_stated() {
        let mut random = Seeded::new(17);
        let mut held = [0, 0];
        for _ in 0..2_000 {
            let block: Vec<f64> = (0..5).map(|_| 0.1 * random.normal()).collect();
            let cells: Vec<Vec<f64>> =
                [100.0, 120.0, 90.0, 97.2].iter().map(|level| runs(&mut random, *level, &block)).collect();
            let factorial =
                Factorial { neither: &cells[0], first: &cells[1], second: &cells[2], both: &cells[3] };
            for (held, pairing) in held.iter_mut().zip([Pairing::Paired, Pairing::Independent]) {
                let found = interaction(&factorial, pairing, 0.95).expect("determined").interaction;
                *held += usize::from(found.low <= 0.9 && 0.9 <= found.high);
            }
        }
        println!("interaction held in {held:?} of 2000");
        assert!((1_870..=1_930).contains(&held[0]) && held[1] >= 1_870, "{held:?}");
    }

    /// Without scatter the effects are the ratios themselves.
    #[test]
    fn effects_are_ratios() {
        let cells = Factorial {
            neither: &[100.0, 200.0],
            first: &[120.0, 240.0],
            second: &[90.0, 180.0],
            both: &[97.2, 194.4],
        };
        let found = interaction(&cells, Pairing::Paired, 0.95).expect("determined");
        for (found, expected) in [
            (found.first, 1.2),
            (found.second, 0.9),
            (found.first_with_second, 1.08),
            (found.second_with_first, 0.81),
            (found.interaction, 0.9),
        ] {
            assert!((found.value - expected).abs() < 1e-12, "{found:?}");
        }
        assert_eq!(interaction(&Factorial { both: &[1.0], ..cells }, Pairing::Paired, 0.95), None);
    }

    #[test]
    fn a_joint_ratio_is_one_of_sums() {
        assert_eq!(joint_ratio(&[30.0, 30.0], &[10.0, 20.0]), Some(2.0));
        assert_eq!(joint_ratio(&[30.0], &[]), None);
    }
}
