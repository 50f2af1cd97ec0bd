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

/// What was watched of one run.
fn cell_of(watched: Watched) -> analysis::CellSummary {
    let plan = plan(&["mysql"], &[1], 1);
    let recorded = |planned: &PlannedTrial| Recorded { watched: watched.clone(), ..recorded(planned, 100.0) };
    cells(&plan, |planned| Some(recorded(planned))).remove(0)
}

#[test]
fn what_threads_have_used_is_counted_while_they_live() {
    let switches = |at_s, count| Observation {
        process: Some(ProcessUse { context_switches: Some(count), ..ProcessUse::default() }),
        ..observation(at_s, 0, 0.0)
    };
    // The clients' threads are gone at 35.1 s, with what they had counted.
    let readings = vec![switches(5.0, 1_000), switches(34.0, 6_800), switches(35.1, 2_000)];
    let cell = cell_of(Watched { readings, ..Watched::default() });
    let found: Vec<_> = cell.costs.iter().map(|cost| (cost.id.as_str(), cost.per_transaction)).collect();
    assert_eq!(found, [("context_switches", 2.0)]);

    let thread = |cpu_s| BTreeMap::from([(7, ThreadUse { name: "connection".to_owned(), cpu_s })]);
    let before = Snapshot { at_s: 5.0, threads: thread(1.0), ..Snapshot::default() };
    let after =
        Snapshot { at_s: 35.2, threads: thread(11.0), threads_at_s: Some(25.0), ..Snapshot::default() };
    let cell = cell_of(Watched { before: Some(before), after: Some(after), ..Watched::default() });
    let threads = cell.tops.expect("both ends were seen").threads;
    assert!((threads[0].cpus - 0.5).abs() < 1e-9, "{threads:?}");
}

#[test]
fn what_the_watch_asks_is_no_cost_of_a_transaction() {
    let statement = |text: &str, rows_examined| StatementUse {
        text: text.to_owned(),
        rows_examined,
        ..StatementUse::default()
    };
    let snapshot = |at_s, own, watch| Snapshot {
        at_s,
        statements: vec![statement("SELECT `c` FROM `sbtest1`", own), statement("SHOW GLOBAL STATUS", watch)],
        ..Snapshot::default()
    };
    let (before, after) = (snapshot(5.0, 0, 0), snapshot(35.0, 3_000, 90_000));
    let cell = cell_of(Watched { before: Some(before), after: Some(after), ..Watched::default() });
    assert_eq!(cell.costs.iter().map(|cost| cost.per_transaction).collect::<Vec<_>>(), [1.0]);
}

#[test]
fn a_watch_that_was_cut_off_says_why() {
    let unseen = vec![Unseen { what: "anything".to_owned(), why: "no answer".to_owned() }];
    let after = Snapshot { at_s: 5.0, unseen: unseen.clone(), ..Snapshot::default() };
    let before = Snapshot { at_s: 5.0, ..Snapshot::default() };
    let cell = cell_of(Watched { before: Some(before), after: Some(after), ..Watched::default() });
    assert_eq!(cell.tops.map(|tops| tops.unseen), Some(unseen));
}

#[test]
fn the_time_of_a_disk_that_begins_anew_is_none() {
    let seen = |at_s, writes, write_s, busy_s| Observation {
        host: Some(HostUse {
            disk: DiskUse { writes, write_s, busy_s, ..DiskUse::default() },
            ..HostUse::default()
        }),
        ..observation(at_s, 0, 0.0)
    };
    let of = |readings| {
        let machine = cell_of(Watched { readings, ..Watched::default() }).machine.expect("it was watched");
        (machine.disk_write_ms, machine.disk_busy)
    };
    assert_eq!(of(vec![seen(5.0, 0, 10.0, 0.0), seen(35.0, 1_000, 25.0, 3.0)]), (Some(15.0), Some(0.1)));
    assert_eq!(of(vec![seen(5.0, 0, 4e6, 4e6), seen(35.0, 1_000, 1.0, 1.0)]), (None, None));
}

#[test]
fn a_plan_that_could_not_be_explained_has_not_changed() {
    let plan = |rows: Option<f64>| StatementPlan {
        operation: "point_select".to_owned(),
        steps: rows.map(|rows| PlanStep { rows, ..PlanStep::default() }).into_iter().collect(),
        error: rows.is_none().then(|| "no answer".to_owned()),
        ..StatementPlan::default()
    };
    let changed = |before, after| {
        let plans = Some(Plans { before: vec![plan(before)], after: vec![plan(after)] });
        cell_of(Watched { plans, ..Watched::default() }).plans[0].changed_to.is_some()
    };
    assert!(changed(Some(1.0), Some(1e6)));
    assert!(!changed(Some(1.0), None) && !changed(None, Some(1.0)));
}
