//! Where the mean response time goes, and which parts carry a difference.

use std::collections::BTreeMap;

use crate::common::*;
use analysis::{CellAdvice, CellSummary, Explanation, SeenCell, Setup, advise, explanations};
use model::*;

/// What is made up of a trial, milliseconds of a transaction.
#[derive(Clone, Copy)]
struct Made {
    queue: f64,
    commit: f64,
    select: f64,
    cpu: f64,
    locks: f64,
}

const USUAL: Made = Made { queue: 0.0, commit: 2.0, select: 3.0, cpu: 1.0, locks: 0.5 };

/// As many transactions as eight clients complete in 30 s after 5 s, ten selects and a COMMIT each.
fn made(planned: &PlannedTrial, of: Made) -> Recorded {
    const MS: f64 = 1e6;
    let service_ms = of.commit + of.select + 0.1;
    let per_s = 8_000.0 / (service_ms + of.queue);
    let mut trial = recorded(planned, per_s);
    let whole = &mut trial.result.measured.operations[0];
    let count = whole.response.count;
    whole.service.mean_ns = service_ms * MS;
    whole.response.mean_ns = (service_ms + of.queue) * MS;
    let template = whole.clone();
    let mut statement = |name: &str, times: u64, ms: f64| {
        let service =
            LatencySummary { count: count * times, mean_ns: ms * MS / times as f64, ..template.service };
        trial.result.measured.operations.push(OperationSummary {
            name: name.to_owned(),
            kind: OperationKind::Statement,
            response: LatencySummary::default(),
            service,
        });
    };
    statement("point_select", 10, of.select);
    statement("commit", 1, of.commit);
    let reading = |at_s: f64| Observation {
        at_s,
        status: BTreeMap::from([("innodb_row_lock_time".to_owned(), (at_s * per_s * of.locks) as u64)]),
        ..Observation::default()
    };
    let seen = |at_s: f64| Snapshot {
        at_s,
        threads: BTreeMap::from([(
            7,
            ThreadUse {
                name: "connection".to_owned(),
                told: false,
                cpu_s: at_s * per_s * of.cpu / 1e3,
                cpu_wait_s: None,
            },
        )]),
        ..Snapshot::default()
    };
    trial.watched = Watched {
        readings: vec![reading(5.0), reading(35.0)],
        before: Some(seen(5.0)),
        after: Some(seen(35.0)),
        ..Watched::default()
    };
    trial
}

fn cells_of(repeats: u32, b: impl Fn(u32) -> Made) -> Vec<CellSummary> {
    let plan = plan(&["a", "b"], &[8], repeats);
    cells(&plan, |planned| {
        let is_b = planned.cell.target == "b";
        Some(made(planned, if is_b { b(planned.cell.repeat) } else { USUAL }))
    })
}

#[test]
fn parts_add_up_to_the_mean_response_time_both_ways() {
    for queue in [0.0, 4.0] {
        let cells = cells_of(2, |_| Made { queue, ..USUAL });
        let found = cells[1].breakdown.as_ref().expect("statements were timed");
        assert!((found.response_ms.mean - 5.1 - queue).abs() < 1e-9);
        for parts in [&found.statements, &found.resources] {
            let sum: f64 = parts.iter().map(|part| part.ms.mean).sum();
            assert!((sum - found.response_ms.mean).abs() < 1e-9, "{parts:#?}");
        }
        let of = |id: &str| found.resources.iter().find(|part| part.id == id).map(|part| part.ms.mean);
        assert_eq!(of("queue").is_some(), queue > 0.0);
        // A COMMIT has the CPU of a mean statement: 1 ms of eleven.
        let near = |id, ms: f64| assert!((of(id).expect(id) - ms).abs() < 1e-3, "{id}: {:?}", of(id));
        near("cpu", 1.0);
        near("row_locks", 0.5);
        near("commit_wait", 2.0 - 1.0 / 11.0);
        near("unattributed", 5.0 - 1.0 - 0.5 - (2.0 - 1.0 / 11.0));
        assert_eq!(of("cpu_wait"), None, "the kernel did not tell");
    }
}

fn named(one: &Explanation) -> Vec<&str> {
    let all = one.statements.iter().chain(&one.resources);
    all.filter(|part| part.named).map(|part| part.id.as_str()).collect()
}

#[test]
fn what_carries_the_difference_is_named() {
    let jitter = |repeat: u32| f64::from(repeat) * 0.01;
    let slow_commit = cells_of(4, |n| Made { commit: 4.0 + jitter(n), ..USUAL });
    let found = explanations(&slow_commit, None);
    assert_eq!(named(&found[0]), ["commit", "commit_wait"]);
    assert!(found[0].leads);
    insta::assert_snapshot!(found[0].says.en);
    let locks = explanations(&cells_of(4, |n| Made { select: 6.0 + jitter(n), locks: 3.5, ..USUAL }), None);
    assert_eq!(named(&locks[0]), ["point_select", "row_locks"]);
    // Two parts that cancel out leave nothing to explain.
    let cancelled = cells_of(4, |n| Made { commit: 3.0 + jitter(n), select: 2.0 - jitter(n), ..USUAL });
    assert!(explanations(&cancelled, None).is_empty());
}

#[test]
fn a_part_whose_interval_contains_zero_is_not_named() {
    // COMMIT takes 2 ms more; selects scatter by more than their own difference.
    let scatter = |repeat: u32| if repeat.is_multiple_of(2) { 3.9 } else { 2.7 };
    let found = explanations(&cells_of(4, |n| Made { commit: 5.0, select: scatter(n), ..USUAL }), None);
    assert_eq!(named(&found[0]), ["commit", "commit_wait"]);
}

/// What is said of a target's server by the parts of its time, with the explanations of its cells.
fn said_of(cells: &[CellSummary], target: &str) -> Vec<CellAdvice> {
    let seen = Examination {
        flavour: Flavour::Mysql,
        variables: Variables::new(),
        status: Variables::new(),
        plugins: None,
        channels: None,
        accounts: None,
        tables: None,
        oldest_transaction_s: None,
        events: None,
        unseen: Vec::new(),
    };
    let (host, workload, watched) =
        (HostFacts::default(), workload(SysbenchWorkload::OltpReadWrite), Watched::default());
    let (explained, on_purpose) = (explanations(cells, None), Default::default());
    let setup =
        Setup { host: &host, runs: Default::default(), on_purpose: &on_purpose, explanations: &explained };
    let of_target = cells.iter().filter(|cell| cell.target == target);
    let cells: Vec<SeenCell<'_>> = of_target
        .map(|cell| SeenCell {
            cell,
            workload: &workload,
            watched: &watched,
            variables: None,
            day: "2026-11-25",
        })
        .collect();
    advise(&seen, setup, &cells)
}

#[test]
fn a_part_that_carries_a_difference_is_a_finding_about_the_slower_target() {
    let jitter = |repeat: u32| f64::from(repeat) * 0.01;
    let slow_b = cells_of(4, |n| Made { commit: 9.0 + jitter(n), ..USUAL });
    let said = said_of(&slow_b, "b");
    let found = said.iter().find(|one| one.advice.id == "commit_wait_time").expect("COMMIT is slow");
    assert_eq!(found.advice.severity.word(), "medium");
    assert_eq!(
        found.advice.evidence,
        "waiting in COMMIT: 8.93 of 12.1 ms of a transaction (74 %) at 8 clients, 7.02 ms more than on a"
    );
    let of_a = said_of(&slow_b, "a");
    assert!(of_a.iter().all(|one| !one.advice.evidence.contains(" more than on ")), "{of_a:?}");
    // The first target may be the slow one.
    let fast_b = cells_of(4, |n| Made { commit: 0.5 + jitter(n), ..USUAL });
    let said = said_of(&fast_b, "a");
    assert!(said.iter().any(|one| one.advice.evidence.ends_with(" ms more than on b")), "{said:?}");
}

#[test]
fn single_trials_explain_nothing() {
    assert!(explanations(&cells_of(1, |_| Made { commit: 9.0, ..USUAL }), None).is_empty());
}

/// A server that answers a request that asks for nothing within so many milliseconds: on this machine, elsewhere, or unwatched.
fn round_trips_ms(round_trip_ms: f64, is_here: Option<bool>) -> Option<f64> {
    let plan = plan(&["a"], &[8], 1);
    let cells = cells(&plan, |planned| {
        let mut trial = made(planned, USUAL);
        let facts = ServerFacts { round_trip_ms: Some(round_trip_ms), ..server(Flavour::Mysql) };
        trial.result.members = vec![facts.into()];
        for reading in &mut trial.watched.readings {
            reading.process = is_here.filter(|here| *here).map(|_| ProcessUse::default());
        }
        if is_here.is_none() {
            trial.watched.readings.clear();
        }
        Some(trial)
    });
    let parts = &cells[0].breakdown.as_ref().expect("statements were timed").resources;
    parts.iter().find(|part| part.id == "network").map(|part| part.ms.mean)
}

#[test]
fn round_trips_count_where_there_is_a_distance() {
    // Eleven statements. On one machine a short round trip is CPU and waiting for it; one that nobody watched may be anywhere.
    let near = |found: Option<f64>, ms: f64| found.is_some_and(|found| (found - ms).abs() < 1e-9);
    assert!(near(round_trips_ms(0.1, Some(false)), 1.1));
    assert!(near(round_trips_ms(0.1, Some(true)), 0.0));
    assert!(near(round_trips_ms(0.2, Some(true)), 2.2));
    assert_eq!(round_trips_ms(0.1, None), None);
}
