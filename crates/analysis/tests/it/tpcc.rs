//! TPC-C's own figures: tpmC, the table by type, the mix, the limits, consistency, and what differs from the standard.

use crate::common;

use crate::common::{Recorded, cells, recorded};
use analysis::{CellSummary, Severity, tpcc::deviations};
use model::*;

/// Completed transactions per second of each type, with p90 in milliseconds.
const TYPES: [(&str, f64, u64); 5] = [
    ("new_order", 100.0, 40),
    ("payment", 100.0, 20),
    ("order_status", 10.0, 10),
    ("delivery", 10.0, 90),
    ("stock_level", 10.0, 15),
];

fn plan(options: TpccOptions, repeats: u32) -> Plan {
    let mut plan = common::plan(&["mysql"], &[8], repeats);
    plan.spec.workloads = vec![WorkloadSpec::Tpcc(options)];
    plan
}

fn trial(planned: &PlannedTrial, types: &[(&str, f64, u64)], tpcc: TpccResult) -> Recorded {
    let per_s: f64 = types.iter().map(|(_, per_s, _)| per_s).sum();
    let mut trial = recorded(planned, per_s);
    let whole = trial.result.measured.operations[0].clone();
    for (name, per_s, p90_ms) in types {
        let ns = p90_ms * 1_000_000;
        let mut histogram = trial.histograms[0].clone();
        histogram.name = (*name).to_owned();
        let mut counts = histogram.response.as_ref().expect("made so").histogram();
        counts.reset();
        let count = (per_s * 30.0) as u64;
        counts.record_n(ns, count).expect("within an hour");
        histogram.response = Some(counts.into());
        trial.histograms.push(histogram);
        let response = LatencySummary { count, p90_ns: ns, ..whole.response };
        trial.result.measured.operations.push(OperationSummary {
            name: (*name).to_owned(),
            response,
            ..whole.clone()
        });
    }
    trial.result.measured.tpcc = Some(tpcc);
    trial
}

fn result(violations: u64) -> TpccResult {
    let conditions = (1..=12).map(|number| Condition {
        number,
        says: "w_ytd is the sum of d_ytd".to_owned(),
        violations: if number == 1 { violations } else { 0 },
        examples: vec!["w_id 1: 300000.00 against 299999.00".to_owned()],
    });
    TpccResult {
        warehouses_touched: 8,
        rollbacks: 31,
        retries: [3, 1, 0, 2, 0],
        consistency: Some(Consistency {
            conditions: conditions.collect(),
            additional: Vec::new(),
            seconds: 0.4,
        }),
        unchecked: None,
    }
}

fn summary(types: &[(&str, f64, u64)], violations: u64, repeats: u32) -> CellSummary {
    let plan = plan(TpccOptions::default(), repeats);
    cells(&plan, |planned| Some(trial(planned, types, result(violations)))).remove(0)
}

fn found<'a>(cell: &'a CellSummary, id: &str) -> Option<&'a analysis::Caveat> {
    cell.caveats.iter().find(|caveat| caveat.id == id)
}

#[test]
fn tpmc_counts_new_orders_per_minute_and_shares_add_up() {
    for repeats in [1, 3] {
        let cell = summary(&TYPES, 0, repeats);
        let tpcc = cell.tpcc.as_ref().expect("it ran TPC-C");
        let close =
            |found: Option<f64>, expected: f64| (found.expect("measured") - expected).abs() < 1e-6 * expected;
        assert!(close(tpcc.tpmc.map(|m| m.mean), 6_000.0), "{:?}", tpcc.tpmc);
        assert!(close(tpcc.tpm_total.map(|m| m.mean), 13_800.0), "{:?}", tpcc.tpm_total);
        let shares: f64 = tpcc.types.iter().map(|t| t.mix_pct).sum();
        assert!((shares - 100.0).abs() < 1e-9);
        let new_order = &tpcc.types[0];
        let runs = u64::from(repeats);
        assert_eq!(
            (new_order.count, new_order.retries, new_order.rollbacks),
            (3_000 * runs, 3 * runs, 31 * runs)
        );
        assert!((new_order.per_minute - 6_000.0).abs() < 1e-6);
        assert!(tpcc.types.iter().all(|t| t.limit_kept));
        assert_eq!(tpcc.types[1].rollbacks, 0, "only New-Order is rolled back on purpose");
    }
}

#[test]
fn the_answer_speaks_of_tpmc() {
    let words = analysis::answer(&[summary(&TYPES, 0, 1)]);
    assert_eq!(
        words.en,
        "mysql: 6,000 tpmC (a single trial, no interval), New-Order p90 40.0 ms, at 8 terminals."
    );
}

#[test]
fn what_did_not_complete_has_no_figures() {
    let mut types = TYPES;
    types[0].1 = 0.0;
    let cell = summary(&types, 0, 1);
    assert!(analysis::answer(&[cell]).en.contains("no New-Order completed, at 8 terminals"));

    let nothing = plan(TpccOptions::default(), 1);
    let cell = cells(&nothing, |planned| {
        let mut trial = trial(planned, &TYPES, result(0));
        // Statements were sent, and clients connected.
        let statement = OperationSummary {
            name: "update_stock".to_owned(),
            kind: OperationKind::Statement,
            ..trial.result.measured.operations[0].clone()
        };
        (trial.result.measured.operations, trial.result.measured.transactions) = (vec![statement], 0);
        Some(trial)
    })
    .remove(0);
    assert_eq!(cell.transaction(), None);
    let invalid = found(&cell, "no_transactions").expect("nothing completed");
    assert_eq!(invalid.severity, Severity::Invalid);
    assert_eq!(analysis::answer(&[cell]).en, "mysql completed no transaction.");
}

#[test]
fn the_standards_mix_and_limits_are_asked_for() {
    let cell = summary(&TYPES, 0, 1);
    assert!(
        found(&cell, "tpcc_mix").is_none() && found(&cell, "tpcc_limits").is_none(),
        "{:?}",
        cell.caveats
    );
    let mut types = TYPES;
    types[1].1 = 60.0;
    types[1].2 = 5_002;
    types[3].2 = 50_001;
    let cell = summary(&types, 0, 1);
    assert!(
        found(&cell, "tpcc_mix").is_some_and(|c| c.text.en.contains("Payment has a share of 31.6 %")),
        "{:?}",
        cell.caveats
    );
    assert!(
        found(&cell, "tpcc_limits").is_some_and(|c| c.text.en.contains("p90 of Delivery")),
        "{:?}",
        cell.caveats
    );
}

#[test]
fn an_inconsistent_database_makes_the_figures_invalid() {
    assert!(found(&summary(&TYPES, 0, 1), "inconsistent").is_none());
    let cell = summary(&TYPES, 2, 1);
    let caveat = found(&cell, "inconsistent").expect("condition 1 does not hold");
    assert_eq!(caveat.severity, Severity::Invalid);
    assert!(caveat.text.en.contains("11 of 12") && caveat.text.en.contains("w_id 1"), "{}", caveat.text.en);
}

#[test]
fn a_check_that_could_not_be_made_is_told_and_hides_no_other() {
    let unchecked = |why| TpccResult { consistency: None, unchecked: Some(why), ..result(0) };
    let of_runs = |runs: [TpccResult; 3]| {
        let plan = plan(TpccOptions::default(), 3);
        cells(&plan, |planned| Some(trial(planned, &TYPES, runs[planned.cell.repeat as usize - 1].clone())))
            .remove(0)
    };
    let reason = "the server has gone away";
    let gone = || unchecked(Unchecked::Impossible { reason: reason.to_owned() });
    let cell = of_runs([result(2), gone(), result(0)]);
    assert!(
        found(&cell, "inconsistent").is_some_and(|c| c.text.en.contains("11 of 12")),
        "{:?}",
        cell.caveats
    );
    let missing = found(&cell, "check_missing").expect("the second run was not checked");
    assert_eq!(missing.severity, Severity::Warn);
    assert!(
        missing.text.en.contains("requested but failed after 1 of 3 trials")
            && missing.text.en.contains(reason)
    );
    // Nobody wanted one, or nobody knows any more.
    for quiet in [unchecked(Unchecked::NotAskedFor), TpccResult { consistency: None, ..result(0) }] {
        let cell = of_runs([quiet.clone(), quiet.clone(), quiet]);
        assert_eq!(cell.tpcc.as_ref().and_then(|tpcc| tpcc.consistency.clone()), None);
        assert!(found(&cell, "check_missing").is_none());
    }
    // As it was stored before the reason was.
    let old = r#"{"warehouses_touched":1,"rollbacks":0,"retries":[0,0,0,0,0],"consistency":null}"#;
    assert_eq!(serde_json::from_str::<TpccResult>(old).expect("it still reads").unchecked, None);
}

#[test]
fn every_deviation_from_the_standard_is_named() {
    let words = |options: &TpccOptions| {
        deviations(options).iter().map(|d| d.en.clone()).collect::<Vec<_>>().join(", ")
    };
    let standard = TpccOptions { think: 1.0, ..TpccOptions::default() };
    assert_eq!(words(&standard), "unaudited, dates of the initial rows 2020-01-01, statements prepared");
    let other = TpccOptions {
        deck: TpccDeck { new_order: 45, payment: 43, order_status: 4, delivery: 4, stock_level: 4 },
        home: TpccHome::Random,
        remote_lines_pct: 0,
        stock_level: StockLevelForm::Join,
        ..TpccOptions::default()
    };
    assert_eq!(
        words(&other),
        "unaudited, keying and think time off, deck 45/43/4/4/4, home warehouse drawn for each transaction, \
         0 % remote order lines, Stock-Level as one join, dates of the initial rows 2020-01-01, \
         statements prepared"
    );
}
