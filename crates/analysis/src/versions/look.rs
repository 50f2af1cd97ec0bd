//! Which builds to measure next, and between which two of them the metric changed.

use stats::Estimate;

use super::found::{ERROR, VersionStanding};
use crate::bisect::{MeasuredArms, Taken};

/// Trials of a build at least, before it is placed.
const TRIALS_MIN: usize = 3;
/// Trials of both builds at the change at least, before the size of the change is told.
const TRIALS_AT_CHANGE: usize = 4;
/// Trials in vain after which a build is given up.
const IN_VAIN: u32 = 3;
/// How a search decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// Builds in all.
    pub builds: u32,
    /// Ratios within this distance of 1 count as the same.
    pub margin: f64,
    /// Trials of a build at most, before it is placed by its estimate.
    pub trials_max: usize,
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    /// One more block of these builds, by their positions.
    Measure(Vec<u32>),
    /// Nothing.
    Done(VersionStanding),
}

/// What a look at all data says.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub next: Next,
    /// The last build that is known to be like the first one.
    pub before: u32,
    /// The first build that is known to be like the last one.
    pub after: u32,
    pub is_estimated: bool,
}

fn arm(at: u32) -> Taken {
    Taken::from([at])
}

impl Rule {
    fn last(&self) -> u32 {
        self.builds - 1
    }

    /// Confidence of one decision: those of all steps together are as sure as promised. That each is looked at after every block costs
    /// less than the union bound gives away, as simulations show.
    fn sure(&self) -> f64 {
        let steps = f64::from(self.builds).log2().ceil().max(1.0) + 1.0;
        1.0 - ERROR / steps
    }

    pub fn look(&self, measured: &MeasuredArms) -> Look {
        let (first, last) = (0, self.last());
        let mut look =
            Look { next: Next::Measure(vec![first, last]), before: first, after: last, is_estimated: false };
        if !is_usable(measured, first) || !is_usable(measured, last) {
            look.next = Next::Done(VersionStanding::Failed);
            return look;
        }
        let Some(whole) = measured.difference(&arm(first), &arm(last)) else { return look };
        let (interval, margin) = (whole.interval(self.sure()), self.margin.ln_1p());
        let fewest = measured.trials(&arm(first)).min(measured.trials(&arm(last)));
        if interval.low > -margin && interval.high < margin {
            look.next = Next::Done(VersionStanding::Equivalent);
            return look;
        }
        if !excludes_zero(interval) {
            if fewest >= self.trials_max {
                look.next = Next::Done(VersionStanding::Undecided);
            }
            return look;
        }
        self.halve(measured, whole.value.signum(), &mut look);
        look
    }

    /// Places builds between the two that are known, until none is left. `direction` is that of the whole change.
    fn halve(&self, measured: &MeasuredArms, direction: f64, look: &mut Look) {
        let (first, last) = (0, self.last());
        let (start, end) = (arm(first), arm(last));
        while let Some(middle) = middle(measured, look.before, look.after) {
            let trials = measured.trials(&arm(middle));
            // Half of the change lies below it, or above.
            let own = arm(middle);
            let contrast = measured.sum(&[(&own, 1.0), (&start, -0.5), (&end, -0.5)]);
            let Some(contrast) = contrast.filter(|_| trials >= TRIALS_MIN) else {
                look.next = Next::Measure(vec![first, middle, last]);
                return;
            };
            let is_sure = excludes_zero(contrast.interval(self.sure()));
            if !is_sure && trials < self.trials_max {
                look.next = Next::Measure(vec![first, middle, last]);
                return;
            }
            look.is_estimated |= !is_sure;
            match contrast.value * direction > 0.0 {
                true => look.after = middle,
                false => look.before = middle,
            }
        }
        let at_change = [look.before, look.after];
        let fewest = at_change.iter().map(|at| measured.trials(&arm(*at))).min().unwrap_or_default();
        look.next = match fewest < TRIALS_AT_CHANGE {
            true => Next::Measure(at_change.to_vec()),
            false => Next::Done(VersionStanding::Found),
        };
    }
}

fn excludes_zero(interval: Estimate) -> bool {
    interval.low > 0.0 || interval.high < 0.0
}

fn is_usable(measured: &MeasuredArms, at: u32) -> bool {
    measured.arm(&arm(at)).is_none_or(|arm| !arm.does_not_start && arm.in_vain < IN_VAIN)
}

/// The build nearest to the middle between two others that can be measured; none if there is none between them.
fn middle(measured: &MeasuredArms, before: u32, after: u32) -> Option<u32> {
    let centre = before.midpoint(after);
    let between = (before + 1..after).filter(|at| is_usable(measured, *at));
    between.min_by_key(|at| at.abs_diff(centre))
}
