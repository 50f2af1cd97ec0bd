//! What a transaction costs the server.

use std::collections::BTreeMap;

use crate::common::*;
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
    // The mean of several trials; of which, is said where a reading came too late for some.
    let twice =
        |repeat: u32| vec![observation(5.0, 0, 0.0), observation(35.0, 3_000 * u64::from(repeat), 3.0)];
    assert_eq!(costs_of(2, twice), [("server_cpu".to_owned(), 1_000.0), ("fsyncs".to_owned(), 1.5)]);
    let late = |repeat: u32| if repeat == 2 { Vec::new() } else { twice(repeat) };
    assert_eq!(costs_of(3, late), [("server_cpu".to_owned(), 1_000.0), ("fsyncs".to_owned(), 2.0)]);
    let plan = plan(&["mysql"], &[1], 3);
    let cells = cells(&plan, |planned| {
        let watched = Watched { readings: late(planned.cell.repeat), ..Watched::default() };
        Some(Recorded { watched, ..recorded(planned, 100.0) })
    });
    assert_eq!(cells[0].costs[0].label.en, "server CPU (2 of 3 trials)");
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

    let thread = |cpu_s| {
        BTreeMap::from([(
            7,
            ThreadUse { name: "connection".to_owned(), told: false, cpu_s, cpu_wait_s: None },
        )])
    };
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

fn event(count: u64, time_s: f64) -> EventUse {
    EventUse { count, time_s }
}

/// A run of 3,000 transactions of one point select each, whose server kept these digests and counted these statements.
fn tops_of(digests: &[(&str, f64)], digested_s: f64, executed_s: f64, all_s: f64) -> analysis::Tops {
    let snapshot = |at_s, share: f64| Snapshot {
        at_s,
        statements: digests
            .iter()
            .map(|(text, time_s)| StatementUse {
                text: (*text).to_owned(),
                all: event((3_000.0 * share) as u64, time_s * share),
                ..StatementUse::default()
            })
            .collect(),
        digested_s: Some(digested_s * share),
        statement_events: BTreeMap::from([
            ("statement/com/Execute".to_owned(), event((3_000.0 * share) as u64, executed_s * share)),
            ("statement/sql/commit".to_owned(), event(3_000, (all_s - executed_s) * share)),
        ]),
        ..Snapshot::default()
    };
    let watched =
        Watched { before: Some(snapshot(5.0, 0.0)), after: Some(snapshot(35.0, 1.0)), ..Watched::default() };
    let plan = plan(&["mysql"], &[1], 1);
    let cells = cells(&plan, |planned| {
        let mut trial = Recorded { watched: watched.clone(), ..recorded(planned, 100.0) };
        let service = trial.result.measured.operations[0].service;
        for (name, mean_ns) in [("point_select", 6e6), ("commit", 2e6)] {
            trial.result.measured.operations.push(OperationSummary {
                name: name.to_owned(),
                kind: OperationKind::Statement,
                service: LatencySummary { mean_ns, ..service },
                response: service,
            });
        }
        Some(trial)
    });
    cells.into_iter().next().and_then(|cell| cell.tops).expect("both ends were seen")
}

/// MySQL 8.0 and 8.4: the digest of COMMIT, sent as text, is the only one; 18 of 20 s were executed by the binary protocol.
#[test]
fn statements_without_a_digest_have_their_share_of_all_statement_time() {
    let tops = tops_of(&[("COMMIT", 2.0)], 2.0, 18.0, 20.0);
    assert!((tops.statements[0].share - 0.1).abs() < 1e-9, "{:?}", tops.statements);
    let hidden = tops.undigested.expect("most of the time is in no digest");
    assert!((hidden.share - 0.9).abs() < 1e-9 && hidden.per_transaction == Some(1.0), "{hidden:?}");
    assert!(hidden.says.en.contains("this version keeps no digests"), "{}", hidden.says.en);
    assert!(hidden.says.zh.contains("90 %"), "{}", hidden.says.zh);
    let own: Vec<(&str, f64)> = hidden.by_client.iter().map(|o| (o.operation.as_str(), o.share)).collect();
    assert_eq!(own, [("point_select", 0.75), ("commit", 0.25)]);
}

/// MySQL 9.7: what the binary protocol executed has its digest, and is counted as executed besides.
#[test]
fn statements_with_a_digest_are_not_counted_twice() {
    let tops =
        tops_of(&[("COMMIT", 2.0), ("SELECT `c` FROM `sbtest1` WHERE `id` = ?", 18.0)], 20.0, 18.0, 20.0);
    assert_eq!(tops.undigested, None);
    assert!((tops.statements.iter().map(|one| one.share).sum::<f64>() - 1.0).abs() < 1e-9);
    // Of many tables only the digests that took longest are listed: the others are not without one.
    assert_eq!(tops_of(&[("COMMIT", 2.0)], 20.0, 18.0, 20.0).undigested, None);
    // Recordings of before have no totals: their digests are all that is known.
    assert_eq!(tops_of(&[("COMMIT", 2.0)], 2.0, 0.0, 0.0).undigested, None);
}
