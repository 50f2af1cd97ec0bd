//! Open loops: what was offered, what was left over, and what a reader is told about it.

use crate::common;

use crate::common::{cells, recorded};
use analysis::{CellSummary, Severity, Verdict, answer, compare, metric};
use model::{Arrivals, LatencySummary, OpenLoop, Phase, Rate};

fn rate(phases: &[(f64, f64)]) -> Rate {
    let phases =
        phases.iter().map(|&(from_per_s, to_per_s)| Phase { from_per_s, to_per_s, length_s: Some(15.0) });
    Rate { arrivals: Arrivals::Poisson, phases: phases.collect() }
}

fn cell(rate: Rate, unstarted: u64, timer_p99_ns: u64) -> CellSummary {
    offering(rate, 30_000, unstarted, unstarted.max(120), timer_p99_ns)
}

fn offering(rate: Rate, offered: u64, unstarted: u64, backlog_max: u64, timer_p99_ns: u64) -> CellSummary {
    let mut plan = common::plan(&["mysql"], &[64], 3);
    plan.spec.load.rate = Some(rate);
    cells(&plan, |planned| {
        let mut trial = recorded(planned, 900.0);
        let lateness = LatencySummary {
            count: 27_000,
            p50_ns: 50_000,
            p99_ns: 200_000,
            max_ns: 5_000_000,
            ..LatencySummary::default()
        };
        let timer = LatencySummary { p99_ns: timer_p99_ns, ..lateness };
        trial.result.measured.open_loop = Some(OpenLoop { offered, unstarted, backlog_max, lateness, timer });
        Some(trial)
    })
    .remove(0)
}

fn found<'a>(cell: &'a CellSummary, id: &str) -> Option<&'a analysis::Caveat> {
    cell.caveats.iter().find(|caveat| caveat.id == id)
}

#[test]
fn what_was_offered_and_left_over_is_said() {
    let cell = cell(rate(&[(1_000.0, 1_000.0), (1_000.0, 1_000.0)]), 7, 90_000);
    let open = cell.open_loop.as_ref().expect("an open loop");
    assert_eq!((open.offered, open.unstarted, open.backlog_max), (90_000, 21, 120));
    assert_eq!(
        open.says.en,
        "90,000 transactions were due (1,000/s), 21 of them never started, backlog up to 120; start delay p50/p99/max \
         0.050/0.20/5.00 ms (timer lateness p99 0.090 ms)"
    );
    assert!(found(&cell, "overload").is_none() && found(&cell, "late_timers").is_none());
    assert!(found(&cell, "littles_law").is_none(), "it holds for closed loops");
    assert!(analysis::answer(std::slice::from_ref(&cell)).en.contains("of 1,000 offered"));
}

#[test]
fn too_high_a_rate_and_late_timers_are_warned_of() {
    let cell = cell(rate(&[(1_000.0, 1_000.0)]), 3_000, 1_500_000);
    let overload = found(&cell, "overload").expect("a tenth was never started");
    assert_eq!(overload.severity, Severity::Warn);
    assert!(overload.text.en.contains("10 % of the transactions due never started"), "{}", overload.text.en);
    assert!(found(&cell, "late_timers").expect("late").text.en.contains("p99 1.50 ms"));
}

#[test]
fn clients_that_wait_for_a_place_in_flight_excuse_nothing() {
    let overload = |in_flight| {
        let mut plan = common::plan(&["mysql"], &[64], 1);
        plan.spec.load.rate = Some(rate(&[(1_000.0, 1_000.0)]));
        plan.spec.load.in_flight = in_flight;
        let cell = cells(&plan, |planned| {
            let mut trial = recorded(planned, 900.0);
            let lateness = LatencySummary::default();
            trial.result.measured.open_loop =
                Some(OpenLoop { offered: 1_000, unstarted: 40, backlog_max: 40, lateness, timer: lateness });
            Some(trial)
        })
        .remove(0);
        found(&cell, "overload").is_some()
    };
    assert!(!overload(None), "fewer than there are clients");
    assert!(overload(Some(4)), "ten times as many as can be in flight");
}

#[test]
fn what_is_said_of_a_backlog_is_true_of_it() {
    let said = |offered, unstarted, backlog_max| {
        let cell = offering(rate(&[(1_000.0, 1_000.0)]), offered, unstarted, backlog_max, 90_000);
        found(&cell, "overload").map(|c| (c.severity, c.text.en.clone()))
    };
    let contains = |said: Option<(Severity, String)>, severity, part: &str| {
        assert!(said.as_ref().is_some_and(|(s, text)| *s == severity && text.contains(part)), "{said:?}");
    };
    assert_eq!(said(1_000, 9, 20), None, "less than a transaction for each of 64 clients");
    contains(said(30_000, 3_000, 3_100), Severity::Warn, "response times grow as long as the run lasts");
    contains(
        said(30_000, 300, 3_100),
        Severity::Warn,
        "in a backlog of up to 3,100, which remained at the end",
    );
    contains(
        said(30_000, 2, 3_100),
        Severity::Note,
        "a backlog of up to 3,100 transactions built up and was completed",
    );
    assert_eq!(said(30_000, 2, 150), None);
}

#[test]
fn a_ramp_is_no_trend() {
    let steady = rate(&[(500.0, 500.0), (500.0, 500.0)]);
    let ramp = rate(&[(0.0, 1_000.0), (1_000.0, 1_000.0)]);
    assert!(steady.is_steady() && !ramp.is_steady());
    assert_eq!((steady.mean_per_s(30.0), ramp.mean_per_s(30.0)), (500.0, 750.0));
}

/// Targets at 1,000 transactions/s: p95 in milliseconds by number of clients; none: it did not keep up.
fn offered(targets: &[(&str, &[Option<f64>])], threads: &[u32], repeats: u32) -> Vec<CellSummary> {
    let names: Vec<&str> = targets.iter().map(|(name, _)| *name).collect();
    let mut plan = common::plan(&names, threads, repeats);
    plan.spec.load.rate = Some(rate(&[(1_000.0, 1_000.0); 2]));
    cells(&plan, |planned| {
        let (position, (_, curve)) =
            targets.iter().enumerate().find(|(_, (name, _))| *name == planned.cell.target)?;
        let p95_ms = curve[threads.iter().position(|n| *n == planned.cell.threads)?];
        let done_per_s = if p95_ms.is_some() { 1_000.0 } else { 600.0 + 10.0 * position as f64 };
        let mut trial = recorded(planned, done_per_s);
        let wobble = [1.0, 1.01, 0.99, 1.005][(planned.cell.repeat as usize + position) % 4];
        trial.result.measured.operations[0].response.p95_ns =
            (p95_ms.unwrap_or(9_000.0) * wobble * 1e6) as u64;
        let unstarted = if p95_ms.is_some() { 0 } else { 12_000 };
        let late = LatencySummary { count: 30_000, ..LatencySummary::default() };
        trial.result.measured.open_loop = Some(OpenLoop {
            offered: 30_000,
            unstarted,
            backlog_max: unstarted,
            lateness: late,
            timer: late,
        });
        Some(trial)
    })
}

#[test]
fn targets_that_keep_up_are_compared_by_response_time() {
    let threads = [4, 16, 64];
    let (fast, slow): (&[_], &[_]) =
        (&[Some(8.0), Some(5.0), Some(5.0)], &[Some(12.0), Some(6.5), Some(7.0)]);
    let slower = offered(&[("mysql", fast), ("mariadb", slow)], &threads, 3);
    let single = offered(&[("mysql", fast), ("mariadb", slow)], &threads, 1);
    let alike = offered(&[("mysql", fast), ("mariadb", fast)], &threads, 8);
    let three = offered(&[("a", fast), ("b", slow), ("c", slow)], &threads, 3);
    let behind = offered(&[("mysql", fast), ("mariadb", &[None, None, Some(5.0)])], &threads, 3);
    let none =
        offered(&[("mysql", &[None, Some(5.0), Some(5.0)]), ("mariadb", &[None, None, None])], &threads, 3);
    let all = [&slower, &single, &alike, &three, &behind, &none];
    insta::assert_snapshot!(
        all.map(|cells| {
            let words = answer(cells);
            format!("{}\n{}\n", words.en, words.zh)
        })
        .join("\n")
    );
    assert!(
        compare(&slower, &metric::THROUGHPUT, "mysql", "mariadb").is_empty(),
        "both did what was offered"
    );
    let by_p95 = compare(&slower, &metric::RESPONSE_P95, "mysql", "mariadb");
    assert!(by_p95.iter().all(|c| c.verdict == Verdict::Worse), "{by_p95:?}");
    let capacity = compare(&none, &metric::THROUGHPUT, "mysql", "mariadb");
    assert_eq!(capacity.len(), 1, "where nobody kept up throughput tells");
}

#[test]
fn one_target_keeps_up_or_it_does_not() {
    let threads = [4, 16, 64];
    let of = |curve: &[Option<f64>]| {
        let words = answer(&offered(&[("mysql", curve)], &threads, 3));
        format!("{}\n{}\n", words.en, words.zh)
    };
    let curves =
        [[Some(8.0), Some(5.0), Some(6.0)], [None, Some(5.0), Some(6.0)], [None, None, Some(6.0)], [None; 3]];
    insta::assert_snapshot!(curves.map(|curve| of(&curve)).join("\n"));
}
