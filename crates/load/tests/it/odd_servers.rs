//! Servers that drop connections, and servers that answer a byte at a time.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{run, run_until};
use load::{Limit, Offer, Progress, Schedule, Stopped, offer};
use model::{Arrivals, FailureCode, Phase, PsMode, Rate, SysbenchOptions, SysbenchWorkload, WorkloadSpec};
use testkit::{Answer, Delivery, FakeServer, Options};

/// CR_SERVER_LOST.
const LOST: u16 = 2013;

/// Every fiftieth point select finds the connection closed. Each of them is told of, tried again on a new connection, and
/// counted once; none is lost from sight.
#[test]
fn dropped_connections_are_counted_and_their_transactions_done_all_the_same() {
    let phases = vec![Phase { from_per_s: 1_000.0, to_per_s: 1_000.0, length_s: None }];
    for schedule in [Schedule::Closed, Schedule::Open(Rate { arrivals: Arrivals::Poisson, phases })] {
        let (asked, dropped) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let (asked_seen, dropped_seen) = (Arc::clone(&asked), Arc::clone(&dropped));
        let server = FakeServer::start(Options::default(), move |request| {
            // Only in the first quarter: a client that reconnects while the others do the last transactions has none left to do.
            let is_unlucky = |number: u64| number % 50 == 49 && number < 500;
            if request.sql.starts_with("SELECT c FROM") && is_unlucky(asked.fetch_add(1, Ordering::Relaxed)) {
                dropped.fetch_add(1, Ordering::Relaxed);
                return Answer::Close;
            }
            Answer::rows(&["c"], &[&[Some("x")]])
        });
        let limit = Limit { warmup: Duration::ZERO, time: None, events: Some(2_000) };
        let found = run_until(&server, 4, schedule, limit);
        let (asked, dropped) = (asked_seen.load(Ordering::Relaxed), dropped_seen.load(Ordering::Relaxed));
        assert_eq!((found.measured.transactions, asked - dropped), (2_000, 2_000));
        assert_eq!(found.measured.reconnects, dropped);
        let errors = &found.measured.errors;
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(
            (errors[0].code, errors[0].count, errors[0].forgiven),
            (LOST, dropped, true),
            "{errors:?}"
        );
        // What was tried twice is in the histogram once, as long as it took from when it was due.
        assert_eq!(found.response.len(), 2_000);
        // And those that were are shown by themselves: connecting anew is in their time.
        let retried = found.measured.operations.iter().find(|operation| operation.name == "retried").unwrap();
        assert_eq!(retried.response.count, dropped);
        assert!(retried.service.mean_ns > found.measured.operations[0].service.mean_ns);
        let connects =
            found.measured.operations.iter().find(|operation| operation.name == "connect").unwrap();
        assert_eq!(connects.service.count, 4 + dropped);
    }
}

/// The answer's bytes come one by one, a fifth of a millisecond apart: a transaction takes as long as all of them, and
/// waiting for them costs the client next to nothing.
#[test]
fn an_answer_that_comes_a_byte_at_a_time_takes_as_long_as_its_last_byte() {
    const PAUSE: Duration = Duration::from_micros(200);
    let options = Options { delivery: Delivery::Slowly(PAUSE), ..Options::default() };
    let server = FakeServer::start(options, |_| Answer::rows(&["c"], &[&[Some("0123456789")]]));
    let found = run(&server, 2, Schedule::Closed, 2.0);
    let measured = &found.measured;
    assert!(measured.transactions >= 2 && measured.errors.is_empty(), "{measured:?}");
    let bytes = measured.traffic.received_bytes as f64 / measured.transactions as f64;
    assert!((50.0..150.0).contains(&bytes), "{bytes} bytes an answer");
    let transaction = &measured.operations[0];
    let least_ns = bytes.floor() * PAUSE.as_nanos() as f64 * 0.9;
    assert!(transaction.service.min_ns as f64 >= least_ns, "{:?} for {bytes} bytes", transaction.service);
    assert_eq!(transaction.service.count, measured.queries.read);
    let cpu_s = measured.generator.user_s + measured.generator.system_s;
    assert!(cpu_s < 0.5 * measured.measured_s, "{cpu_s} s of CPU while waiting");
}

/// The server dies in the middle: nobody listens any more. The trial has failed, and the reason is that.
#[test]
fn a_server_that_is_gone_at_the_end_of_the_load_has_failed_the_trial() {
    for seconds in [0.6, 5.0] {
        let server = FakeServer::start(Options::default(), |_| Answer::rows(&["c"], &[&[Some("x")]]));
        let connect = server.connect_options();
        let server = Mutex::new(Some(server));
        let workload = WorkloadSpec::Sysbench(SysbenchOptions {
            workload: SysbenchWorkload::OltpPointSelect,
            db_ps_mode: PsMode::Disable,
            ..SysbenchOptions::default()
        });
        let wanted = Offer {
            entries: load::Entries::one(&connect),
            workload: &workload,
            clients: 4,
            schedule: Schedule::Closed,
            limit: Limit {
                warmup: Duration::from_millis(300),
                time: Some(Duration::from_secs_f64(seconds)),
                events: None,
            },
            in_flight: None,
            think: Duration::ZERO,
            seed: 1,
            workers: Some(2),
            cancel: &AtomicBool::new(false),
        };
        let offered = offer(&wanted, &mut |progress| {
            if matches!(progress, Progress::Interval { interval, .. } if interval.warmup) {
                drop(server.lock().unwrap().take());
            }
        });
        let stopped = offered.unwrap().stopped;
        let Stopped::Failed(failure) = stopped else { panic!("{stopped:?} after {seconds} s") };
        assert_eq!(failure.code, FailureCode::ServerGone, "{failure:?}");
        assert!(failure.message.contains("the connection ended and a new one was refused"), "{failure:?}");
    }
}

/// The clients hear of the start before it comes, and wait for it. So a load that is over at once has a length, and no
/// response is shorter than its service.
#[test]
fn a_load_of_a_few_transactions_begins_when_it_begins() {
    let server = FakeServer::start(Options::default(), |_| Answer::rows(&["c"], &[&[Some("x")]]));
    for _ in 0..20 {
        let limit = Limit { warmup: Duration::ZERO, time: None, events: Some(3) };
        let measured = run_until(&server, 2, Schedule::Closed, limit).measured;
        assert_eq!(measured.transactions, 3);
        assert!(measured.measured_s > 0.0, "{measured:?}");
        let transaction = &measured.operations[0];
        assert!(transaction.service.min_ns > 0, "{transaction:?}");
        assert!(transaction.response.min_ns >= transaction.service.min_ns, "{transaction:?}");
    }
}
