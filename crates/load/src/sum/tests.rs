//! Workers that hand their parts over at different instants.

use super::*;
use model::Measured;

use crate::recorder::{Operation, transactions};

const MS: u64 = 1_000_000;
static OPERATIONS: [Operation; 2] = [transactions("transaction"), transactions("retried")];

/// A part of a worker with this number of clients and completed transactions.
fn part(worker: usize, share: u32, end_ms: u64, transactions: u64, warmup: bool) -> Part {
    let mut recorder = Recorder::new(OPERATIONS.len());
    recorder.transactions = transactions;
    let (clients, used) = (share, ThreadUse::default());
    let end_ns = end_ms * MS;
    let (waiting, in_line, due_for_ns, pauses) = (0, 0, 0, Vec::new());
    Part { worker, recorder, end_ns, warmup, share, clients, waiting, in_line, due_for_ns, pauses, used }
}

/// Adds the parts, and returns every interval and the whole.
fn summed(parts: Vec<(usize, Part)>, events_left: Option<&AtomicU64>) -> (Vec<Interval>, Measured) {
    let mut sum = Sum::new(Operations::from(OPERATIONS.clone()), 2, 2, None, events_left);
    let mut intervals = Vec::new();
    let mut see = |progress: Progress<'_>| {
        if let Progress::Interval { interval, .. } = progress {
            intervals.push(interval.clone());
        }
    };
    for (index, part) in parts {
        sum.part(index, part, &mut see);
    }
    let offered = sum.finish(Stopped::AtLimit, 0.0, Vec::new(), |_, _| None, &mut see);
    (intervals, offered.measured)
}

/// The invariants of every recording.
fn assert_tiled(intervals: &[Interval], measured: &Measured) {
    let mut begin_s = 0.0;
    for interval in intervals {
        assert!((interval.end_s - interval.length_s - begin_s).abs() < 1e-9, "{interval:?} begins elsewhere");
        begin_s = interval.end_s;
    }
    let window_s: f64 = intervals.iter().filter(|i| !i.warmup).map(|i| i.length_s).sum();
    assert!((window_s - measured.measured_s).abs() < 1e-9, "{window_s} and {measured:?}");
    assert!((begin_s - measured.warmup_s - measured.measured_s).abs() < 1e-9, "{begin_s} and {measured:?}");
}

/// One worker is on time and the other 300 ms late at every boundary. Both did 1,000 transactions a second by their own
/// clocks; the overlaps of their intervals are no time that has passed.
#[test]
fn a_late_worker_does_not_make_the_window_longer() {
    let mut parts = vec![(0, part(0, 1, 1_000, 1_000, true)), (0, part(1, 1, 1_300, 1_300, true))];
    for second in 1..=5_u64 {
        let end_ms = 1_000 + second * 1_000;
        parts.push((second as usize, part(0, 1, end_ms, 1_000, false)));
        parts.push((second as usize, part(1, 1, end_ms + 300, 1_000, false)));
    }
    let (intervals, measured) = summed(parts, None);
    assert_tiled(&intervals, &measured);
    assert_eq!((intervals.len(), measured.measured_s), (6, 5.0));
    assert_eq!(measured.transactions as f64 / measured.measured_s, 2_000.0);
}

/// A worker with three clients counts three times as much as one with one; and one that did not reach the last interval has
/// ended where it ended.
#[test]
fn boundaries_follow_the_clients_and_nobody_is_waited_for() {
    let parts = vec![
        (0, part(0, 3, 1_000, 30, false)),
        (0, part(1, 1, 1_400, 14, false)),
        (1, part(0, 3, 2_000, 30, false)),
    ];
    let (intervals, measured) = summed(parts, None);
    assert_tiled(&intervals, &measured);
    let ends: Vec<f64> = intervals.iter().map(|interval| interval.end_s).collect();
    assert_eq!(ends, [1.1, 1.85]);
}

/// A load that ends with its last transaction has lasted until then.
#[test]
fn the_last_transaction_ends_a_load_of_so_many() {
    let parts = vec![(0, part(0, 1, 400, 1, false)), (0, part(1, 1, 900, 1, false))];
    let (intervals, measured) = summed(parts, Some(&AtomicU64::new(0)));
    assert_tiled(&intervals, &measured);
    assert_eq!(measured.measured_s, 0.9);
}
