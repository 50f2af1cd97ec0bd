//! What interrupts a measured window is said, and nothing else is blamed for it.

use crate::common::*;
use analysis::{CellSummary, Severity};
use model::*;

/// The only cell of one run against that kind of target, changed by `change`.
fn cell_of(kind: ServerKind, change: impl Fn(&mut Recorded)) -> CellSummary {
    let mut plan = plan(&["mysql"], &[16], 1);
    *plan.spec.targets[0].target.entry_mut() = kind;
    cells(&plan, |planned| {
        let mut trial = recorded(planned, 800.0);
        change(&mut trial);
        Some(trial)
    })
    .remove(0)
}

fn remote() -> ServerKind {
    at("db.example.com")
}

fn at(host: &str) -> ServerKind {
    ServerKind::External(Endpoint {
        address: Address::Tcp { host: host.to_owned(), port: 3306 },
        user: "sbtest".to_owned(),
        database: "sbtest".to_owned(),
        tls: TlsMode::Disabled.into(),
        connect_timeout_s: 10,
        get_server_public_key: false,
        init_commands: Vec::new(),
        globals: Default::default(),
    })
}

fn severity(cell: &CellSummary, id: &str) -> Option<Severity> {
    cell.caveats.iter().find(|caveat| caveat.id == id).map(|caveat| caveat.severity)
}

fn text<'a>(cell: &'a CellSummary, id: &str) -> &'a str {
    cell.caveats.iter().find(|caveat| caveat.id == id).map_or("", |caveat| &caveat.text.en)
}

/// As two workers made it of which one was always late: every second overlaps the one before.
#[test]
fn seconds_that_overlap_are_not_those_of_the_window() {
    let overlapping = |trial: &mut Recorded| {
        trial.intervals.iter_mut().for_each(|interval| interval.length_s = 1.03);
        trial.result.measured.measured_s = 30.9;
    };
    let cell = cell_of(remote(), overlapping);
    assert_eq!(severity(&cell, "windows_differ"), Some(Severity::Invalid));
    assert!(
        text(&cell, "windows_differ").contains("30.90 s were counted in a window of 30.03 s"),
        "{cell:?}"
    );
    assert_eq!(severity(&cell_of(remote(), |_| ()), "windows_differ"), None);
    // What is missing of a file is not a second that is too long.
    let torn = |trial: &mut Recorded| trial.intervals.truncate(20);
    assert_eq!(severity(&cell_of(remote(), torn), "windows_differ"), None);
}

#[test]
fn a_generator_that_stood_still_is_the_one_cause_that_is_named() {
    let stopped = |trial: &mut Recorded| {
        for interval in &mut trial.intervals[9..15] {
            interval.transactions = 0;
        }
        trial.intervals.iter_mut().skip(20).for_each(|interval| interval.transactions *= 2);
        trial.result.measured.operations[0].response.mean_ns *= 0.7;
        trial.result.measured.stalls =
            Some(Stalls { stalled_s: 6.0, count: 1, longest: vec![Stretch { from_s: 9.0, length_s: 6.0 }] });
        trial.result.measured.stood_still = vec![Stretch { from_s: 9.0, length_s: 6.0 }];
    };
    let cell = cell_of(remote(), stopped);
    let ids: Vec<&str> = cell.caveats.iter().map(|caveat| caveat.id.as_str()).collect();
    assert_eq!(ids, ["generator_paused", "few_runs"]);
    assert!(text(&cell, "generator_paused").contains("was suspended for 6 s, from 9 s on"), "{cell:?}");
    // One of the warm-up is over.
    let before = |trial: &mut Recorded| {
        trial.result.measured.stood_still = vec![Stretch { from_s: 1.0, length_s: 3.0 }];
    };
    assert_eq!(severity(&cell_of(remote(), before), "generator_paused"), None);
}

#[test]
fn the_share_of_stalls_decides_how_much_they_matter() {
    let stalled = |lengths_s: &[f64]| {
        let cell = cell_of(remote(), |trial| {
            let longest = lengths_s.iter().enumerate();
            let longest =
                longest.map(|(n, length_s)| Stretch { from_s: 6.0 + 4.0 * n as f64, length_s: *length_s });
            trial.result.measured.stalls = Some(Stalls {
                stalled_s: lengths_s.iter().sum(),
                count: lengths_s.len() as u64,
                longest: longest.collect(),
            });
        });
        (severity(&cell, "stall"), text(&cell, "stall").to_owned())
    };
    assert_eq!(stalled(&[]).0, None);
    assert_eq!(stalled(&[0.3]).0, Some(Severity::Note));
    assert_eq!(stalled(&[0.9, 0.9, 0.9, 0.9]).0, Some(Severity::Warn), "none of them took a second");
    let (severity, text) = stalled(&[2.04, 1.5]);
    assert_eq!(severity, Some(Severity::Invalid));
    assert!(
        text.contains("throughput was zero for 3.5 s of the window, 12 % of it, in 2 stalls of up to 2 s"),
        "{text}"
    );
}

/// Half a second without a transaction is no stall while one a second is due.
#[test]
fn a_phase_of_few_arrivals_is_no_stall() {
    let of = |least_per_s: f64| {
        let phase = |per_s| Phase { from_per_s: per_s, to_per_s: per_s, length_s: Some(15.0) };
        let mut plan = plan(&["mysql"], &[16], 1);
        let phases = vec![phase(least_per_s), phase(1_600.0)];
        plan.spec.load.rate = Some(Rate { arrivals: Arrivals::Poisson, phases });
        let cell = |planned: &PlannedTrial| {
            let mut trial = recorded(planned, 800.0);
            let longest = vec![Stretch { from_s: 7.0, length_s: 4.0 }];
            trial.result.measured.stalls = Some(Stalls { stalled_s: 4.0, count: 1, longest });
            Some(trial)
        };
        severity(&cells(&plan, cell).remove(0), "stall")
    };
    assert_eq!((of(1.0), of(400.0)), (None, Some(Severity::Invalid)));
}

/// A stall over the end of the warm-up: the first second of the window holds responses of 4 s of 16 clients, of which 3 s were
/// before it.
#[test]
fn littles_law_takes_what_straddles_the_window_as_it_was() {
    let straddling = |before_s| {
        move |trial: &mut Recorded| {
            let response = &mut trial.result.measured.operations[0].response;
            response.mean_ns += 16.0 * 3.0 * 1e9 / response.count as f64;
            trial.result.measured.straddling = Some(Straddling { before_s, at_end_s: 0.0 });
        }
    };
    assert_eq!(severity(&cell_of(remote(), straddling(48.0)), "littles_law"), None);
    assert_eq!(severity(&cell_of(remote(), straddling(0.0)), "littles_law"), Some(Severity::Invalid));
}

#[test]
fn waiting_for_a_cpu_matters_more_where_no_server_uses_it() {
    // Two workers and 30 s.
    let waited = |kind, share: f64| {
        severity(
            &cell_of(kind, |t| t.result.measured.generator.run_queue_wait_s = 60.0 * share),
            "cpu_contention",
        )
    };
    let sandbox = || plan(&["mysql"], &[1], 1).spec.targets[0].target.entry().clone();
    use Severity::{Invalid, Note, Warn};
    assert_eq!([0.04, 0.06, 0.12].map(|share| waited(remote(), share)), [None, Some(Warn), Some(Invalid)]);
    assert_eq!(
        [0.09, 0.3, 0.75, 0.96].map(|share| waited(sandbox(), share)),
        [None, Some(Note), Some(Note), Some(Invalid)]
    );
    assert_eq!(waited(at("127.0.0.1"), 0.3), Some(Note));
}

/// A server that is busy takes its CPUs by right; other processes do not.
#[test]
fn waiting_for_a_cpu_matters_more_where_others_use_it() {
    let beside = |others: f64, waited: f64| {
        let kind = plan(&["mysql"], &[1], 1).spec.targets[0].target.entry().clone();
        let cell = cell_of(kind, |t| {
            let surroundings = t.result.surroundings.get_or_insert_default();
            (surroundings.time_s, surroundings.cpus) = (30.0, 2);
            surroundings.others_cpu_s = Some(60.0 * others);
            t.result.measured.generator.run_queue_wait_s = 60.0 * waited;
        });
        severity(&cell, "cpu_contention")
    };
    assert_eq!(beside(0.45, 0.75), Some(Severity::Note));
    assert_eq!(beside(0.55, 0.75), Some(Severity::Invalid));
    assert_eq!(beside(0.55, 0.45), Some(Severity::Note));
}

/// What could not be offered is no rate that was too high.
#[test]
fn a_starved_generator_is_named_in_place_of_the_rate() {
    let open = |wait_share: f64| {
        let mut plan = plan(&["mysql"], &[16], 1);
        plan.spec.load.rate = Some(Rate {
            arrivals: Arrivals::Constant,
            phases: vec![Phase { from_per_s: 1e6, to_per_s: 1e6, length_s: None }],
        });
        let cell = |planned: &PlannedTrial| {
            let mut trial = recorded(planned, 800.0);
            trial.result.measured.generator.run_queue_wait_s = 60.0 * wait_share;
            trial.result.measured.open_loop = Some(OpenLoop {
                offered: 30_000_000,
                unstarted: 29_976_000,
                backlog_max: 29_976_000,
                lateness: LatencySummary::default(),
                timer: LatencySummary::default(),
            });
            Some(trial)
        };
        cells(&plan, cell).remove(0)
    };
    let (fed, starved) = (open(0.0), open(0.96));
    assert_eq!((severity(&fed, "overload"), severity(&fed, "cpu_contention")), (Some(Severity::Warn), None));
    // 800/s were completed beside it: never started are not all.
    assert!(text(&fed, "overload").contains("99.92 % of the transactions due"), "{}", text(&fed, "overload"));
    assert_eq!(severity(&starved, "overload"), None);
    assert_eq!(severity(&starved, "cpu_contention"), Some(Severity::Invalid));
    assert!(text(&starved, "cpu_contention").contains("waited 96 % of the time"));
}
