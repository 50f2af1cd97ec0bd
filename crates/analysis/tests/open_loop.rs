//! Open loops: what was offered, what was left over, and what a reader is told about it.

mod common;

use analysis::{CellSummary, Severity};
use common::{cells, recorded};
use model::{Arrivals, LatencySummary, OpenLoop, Phase, Rate};

fn rate(phases: &[(f64, f64)]) -> Rate {
    let phases =
        phases.iter().map(|&(from_per_s, to_per_s)| Phase { from_per_s, to_per_s, length_s: Some(15.0) });
    Rate { arrivals: Arrivals::Poisson, phases: phases.collect() }
}

fn cell(rate: Rate, unstarted: u64, timer_p99_ns: u64) -> CellSummary {
    let mut plan = common::plan(&["mysql"], &[64], 3);
    plan.load.rate = Some(rate);
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
        trial.result.open_loop =
            Some(OpenLoop { offered: 30_000, unstarted, backlog_max: 120, lateness, timer });
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
        "90,000 transactions were due (1,000/s), 21 of them never started, backlog up to 120; from due to started p50 0.05, \
         p99 0.20, max 5.00 ms, of it the timers p99 0.09 ms"
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
    assert!(overload.text.en.contains("10 % of what was due was never started"), "{}", overload.text.en);
    assert!(found(&cell, "late_timers").expect("late").text.en.contains("p99 1.50 ms"));
}

#[test]
fn a_ramp_is_no_trend() {
    let steady = rate(&[(500.0, 500.0), (500.0, 500.0)]);
    let ramp = rate(&[(0.0, 1_000.0), (1_000.0, 1_000.0)]);
    assert!(steady.is_steady() && !ramp.is_steady());
    assert_eq!((steady.mean_per_s(30.0), ramp.mean_per_s(30.0)), (500.0, 750.0));
}
