//! Which arms to measure next, and when it is known which differences matter.
//!
//! Controlled sequential bifurcation (Wan, Ankenman and Nelson, "Controlled Sequential Bifurcation: A New Factor-Screening Method for
//! Discrete-Event Simulation", 2006): the differences are ordered, those of which most is expected first. The throughput with the first
//! k of them taken from the other target, for some k, tells what each group of neighbours does; a group that does something is halved.
//! Unlike there, effects may have either sign, and all arms are fitted together, block by block.
//!
//! What is found is then proved in both directions. Where the proof fails, a difference matters only with, or only without, others:
//! the rest is searched again on top of what was found.

use std::collections::BTreeSet;

use super::measured::{MeasuredArms, SURE, Taken, USUAL, WORTH, WORTH_ALONE};

/// How often the rest is searched again.
const ROUNDS: usize = 3;
/// So many differences are measured one by one at most.
const UNITS_MAX: usize = 8;
/// Interactions are looked for among so many at most.
const PAIRED_MAX: usize = 4;
/// Trials of an arm at least, before anything is said of a share.
const TRIALS_MIN: usize = 4;
/// Trials in vain after which an arm is given up.
const IN_VAIN: u32 = 3;

/// What a search knows and asks for.
#[derive(Debug, Clone)]
pub(super) struct Search {
    /// What is expected of each difference, in the order in which they are taken: its weight decides where groups are halved.
    pub weights: Vec<f64>,
    /// Ratios within this distance of 1 count as the same.
    pub margin: f64,
    /// Trials of an arm at most, before a group is decided by its estimate.
    pub blocks_max: u32,
    /// Groups without an effect are halved, too: two effects may cancel out.
    pub both_ways: bool,
    pub measured: MeasuredArms,
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Next {
    /// One more block of these arms.
    Measure(Vec<Taken>),
    /// Nothing.
    Done(Ending),
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The targets are equivalent within the margin.
    Equivalent,
    /// The data do not decide whether they differ.
    Undecided,
    /// They differ, and no group of differences explains it.
    Nothing,
    /// What was found was proved, or is all that can be found.
    Found,
    /// A target cannot be measured.
    InVain,
}

/// Differences that matter together or alone: those that are exchanged only together are one unit.
pub(super) type Unit = Vec<u32>;

/// What a look at all data says.
#[derive(Debug, Clone)]
pub(super) struct Outlook {
    pub next: Next,
    /// In the order in which they were found.
    pub units: Vec<Unit>,
    /// With what was found the first target is as fast as the other one.
    pub reaches: Option<bool>,
    /// Without it the other one is as fast as the first.
    pub falls_back: Option<bool>,
}

/// What the data say of the difference of two arms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judged {
    /// It is worth looking into.
    Active,
    /// It is not.
    Inert,
    /// More trials tell.
    Pending,
    /// An arm cannot be measured.
    Never,
}

impl Search {
    fn all(&self) -> Taken {
        (0..self.weights.len() as u32).collect()
    }

    /// The whole difference; zero as long as it is not known.
    pub fn total(&self) -> f64 {
        self.measured.difference(&Taken::new(), &self.all()).map_or(0.0, |found| found.value)
    }

    /// Logarithms of ratios within this distance of zero do not matter.
    pub fn threshold(&self) -> f64 {
        let least = if self.both_ways { WORTH_ALONE } else { 0.0 };
        self.margin.ln_1p().max(WORTH * self.total().abs()).max(least)
    }

    fn is_usable(&self, taken: &Taken) -> bool {
        self.measured.arm(taken).is_none_or(|arm| !arm.does_not_start && arm.in_vain < IN_VAIN)
    }

    /// What is to be done next, and what is known.
    pub fn look(&self) -> Outlook {
        let mut outlook =
            Outlook { next: Next::Done(Ending::Found), units: Vec::new(), reaches: None, falls_back: None };
        let (none, all) = (Taken::new(), self.all());
        let done = |ending| Next::Done(ending);
        match self.differs() {
            Judged::Never => outlook.next = done(Ending::InVain),
            Judged::Pending => outlook.next = Next::Measure(vec![none.clone(), all.clone()]),
            Judged::Inert if !self.both_ways => outlook.next = done(self.how_equal()),
            Judged::Inert | Judged::Active => self.look_further(&mut outlook),
        }
        outlook
    }

    /// Whether the targets differ at all.
    fn differs(&self) -> Judged {
        let (none, all) = (Taken::new(), self.all());
        if !self.is_usable(&none) || !self.is_usable(&all) {
            return Judged::Never;
        }
        let trials = self.measured.trials(&none).min(self.measured.trials(&all));
        let Some(found) = self.measured.difference(&none, &all) else { return Judged::Pending };
        let (sure, usual) = (found.interval(SURE), found.interval(USUAL));
        let margin = self.margin.ln_1p();
        match () {
            () if usual.low >= -margin && usual.high <= margin => Judged::Inert,
            () if sure.low > 0.0 || sure.high < 0.0 => Judged::Active,
            () if trials < 2 * self.blocks_max as usize => Judged::Pending,
            () => Judged::Inert,
        }
    }

    fn how_equal(&self) -> Ending {
        let margin = self.margin.ln_1p();
        let found = self.measured.difference(&Taken::new(), &self.all()).map(|found| found.interval(USUAL));
        match found {
            Some(found) if found.low >= -margin && found.high <= margin => Ending::Equivalent,
            _ => Ending::Undecided,
        }
    }

    fn look_further(&self, outlook: &mut Outlook) {
        let (none, all) = (Taken::new(), self.all());
        let order: Vec<u32> = all.iter().copied().collect();
        let mut wanted = BTreeSet::new();
        outlook.units = self.halve(&order, &none, true, &mut wanted);
        for _ in 0..ROUNDS {
            if !wanted.is_empty() {
                break;
            }
            let found: Taken = outlook.units.iter().flatten().copied().collect();
            if found.is_empty() {
                outlook.next = Next::Done(Ending::Nothing);
                return;
            }
            let rest: Vec<u32> = order.iter().copied().filter(|one| !found.contains(one)).collect();
            let without: Taken = rest.iter().copied().collect();
            (outlook.reaches, outlook.falls_back) = (Some(true), Some(true));
            if rest.is_empty() {
                break;
            }
            let proofs = [(self.proved(&found, &all), &found), (self.proved(&none, &without), &none)];
            let mut more = Vec::new();
            for (at, (judged, base)) in proofs.into_iter().enumerate() {
                let holds = match judged {
                    Judged::Inert => Some(true),
                    Judged::Active => Some(false),
                    Judged::Pending | Judged::Never => None,
                };
                *(if at == 0 { &mut outlook.reaches } else { &mut outlook.falls_back }) = holds;
                match judged {
                    Judged::Pending => {
                        wanted.extend([none.clone(), found.clone(), without.clone(), all.clone()]);
                    }
                    // Of what is left something matters beside what was found, or in its place.
                    Judged::Active if more.is_empty() => more = self.halve(&rest, base, true, &mut wanted),
                    Judged::Active | Judged::Inert | Judged::Never => {}
                }
            }
            if !wanted.is_empty() || more.is_empty() {
                break;
            }
            outlook.units.extend(more);
        }
        if wanted.is_empty() {
            self.one_by_one(&outlook.units, &mut wanted);
        }
        if !wanted.is_empty() {
            outlook.next = Next::Measure(wanted.into_iter().collect());
        }
    }

    /// Whether two arms that ought to be equal are.
    fn proved(&self, from: &Taken, to: &Taken) -> Judged {
        self.judge(from, to, self.blocks_max)
    }

    /// The units among differences that are taken one after the other on top of `base`. What has to be measured for that is put to
    /// `wanted`.
    fn halve(&self, order: &[u32], base: &Taken, is_active: bool, wanted: &mut BTreeSet<Taken>) -> Vec<Unit> {
        let mut units = Vec::new();
        self.halve_from(order, base, 0, order.len(), is_active, wanted, &mut units);
        units
    }

    #[allow(clippy::too_many_arguments, reason = "a recursion over one state")]
    fn halve_from(
        &self,
        order: &[u32],
        base: &Taken,
        from: usize,
        to: usize,
        is_active: bool,
        wanted: &mut BTreeSet<Taken>,
        units: &mut Vec<Unit>,
    ) {
        let up_to = |k: usize| base.iter().chain(&order[..k]).copied().collect::<Taken>();
        if !is_active {
            let (left, right) = (up_to(from), up_to(to));
            match self.judge(&left, &right, self.blocks_max) {
                Judged::Pending => {
                    wanted.extend([left, right]);
                    return;
                }
                Judged::Inert if self.both_ways && to - from > 1 => {}
                Judged::Inert | Judged::Never => return,
                Judged::Active => {}
            }
        }
        if to - from == 1 {
            units.push(vec![order[from]]);
            return;
        }
        // A combination with which the server does not start is no place to halve at.
        let Some(middle) = self.middles(order, from, to).into_iter().find(|k| self.is_usable(&up_to(*k)))
        else {
            units.push(order[from..to].to_vec());
            return;
        };
        self.halve_from(order, base, from, middle, false, wanted, units);
        self.halve_from(order, base, middle, to, false, wanted, units);
    }

    /// Where a group can be halved, the place that halves its weight first.
    fn middles(&self, order: &[u32], from: usize, to: usize) -> Vec<usize> {
        let weight =
            |range: std::ops::Range<usize>| -> f64 { range.map(|at| self.weights[order[at] as usize]).sum() };
        let half = weight(from..to) / 2.0;
        let mut places: Vec<usize> = (from + 1..to).collect();
        let distance = |k: &usize| (weight(from..*k) - half).abs();
        places.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
        places
    }

    /// What the data say of the difference of two arms.
    fn judge(&self, from: &Taken, to: &Taken, trials_max: u32) -> Judged {
        if !self.is_usable(from) || !self.is_usable(to) {
            return Judged::Never;
        }
        let trials = self.measured.trials(from).min(self.measured.trials(to));
        let found = self.measured.difference(from, to);
        let Some(found) = found.filter(|_| trials >= 2) else { return Judged::Pending };
        let (sure, usual, threshold) = (found.interval(SURE), found.interval(USUAL), self.threshold());
        match () {
            () if usual.low >= -threshold && usual.high <= threshold => Judged::Inert,
            () if sure.low > 0.0 || sure.high < 0.0 => Judged::Active,
            () if trials < trials_max as usize => Judged::Pending,
            () if found.value.abs() > threshold => Judged::Active,
            () => Judged::Inert,
        }
    }

    /// Each unit alone on the first target, and away from the other one; pairs where there are few.
    fn one_by_one(&self, units: &[Unit], wanted: &mut BTreeSet<Taken>) {
        for taken in self.proof_arms(units) {
            if self.is_usable(&taken) && self.measured.trials(&taken) < TRIALS_MIN {
                wanted.insert(taken);
            }
        }
        if wanted.is_empty() {
            return;
        }
        // Both targets are what the others are compared with.
        wanted.extend([Taken::new(), self.all()]);
    }

    /// The arms that tell what each unit does, alone and beside the others.
    pub fn proof_arms(&self, units: &[Unit]) -> Vec<Taken> {
        let units = &units[..units.len().min(UNITS_MAX)];
        let mut arms = Vec::new();
        for (at, unit) in units.iter().enumerate() {
            arms.push(self.only(&[unit]));
            arms.push(self.without(unit));
            if units.len() <= PAIRED_MAX {
                arms.extend(units[..at].iter().map(|other| self.only(&[unit, other])));
            }
        }
        arms
    }

    /// The first target with these of the other one.
    pub fn only(&self, units: &[&Unit]) -> Taken {
        units.iter().flat_map(|unit| unit.iter()).copied().collect()
    }

    /// The other target without this one.
    pub fn without(&self, unit: &Unit) -> Taken {
        self.all().into_iter().filter(|one| !unit.contains(one)).collect()
    }
}
