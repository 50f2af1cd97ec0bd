//! A small plan and results to record, so that the tests can speak of behaviour.
#![allow(dead_code)] // each test binary uses its part of it

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use hdrhistogram::Histogram;
use model::*;
use store::{Results, RunWriter};

pub const START: Duration = Duration::from_secs(1_795_203_727); // 2026-11-20T19:42:07Z

pub fn started() -> SystemTime {
    SystemTime::UNIX_EPOCH + START
}

pub fn plan(name: &str, threads: &[u32]) -> Plan {
    let sandbox = SandboxSpec::new(Flavour::Mysql, BTreeMap::new());
    let target = Target::single("mysql", ServerKind::Sandbox(sandbox));
    let trials = threads.iter().enumerate().map(|(index, &threads)| PlannedTrial {
        index: index as u32,
        cell: CellKey {
            target: "mysql".to_owned(),
            workload: "oltp_read_write".to_owned(),
            threads,
            repeat: 1,
        },
        workload: 0,
        seed: 7,
        why: Default::default(),
    });
    let spec = Spec {
        format: FORMAT,
        name: name.to_owned(),
        about: None,
        threads: threads.to_vec(),
        repeats: 1,
        seed: 7,
        load: LoadShape { warmup_s: 1.0, time_s: 3.0, ..LoadShape::default() },
        prepare: true,
        observe: model::Observe::Off,
        allow_failing_cells: false,
        design: Default::default(),
        targets: vec![SpecTarget { target, instance: Instance::new(), levels: Default::default() }],
        workloads: vec![WorkloadSpec::Sysbench(SysbenchOptions::default())],
    };
    Plan { spec, hash: "0".repeat(64), imported: None, trials: trials.collect() }
}

pub fn host() -> HostFacts {
    HostFacts { format: FORMAT, hostname: "bench".to_owned(), cpus: 2, ..HostFacts::default() }
}

pub fn event(kind: EventKind) -> Event {
    Event { at: "2026-11-20T19:42:07.000Z".to_owned(), elapsed_ms: 0, kind }
}

pub fn run_started() -> Event {
    event(EventKind::RunStarted { run: "r".to_owned(), trials: 2, done: 0 })
}

/// A second with one transaction of `latency_ns`.
pub fn second(end_s: f64, latency_ns: u64) -> (Interval, Histogram<u64>) {
    let mut histogram = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("bounds are valid");
    histogram.record(latency_ns).expect("within an hour");
    let interval = Interval {
        end_s,
        length_s: 1.0,
        warmup: end_s <= 1.0,
        threads: 1,
        transactions: 1,
        queries: QueryCounts { read: 14, write: 4, other: 2 },
        response: latency(1, latency_ns),
        errors: BTreeMap::from([(1213, 1)]),
        reconnects: 0,
        traffic: model::Traffic::default(),
        generator_cpu_s: 0.25,
        ..interval_defaults()
    };
    (interval, histogram)
}

fn interval_defaults() -> Interval {
    serde_json::from_str(
        r#"{"end_s":0.0,"length_s":1.0,"warmup":false,"threads":1,"transactions":0,
            "queries":{"read":0,"write":0,"other":0},
            "response":{"count":0,"saturated":0,"sum_ns":0.0,"mean_ns":0.0,"min_ns":0,"p50_ns":0,"p90_ns":0,
                        "p95_ns":0,"p99_ns":0,"p999_ns":0,"max_ns":0},
            "errors":{},"reconnects":0,"generator_cpu_s":0.0}"#,
    )
    .expect("the fixture has every field that is required")
}

pub fn latency(count: u64, ns: u64) -> LatencySummary {
    LatencySummary {
        count,
        p95_ns: ns,
        max_ns: ns,
        min_ns: ns,
        mean_ns: ns as f64,
        ..LatencySummary::default()
    }
}

pub fn result(planned: &PlannedTrial, outcome: Outcome) -> TrialResult {
    TrialResult {
        format: FORMAT,
        index: planned.index,
        cell: planned.cell.clone(),
        outcome,
        started_at: "2026-11-20T19:42:08.000Z".to_owned(),
        members: Vec::new(),
        data_restored: true,
        surroundings: None,
        measured: model::Measured {
            connect_s: 0.01,
            warmup_s: 1.0,
            measured_s: 2.0,
            transactions: 200,
            queries: QueryCounts { read: 2800, write: 800, other: 400 },
            operations: vec![OperationSummary {
                name: "transaction".to_owned(),
                kind: OperationKind::Transaction,
                response: latency(200, 5_000_000),
                service: latency(200, 4_000_000),
            }],
            errors: Vec::new(),
            reconnects: 0,
            generator: GeneratorUse::default(),
            fairness: Fairness::default(),
            in_flight: 0,
            in_flight_longest_ns: None,
            straddling: None,
            stood_still: Vec::new(),
            stalls: None,
            traffic: model::Traffic::default(),
            tls: None,
            tpcc: None,
            open_loop: None,
        },
        ..TrialResult::default()
    }
}

pub fn failed() -> Outcome {
    Outcome::Failed(Failure {
        code: FailureCode::Connect,
        message: "too many connections".to_owned(),
        hint: None,
        server_error: Some(1040),
    })
}

/// Runs one trial: a second of warm-up at 9 ms, then two measured seconds at 5 and 6 ms.
pub fn record_trial(run: &mut RunWriter, planned: &PlannedTrial, outcome: Outcome) {
    let mut trial = run.trial(planned).expect("a trial directory");
    trial
        .member(0)
        .variables_before(&Variables::from([("port".to_owned(), "3306".to_owned())]))
        .expect("variables");
    for (end_s, ns) in [(1.0, 9_000_000), (2.0, 5_000_000), (3.0, 6_000_000)] {
        let (interval, histogram) = second(end_s, ns);
        let histograms = [("response:transaction", &histogram), ("service:commit", &histogram)];
        trial.interval(&interval, &histograms).expect("an interval");
    }
    trial.member(0).server_log(b"ready for connections\n").expect("a server log");
    trial.finish(&result(planned, outcome)).expect("a result");
}

/// A finished run with a completed and a failed trial.
pub fn record_run(results: &Results) -> RunWriter {
    let plan = plan("oltp_read_write", &[1, 1024]);
    let mut run = results.create("name = 'x'\n", &plan, &host(), started()).expect("a run");
    run.event(&run_started()).expect("an event");
    record_trial(&mut run, &plan.trials[0], Outcome::Completed);
    record_trial(&mut run, &plan.trials[1], failed());
    run.event(&event(EventKind::RunFinished { completed: 1, failed: 1 })).expect("an event");
    run
}
