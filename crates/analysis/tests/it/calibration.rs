//! How near to its ceiling the generator ran, where that is known.

use crate::common::curves;
use analysis::answer::generator_share;
use model::{Calibration, CalibrationPoint};

#[test]
fn the_share_of_the_ceiling_is_said_where_there_is_a_calibration() {
    let cells = curves(&[("mysql", &[500.0, 1_000.0])], &[1, 8], 1);
    let with = |calibration| cells.iter().map(|cell| (cell, calibration)).collect::<Vec<_>>();
    assert_eq!(
        generator_share(&with(None)).expect("completed").en,
        "The generator used at most 11 % of its machine."
    );
    let point =
        |connections, cpu_us| CalibrationPoint { connections, queries_per_s: 1.0, cpu_us, user_us: 1.0 };
    let calibration = Calibration {
        format: 1,
        at: "2026-11-21T17:43:44Z".to_owned(),
        mydyno_version: "0.1.0".to_owned(),
        cpu_model: "a CPU".to_owned(),
        cpus: 2,
        kernel: "6.1".to_owned(),
        round_trip_ns: 20_000,
        points: vec![point(1, 40.0), point(64, 10.0)],
        timer_p50_ns: 40_000,
        timer_p99_ns: 90_000,
        timer_max_ns: 300_000,
    };
    // 16 statements a transaction at 1,000/s with two workers that could do 100,000/s each.
    assert_eq!(
        generator_share(&with(Some(&calibration))).expect("completed").en,
        "The generator used at most 11 % of its machine, and ran at up to 8 % of its ceiling (100,000 queries/s per CPU, \
         calibrated)."
    );
    // Two workers on one CPU take turns, so that the ceiling is that of one.
    let small = Calibration { cpus: 1, ..calibration.clone() };
    let said = generator_share(&with(Some(&small))).expect("completed").en;
    assert!(said.contains("up to 16 % of its ceiling (100,000"), "{said}");
    // A cell of another machine is held against that machine's ceiling.
    let slow = Calibration { points: vec![point(1, 50.0)], ..calibration.clone() };
    let two = [(&cells[0], Some(&slow)), (&cells[1], Some(&calibration))];
    let said = generator_share(&two).expect("completed").en;
    assert!(said.contains("up to 20 % of its ceiling (20,000"), "{said}");
}
