//! Published tables: what there is to find in them is known.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::time::SystemTime;

use analysis::contest::contest;
use analysis::metric::THROUGHPUT;
use analysis::signs::{Signs, signs};
use analysis::{CellSummary, Curve, Judgement, TrialInput, Verdict};
use import::{Source, UserFacts, parse};
use model::Watched;

fn source(file: &str) -> Source {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let parsed = parse(&std::fs::read_to_string(path).unwrap(), None, &UserFacts::default()).unwrap();
    Source { file: file.to_owned(), target: None, workload: None, parsed }
}

fn cells(file: &str) -> Vec<CellSummary> {
    let sources = [source(file)];
    let plan = import::plan("golden", &sources, SystemTime::UNIX_EPOCH);
    let results = import::results(&plan, &sources);
    let watched = Watched::default();
    let input = |result| TrialInput {
        result,
        histograms: &[],
        intervals: &[],
        watched: &watched,
        others: &[],
        damaged: &[],
    };
    analysis::summarise(&plan, &results.iter().map(input).collect::<Vec<_>>())
}

fn of<'a>(cells: &'a [CellSummary], target: &str, workload: &str) -> Vec<CellSummary> {
    let own = |c: &&'a CellSummary| c.target == target && c.workload == workload;
    cells.iter().filter(own).cloned().collect()
}

fn direction(cells: &[CellSummary], base: &str, other: &str) -> Signs {
    let workload = "oltp_read_write";
    let sides = (of(cells, base, workload), of(cells, other, workload));
    let points = contest(&sides.0, &sides.1, &[&THROUGHPUT], Judgement::default());
    assert_eq!(points.len(), 10);
    for point in &points {
        assert_eq!(point.comparison.verdict, Verdict::SingleRun, "no point can be judged by itself");
        assert_eq!(point.comparison.low, None);
    }
    signs(&points).remove(0)
}

fn curve(cells: &[CellSummary], target: &str, workload: &str) -> Curve {
    analysis::curves(cells).into_iter().find(|c| c.target == target && c.workload == workload).unwrap()
}

#[test]
fn high_availability_costs_throughput_and_zones_cannot_be_told_apart() {
    let cells = cells("oci_sysbench_oltp_read_write.csv");
    for ha in ["ha-same-zone", "ha-cross-zone"] {
        let found = direction(&cells, "standalone", ha);
        assert!((found.more, found.less) == (0, 10) && found.is_found(), "{found:?}");
        assert!(found.ratio_least < 0.75 && found.ratio_greatest < 0.94, "{found:?}");
        assert!(found.says(ha).en.ends_with("the size at each number of clients is unknown"));
    }
    let zones = direction(&cells, "ha-same-zone", "ha-cross-zone");
    assert!(!zones.is_found(), "{zones:?}");
    assert!(zones.more >= 4 && zones.less >= 4, "{zones:?}");
    assert!(zones.ratio_least > 0.92 && zones.ratio_greatest < 1.06, "{zones:?}");
    assert!(zones.says("ha-cross-zone").en.ends_with("not significant"));

    // Zeros are a point that failed, not one without throughput.
    let failed: Vec<&CellSummary> = cells.iter().filter(|c| c.threads == 192).collect();
    assert!(failed.len() == 3 && failed.iter().all(|c| c.completed() == 0 && c.failures.len() == 1));
    let answer = analysis::answer(&cells).en;
    assert!(
        answer.starts_with("Single trials, so no interval is possible: standalone measured fastest"),
        "{answer}"
    );
    for crossing in analysis::overtakings(&cells) {
        assert!(crossing.says.en.ends_with("(single trials: significance unknown)"), "{crossing:?}");
    }
}

#[test]
fn what_is_unknown_is_not_claimed() {
    let cells = cells("oci_sysbench_oltp_read_write.csv");
    let cell = cells.iter().find(|c| c.threads == 2).unwrap();
    let ids: Vec<&str> = cell.caveats.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["imported", "few_runs"]);
    assert!(cell.caveats.iter().any(|c| c.id == "imported" && c.severity == analysis::Severity::Warn));
    assert!(cell.generator.is_none() && cell.network.is_none() && cell.operations.is_empty());
    let run = &cell.runs[0].values;
    let mut known: Vec<&str> = run.keys().map(String::as_str).collect();
    known.sort_unstable();
    assert_eq!(known, ["queries", "response_mean", "response_p95", "throughput"]);
    assert!((run["throughput"] - 95_033.0 / 300.01).abs() < 1e-9);
}

#[test]
fn durability_stops_to_matter_near_32_threads() {
    let cells = cells("durability_tpcc_mysql.csv");
    let found = analysis::overtakings(&cells);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].before.as_str(), found[0].after.as_str()), ("0/0", "1/1"));
    assert_eq!((found[0].below, found[0].above), (16, 64));
    let answer = analysis::answer(&cells).en;
    assert!(answer.contains("0/0 measured faster up to 16 clients (1.40x to 3.19x at 4)"), "{answer}");
    assert!(answer.contains("within 2 % of each other at 32 clients"), "{answer}");
    // The metric is that of the table.
    let first = cells.iter().find(|c| c.target == "1/1" && c.threads == 4).unwrap();
    assert_eq!(first.runs[0].values["tpmc"], 864.433);
    let note = &first.caveats.iter().find(|c| c.id == "imported").unwrap().text.en;
    assert!(note.contains("mean of three runs whose scatter is not stated"), "{note}");
}

#[test]
fn pgo_is_overtaken_where_it_breaks_and_the_law_is_rejected_there() {
    let cells = cells("book_curves.csv");
    let crossing: Vec<_> =
        analysis::overtakings(&cells).into_iter().filter(|o| o.workload == "2.2").collect();
    let pgo: Vec<_> =
        crossing.iter().filter(|o| o.before == "with PGO" && o.after == "without PGO").collect();
    assert_eq!(pgo.len(), 1, "{crossing:?}");
    assert_eq!((pgo[0].below, pgo[0].above), (150, 200));

    for (target, workload) in [("with PGO", "2.2"), ("8.0 before the MVCC fix, spin delay 6", "cliff")] {
        let broken = curve(&cells, target, workload);
        let cliff = broken.cliff.unwrap();
        assert_eq!((cliff.below, cliff.above), (150, 200), "{target}");
        assert!(cliff.drop > 0.2 && !cliff.refine.is_empty());
        assert_eq!(broken.law, None, "a law that bends does not describe {target}");
    }
    let healthy = curve(&cells, "without PGO", "2.2");
    assert!(healthy.cliff.is_none() && healthy.law.is_some());
}
