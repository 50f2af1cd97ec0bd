//! An experiment with two workloads and three arms: one arm gains only with the second workload, and things happen to its runs.

use model::{About, CellKey};
use report::View;
use report::build::input::RunInput;

use super::{Laboratory, MYSQL, MadeUp};

const READ_COMMITTED: MadeUp = MadeUp {
    label: "RC",
    alpha: 0.315,
    second: 1.4,
    settings: &[("innodb_buffer_pool_size", "1G"), ("transaction_isolation", "READ-COMMITTED")],
    course: restless,
    ..REPEATABLE_READ
};

const REPEATABLE_READ: MadeUp = MadeUp {
    label: "RR",
    connections: 500,
    settings: &[("innodb_buffer_pool_size", "1G"), ("transaction_isolation", "REPEATABLE-READ")],
    course: |_, _| 1.0,
    ..MYSQL
};

const SERIALIZABLE: MadeUp = MadeUp {
    label: "SERIALIZABLE",
    lambda: 329.0,
    settings: &[("innodb_buffer_pool_size", "1G"), ("transaction_isolation", "SERIALIZABLE")],
    ..REPEATABLE_READ
};

/// A step of 12 % in every run with 32 clients, a stall of three seconds in the second run with 4, and a dip every 20 s with 64.
fn restless(cell: &CellKey, second: u32) -> f64 {
    match (cell.threads, cell.repeat) {
        (32, _) if second > 60 => 0.88,
        (4, 2) if (50..53).contains(&second) => 0.0,
        (64, _) if second % 20 >= 18 => 0.45,
        _ => 1.0,
    }
}

/// The recording.
pub fn record() -> RunInput {
    let laboratory = Laboratory {
        targets: vec![REPEATABLE_READ, READ_COMMITTED, SERIALIZABLE],
        threads: vec![4, 32, 64],
        repeats: 3,
        time_s: 90,
        workloads: 2,
    };
    let mut run = laboratory.record();
    let labels = ["uniform keys", "pareto keys"];
    for (index, workload) in run.plan.spec.workloads.iter_mut().enumerate() {
        workload.set_label(labels[index]);
    }
    let label = |cell: &mut CellKey, workload: u32| cell.workload = labels[workload as usize].to_owned();
    for trial in &mut run.plan.trials {
        label(&mut trial.cell, trial.workload);
    }
    for trial in &mut run.trials {
        label(&mut trial.planned.cell, trial.planned.workload);
        if let Some(result) = &mut trial.result {
            result.cell = trial.planned.cell.clone();
        }
    }
    run.plan.spec.about = Some(About {
        experiment: "isolation".to_owned(),
        question: "Which isolation level is fastest, with little contention and with much?".to_owned(),
        published: Some(
            "with uniform keys READ-COMMITTED loses, with pareto keys it wins; no intervals were published".to_owned(),
        ),
        shows: Some(
            "Contention shows on any machine; what a read view costs READ-COMMITTED shows only on dozens of cores."
                .to_owned(),
        ),
        quick: true,
        arms: true,
        question_zh: Some("竞争少与竞争多时，哪种隔离级别最快？".to_owned()),
        published_zh: Some(
            "均匀分布的键下 READ-COMMITTED 落后，帕累托分布的键下领先；未公布区间。".to_owned(),
        ),
        shows_zh: Some(
            "竞争在任何机器上都能看到；读视图给 READ-COMMITTED 带来的开销要几十个核才能看到。".to_owned(),
        ),
    });
    run
}

/// The view of it.
pub fn view() -> View {
    View::from_inputs(&[record()], &report::ReportOptions::default())
}
