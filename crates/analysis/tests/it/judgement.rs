//! Numbers: what is pooled, what is averaged, which rule speaks when, which verdict follows.

use std::collections::BTreeMap;

use crate::common::*;
use analysis::{CellSummary, Severity, Verdict, compare, metric, side_by_side};
use knowledge::variables::Group;
use model::*;
use proptest::prelude::*;

fn ids(cell: &CellSummary) -> Vec<&str> {
    cell.caveats.iter().map(|c| c.id.as_str()).collect()
}

/// The only cell of three runs, each changed by `change`.
fn cell_with(change: impl Fn(&mut Recorded)) -> CellSummary {
    let plan = plan(&["mysql"], &[16], 3);
    cells(&plan, |planned| {
        let mut trial = recorded(planned, 800.0);
        change(&mut trial);
        Some(trial)
    })
    .remove(0)
}

/// An idle machine of two CPUs.
fn around(trial: &mut Recorded) -> &mut Surroundings {
    let idle = Surroundings { time_s: 30.0, cpus: 2, others_cpu_s: Some(0.4), ..Surroundings::default() };
    trial.result.surroundings.get_or_insert(Surroundings {
        busiest_other: Some("make".to_owned()),
        busiest_other_cpu_s: 9.0,
        ..idle
    })
}

#[test]
fn percentiles_are_merged_never_averaged() {
    // Nine fast runs' worth of transactions in one run and a slow tail in the other: the mean of the two p95 values
    // would be 52.5 ms, 95 % of all transactions took 5 ms or less.
    let plan = plan(&["mysql"], &[1], 2);
    let cell = cells(&plan, |planned| {
        let mut trial = recorded(planned, 200.0);
        if planned.cell.repeat == 2 {
            let mut slow = hdrhistogram::Histogram::<u64>::new_with_bounds(1, 3_600_000_000_000, 3).ok()?;
            slow.record_n(100_000_000, 300).ok()?;
            trial.histograms[0].response = Some((&slow).into());
            trial.histograms[0].service = Some(slow.into());
            trial.result.measured.operations[0].response.p95_ns = 100_000_000;
        }
        Some(trial)
    })
    .remove(0);
    let transaction = cell.transaction().expect("merged").response;
    assert_eq!(transaction.count, 6_300);
    assert!((5_000_000..5_010_000).contains(&transaction.p95_ns), "{transaction:?}");
    assert!(transaction.max_ns >= 100_000_000);
}

#[test]
fn means_have_students_interval_and_a_single_run_has_none() {
    let plan = plan(&["mysql"], &[16], 3);
    let per_s = [868.0, 861.5, 874.2];
    let cell = cells(&plan, |p| Some(recorded(p, per_s[p.cell.repeat as usize - 1]))).remove(0);
    let throughput = cell.throughput_per_s.expect("measured");
    // SciPy 1.17.1 for these three values: [852.12, 883.68]. Counts are whole transactions, hence the tolerance.
    assert!((throughput.low.expect("three runs") - 852.12).abs() < 0.1, "{throughput:?}");
    assert!((throughput.high.expect("three runs") - 883.68).abs() < 0.1, "{throughput:?}");
    let single = cells(&plan, |p| (p.cell.repeat == 1).then(|| recorded(p, 868.0))).remove(0);
    assert_eq!(single.throughput_per_s.expect("measured").low, None);
    assert_eq!((single.planned, single.completed()), (3, 1));
}

#[test]
fn a_sound_cell_has_no_caveats() {
    assert_eq!(ids(&cell_with(|_| ())), [""; 0]);
}

#[test]
fn each_rule_speaks_when_it_should() {
    let speaks = |change: &dyn Fn(&mut Recorded), id: &str, severity: Severity| {
        let cell = cell_with(change);
        let found =
            cell.caveats.iter().find(|c| c.id == id).unwrap_or_else(|| panic!("{id}: {:?}", ids(&cell)));
        assert_eq!(found.severity, severity, "{id}");
        format!("{id}: {}\n{}", found.text.en, found.text.zh)
    };
    let error = ErrorCount {
        code: 1213,
        state: "40001".to_owned(),
        message: "Deadlock found when trying to get lock".to_owned(),
        statement: "update".to_owned(),
        transaction: String::new(),
        count: 1_000,
        forgiven: true,
    };
    let message = "the server closed the connection".to_owned();
    let lost = ErrorCount { code: 2013, count: 3, message, ..error.clone() };
    let sentences = [
        speaks(
            &|t| t.result.measured.generator.busiest_worker = 0.95,
            "generator_bottleneck",
            Severity::Invalid,
        ),
        speaks(
            &|t| t.result.measured.operations[0].response.mean_ns *= 0.8,
            "littles_law",
            Severity::Invalid,
        ),
        speaks(&|t| t.result.measured.generator.run_queue_wait_s = 20.0, "cpu_contention", Severity::Note),
        speaks(
            &|t| t.result.measured.operations[0].response.saturated = 2,
            "saturated_histogram",
            Severity::Warn,
        ),
        speaks(&|t| t.result.measured.errors.push(error.clone()), "errors", Severity::Warn),
        speaks(
            &|t| t.intervals.iter_mut().skip(15).for_each(|i| i.transactions /= 2),
            "trend",
            Severity::Warn,
        ),
        speaks(
            &|t| t.intervals.iter_mut().take(8).for_each(|i| i.transactions = i.transactions * 7 / 10),
            "warmup_not_over",
            Severity::Warn,
        ),
        speaks(&|t| around(t).others_cpu_s = Some(18.0), "other_processes", Severity::Warn),
        speaks(&|t| around(t).others_cpu_s = Some(40.0), "other_processes", Severity::Invalid),
        speaks(&|t| around(t).steal_s = 6.0, "steal", Severity::Warn),
        speaks(&|t| around(t).swap_out_bytes = 120_000_000, "swap", Severity::Warn),
        speaks(&|t| around(t).wall_clock_step_s = -2.5, "clock_steps", Severity::Note),
        speaks(&|t| t.result.measured.generator.clock_set_back_s = 0.1, "clock_steps", Severity::Warn),
        speaks(&|t| t.result.measured.generator.clock_set_back_s = 2.0, "clock_steps", Severity::Invalid),
        speaks(&|t| t.result.measured.errors.push(lost.clone()), "connections_lost", Severity::Warn),
        speaks(
            &|t| {
                t.result.measured.measured_s = 3.0;
                t.result.measured.operations[0].response.count /= 10;
            },
            "short_window",
            Severity::Warn,
        ),
        speaks(&|t| t.result.measured.transactions = 20, "few_transactions", Severity::Warn),
        speaks(&|t| t.result.measured.transactions = 200, "few_transactions", Severity::Note),
    ];
    insta::assert_snapshot!(sentences.join("\n"));
}

#[test]
fn littles_law_allows_for_the_edges_of_the_window() {
    // A stall of the last 10 of 30 seconds: what is in flight is not counted, and that is no error of the figures.
    let stalled = |t: &mut Recorded| {
        t.result.measured.operations[0].response.count =
            t.result.measured.operations[0].response.count * 2 / 3;
        t.result.measured.in_flight_longest_ns = Some(10_000_000_000);
    };
    assert!(!ids(&cell_with(stalled)).contains(&"littles_law"));
    let reconnecting = |t: &mut Recorded| {
        t.result.measured.operations[0].response.mean_ns *= 0.5;
        t.result.measured.reconnects = 3;
    };
    assert!(!ids(&cell_with(reconnecting)).contains(&"littles_law"));
}

#[test]
fn failed_and_interrupted_runs_do_not_count() {
    let plan = plan(&["mysql"], &[16], 3);
    let cell = cells(&plan, |planned| match planned.cell.repeat {
        1 => Some(recorded(planned, 800.0)),
        2 => Some(failed(planned, "server has gone away")),
        _ => {
            let mut trial = recorded(planned, 10.0);
            trial.result.outcome = Outcome::Interrupted;
            Some(trial)
        }
    })
    .remove(0);
    assert_eq!((cell.completed(), cell.failures.len(), cell.interrupted), (1, 1, 1));
    assert_eq!(cell.throughput_per_s.expect("measured").mean, 800.0);
    assert_eq!(ids(&cell), ["interrupted", "some_runs_failed", "few_runs"]);
}

#[test]
fn earlier_writers_matter_more_when_they_change_the_size_of_tables() {
    let severity = |written: SysbenchWorkload, restored: bool| {
        let mut plan = plan(&["mysql"], &[1, 16], 3);
        plan.spec.workloads = vec![workload(written)];
        let cells = cells(&plan, |planned| {
            let mut trial = recorded(planned, 800.0);
            trial.result.data_restored = restored;
            Some(trial)
        });
        cells[1].caveats.iter().find(|c| c.id == "data_not_restored").map(|c| c.severity)
    };
    assert_eq!(severity(SysbenchWorkload::OltpInsert, false), Some(Severity::Warn));
    assert_eq!(severity(SysbenchWorkload::OltpReadWrite, false), Some(Severity::Note));
    assert_eq!(severity(SysbenchWorkload::OltpInsert, true), None);
    assert_eq!(severity(SysbenchWorkload::OltpPointSelect, false), None);
}

#[test]
fn lost_histograms_leave_no_percentiles() {
    let cell = cell_with(|t| t.histograms.clear());
    assert!(cell.operations.is_empty());
    assert_eq!(ids(&cell), ["histograms_lost"]);
}

#[test]
fn verdicts_follow_from_the_interval_and_the_direction() {
    let verdict = |a: f64, b: f64, repeats: u32, metric: &analysis::Metric| {
        let cells = curves(&[("a", &[a]), ("b", &[b])], &[16], repeats);
        compare(&cells, metric, "a", "b").remove(0).verdict
    };
    let p95 = metric::by_id("response_p95").expect("listed");
    assert_eq!(verdict(100.0, 200.0, 3, &metric::THROUGHPUT), Verdict::Better);
    assert_eq!(verdict(200.0, 100.0, 3, &metric::THROUGHPUT), Verdict::Worse);
    assert_eq!(verdict(100.0, 200.0, 3, p95), Verdict::Better, "half the latency is better");
    assert_eq!(verdict(1000.0, 1000.0, 12, &metric::THROUGHPUT), Verdict::Same);
    assert_eq!(verdict(1000.0, 1010.0, 3, &metric::THROUGHPUT), Verdict::Inconclusive);
    assert_eq!(verdict(100.0, 200.0, 1, &metric::THROUGHPUT), Verdict::SingleRun);
}

#[test]
fn repeats_that_belong_together_are_compared_in_pairs() {
    // Each block is disturbed differently, but both targets alike: only pairing sees the 5 %.
    let plan = plan(&["a", "b"], &[16], 4);
    let block = [1.0, 0.7, 1.3, 0.9];
    let drifting = |p: &PlannedTrial| {
        let own = if p.cell.target == "b" { 1.05 } else { 1.0 };
        Some(recorded(p, 1000.0 * own * block[p.cell.repeat as usize - 1]))
    };
    let paired = compare(&cells(&plan, drifting), &metric::THROUGHPUT, "a", "b").remove(0);
    assert_eq!(paired.verdict, Verdict::Better);
    let one_lost = |p: &PlannedTrial| drifting(p).filter(|_| p.index != 0);
    let unpaired = compare(&cells(&plan, one_lost), &metric::THROUGHPUT, "a", "b").remove(0);
    assert_eq!(unpaired.verdict, Verdict::Inconclusive);
}

#[test]
fn differing_variables_come_durability_first_without_the_instances_own() {
    let variables = |pairs: &[(&str, &str)]| -> Variables {
        pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect::<BTreeMap<_, _>>()
    };
    let a = variables(&[
        ("sync_binlog", "1"),
        ("innodb_buffer_pool_size", "134217728"),
        ("version", "9.7.4"),
        ("port", "3306"),
        ("datadir", "/a"),
        ("some_cache_dir", "/a/cache"),
        ("long_query_time", "10.000000"),
        ("innodb_redo_log_capacity", "104857600"),
        ("mysqlx_max_connections", "100"),
        ("autocommit", "ON"),
        ("transaction_isolation", "REPEATABLE-READ"),
    ]);
    let b = variables(&[
        ("sync_binlog", "0"),
        ("innodb_buffer_pool_size", "1073741824"),
        ("version", "10.11.14-MariaDB"),
        ("port", "3307"),
        ("datadir", "/b"),
        ("some_cache_dir", "/b/cache"),
        ("long_query_time", "10"),
        ("autocommit", "on"),
        ("tx_isolation", "REPEATABLE-READ"),
    ]);
    let found = side_by_side(&[Some(&a), Some(&b), None]);
    let found: Vec<_> = found.into_iter().filter(|setting| setting.differs).collect();
    let names: Vec<(Group, &str)> = found.iter().map(|d| (d.group, d.name.as_str())).collect();
    assert_eq!(
        names,
        [
            (Group::Durability, "sync_binlog"),
            (Group::Memory, "innodb_buffer_pool_size"),
            (Group::Io, "innodb_redo_log_capacity"),
            (Group::Version, "version"),
        ]
    );
    let values = |at: usize| -> Vec<Option<&str>> {
        found[at].values.iter().map(|value| value.as_ref().map(|v| v.raw.as_str())).collect()
    };
    assert_eq!(values(0), [Some("1"), Some("0"), None]);
    assert_eq!(values(2), [Some("104857600"), None, None]);
}

proptest! {
    /// Two arms from one distribution must come out Better or Worse in at most 5 % of the cases; checked here only for
    /// the grossest error, that equal numbers get a direction.
    #[test]
    fn equal_runs_never_get_a_direction(values in prop::collection::vec(100.0..1000.0_f64, 2..6)) {
        let plan = plan(&["a", "b"], &[16], values.len() as u32);
        let cells = cells(&plan, |p| Some(recorded(p, values[p.cell.repeat as usize - 1])));
        let comparison = compare(&cells, &metric::THROUGHPUT, "a", "b").remove(0);
        prop_assert_eq!(comparison.verdict, Verdict::Same);
    }

    #[test]
    fn turning_a_comparison_round_turns_its_verdict(a in 500.0..1000.0_f64, b in 500.0..1000.0_f64, n in 2_u32..6) {
        let cells = curves(&[("a", &[a]), ("b", &[b])], &[16], n);
        let there = compare(&cells, &metric::THROUGHPUT, "a", "b").remove(0);
        let back = compare(&cells, &metric::THROUGHPUT, "b", "a").remove(0);
        let expected = match there.verdict {
            Verdict::Better => Verdict::Worse,
            Verdict::Worse => Verdict::Better,
            other => other,
        };
        prop_assert_eq!(back.verdict, expected);
        prop_assert!((there.ratio * back.ratio - 1.0).abs() < 1e-9);
    }
}
