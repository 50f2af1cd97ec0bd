//! One run over time: throughput and latency by slot, and whether the throughput was sustained.
//!
//! A run is divided into at most 32 slots of whole seconds. A sliding window is a quarter of the run, so that a run of
//! eight hours is judged by windows of two hours (clause 5.5 of TPC-C asks for less than 2 % variation in those), and a
//! shorter one by windows in proportion.

use hdrhistogram::Histogram;
use messages::message;
use model::{Interval, TpccTransaction, WorkloadSpec};
use serde::{Deserialize, Serialize};

use crate::input::{OperationHistograms, TrialInput};
use crate::{CONFIDENCE, Words};
use messages::number::figure;

/// Slots of a run, at most.
pub(crate) const SLOTS: usize = 32;
/// Slots of a sliding window.
pub(crate) const WINDOW: usize = SLOTS / 4;
/// Seconds below which slots are so short that chance decides between them.
const SUSTAINED_S_MIN: f64 = 120.0;
/// Variation within a window that clause 5.5 allows.
const VARIATION_MAX: f64 = 0.02;
/// Range between the largest and the smallest of as many counts as a window has slots, in standard deviations, that chance
/// exceeds in one of a thousand windows (studentized range, 8 values).
const CHANCE_RANGE: f64 = 5.7;
/// A decline of less is no finding, whatever its interval.
const DECLINE_MIN: f64 = 0.02;
/// Maximum deviation of the throughput from the law of growing work, root mean square.
const MISFIT_MAX: f64 = 0.05;

/// One run over time.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Which repeat, from 1.
    pub repeat: u32,
    /// Length of a slot, seconds; some are a second longer.
    pub slot_s: f64,
    /// The measured window, slot by slot.
    pub slots: Vec<Slot>,
    /// Kinds of transaction, in the order of `Slot::operations`.
    pub operations: Vec<String>,
    /// Whether the throughput was sustained; none for runs below two minutes.
    pub sustained: Option<Sustained>,
}

/// A part of a run.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Slot {
    /// End, seconds since the clients started.
    pub end_s: f64,
    /// Transactions per second.
    pub throughput_per_s: f64,
    /// Transactions done since the measured window began, up to the middle of the slot.
    pub transactions_before: f64,
    /// By kind of transaction.
    pub operations: Vec<SlotOperation>,
}

/// One kind of transaction in a slot.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SlotOperation {
    /// Completed per second.
    pub per_s: f64,
    /// Response time, milliseconds; none if none was completed.
    pub p95_ms: Option<f64>,
}

/// How throughput held over a run.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sustained {
    /// Transactions per second in the first quarter of the slots.
    pub first_per_s: f64,
    /// Transactions per second in the last quarter.
    pub last_per_s: f64,
    /// Length of the sliding window, seconds.
    pub window_s: f64,
    /// Largest difference between two slots of one window, as a share of the window's mean.
    pub variation: f64,
    /// Start of that window, seconds since the clients started.
    pub variation_from_s: f64,
    /// The variation that counts of this size show by chance.
    #[serde(default)]
    pub variation_chance: f64,
    /// Transactions of the measured window.
    pub transactions: f64,
    /// Seconds without a completed transaction.
    pub silent_s: f64,
    /// The longest stretch of them.
    pub silent_longest_s: f64,
    /// 1/throughput against the transactions done before.
    pub growth: Option<CostGrowth>,
    /// All of it in a sentence.
    pub says: Words,
    /// What became slower while the rest did not, if anything.
    pub slower: Option<Words>,
}

/// A straight line through 1/throughput against cumulative transactions: what a transaction costs grows with the data
/// that the ones before it left.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CostGrowth {
    /// 1/throughput at the start of the line, seconds.
    pub start_s: f64,
    /// By how much a million transactions lengthen the time per transaction, as a share of what it is at the start.
    pub per_million: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// How far the line's throughput is from the one found, root mean square, as a share.
    pub misfit: f64,
    /// Whether throughput declines as such a law says: the interval is above zero, the decline more than 2 %, and the
    /// line within 5 %.
    pub found: bool,
}

/// Whether the histograms of single spans are of use for a trial: to show its types of transaction over time where there
/// are several, or else its latency, where the trial is long enough to ask whether it was sustained.
pub fn asks_for_spans(workload: &WorkloadSpec, measured_s: f64) -> bool {
    workload.has_transaction_types() || measured_s >= SUSTAINED_S_MIN
}

/// The timeline of a trial; none without its seconds. Whether throughput was sustained is defined only under a constant load.
pub(crate) fn timeline(trial: &TrialInput<'_>, is_steady: bool) -> Option<Timeline> {
    let measured: Vec<&Interval> = trial.intervals.iter().filter(|i| !i.warmup && i.length_s > 0.0).collect();
    let count = measured.len().min(SLOTS);
    if count < 2 {
        return None;
    }
    let kinds: Vec<&OperationHistograms> =
        trial.histograms.iter().filter(|o| !o.response_spans.is_empty()).collect();
    let mut before = 0.0;
    let slots: Vec<Slot> = (0..count)
        .map(|slot| {
            let part = &measured[slot * measured.len() / count..(slot + 1) * measured.len() / count];
            let length_s: f64 = part.iter().map(|i| i.length_s).sum();
            let transactions = part.iter().map(|i| i.transactions).sum::<u64>() as f64;
            let end_s = part[part.len() - 1].end_s;
            let middle = before + transactions / 2.0;
            before += transactions;
            Slot {
                end_s,
                throughput_per_s: transactions / length_s,
                transactions_before: middle,
                operations: operations(&kinds, end_s - length_s, end_s, transactions / length_s),
            }
        })
        .collect();
    let measured_s: f64 = measured.iter().map(|i| i.length_s).sum();
    let sustained = (is_steady && measured_s >= SUSTAINED_S_MIN && count == SLOTS)
        .then(|| sustained(&measured, &slots, &kinds, measured_s))
        .flatten();
    Some(Timeline {
        repeat: trial.result.cell.repeat,
        slot_s: measured_s / count as f64,
        slots,
        operations: kinds.iter().map(|kind| kind.name.clone()).collect(),
        sustained,
    })
}

/// The kinds of transaction in a part of the run. The whole comes first. A span may be longer than a second and reach over
/// the ends of the part, so its counts give the shares, and throughput is that of the part.
fn operations(
    kinds: &[&OperationHistograms],
    begin_s: f64,
    end_s: f64,
    throughput_per_s: f64,
) -> Vec<SlotOperation> {
    let parts: Vec<_> = kinds.iter().map(|kind| kind.part(begin_s, end_s)).collect();
    let count = |part: &Option<Histogram<u64>>| part.as_ref().map_or(0, Histogram::len) as f64;
    let whole = parts.first().map_or(0.0, count);
    let one = |part: &Option<Histogram<u64>>| SlotOperation {
        per_s: if whole > 0.0 { throughput_per_s * count(part) / whole } else { 0.0 },
        p95_ms: part.as_ref().and_then(p95_ms),
    };
    parts.iter().map(one).collect()
}

fn p95_ms(histogram: &Histogram<u64>) -> Option<f64> {
    (!histogram.is_empty()).then(|| histogram.value_at_quantile(0.95) as f64 / 1e6)
}

impl OperationHistograms {
    /// The latencies of the transactions completed within a part of the trial. A span across its edges belongs where its middle
    /// is.
    fn part(&self, begin_s: f64, end_s: f64) -> Option<Histogram<u64>> {
        let mut sum: Option<Histogram<u64>> = None;
        for span in &self.response_spans {
            let middle_s = span.end_s - span.length_s / 2.0;
            if begin_s < middle_s && middle_s <= end_s {
                match &mut sum {
                    // All histograms have the same bounds; one that had not would be no latency of ours.
                    Some(sum) => drop(sum.add(&span.histogram)),
                    None => sum = Some(span.histogram.clone()),
                }
            }
        }
        sum
    }
}

fn mean_of(slots: &[Slot]) -> f64 {
    slots.iter().map(|s| s.throughput_per_s).sum::<f64>() / slots.len().max(1) as f64
}

fn sustained(
    measured: &[&Interval],
    slots: &[Slot],
    kinds: &[&OperationHistograms],
    measured_s: f64,
) -> Option<Sustained> {
    let (first, last) = (&slots[..WINDOW], &slots[slots.len() - WINDOW..]);
    let (variation, at) = variation(slots)?;
    let (silent_s, silent_longest_s) = silence(measured);
    let slot_s = measured_s / SLOTS as f64;
    let per_slot = mean_of(&slots[at..at + WINDOW]) * slot_s;
    let mut found = Sustained {
        first_per_s: mean_of(first),
        last_per_s: mean_of(last),
        window_s: measured_s * WINDOW as f64 / SLOTS as f64,
        variation,
        variation_from_s: slots[at].end_s - slot_s,
        variation_chance: if per_slot > 0.0 { CHANCE_RANGE / per_slot.sqrt() } else { 0.0 },
        transactions: measured.iter().map(|i| i.transactions).sum::<u64>() as f64,
        silent_s,
        silent_longest_s,
        growth: growth(slots),
        says: Words::new("", ""),
        slower: slower(slots, kinds),
    };
    found.says = found.sentence();
    Some(found)
}

/// The largest spread within a window, and the slot where that window begins.
fn variation(slots: &[Slot]) -> Option<(f64, usize)> {
    let spread = |window: &[Slot]| {
        let rates = || window.iter().map(|s| s.throughput_per_s);
        let (least, most) = (rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max));
        let mean = mean_of(window);
        if mean > 0.0 { (most - least) / mean } else { 0.0 }
    };
    let all = slots.windows(WINDOW).map(spread).enumerate();
    all.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, spread)| (spread, at))
}

/// Seconds without a transaction, and the longest stretch of them.
fn silence(measured: &[&Interval]) -> (f64, f64) {
    let (mut all, mut longest, mut stretch) = (0.0, 0.0_f64, 0.0);
    for interval in measured {
        stretch = if interval.transactions == 0 { stretch + interval.length_s } else { 0.0 };
        all += if interval.transactions == 0 { interval.length_s } else { 0.0 };
        longest = longest.max(stretch);
    }
    (all, longest)
}

/// The line through 1/throughput against cumulative transactions; none if a slot had no throughput.
fn growth(slots: &[Slot]) -> Option<CostGrowth> {
    let x: Vec<f64> = slots.iter().map(|s| s.transactions_before / 1e6).collect();
    let y: Vec<f64> = slots.iter().map(|s| 1.0 / s.throughput_per_s).collect();
    if y.iter().any(|y| !y.is_finite()) {
        return None;
    }
    let line = stats::line(&x, &y, CONFIDENCE)?;
    if line.intercept <= 0.0 {
        return None;
    }
    let squares = x.iter().zip(&y).map(|(x, y)| (y / line.at(*x) - 1.0).powi(2));
    let misfit = (squares.sum::<f64>() / x.len() as f64).sqrt();
    let share = |slope: f64| slope / line.intercept;
    let decline = 1.0 - line.at(x[0]) / line.at(x[x.len() - 1]);
    Some(CostGrowth {
        start_s: line.intercept,
        per_million: share(line.slope.value),
        low: share(line.slope.low),
        high: share(line.slope.high),
        misfit,
        found: line.slope.low > 0.0 && decline > DECLINE_MIN && misfit <= MISFIT_MAX,
    })
}

/// The kinds of transaction whose p95 grew from the first to the last quarter, and at least twice as much as that of the
/// kind that grew least.
fn slower(slots: &[Slot], kinds: &[&OperationHistograms]) -> Option<Words> {
    let slot_s = slots[1].end_s - slots[0].end_s;
    let (begin_s, end_s) = (slots[0].end_s - slot_s, slots[slots.len() - 1].end_s);
    let (first_end_s, last_begin_s) = (slots[WINDOW - 1].end_s, slots[slots.len() - WINDOW - 1].end_s);
    // The whole of the transactions stands first and is none of the kinds.
    let grown: Vec<(&str, f64, f64)> = kinds
        .iter()
        .skip(1)
        .filter_map(|kind| {
            let (first, last) = (kind.part(begin_s, first_end_s)?, kind.part(last_begin_s, end_s)?);
            Some((kind.name.as_str(), p95_ms(&first)?, p95_ms(&last)?))
        })
        .filter(|(_, before, _)| *before > 0.0)
        .collect();
    let least = grown.iter().map(|(_, before, after)| after / before).reduce(f64::min)?;
    let standing_out: Vec<String> = grown
        .iter()
        .filter(|(_, before, after)| after / before >= 1.5 && after / before >= 2.0 * least.max(0.5))
        .map(|(name, before, after)| format!("{} {} → {} ms", title(name), figure(*before), figure(*after)))
        .collect();
    let list = standing_out.join(", ");
    (!standing_out.is_empty()).then(|| message!("slower-types", types = Text(list)))
}

fn title(name: &str) -> &str {
    let kind = TpccTransaction::ALL.into_iter().find(|kind| kind.name() == name);
    kind.map_or(name, |kind| kind.title())
}

impl Sustained {
    /// Last quarter against the first.
    pub fn change(&self) -> f64 {
        if self.first_per_s > 0.0 { self.last_per_s / self.first_per_s - 1.0 } else { 0.0 }
    }

    /// Whether no window varied more than clause 5.5 of TPC-C allows; none where so few transactions vary as much by chance.
    pub fn steady(&self) -> Option<bool> {
        if self.variation < VARIATION_MAX {
            Some(true)
        } else {
            (self.variation > self.variation_chance).then_some(false)
        }
    }

    fn sentence(&self) -> Words {
        let steady = match self.steady() {
            Some(true) => "kept",
            Some(false) => "missed",
            None => "unknown",
        };
        message!(
            "sustained",
            first = Figure(self.first_per_s),
            last = Figure(self.last_per_s),
            change = Change(1.0 + self.change()),
            variation = Tenths(self.variation * 100.0),
            window = Seconds(self.window_s),
            steady = Word(steady),
            idle = Seconds?((self.silent_s > 0.0).then_some(self.silent_s)),
            longest = Seconds(self.silent_longest_s),
            law = Message(self.law()),
        )
    }

    /// The trend of 1/throughput in words.
    fn law(&self) -> Words {
        let Some(growth) = self.growth else { return message!("growth-unknown") };
        let kind = match growth.found {
            true => "grows",
            false if self.change() < -DECLINE_MIN => "declines",
            false => "level",
        };
        // Over the run rather than over a million: a short one does a fraction of that.
        let over_run = |per_million: f64| 1.0 + per_million * self.transactions / 1e6;
        message!(
            "growth-law",
            transactions = Count(self.transactions.round() as u64),
            change = Change(over_run(growth.per_million)),
            low = Change(over_run(growth.low)),
            high = Change(over_run(growth.high)),
            misfit = Percent(growth.misfit),
            kind = Word(kind),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(rates: &[f64], slot_s: f64) -> Vec<Slot> {
        let mut before = 0.0;
        let one = |(index, rate): (usize, &f64)| {
            let middle = before + rate * slot_s / 2.0;
            before += rate * slot_s;
            Slot {
                end_s: (index + 1) as f64 * slot_s,
                throughput_per_s: *rate,
                transactions_before: middle,
                operations: Vec::new(),
            }
        };
        rates.iter().enumerate().map(one).collect()
    }

    /// The published decay of BenchmarkSQL on MySQL 8.0.27 over eight hours, thousands of transactions per minute: the
    /// time per transaction is linear in the transactions done, to within 2.1 %.
    #[test]
    fn the_published_decay_grows_with_the_data() {
        let published = [1140.0, 998.0, 892.0, 808.0, 741.0, 689.0, 646.0, 609.0];
        let rates = published.map(|thousands_per_minute| thousands_per_minute * 1e3 / 60.0);
        let growth = growth(&slots(&rates, 3600.0)).expect("determined");
        assert!(growth.found && growth.low > 0.0, "{growth:?}");
        assert!(growth.misfit < 0.021, "{growth:?}");
    }

    #[test]
    fn a_decline_that_follows_the_clock_or_a_level_is_no_growth() {
        // A step in the middle: a decline, and no straight line.
        let step: Vec<f64> = (0..32).map(|i| if i < 16 { 1000.0 } else { 500.0 }).collect();
        assert!(!growth(&slots(&step, 60.0)).expect("determined").found);
        // Around a level.
        let level: Vec<f64> = (0..32).map(|i| 1000.0 + [3.0, -5.0, 4.0, -2.0, 1.0][i % 5]).collect();
        assert!(!growth(&slots(&level, 60.0)).expect("determined").found);
        assert_eq!(growth(&slots(&[1.0, 2.0, 0.0, 3.0], 60.0)), None);
    }

    #[test]
    fn variation_is_the_worst_window_and_silence_its_seconds() {
        let mut rates = vec![1000.0; 32];
        rates[20] = 900.0;
        let (worst, at) = variation(&slots(&rates, 1.0)).expect("determined");
        assert!((worst - 100.0 / 987.5).abs() < 1e-9, "{worst}");
        assert!((13..=20).contains(&at));
        let second = |transactions| Interval { transactions, length_s: 1.0, ..empty() };
        let seconds = [5, 0, 0, 3, 0].map(second);
        assert_eq!(silence(&seconds.iter().collect::<Vec<_>>()), (3.0, 2.0));
    }

    fn empty() -> Interval {
        Interval {
            end_s: 0.0,
            length_s: 0.0,
            warmup: false,
            threads: 1,
            transactions: 0,
            queries: model::QueryCounts::default(),
            response: model::LatencySummary::default(),
            response_counts: Vec::new(),
            errors: std::collections::BTreeMap::new(),
            reconnects: 0,
            traffic: model::Traffic::default(),
            generator_cpu_s: 0.0,
            backlog: None,
        }
    }
}
