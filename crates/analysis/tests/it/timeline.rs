//! A run over time: slots, whether the throughput was sustained, and what became slower.

use crate::common;

use crate::common::{cells, interval, recorded};
use analysis::{Span, Timeline};
use hdrhistogram::Histogram;
use model::{TpccOptions, TpccResult, WorkloadSpec};

/// A run of TPC-C of so many seconds with a throughput for each, and New-Orders and Stock-Levels that take so many
/// milliseconds.
fn timeline(
    seconds: u32,
    per_s: impl Fn(u32) -> u64,
    new_order_ms: u64,
    stock_level_ms: impl Fn(u32) -> u64,
) -> Option<Timeline> {
    in_spans(1, seconds, per_s, new_order_ms, stock_level_ms)
}

/// The same, with histograms that cover so many seconds each.
fn in_spans(
    span_s: u32,
    seconds: u32,
    per_s: impl Fn(u32) -> u64,
    new_order_ms: u64,
    stock_level_ms: impl Fn(u32) -> u64,
) -> Option<Timeline> {
    let mut plan = common::plan(&["mysql"], &[8], 1);
    plan.spec.workloads = vec![WorkloadSpec::Tpcc(TpccOptions::default())];
    let mut cell = cells(&plan, |planned| {
        let mut trial = recorded(planned, 1_000.0);
        trial.result.measured.tpcc = Some(TpccResult {
            warehouses_touched: 1,
            rollbacks: 0,
            retries: [0; 5],
            consistency: None,
            unchecked: None,
        });
        trial.intervals = (1..=seconds).map(|second| interval(f64::from(second), per_s(second))).collect();
        let spans = |ms: &dyn Fn(u32) -> u64| {
            let span = |first: u32| {
                let mut histogram =
                    Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("bounds are valid");
                let last = (first + span_s - 1).min(seconds);
                for second in first..=last {
                    histogram.record_n(ms(second) * 1_000_000, per_s(second)).expect("within an hour");
                }
                Span { end_s: f64::from(last), length_s: f64::from(last + 1 - first), histogram }
            };
            (1..=seconds).step_by(span_s as usize).map(span).collect()
        };
        let whole = trial.histograms[0].clone();
        for (name, ms) in
            [("new_order", &(|_| new_order_ms) as &dyn Fn(u32) -> u64), ("stock_level", &stock_level_ms)]
        {
            let mut kind = whole.clone();
            (kind.name, kind.response_spans) = (name.to_owned(), spans(ms));
            trial.histograms.push(kind);
        }
        trial.histograms[0].response_spans = spans(&|_| new_order_ms);
        Some(trial)
    })
    .remove(0);
    cell.timelines.pop()
}

#[test]
fn slots_hold_what_was_completed_in_them() {
    let found =
        timeline(64, |second| if second <= 32 { 100 } else { 200 }, 10, |_| 20).expect("it has seconds");
    assert_eq!((found.slots.len(), found.slot_s), (32, 2.0));
    assert_eq!(found.operations, ["transaction", "new_order", "stock_level"]);
    assert_eq!((found.slots[0].end_s, found.slots[0].throughput_per_s), (2.0, 100.0));
    assert_eq!(found.slots[1].transactions_before, 300.0, "200 in the first slot and half of the second");
    let last = &found.slots[31];
    assert_eq!((last.throughput_per_s, last.operations[1].per_s), (200.0, 200.0));
    let p95_ms = last.operations[2].p95_ms.expect("completed");
    assert!((p95_ms - 20.0).abs() < 0.05, "{p95_ms}");
    assert_eq!(found.sustained, None, "a minute is too short");
}

/// Slots of 43 or 44 seconds and histograms of ten: four or five of them to a slot.
#[test]
fn kinds_of_a_long_run_follow_its_throughput() {
    let found = in_spans(10, 1_400, |_| 100, 10, |_| 20).expect("it has seconds");
    for slot in &found.slots {
        assert_eq!(slot.throughput_per_s, 100.0);
        assert_eq!(slot.operations.iter().map(|o| o.per_s).collect::<Vec<_>>(), [100.0; 3], "{}", slot.end_s);
    }
}

#[test]
fn a_level_is_sustained() {
    let found = timeline(320, |second| 1_000 + u64::from(second % 7), 10, |_| 20).expect("it has seconds");
    let sustained = found.sustained.expect("long enough");
    assert!(sustained.steady() == Some(true) && sustained.change().abs() < 0.005, "{sustained:?}");
    assert!(!sustained.growth.expect("determined").found);
    assert_eq!(sustained.slower, None);
    assert!(
        sustained.says.en.contains("within 80 s (less than 2 %: kept); no second without a transaction"),
        "{}",
        sustained.says.en
    );
    assert!(sustained.says.en.contains("does not grow"), "{}", sustained.says.en);
}

/// 50 transactions a second, ten seconds a slot, 450 to 550 of them: what 500 scatter by chance.
#[test]
fn counts_that_scatter_by_chance_break_no_rule() {
    let scattered = |second: u32| [45, 52, 55, 48, 50, 53, 47, 50][(second as usize - 1) / 10 % 8];
    let sustained = timeline(320, scattered, 10, |_| 20).expect("it has seconds").sustained.expect("long");
    assert!(sustained.variation > 0.19 && sustained.steady().is_none(), "{sustained:?}");
    assert!(
        sustained.says.en.contains("less than 2 %: undetermined, too few transactions"),
        "{}",
        sustained.says.en
    );
    let many = |second: u32| 100 * scattered(second);
    let sustained = timeline(320, many, 10, |_| 20).expect("it has seconds").sustained.expect("long");
    assert_eq!(sustained.steady(), Some(false));
}

/// Each transaction makes every later one 4 ns slower: 1 ms at first, 1.56 ms after 240,000 of them.
#[test]
fn work_that_grows_with_the_data_is_found_and_the_type_that_does_it() {
    let mut done = 0.0;
    let rates: Vec<u64> = (0..320)
        .map(|_| {
            let per_s = 1.0 / (1e-3 + done * 4e-9);
            done += per_s;
            per_s as u64
        })
        .collect();
    let rate = |second: u32| rates[second as usize - 1];
    let found = timeline(320, rate, 10, |second| 5 + u64::from(second) / 4).expect("it has seconds");
    let sustained = found.sustained.expect("long enough");
    let growth = sustained.growth.expect("determined");
    assert!(growth.found && (growth.per_million - 4.0).abs() < 0.05 && growth.misfit < 0.001, "{growth:?}");
    assert_eq!(sustained.steady(), Some(false));
    assert!(sustained.says.en.contains("the work grows with the data"), "{}", sustained.says.en);
    let slower = sustained.slower.expect("Stock-Level stands out").en;
    assert!(slower.contains("Stock-Level") && !slower.contains("New-Order"), "{slower}");
}
