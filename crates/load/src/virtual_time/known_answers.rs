//! Known answers in, known answers out: servers whose behaviour has a theory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use model::{Arrivals, Phase, Rate};
use random::Rng;

use super::{Trial, run, run_and_see};
use crate::limit::Limit;
use crate::measured::Progress;
use crate::schedule::{Schedule, Timetable};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;

fn rate(arrivals: Arrivals, per_s: f64) -> Rate {
    Rate { arrivals, phases: vec![Phase { from_per_s: per_s, to_per_s: per_s, length_s: None }] }
}

fn open(clients: u32, arrivals: Arrivals, per_s: f64, limit: Limit) -> Trial {
    Trial {
        clients,
        schedule: Schedule::Open(rate(arrivals, per_s)),
        limit,
        seed: 1,
        in_flight: None,
        think: Duration::ZERO,
        clock_shows: |ns| ns,
    }
}

fn closed(clients: u32, limit: Limit) -> Trial {
    Trial {
        clients,
        schedule: Schedule::Closed,
        limit,
        seed: 1,
        in_flight: None,
        think: Duration::ZERO,
        clock_shows: |ns| ns,
    }
}

fn seconds(warmup_s: u64, time_s: u64) -> Limit {
    Limit { warmup: Duration::from_secs(warmup_s), time: Some(Duration::from_secs(time_s)), events: None }
}

/// Servers with one line before them, first come, first served.
struct Queue<D> {
    free_at: BinaryHeap<Reverse<u64>>,
    service_ns: D,
}

impl<D: FnMut() -> u64> Queue<D> {
    fn new(servers: u32, service_ns: D) -> Self {
        Self { free_at: (0..servers).map(|_| Reverse(0)).collect(), service_ns }
    }

    fn done_at(&mut self, asked_ns: u64) -> u64 {
        let Reverse(free_ns) = self.free_at.pop().expect("as many as there are servers");
        let done_ns = asked_ns.max(free_ns) + (self.service_ns)();
        self.free_at.push(Reverse(done_ns));
        done_ns
    }
}

/// Mean service time of the exponential servers, and how many transactions a second one of them can do.
const MEAN_NS: f64 = 10_000.0;
const PER_S: f64 = 1e9 / MEAN_NS;

fn exponential(seed: u64) -> impl FnMut() -> u64 {
    let mut rng = Rng::from_seed(seed);
    move || (-MEAN_NS * (1.0 - rng.uniform_f64()).ln()).round() as u64
}

/// Erlang's C: the share of arrivals that have to wait before `servers` servers when, on average, `busy` of them are.
fn share_that_waits(servers: u32, busy: f64) -> f64 {
    let lost = (1..=servers).fold(1.0, |lost, n| busy * lost / (f64::from(n) + busy * lost));
    lost / (1.0 - busy / f64::from(servers) * (1.0 - lost))
}

#[test]
fn erlang_c_is_as_in_the_tables() {
    // One server: the utilisation. Cooper, Introduction to Queueing Theory, for the others.
    for (servers, busy, share) in [(1, 0.7, 0.7), (2, 1.0, 1.0 / 3.0), (5, 4.0, 0.5541), (10, 8.0, 0.4092)] {
        let found = share_that_waits(servers, busy);
        assert!((found - share).abs() < 5e-5, "{servers} servers: {found}");
    }
}

/// M/M/c: with as many clients as servers the queue is in the timetable, and lateness is the wait; with many more clients
/// than servers the queue is in front of the server, and the response times are the same.
fn wait_as_theory_says(servers: u32, utilisation: f64, clients: u32, time_s: u64) {
    let busy = utilisation * f64::from(servers);
    let mut queue = Queue::new(servers, exponential(2));
    let trial = open(clients, Arrivals::Poisson, busy * PER_S, seconds(10, time_s));
    let offered = run(&trial, move |asked_ns| queue.done_at(asked_ns));

    let waits = share_that_waits(servers, busy);
    // Who has to wait does so for an exponential time with this mean.
    let line_ns = MEAN_NS / (f64::from(servers) - busy);
    let within = |what: &str, found: f64, theory: f64| {
        let off = found / theory - 1.0;
        assert!(off.abs() < 0.01, "{what} {found} ns, theory {theory} ns: {:+.2} %", off * 100.0);
    };
    let transaction = &offered.measured.operations[0];
    within("mean response", transaction.response.mean_ns, waits * line_ns + MEAN_NS);
    if clients == servers {
        let wait = offered.measured.open_loop.unwrap().lateness;
        within("mean wait", wait.mean_ns, waits * line_ns);
        within("p99 of the wait", wait.p99_ns as f64, (waits / 0.01).ln() * line_ns);
        within("mean service", transaction.service.mean_ns, MEAN_NS);
        within("p99 of the service", transaction.service.p99_ns as f64, 100f64.ln() * MEAN_NS);
    }
}

#[test]
fn a_queue_that_is_half_used() {
    wait_as_theory_says(1, 0.5, 1, 100);
}

#[test]
fn a_queue_that_is_used_to_four_fifths() {
    wait_as_theory_says(4, 0.8, 4, 40);
}

/// Waits are correlated over tens of thousands of transactions, so a hundred million of them are examined.
#[test]
fn a_queue_that_is_nearly_full() {
    wait_as_theory_says(2, 0.95, 2, 540);
}

#[test]
fn a_line_before_the_server_is_as_long_as_one_before_the_clients() {
    wait_as_theory_says(4, 0.8, 500, 40);
}

/// Every single response time, and not only their distribution: the same arrivals and service times, worked through by
/// the recursion of Kiefer and Wolfowitz (1955), give the same sum, the same extremes and the same line.
#[test]
fn every_transaction_takes_exactly_as_long_as_in_the_recursion() {
    const TRANSACTIONS: u64 = 200_000;
    for (servers, utilisation) in [(1, 0.5), (3, 0.9), (4, 1.2)] {
        let rate = rate(Arrivals::Poisson, utilisation * PER_S * f64::from(servers));
        let mut timetable = Timetable::new(&rate, Duration::ZERO, None, 7);
        let mut queue = Queue::new(servers, exponential(3));
        let mut waits = Queue::new(servers, exponential(3));
        let (mut sum_ns, mut longest_ns) = (0, 0);
        for _ in 0..TRANSACTIONS {
            let due_ns = timetable.next().unwrap().due_ns;
            let response_ns = waits.done_at(due_ns) - due_ns;
            sum_ns += response_ns;
            longest_ns = longest_ns.max(response_ns);
        }
        let limit = Limit { warmup: Duration::ZERO, time: None, events: Some(TRANSACTIONS) };
        let schedule = Schedule::Open(rate);
        let trial = Trial {
            clients: servers,
            schedule,
            limit,
            seed: 7,
            in_flight: None,
            think: Duration::ZERO,
            clock_shows: |ns| ns,
        };
        let offered = run(&trial, move |asked_ns| queue.done_at(asked_ns));
        let response = &offered.measured.operations[0].response;
        assert_eq!((response.count, response.sum_ns), (TRANSACTIONS, sum_ns as f64));
        assert!(response.max_ns.abs_diff(longest_ns) * 1_000 <= longest_ns, "three digits of {longest_ns}");
    }
}

/// Below what the server can do every response takes the service time. Beyond it the line grows at the difference of the
/// rates: after ten seconds at 400/s of 200/s it is 2,000 long, and the last one begun was due five seconds before.
#[test]
fn a_constant_service_time_comes_back_and_so_does_the_line_beyond_capacity() {
    let constant = |per_s| {
        let mut queue = Queue::new(1, || 5 * MS);
        run(&open(1, Arrivals::Constant, per_s, seconds(0, 10)), move |asked_ns| queue.done_at(asked_ns))
    };
    let below = constant(100.0);
    let response = below.measured.operations[0].response;
    assert_eq!((response.count, response.mean_ns), (999, 5.0 * MS as f64), "the last one is due at the end");
    assert_eq!(below.measured.open_loop.unwrap().lateness.max_ns, 0);

    let beyond = constant(400.0);
    let open = beyond.measured.open_loop.unwrap();
    assert_eq!((open.offered, open.backlog_max), (3_999, 2_000));
    assert_eq!(open.unstarted, 3_999 - beyond.measured.transactions - beyond.measured.in_flight);
    assert!(open.unstarted.abs_diff(2_000) <= 1, "{open:?}");
    assert!(open.lateness.max_ns.abs_diff(5 * SECOND) < 10 * MS, "{open:?}");
    assert_eq!(beyond.measured.operations[0].service.mean_ns, 5.0 * MS as f64);
}

/// The server stands still for one second. At 5,000/s the open loop finds the 5,000 that were due meanwhile late, and
/// those that came while the line was worked off; the closed loop finds one late response for each client.
#[test]
fn a_stall_makes_all_that_was_due_late_in_an_open_loop_and_one_per_client_in_a_closed_one() {
    let late = |trial: Trial| {
        let mut late = 0;
        let stall = |asked_ns| match asked_ns / MS {
            2_000..3_000 => 3 * SECOND + MS,
            _ => asked_ns + MS,
        };
        let offered = run_and_see(&trial, stall, &mut |progress| {
            let Progress::Interval { histograms, .. } = progress else { return };
            let response = histograms.iter().find(|histogram| histogram.tag == "response:transaction");
            late += response.map_or(0, |of| of.histogram.len() - of.histogram.count_between(0, 2 * MS));
        });
        (late, offered)
    };
    // 8 clients work off 8,000/s, 3,000/s more than are due: the line is gone 5,000 / 3,000 s after the stall.
    let (late_open, open) = late(open(8, Arrivals::Constant, 5_000.0, seconds(0, 10)));
    let (during, after) = (5_000, 5_000 * 5_000 / 3_000);
    assert!(u64::abs_diff(late_open, during + after) < 50, "{late_open} late responses");
    let found = open.measured.open_loop.unwrap();
    assert_eq!((found.offered, found.unstarted), (49_999, 0));
    assert!(found.backlog_max.abs_diff(during) < 10, "{found:?}");
    assert!(open.measured.operations[0].response.max_ns.abs_diff(SECOND) < 2 * MS, "{open:?}");

    let (late_closed, closed) = late(closed(8, seconds(0, 10)));
    assert_eq!(late_closed, 8, "the closed loop hides it");
    assert_eq!(closed.measured.transactions + closed.measured.in_flight, 8 * 9_000);
}

/// N = X R, whatever the service times are.
#[test]
fn a_closed_loop_keeps_littles_law_and_its_servers_busy() {
    let mut queue = Queue::new(2, exponential(5));
    let offered = run(&closed(16, seconds(1, 60)), move |asked_ns| queue.done_at(asked_ns));
    let per_s = offered.measured.transactions as f64 / offered.measured.measured_s;
    assert!((per_s / (2.0 * PER_S) - 1.0).abs() < 0.002, "{per_s}");
    let clients = per_s * offered.measured.operations[0].response.mean_ns / 1e9;
    assert!((clients - 16.0).abs() < 0.01, "{clients}");
}

/// The generator is stopped for three seconds and comes back late. The seconds meanwhile are seen to be empty, the one stall
/// has its length, and nothing is longer than it was.
#[test]
fn seconds_in_which_the_generator_stood_still_are_empty_ones() {
    let clock_shows = |ns| if ns < 3_400 * MS { ns } else { ns + 3 * SECOND };
    let trial = Trial { clock_shows, ..closed(2, seconds(1, 9)) };
    let mut intervals = Vec::new();
    let offered = run_and_see(&trial, |asked_ns| asked_ns + MS, &mut |progress| {
        if let Progress::Interval { interval, .. } = progress {
            intervals.push(interval.clone());
        }
    });
    let window_s: f64 = intervals.iter().filter(|i| !i.warmup).map(|i| i.length_s).sum();
    assert!(
        (window_s - offered.measured.measured_s).abs() < 1e-9 && (window_s - 9.0).abs() < 0.01,
        "{window_s}"
    );
    let empty: Vec<f64> = intervals.iter().filter(|i| i.transactions == 0).map(|i| i.end_s).collect();
    assert_eq!(empty.len(), 2, "{intervals:?}");
    assert!(intervals.iter().all(|i| (0.35..=1.65).contains(&i.length_s)), "{intervals:?}");
    let stall = offered.measured.stalls.as_ref().expect("it is known").longest[0];
    assert_eq!(offered.measured.stalls.as_ref().expect("it is known").count, 1);
    assert!((stall.from_s - 3.4).abs() < 0.01 && (stall.length_s - 3.0).abs() < 0.01, "{stall:?}");
}

/// A stall that begins in the warm-up: all clients wait for seconds when the window begins, and their wait is response time
/// of the window. With the transactions at its ends counted exactly, throughput times response time gives the number of
/// clients.
#[test]
fn littles_law_holds_over_a_stall_that_spans_the_end_of_the_warm_up() {
    let stall = |asked_ns: u64| match asked_ns / MS {
        1_500..3_250 => 3_250 * MS,
        _ => asked_ns + 7 * MS,
    };
    let offered = run(&closed(8, seconds(2, 5)), stall);
    let busy_s = offered.measured.operations[0].response.sum_ns / 1e9;
    let straddling = offered.measured.straddling.expect("it is known");
    assert!((straddling.before_s - 8.0 * 0.5).abs() < 0.1, "{straddling:?}");
    let clients = (busy_s - straddling.before_s + straddling.at_end_s) / offered.measured.measured_s;
    assert!((clients - 8.0).abs() < 1e-6, "{clients} of 8: {straddling:?}");
    assert!((busy_s / offered.measured.measured_s - 8.0).abs() > 0.5, "without it they seem to be others");
    // The stall counts from the beginning of the window, in thousandths of a second and not in whole ones.
    let stall = offered.measured.stalls.as_ref().expect("it is known").longest[0];
    assert!((stall.from_s - 2.0).abs() < 1e-6 && (stall.length_s - 1.25).abs() < 0.01, "{stall:?}");
}

/// A queue that comes and goes within a second is a backlog, although there is none at the end of the second.
#[test]
fn a_backlog_within_a_second_is_seen() {
    let stall = |asked_ns: u64| match asked_ns / MS {
        2_200..2_476 => 2_476 * MS,
        _ => asked_ns + MS / 2,
    };
    let offered = run(&open(8, Arrivals::Constant, 1_000.0, seconds(0, 5)), stall);
    let open = offered.measured.open_loop.unwrap();
    assert!((260..=276).contains(&open.backlog_max), "{open:?}");
}

/// A clock that goes back by half a second in the middle costs that half second, and is reported; no latency is wrong.
#[test]
fn a_clock_that_goes_back_is_told_of_and_spoils_no_latency() {
    let clock_shows = |ns| if ns < 4 * SECOND { ns } else { ns - SECOND / 2 };
    for schedule in [Schedule::Closed, Schedule::Open(rate(Arrivals::Constant, 500.0))] {
        let trial = Trial {
            clients: 1,
            schedule,
            limit: seconds(1, 8),
            seed: 1,
            in_flight: None,
            think: Duration::ZERO,
            clock_shows,
        };
        // The server's own clock is the engine's, so that only what the engine makes of it is seen.
        let offered = run(&trial, |asked_ns| asked_ns + MS);
        assert!(
            (offered.measured.generator.clock_set_back_s - 0.5).abs() < 5e-3,
            "{:?}",
            offered.measured.generator
        );
        let response = offered.measured.operations[0].response;
        assert!(response.max_ns <= 3 * MS && response.min_ns >= MS - MS / 1_000, "{response:?}");
        assert!((offered.measured.measured_s - 8.0).abs() < 1e-6);
    }
}

/// Sixty-four clients of which four may be at it: the server sees four, and the others wait for their turn, which is
/// response time and not service time.
#[test]
fn a_limit_of_transactions_in_flight_keeps_the_others_in_line() {
    let mut queue = Queue::new(16, exponential(5));
    let at_once = Arc::new(AtomicU64::new(0));
    let most = Arc::clone(&at_once);
    let mut busy_until = Vec::new();
    let trial = Trial { in_flight: Some(4), ..closed(64, seconds(1, 30)) };
    let offered = run(&trial, move |asked_ns| {
        let done_ns = queue.done_at(asked_ns);
        busy_until.retain(|until_ns| *until_ns > asked_ns);
        busy_until.push(done_ns);
        most.fetch_max(busy_until.len() as u64, Ordering::Relaxed);
        done_ns
    });
    assert_eq!(at_once.load(Ordering::Relaxed), 4);
    let per_s = offered.measured.transactions as f64 / offered.measured.measured_s;
    assert!((per_s / (4.0 * PER_S) - 1.0).abs() < 0.005, "{per_s}");
    let transaction = &offered.measured.operations[0];
    assert!((transaction.service.mean_ns / MEAN_NS - 1.0).abs() < 0.005, "{:?}", transaction.service);
    assert!((per_s * transaction.response.mean_ns / 1e9 - 64.0).abs() < 0.1, "{:?}", transaction.response);
    // First come, first served: nobody waits much longer than anybody else.
    assert!(
        transaction.response.p99_ns as f64 / transaction.response.mean_ns < 1.8,
        "{:?}",
        transaction.response
    );
    assert!(
        offered.measured.fairness.transactions_stddev < 0.01 * offered.measured.fairness.transactions_mean
    );
}

/// In an open loop the queue is the backlog, and its wait is that of M/M/c with as many servers as permits.
#[test]
fn in_an_open_loop_the_line_for_a_place_is_the_backlog() {
    let per_s = 0.8 * 4.0 * PER_S;
    let mut service_ns = exponential(9);
    let in_flight = Some(4);
    let trial = Trial { in_flight, ..open(300, Arrivals::Poisson, per_s, seconds(5, 60)) };
    let offered = run(&trial, move |asked_ns| asked_ns + service_ns());
    let theory_ns = share_that_waits(4, 3.2) * MEAN_NS / 0.8;
    let lateness = offered.measured.open_loop.unwrap().lateness;
    assert!((lateness.mean_ns / theory_ns - 1.0).abs() < 0.01, "{lateness:?}, theory {theory_ns} ns");

    // Of 400/s two permits with 10 ms each do 200/s: the rest is in line, with 5,000 clients to stand in it.
    let trial = Trial { in_flight: Some(2), ..open(5_000, Arrivals::Constant, 400.0, seconds(0, 10)) };
    let beyond = run(&trial, |asked_ns| asked_ns + 10 * MS).measured.open_loop.unwrap();
    assert!(beyond.backlog_max.abs_diff(2_000) <= 10, "{beyond:?}");
    assert!(beyond.unstarted.abs_diff(2_000) <= 10, "{beyond:?}");
}

/// Interactive clients: X = N / (Z + R), and the pauses have their mean.
#[test]
fn clients_that_think_come_back_as_often_as_they_should() {
    let think = Duration::from_millis(9);
    let trial = Trial { think, ..closed(100, seconds(1, 60)) };
    let offered = run(&trial, |asked_ns| asked_ns + MS);
    let per_s = offered.measured.transactions as f64 / offered.measured.measured_s;
    assert!((per_s / (100.0 / 0.010) - 1.0).abs() < 0.01, "{per_s}");
    assert!(offered.measured.operations[0].response.mean_ns == MS as f64, "thinking is no response time");
}
