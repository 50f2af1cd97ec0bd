//! What each difference does, alone and beside the others.

use stats::BlockContrast;

use super::measured::{SURE, Taken, USUAL};
use super::search::{Search, Unit};

/// A share of the whole difference below which nothing is named.
const NAMED_MIN: f64 = 0.02;

/// What a unit does.
#[derive(Debug, Clone)]
pub(super) struct UnitEffect {
    pub unit: Unit,
    /// Alone: taken on top of the first target.
    pub alone: Option<BlockContrast>,
    /// Last: what the other target loses without it.
    pub last: Option<BlockContrast>,
    /// The mean of both.
    pub mean: Option<BlockContrast>,
    /// Its share of the whole difference, with the 95 % interval; none where there is no difference to share.
    pub share: Option<(f64, f64, f64)>,
    /// Units, by position, without which it does nothing.
    pub only_with: Vec<usize>,
    /// Units, by position, beside which it does less than alone, or more, and by which factor.
    pub interacts: Vec<(usize, f64)>,
}

impl UnitEffect {
    /// Whether it is certain that it matters.
    pub fn is_named(&self) -> bool {
        let Some(mean) = self.mean else { return false };
        // A share is tested once, by then; an effect without one is one of many that were looked at.
        let interval = mean.interval(if self.share.is_some() { USUAL } else { SURE });
        let differs = interval.low > 0.0 || interval.high < 0.0;
        differs && self.share.is_none_or(|(share, ..)| share.abs() >= NAMED_MIN)
    }
}

/// What each of the units does.
pub(super) fn effects(search: &Search, units: &[Unit]) -> Vec<UnitEffect> {
    let all: Vec<UnitEffect> = units.iter().map(|unit| effect(search, unit)).collect();
    let pairs = |at: usize| (0..units.len()).filter(move |other| *other != at);
    all.iter()
        .enumerate()
        .map(|(at, one)| {
            let found: Vec<(usize, Pair)> = pairs(at)
                .filter_map(|other| Some((other, pair(search, &units[at], &units[other])?)))
                .collect();
            let needed = found.iter().filter(|(_, pair)| pair.needs_other).map(|(other, _)| *other);
            let changed = found.iter().filter(|(_, pair)| !pair.needs_other && pair.is_sure);
            UnitEffect {
                only_with: needed.collect(),
                interacts: changed.map(|(other, pair)| (*other, pair.log_ratio.exp())).collect(),
                ..one.clone()
            }
        })
        .collect()
}

fn effect(search: &Search, unit: &Unit) -> UnitEffect {
    let measured = &search.measured;
    let none = Taken::new();
    let all: Taken = search.without(&Vec::new());
    let (only, without) = (search.only(&[unit]), search.without(unit));
    let alone = measured.difference(&none, &only);
    let last = measured.difference(&without, &all);
    let weights = [(&only, 0.5), (&none, -0.5), (&all, 0.5), (&without, -0.5)];
    let mean = measured.sum(&weights).or(alone).or(last);
    let total = search.total();
    // Where both targets are equal there is nothing to have a share of.
    let has_whole = total.abs() > search.margin.ln_1p();
    let share = mean.filter(|_| has_whole).map(|mean| {
        let share = mean.value / total;
        // A ratio of two sums: the interval is that of their linearised difference.
        let mut linear: Vec<(&Taken, f64)> = match alone.is_some() && last.is_some() {
            true => weights.to_vec(),
            false if alone.is_some() => vec![(&only, 1.0), (&none, -1.0)],
            false => vec![(&all, 1.0), (&without, -1.0)],
        };
        linear.extend([(&all, -share), (&none, share)]);
        let half = measured.sum(&linear).map_or(f64::INFINITY, |sum| {
            let interval = sum.interval(USUAL);
            (interval.high - interval.low) / 2.0 / total.abs()
        });
        (share, share - half, share + half)
    });
    UnitEffect { unit: unit.clone(), alone, last, mean, share, only_with: Vec::new(), interacts: Vec::new() }
}

/// What one unit does beside another.
struct Pair {
    /// Logarithm of what it does beside the other over what it does alone.
    log_ratio: f64,
    /// Whether that differs from nothing.
    is_sure: bool,
    /// It does nothing without the other, and something with it.
    needs_other: bool,
}

fn pair(search: &Search, unit: &Unit, other: &Unit) -> Option<Pair> {
    let measured = &search.measured;
    let (none, own, others) = (Taken::new(), search.only(&[unit]), search.only(&[other]));
    let both = search.only(&[unit, other]);
    let interaction = measured.sum(&[(&both, 1.0), (&others, -1.0), (&own, -1.0), (&none, 1.0)])?;
    let alone = measured.difference(&none, &own)?.interval(SURE);
    let beside = measured.difference(&others, &both)?.interval(SURE);
    let sure = interaction.interval(SURE);
    let matters = |low: f64, high: f64| low > 0.0 || high < 0.0;
    let is_sure = matters(sure.low, sure.high) && interaction.value.abs() > search.threshold();
    let needs_other = is_sure && !matters(alone.low, alone.high) && matters(beside.low, beside.high);
    Some(Pair { log_ratio: interaction.value, is_sure, needs_other })
}
