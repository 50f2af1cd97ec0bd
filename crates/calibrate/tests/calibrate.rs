//! The instrument measures itself: figures that can be.

use std::sync::atomic::AtomicBool;

#[test]
fn a_calibration_has_every_figure() {
    let steps = std::cell::RefCell::new(Vec::new());
    let step = |name: &str| steps.borrow_mut().push(name.to_owned());
    let found = calibrate::calibrate(&AtomicBool::new(false), &step).expect("loopback works");
    assert_eq!(steps.borrow().len(), 5, "{steps:?}");
    assert_eq!(found.points.iter().map(|point| point.connections).collect::<Vec<_>>(), [1, 8, 64]);
    for point in &found.points {
        assert!(
            point.queries_per_s > 100.0 && point.cpu_us > 0.5 && point.user_us < point.cpu_us,
            "{point:?}"
        );
    }
    assert!(found.ceiling_per_cpu() > 1_000.0);
    assert!(
        found.round_trip_ns > 1_000 && found.timer_p50_ns > 0 && found.timer_p50_ns <= found.timer_p99_ns,
        "{found:?}"
    );
    assert!(found.fits(&probe::host_facts()));
}

#[test]
fn it_can_be_interrupted() {
    let error = calibrate::calibrate(&AtomicBool::new(true), &|_| {}).expect_err("cancelled");
    assert!(matches!(error, calibrate::CalibrateError::Interrupted), "{error}");
}
