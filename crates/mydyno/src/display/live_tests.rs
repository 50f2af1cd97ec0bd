//! The lines of a terminal, from events as they come.

use std::collections::BTreeMap;

use model::{Arrivals, HostUse, Observation, Phase, ProcessUse, Rate};

use super::tests::{cell, plan, result, second};
use super::view::{Glyphs, Look, lines};
use super::*;

/// A reading `n` seconds after the load began, of a server that uses a CPU and a half of two.
fn reading(n: u32) -> Observation {
    let s = f64::from(n);
    let host = HostUse {
        cpu_user_s: 1000.0 + 1.2 * s,
        cpu_system_s: 500.0 + 0.6 * s,
        cpu_iowait_s: 0.1 * s,
        cpu_idle_s: 9000.0 + 0.1 * s,
        disk: model::DiskUse { written_bytes: u64::from(n) * (3 << 20), ..Default::default() },
        ..HostUse::default()
    };
    let process = ProcessUse { cpu_s: 40.0 + 1.5 * s, ..ProcessUse::default() };
    Observation { at_s: s + 0.002, host: Some(host), process: Some(process), ..Observation::default() }
}

struct Film {
    live: Live,
    now_ms: u64,
}

impl Film {
    fn new(plan: &Plan) -> Self {
        Self { live: Live::new(plan), now_ms: 0 }
    }

    fn at(&mut self, seconds: u64, kind: EventKind) -> &mut Self {
        self.now_ms = seconds * 1000;
        self.live.event(&Event { at: String::new(), elapsed_ms: self.now_ms, kind });
        self
    }

    fn begin(&mut self, seconds: u64, index: u32) -> &mut Self {
        let cell = self.live.plan.trials[index as usize].cell.clone();
        self.at(seconds, EventKind::TrialStarted { index, cell });
        self.at(seconds, EventKind::TrialConnected { index, seconds: 0.1 })
    }

    fn second(&mut self, at: u64, interval: Interval) -> &mut Self {
        self.at(at, EventKind::Interval { index: 0, interval })
    }

    fn reading(&mut self, observation: Observation) -> &mut Self {
        let at = self.now_ms / 1000;
        self.at(at, EventKind::Observation { index: 0, member: 0, observation: Box::new(observation) })
    }

    fn end(&mut self, seconds: u64, index: u32) -> &mut Self {
        let result = result(index, 16, Outcome::Completed);
        self.at(seconds, EventKind::TrialFinished { index, result })
    }

    fn seen(&self, width: usize) -> String {
        lines(&self.live, Look { width, glyphs: Glyphs::Blocks }).join("\n")
    }
}

/// A plan of this number of cells of 10 + 30 s.
fn long(cells: u32) -> Plan {
    let mut plan = plan();
    (plan.spec.load.warmup_s, plan.spec.load.time_s) = (10.0, 30.0);
    let trial = plan.trials[0].clone();
    plan.trials = (0..cells).map(|index| model::PlannedTrial { index, ..trial.clone() }).collect();
    plan
}

fn busy(end_s: f64, transactions: u64) -> Interval {
    Interval { warmup: end_s <= 10.0, transactions, ..second(end_s, [4, 5, 6, 31]) }
}

#[test]
fn the_first_second_has_no_difference_yet() {
    let plan = long(4);
    let mut film = Film::new(&plan);
    film.begin(5, 0);
    insta::assert_snapshot!(film.seen(80), @r"
    [....................]  trial 1 of 4  about 2 min 40 s left
    mysql  16 clients  connected  oltp_read_write

    ");
    film.second(6, busy(1.0, 812)).reading(reading(0));
    insta::assert_snapshot!(film.seen(80), @r"
    [....................]  trial 1 of 4  about 2 min 39 s left
    mysql  16 clients  warm-up 1 of 10 s  oltp_read_write
    812 tps  p95 31.0 ms  p99 31.0 ms  2 errors  █
    CPUs: generator 0.10
    ");
    for n in 2..=12 {
        film.second(5 + n, busy(n as f64, 700 + 10 * n)).reading(reading(n as u32 - 1));
    }
    insta::assert_snapshot!(film.seen(80), @r"
    [##..................]  trial 1 of 4  about 2 min 28 s left
    mysql  16 clients  measured 2 of 30 s  oltp_read_write
    820 tps  p95 31.0 ms  p99 31.0 ms  24 errors  █▇▇▇▇▇██████
    CPUs: server 1.50, generator 0.10  host 90 %, iowait 5 %  writes 3 MiB/s
    ");
}

#[test]
fn a_narrow_terminal_gets_fewer_parts_and_no_half_numbers() {
    let plan = long(24);
    let mut film = Film::new(&plan);
    film.begin(0, 0);
    for n in 1..=40 {
        film.second(n, busy(n as f64, 800 + n)).reading(reading(n as u32));
    }
    insta::assert_snapshot!(film.seen(40), @r"
    [..........]  trial 1 of 24
    mysql  16 clients  measured 30 of 30 s
    840 tps  p95 31.0 ms  p99 31.0 ms
    CPUs: server 1.50, generator 0.10
    ");
    for width in 0..200 {
        for line in film.seen(width).lines() {
            assert!(console::measure_text_width(line) <= width, "{width}: {line}");
        }
    }
}

#[test]
fn without_observations_nothing_is_said_of_server_and_host() {
    let plan = long(1);
    let mut film = Film::new(&plan);
    film.begin(0, 0).second(1, busy(1.0, 10)).second(2, busy(2.0, 10));
    insta::assert_snapshot!(film.seen(80), @r"
    [#...................]  about 38 s left
    mysql  16 clients  warm-up 2 of 10 s  oltp_read_write
    10.0 tps  p95 31.0 ms  p99 31.0 ms  4 errors  ██
    CPUs: generator 0.10
    ");
}

#[test]
fn of_a_remote_server_there_is_no_process_and_no_disk() {
    let plan = long(1);
    let mut film = Film::new(&plan);
    let remote = |n| Observation { process: None, ..reading(n) };
    film.begin(0, 0).second(1, busy(1.0, 10)).reading(remote(1)).second(2, busy(2.0, 10)).reading(remote(2));
    assert!(film.seen(80).ends_with("CPUs: generator 0.10  host 90 %, iowait 5 %"), "{}", film.seen(80));
}

#[test]
fn counts_that_go_back_make_no_figure() {
    let plan = long(1);
    let mut film = Film::new(&plan);
    film.begin(0, 0).second(1, busy(1.0, 10)).reading(reading(5));
    let mut anew = reading(6);
    anew.process = Some(ProcessUse { cpu_s: 0.3, ..ProcessUse::default() });
    film.second(2, busy(2.0, 10)).reading(anew);
    assert!(film.seen(80).contains("CPUs: generator 0.10  host 90 %"), "{}", film.seen(80));
    // A reading right after another one changes nothing.
    film.reading(Observation { at_s: 6.01, ..reading(9) });
    assert!(film.seen(80).contains("CPUs: generator 0.10  host 90 %"), "{}", film.seen(80));
}

#[test]
fn the_time_left_knows_what_cells_take_besides() {
    let plan = long(4);
    let mut film = Film::new(&plan);
    // 40 s of load, and 20 s of restoring before the second.
    film.begin(100, 0).end(140, 0).begin(160, 1).end(200, 1);
    assert!(film.seen(80).starts_with("[##########..........]  2 of 4 trials  about 1 min 40 s left"));
    film.begin(220, 2);
    assert!(film.seen(80).starts_with("[##########..........]  trial 3 of 4  about 1 min 20 s left"));
    film.end(250, 2).begin(270, 3).end(310, 3);
    assert!(film.seen(80).starts_with("[####################]  4 of 4 trials\n"), "{}", film.seen(80));
}

#[test]
fn what_earlier_attempts_did_is_not_waited_for() {
    let plan = long(4);
    let mut film = Film::new(&plan);
    film.at(0, EventKind::RunStarted { run: "r".to_owned(), trials: 4, done: 2 }).begin(0, 1);
    assert!(film.seen(80).starts_with("[##########..........]  trial 3 of 4  about 1 min 20 s left"));
}

#[test]
fn a_limit_of_transactions_makes_no_guess_before_a_cell_has_ended() {
    let mut plan = long(3);
    plan.spec.load.events = 1000;
    let mut film = Film::new(&plan);
    film.begin(0, 0);
    assert!(film.seen(80).starts_with("[....................]  trial 1 of 3\n"), "{}", film.seen(80));
    film.end(7, 0).begin(7, 1);
    assert!(film.seen(80).starts_with("[#######.............]  trial 2 of 3  about 14 s left\n"));
}

#[test]
fn an_open_loop_says_what_is_offered_and_what_waits() {
    let mut plan = long(1);
    let ramp = Phase { from_per_s: 200.0, to_per_s: 2000.0, length_s: Some(30.0) };
    plan.spec.load.rate = Some(Rate { arrivals: Arrivals::Poisson, phases: vec![ramp] });
    let mut film = Film::new(&plan);
    let interval = Interval { backlog: Some(12_345), ..busy(25.0, 900) };
    film.begin(0, 0);
    let height = film.seen(80).split('\n').count();
    film.second(25, interval);
    assert_eq!(film.seen(80).lines().nth(3), Some("offered 1,100 tps  backlog 12,345"));
    assert_eq!(film.seen(80).split('\n').count(), height);
}

#[test]
fn huge_numbers_and_stalls() {
    let plan = long(1);
    let mut film = Film::new(&plan);
    let huge = Interval {
        transactions: 12_345_678,
        response_counts: vec![(3_600_000_000_000, 12_345_678)],
        errors: BTreeMap::from([(1213, u64::from(u32::MAX))]),
        reconnects: 1,
        ..busy(20.0, 0)
    };
    film.begin(0, 0).second(20, huge);
    let line = |film: &Film| film.seen(80).lines().nth(2).map(str::to_owned);
    let said = "12,345,678 tps  p95 3600.0 s  p99 3600.0 s  4,294,967,295 errors  1 reconnect";
    assert_eq!(line(&film).as_deref(), Some(said));
    let nothing = || Interval { response_counts: Vec::new(), errors: BTreeMap::new(), ..busy(21.0, 0) };
    for n in 21..60 {
        film.second(n, nothing());
    }
    // Without a transaction in the last seconds there is no percentile.
    let flat = "▁".repeat(30);
    let said = format!("0.0 tps  4,294,967,295 errors  1 reconnect  {flat}");
    assert_eq!(line(&film).as_deref(), Some(said.as_str()));
}

#[test]
fn other_phases_have_words() {
    let plan = plan();
    let mut film = Film::new(&plan);
    let target = || "mysql".to_owned();
    film.at(0, EventKind::DataProgress { target: target(), rows_done: 1 << 20, rows: 4 << 20 });
    assert_eq!(
        film.seen(80),
        "[....................]  0 of 2 trials\nloading 4,194,304 rows into mysql: 25 %"
    );
    assert_eq!(film.seen(20), "[..........]\nloading 4,194,304 ro");
    assert_eq!(cell(16).threads, 16);
}

#[test]
fn what_is_waited_for_is_said_and_its_time_goes_on() {
    let plan = plan();
    let mut film = Film::new(&plan);
    let target = || "mysql".to_owned();
    film.begin(0, 0).end(4, 0);
    film.at(4, EventKind::Waiting { target: target(), wait: model::Wait::Restore });
    assert!(film.seen(80).ends_with("\nrestoring the data of mysql"), "{}", film.seen(80));
    let before = film.seen(80);
    // No event comes, only time goes on.
    film.live.tick(9_000);
    assert!(film.seen(80).ends_with("\nrestoring the data of mysql, 5 s"), "{}", film.seen(80));
    assert_ne!(before.lines().next(), film.seen(80).lines().next(), "the time left stands still");
    film.at(10, EventKind::ServerStarting { target: target() });
    assert!(film.seen(80).ends_with("\nstarting mysql"), "{}", film.seen(80));
}

#[test]
fn block_elements_need_a_locale_that_has_them() {
    let locale =
        |lang: &'static str| Glyphs::of_locale(move |name| (name == "LANG").then(|| lang.to_owned()));
    assert_eq!(
        [locale("C.UTF-8"), locale("de_DE.utf8"), locale("C")],
        [Glyphs::Blocks, Glyphs::Blocks, Glyphs::Ascii]
    );
}
