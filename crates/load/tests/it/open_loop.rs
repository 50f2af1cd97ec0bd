//! Known answers in, known answers out: open and closed loops against a server that behaves exactly as it is told.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::common::{run, run_until};
use load::{Limit, Offer, Schedule, offer};
use model::{Arrivals, Phase, PsMode, Rate, SysbenchOptions, SysbenchWorkload, WorkloadSpec};
use testkit::{Answer, FakeServer, Options};

/// A server that answers point selects after as long as `pause` says at that time since its first one.
fn server(pause: impl Fn(Duration) -> Duration + Send + Sync + 'static) -> FakeServer {
    let first = OnceLock::new();
    FakeServer::start(Options::default(), move |request| {
        if request.sql.starts_with("SELECT c FROM") {
            let begun = *first.get_or_init(Instant::now);
            std::thread::sleep(pause(begun.elapsed()));
        }
        Answer::rows(&["c"], &[&[Some("x")]])
    })
}

fn constant(per_s: f64) -> Schedule {
    let phases = vec![Phase { from_per_s: per_s, to_per_s: per_s, length_s: None }];
    Schedule::Open(Rate { arrivals: Arrivals::Constant, phases })
}

/// A stall from one second on for one second. In the open loop all that was due meanwhile is late; in the closed one only
/// what was in flight, which is how closed loops hide a stall.
#[test]
fn a_stall_makes_all_that_was_due_late_in_an_open_loop_and_one_per_client_in_a_closed_one() {
    let stall = |at: Duration| match at.as_millis() {
        1_000..2_000 => Duration::from_secs(2).saturating_sub(at),
        _ => Duration::ZERO,
    };
    let open = run(&server(stall), 8, constant(500.0), 4.0);
    let late = open.longer_than_ms(50);
    // 950 ms of the stall at 500/s, and those that came while the backlog was worked off.
    assert!((450..=700).contains(&late), "{late} late responses in the open loop");
    let max_ms = open.response.max() as f64 / 1e6;
    assert!((900.0..1_300.0).contains(&max_ms), "{max_ms}");
    let backlog = open.intervals.iter().filter_map(|interval| interval.backlog).max().unwrap();
    assert!((300..=520).contains(&backlog), "backlog {backlog}");

    // 2 ms a transaction, so that clients have not all day long something new to begin.
    let closed = run(&server(move |at| stall(at) + Duration::from_millis(2)), 8, Schedule::Closed, 4.0);
    let late = closed.longer_than_ms(50);
    assert!((8..=12).contains(&late), "{late} late responses in the closed loop");
    assert_eq!(closed.measured.open_loop, None);
}

/// Four clients and 10 ms a transaction: at most 400/s. Of 800/s half are never started, and nothing is lost from sight.
#[test]
fn twice_what_the_server_can_do_ends_in_time_with_every_transaction_accounted_for() {
    let server = server(|_| Duration::from_millis(10));
    let found = run(&server, 4, constant(800.0), 3.0);
    let open = found.measured.open_loop.unwrap();
    assert!(open.offered.abs_diff(2_400) <= 1, "{open:?}");
    let begun = found.measured.transactions + found.measured.in_flight;
    assert_eq!(open.offered, begun + open.unstarted, "{open:?}");
    let share = open.unstarted as f64 / open.offered as f64;
    assert!((0.5..0.62).contains(&share), "{share} unstarted");
    // The backlog grows, and with it the response times; service times do not.
    let backlogs: Vec<u64> = found.intervals.iter().map(|interval| interval.backlog.unwrap()).collect();
    assert!(backlogs.windows(2).all(|pair| pair[1] > pair[0] + 300), "{backlogs:?}");
    let transaction = &found.measured.operations[0];
    assert!(transaction.response.p99_ns > 1_000_000_000, "{:?}", transaction.response);
    assert!(transaction.service.p99_ns < 60_000_000, "{:?}", transaction.service);
}

/// At a rate that the server keeps easily everything is done, in both kinds of arrivals and over phases.
#[test]
fn what_the_server_can_do_is_done_completely() {
    let phase = |from_per_s, to_per_s, length_s| Phase { from_per_s, to_per_s, length_s: Some(length_s) };
    for arrivals in [Arrivals::Constant, Arrivals::Poisson] {
        let phases = vec![phase(200.0, 200.0, 1.0), phase(200.0, 600.0, 1.0), phase(600.0, 600.0, 1.0)];
        let found = run(&server(|_| Duration::ZERO), 32, Schedule::Open(Rate { arrivals, phases }), 3.0);
        let open = found.measured.open_loop.unwrap();
        // 200 + 400 + 600, give or take what chance does in 1,200.
        assert!(open.offered.abs_diff(1_200) <= 150, "{open:?}");
        assert!(open.unstarted <= 2, "{open:?}");
        let per_second: Vec<u64> = found.intervals.iter().map(|interval| interval.transactions).collect();
        assert!(per_second[0] < per_second[1] && per_second[1] < per_second[2], "{per_second:?}");
    }
}

/// An open loop that ends with the last of so many transactions has offered these, whatever time there would have been.
#[test]
fn a_number_of_transactions_ends_an_open_loop_and_nothing_beyond_it_was_offered() {
    for (warmup_s, time_s) in [(0, None), (1, None), (0, Some(30))] {
        let (warmup, time) = (Duration::from_secs(warmup_s), time_s.map(Duration::from_secs));
        let limit = Limit { warmup, time, events: Some(100) };
        let found = run_until(&server(|_| Duration::ZERO), 8, constant(200.0), limit);
        let open = found.measured.open_loop.unwrap();
        assert_eq!((found.measured.transactions, open.offered, open.unstarted), (100, 100, 0), "{open:?}");
        assert_eq!(open.lateness.count, 100);
    }
}

/// Clients that connect anew in between do not change when work is due, only who does it.
#[test]
fn connection_churn_does_not_skip_what_is_due() {
    let connections = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&connections);
    let server = FakeServer::start(Options::default(), move |request| {
        seen.fetch_max(u64::from(request.connection), Ordering::Relaxed);
        Answer::rows(&["c"], &[&[Some("x")]])
    });
    let workload = WorkloadSpec::Sysbench(SysbenchOptions {
        workload: SysbenchWorkload::OltpPointSelect,
        db_ps_mode: PsMode::Disable,
        reconnect: 10,
        ..SysbenchOptions::default()
    });
    let connect = server.connect_options();
    let offered = Offer {
        entries: load::Entries::one(&connect),
        workload: &workload,
        clients: 8,
        schedule: constant(200.0),
        limit: Limit { warmup: Duration::ZERO, time: Some(Duration::from_secs(2)), events: None },
        in_flight: None,
        think: Duration::ZERO,
        seed: 1,
        workers: None,
        cancel: &AtomicBool::new(false),
    };
    let measured = offer(&offered, &mut |_| {}).unwrap().measured;
    let open = measured.open_loop.unwrap();
    assert!(open.offered.abs_diff(400) <= 1 && open.unstarted <= 2, "{open:?}");
    assert!(measured.reconnects >= 30 && connections.load(Ordering::Relaxed) >= 30);
}
