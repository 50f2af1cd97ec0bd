//! The bound that follows from no loss in a number of crashes.

use crate::CONFIDENCE;

/// If none of n crashes lost anything: the share of crashes below which that is less likely than 5 % (Clopper and Pearson,
/// Biometrika 26, 1934, for zero events). None if one did, or if there were none.
pub(crate) fn bound(harmed: u32, crashes: u32) -> Option<f64> {
    (harmed == 0 && crashes > 0).then(|| 1.0 - (1.0 - CONFIDENCE).powf(1.0 / f64::from(crashes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_loss_in_sixty_crashes_bounds_the_share_at_five_percent() {
        let of = |crashes: u32| bound(0, crashes).expect("none was harmed");
        assert!((of(60) - 0.0487).abs() < 1e-4 && (of(1) - 0.95).abs() < 1e-9);
        assert_eq!((bound(1, 60), bound(0, 0)), (None, None));
    }
}
