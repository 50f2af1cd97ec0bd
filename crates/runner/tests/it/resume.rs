//! A run that is taken up again is judged as a whole.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use model::{
    Condition, Consistency, FORMAT, Flavour, LoadShape, SandboxSpec, ServerKind, Spec, SpecTarget, Target,
    TpccOptions, TpccResult, TrialResult, WorkloadSpec,
};
use runner::Conduct;
use store::Results;

fn spec() -> Spec {
    let sandbox = SandboxSpec::new(Flavour::Mysql, BTreeMap::new());
    let target = Target::single("mysql".to_owned(), ServerKind::Sandbox(sandbox));
    Spec {
        about: None,
        format: FORMAT,
        name: "tpcc".to_owned(),
        threads: vec![1],
        repeats: 2,
        seed: 1,
        load: LoadShape { warmup_s: 0.0, time_s: 1.0, ..LoadShape::default() },
        prepare: true,
        observe: model::Observe::Off,
        allow_failing_cells: false,
        design: Default::default(),
        targets: vec![SpecTarget { target, instance: BTreeMap::new(), levels: BTreeMap::new() }],
        workloads: vec![WorkloadSpec::Tpcc(TpccOptions::default())],
    }
}

#[test]
fn what_an_earlier_attempt_found_inconsistent_still_counts() {
    let root = tempfile::tempdir().unwrap();
    let (spec, results) = (spec(), Results::open(root.path()));
    let plan = runner::plan(&spec).unwrap();
    let spec_toml = "# a specification\n".to_owned();
    let mut run = results.create(&spec_toml, &plan, &probe::host_facts(), SystemTime::now()).unwrap();
    for (planned, violations) in plan.trials.iter().zip([0, 3]) {
        let mut result = TrialResult { format: FORMAT, ..TrialResult::default() };
        (result.index, result.cell) = (planned.index, planned.cell.clone());
        let condition =
            Condition { number: 1, says: "it holds".to_owned(), violations, examples: Vec::new() };
        result.measured.tpcc = Some(TpccResult {
            warehouses_touched: 1,
            rollbacks: 0,
            retries: [0; 5],
            consistency: Some(Consistency {
                conditions: vec![condition],
                additional: Vec::new(),
                seconds: 0.1,
            }),
            unchecked: None,
        });
        run.trial(planned).unwrap().finish(&result).unwrap();
    }
    let path = run.path().to_owned();
    run.close().unwrap();

    let conducted = runner::conduct(Conduct {
        plan,
        spec_toml: &spec_toml,
        results: root.path(),
        resume: Some(&path),
        home: None,
        passwords: &BTreeMap::new(),
        calibration: None,
        cancel: &AtomicBool::new(false),
        events: &mut |_| {},
    })
    .unwrap();
    assert_eq!((conducted.completed, conducted.failed, conducted.inconsistent), (2, 0, 1));
    assert_eq!((conducted.interrupted, conducted.trouble), (false, None));
}
