//! What a transaction costs the server.

mod common;

use std::collections::BTreeMap;

use common::*;
use model::*;

fn observation(at_s: f64, fsyncs: u64, cpu_s: f64) -> Observation {
    Observation {
        at_s,
        status: BTreeMap::from([("innodb_data_fsyncs".to_owned(), fsyncs)]),
        process: Some(ProcessUse { cpu_s, ..ProcessUse::default() }),
        ..Observation::default()
    }
}

/// Of runs with a window of 30 s after 5 s of warm-up, and 100 transactions a second.
fn costs_of(repeats: u32, observations: impl Fn(u32) -> Vec<Observation>) -> Vec<(String, f64)> {
    let plan = plan(&["mysql"], &[1], repeats);
    let cells = cells(&plan, |planned| {
        let watched = Watched { readings: observations(planned.cell.repeat), ..Watched::default() };
        Some(Recorded { watched, ..recorded(planned, 100.0) })
    });
    cells[0].costs.iter().map(|cost| (cost.id.clone(), cost.per_transaction)).collect()
}

#[test]
fn what_is_counted_in_the_window_is_divided_by_its_transactions() {
    // What came before the window does not count: 50,000 fsyncs of loading, 3 s of CPU.
    let seen =
        |_| vec![observation(0.0, 0, 0.0), observation(5.0, 50_000, 3.0), observation(35.0, 56_000, 18.0)];
    assert_eq!(costs_of(1, seen), [("server_cpu".to_owned(), 5_000.0), ("fsyncs".to_owned(), 2.0)]);
    // The mean of several runs; a run in which nothing was seen leaves nothing to be said of all of them.
    let twice =
        |repeat: u32| vec![observation(5.0, 0, 0.0), observation(35.0, 3_000 * u64::from(repeat), 3.0)];
    assert_eq!(costs_of(2, twice), [("server_cpu".to_owned(), 1_000.0), ("fsyncs".to_owned(), 1.5)]);
    assert!(costs_of(2, |repeat| if repeat == 1 { twice(1) } else { Vec::new() }).is_empty());
}

#[test]
fn a_single_reading_or_a_restart_gives_no_cost() {
    assert!(costs_of(1, |_| vec![observation(6.0, 7, 1.0)]).is_empty());
    let restarted = |_| vec![observation(5.0, 50_000, 3.0), observation(35.0, 10, 4.5)];
    assert_eq!(costs_of(1, restarted), [("server_cpu".to_owned(), 500.0)]);
}
