//! P-values of differences and of equivalence, and their correction for multiple tests.

use crate::estimate::{Contrast, Pairing};

/// Adjusted p-values in the order of `p_values`: those at most 0.05 are significant with a chance of at most 5 % that any of
/// them is false (Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979). Holds however the tests depend
/// on each other. A value that is not a number counts as 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let valid: Vec<f64> = p_values.iter().map(|p| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) }).collect();
    let mut order: Vec<usize> = (0..valid.len()).collect();
    order.sort_by(|i, j| valid[*i].total_cmp(&valid[*j]));
    let mut adjusted = vec![1.0; valid.len()];
    let mut highest = 0.0_f64;
    for (rank, i) in order.into_iter().enumerate() {
        highest = highest.max((valid[i] * (valid.len() - rank) as f64).min(1.0));
        adjusted[i] = highest;
    }
    adjusted
}

/// Two-sided p-value of "the ratio of geometric means of a and b is 1": Student's t of paired logarithms or Welch's of
/// independent ones. At most 0.05 exactly where the 95 % interval of `paired_ratio_interval` or `ratio_interval`
/// excludes 1. None where these intervals are none.
pub fn ratio_p_value(a: &[f64], b: &[f64], pairing: Pairing) -> Option<f64> {
    Some(Contrast::of(a, b, pairing)?.p_value())
}

/// P-value of "the ratio of geometric means lies outside 1 / (1 + margin) to 1 + margin": the larger of two one-sided tests
/// (Schuirmann, "A comparison of the two one-sided tests procedure and the power approach", 1987). Small means equal.
/// At most 0.05 where the interval of 90 % lies within the margin; the interval of 95 % asks for 0.025.
pub fn equivalence_p_value(a: &[f64], b: &[f64], margin: f64, pairing: Pairing) -> Option<f64> {
    let (contrast, bound) = (Contrast::of(a, b, pairing)?, margin.ln_1p());
    Some((1.0 - contrast.probability_below(-bound)).max(contrast.probability_below(bound)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::seeded::Seeded;
    use crate::{paired_ratio_interval, ratio_interval};

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9, "{found} is not {expected}");
    }

    /// Expected values from statsmodels 0.15.0: stats.multitest.multipletests(method="holm").
    #[test]
    fn p_values_are_adjusted_in_their_order() {
        let found = holm(&[0.01, 0.04, 0.03, 0.005, 0.2]);
        for (found, expected) in found.into_iter().zip([0.04, 0.09, 0.09, 0.025, 0.2]) {
            close(found, expected);
        }
        assert_eq!(holm(&[]), Vec::<f64>::new());
        assert_eq!(holm(&[f64::NAN, 0.9]), [1.0, 1.0]);
    }

    /// Expected values from SciPy 1.17.1 (ttest_ind with equal_var=False, ttest_rel) and statsmodels 0.15.0 (ttost_paired,
    /// ttost_ind with usevar="unequal"), all of logarithms.
    #[test]
    fn known_samples_give_known_p_values() {
        let (a, b) = ([904.0, 921.0, 888.0], [640.0, 602.0, 671.0, 655.0]);
        close(ratio_p_value(&a, &b, Pairing::Independent).expect("determined"), 0.000_152_881_321_823_967_92);
        close(ratio_p_value(&a, &b[..3], Pairing::Paired).expect("determined"), 0.014_029_801_882_222_066);
        let (c, d) = ([1000.0, 1012.0, 995.0, 1005.0, 990.0], [1003.0, 1008.0, 1001.0, 1000.0, 996.0]);
        close(ratio_p_value(&c, &d, Pairing::Paired).expect("determined"), 0.637_217_912_288_366_7);
        let equivalence = |pairing| equivalence_p_value(&c, &d, 0.02, pairing).expect("determined");
        close(equivalence(Pairing::Paired), 0.000_743_822_906_039_091_6);
        close(equivalence(Pairing::Independent), 0.002_515_389_379_421_831_4);
    }

    #[test]
    fn values_that_never_differ_are_certain() {
        let p = |a: &[f64], b: &[f64]| ratio_p_value(a, b, Pairing::Paired);
        assert_eq!(p(&[2.0, 2.0], &[1.0, 1.0]), Some(0.0));
        assert_eq!(p(&[2.0, 2.0], &[2.0, 2.0]), Some(1.0));
        assert_eq!(p(&[2.0], &[2.0]), None);
        assert_eq!(equivalence_p_value(&[2.0, 2.0], &[2.0, 2.0], 0.02, Pairing::Paired), Some(0.0));
        assert_eq!(equivalence_p_value(&[2.0, 2.0], &[1.0, 1.0], 0.02, Pairing::Paired), Some(1.0));
    }

    /// 2,000 families of six true hypotheses, five blocks each: one in twenty families without correction is one in four.
    #[test]
    fn a_family_has_a_false_alarm_in_at_most_one_of_twenty() {
        let mut random = Seeded::new(9);
        let (mut corrected, mut raw) = (0, 0);
        for _ in 0..2_000 {
            let mut run = || (0..5).map(|_| (0.02 * random.normal()).exp()).collect::<Vec<f64>>();
            let base = run();
            let p: Vec<f64> = (0..6).filter_map(|_| ratio_p_value(&run(), &base, Pairing::Paired)).collect();
            raw += usize::from(p.iter().any(|p| *p <= 0.05));
            corrected += usize::from(holm(&p).iter().any(|p| *p <= 0.05));
        }
        println!("families with a false alarm: {raw} raw, {corrected} corrected of 2000");
        assert!(corrected <= 129 && raw > 250, "{corrected} {raw}");
    }

    proptest! {
        #[test]
        fn adjusting_keeps_the_order_and_never_lowers(p in prop::collection::vec(0.0..1.0_f64, 1..20)) {
            let adjusted = holm(&p);
            for (p, adjusted) in p.iter().zip(&adjusted) {
                prop_assert!(adjusted >= p && *adjusted <= 1.0);
            }
            for i in 0..p.len() {
                for j in 0..p.len() {
                    prop_assert!(p[i] > p[j] || adjusted[i] <= adjusted[j]);
                }
            }
        }

        #[test]
        fn a_p_value_agrees_with_its_interval(
            pairs in prop::collection::vec((90.0..110.0_f64, 90.0..110.0_f64), 3..9),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            for (pairing, interval) in [
                (Pairing::Paired, paired_ratio_interval(&a, &b, 0.95)),
                (Pairing::Independent, ratio_interval(&a, &b, 0.95)),
            ] {
                let (p, interval) = (ratio_p_value(&a, &b, pairing), interval.expect("determined"));
                prop_assert_eq!(p.expect("determined") <= 0.05, interval.low > 1.0 || interval.high < 1.0);
            }
        }
    }
}
