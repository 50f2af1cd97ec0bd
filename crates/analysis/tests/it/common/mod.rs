//! Plans and results made up for judgement.
#![allow(dead_code)] // each test binary uses its part of it

use std::collections::BTreeMap;

use analysis::{CellSummary, OperationHistograms, TrialInput, summarise};
use hdrhistogram::Histogram;
use model::*;

pub fn target(label: &str) -> SpecTarget {
    let sandbox = SandboxSpec::new(Flavour::Mysql, BTreeMap::new());
    SpecTarget {
        target: Target::single(label.to_owned(), ServerKind::Sandbox(sandbox)),
        instance: Instance::new(),
        levels: Default::default(),
    }
}

pub fn remote(label: &str, address: Address) -> SpecTarget {
    let endpoint = Endpoint {
        address,
        user: "bench".to_owned(),
        database: "sbtest".to_owned(),
        tls: TlsSpec::default(),
        connect_timeout_s: 10,
        get_server_public_key: false,
        init_commands: Vec::new(),
        globals: Default::default(),
    };
    SpecTarget {
        target: Target::single(label.to_owned(), ServerKind::External(endpoint)),
        instance: Instance::new(),
        levels: Default::default(),
    }
}

pub fn plan(targets: &[&str], threads: &[u32], repeats: u32) -> Plan {
    let mut trials = Vec::new();
    for repeat in 1..=repeats {
        for &threads in threads {
            for target in targets {
                let cell = CellKey {
                    target: (*target).to_owned(),
                    workload: "oltp_read_only".to_owned(),
                    threads,
                    repeat,
                };
                trials.push(PlannedTrial {
                    index: trials.len() as u32,
                    cell,
                    workload: 0,
                    seed: 1,
                    why: Default::default(),
                });
            }
        }
    }
    let spec = Spec {
        format: FORMAT,
        name: "oltp_read_only".to_owned(),
        about: None,
        threads: threads.to_vec(),
        repeats,
        seed: 1,
        load: LoadShape { warmup_s: 5.0, time_s: 30.0, ..LoadShape::default() },
        prepare: true,
        observe: model::Observe::Off,
        allow_failing_cells: false,
        design: Default::default(),
        targets: targets.iter().map(|t| target(t)).collect(),
        workloads: vec![workload(SysbenchWorkload::OltpReadOnly)],
    };
    Plan { spec, hash: String::new(), imported: None, trials }
}

pub fn workload(workload: SysbenchWorkload) -> WorkloadSpec {
    WorkloadSpec::Sysbench(SysbenchOptions { workload, ..SysbenchOptions::default() })
}

/// A trial and what was measured in it.
#[derive(Clone)]
pub struct Recorded {
    pub result: TrialResult,
    pub histograms: Vec<OperationHistograms>,
    pub intervals: Vec<Interval>,
    pub watched: Watched,
    pub others: Vec<Watched>,
    pub damaged: Vec<String>,
}

/// 30 seconds at this throughput, with latencies that obey Little's law.
pub fn recorded(planned: &PlannedTrial, per_s: f64) -> Recorded {
    let count = (per_s * 30.0) as u64;
    let latency_ns = (f64::from(planned.cell.threads) / per_s * 1e9) as u64;
    let mut histogram = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("bounds are valid");
    histogram.record_n(latency_ns, count).expect("within an hour");
    let latency = LatencySummary {
        count,
        sum_ns: count as f64 * latency_ns as f64,
        mean_ns: latency_ns as f64,
        min_ns: latency_ns,
        p50_ns: latency_ns,
        p90_ns: latency_ns,
        p95_ns: latency_ns,
        p99_ns: latency_ns,
        p999_ns: latency_ns,
        p9999_ns: latency_ns,
        max_ns: latency_ns,
        saturated: 0,
    };
    let mut result: TrialResult = serde_json::from_str(EMPTY_RESULT).expect("every required field is there");
    result.index = planned.index;
    result.cell = planned.cell.clone();
    result.measured.transactions = count;
    result.measured.queries = QueryCounts { read: count * 14, write: 0, other: count * 2 };
    result.measured.operations = vec![OperationSummary {
        name: "transaction".to_owned(),
        kind: OperationKind::Transaction,
        response: latency,
        service: latency,
    }];
    result.measured.generator = GeneratorUse {
        user_s: 1.0,
        system_s: 5.0,
        workers: 2,
        busiest_worker: 0.2,
        host_share: 0.11,
        run_queue_wait_s: 0.5,
        memory_peak_bytes: 1 << 24,
        clock_set_back_s: 0.0,
    };
    let intervals = (1..=30).map(|second| interval(f64::from(second), per_s as u64)).collect();
    let histograms = vec![OperationHistograms {
        name: "transaction".to_owned(),
        response: Some((&histogram).into()),
        service: Some(histogram.into()),
        response_spans: Vec::new(),
    }];
    Recorded {
        result,
        histograms,
        intervals,
        watched: Watched::default(),
        others: Vec::new(),
        damaged: Vec::new(),
    }
}

pub fn failed(planned: &PlannedTrial, message: &str) -> Recorded {
    let mut trial = recorded(planned, 1.0);
    trial.result.outcome = Outcome::Failed(Failure {
        code: FailureCode::Connect,
        message: message.to_owned(),
        hint: None,
        server_error: Some(1040),
    });
    trial.result.measured.transactions = 0;
    trial.result.measured.operations.clear();
    Recorded { histograms: Vec::new(), intervals: Vec::new(), ..trial }
}

pub fn interval(end_s: f64, transactions: u64) -> Interval {
    let mut interval: Interval = serde_json::from_str(EMPTY_INTERVAL).expect("every required field is there");
    (interval.end_s, interval.transactions) = (end_s, transactions);
    interval
}

/// Summaries of a plan whose trials came out as `measure` says; none: not run.
pub fn cells(plan: &Plan, measure: impl Fn(&PlannedTrial) -> Option<Recorded>) -> Vec<CellSummary> {
    let recorded: Vec<Recorded> = plan.trials.iter().filter_map(measure).collect();
    let inputs: Vec<TrialInput<'_>> = recorded
        .iter()
        .map(|r| TrialInput {
            result: &r.result,
            histograms: &r.histograms,
            intervals: &r.intervals,
            watched: &r.watched,
            others: &r.others,
            damaged: &r.damaged,
        })
        .collect();
    summarise(plan, &inputs)
}

/// Throughput per target and number of clients, with ±1 % from repeat to repeat.
pub fn curves(targets: &[(&str, &[f64])], threads: &[u32], repeats: u32) -> Vec<CellSummary> {
    let names: Vec<&str> = targets.iter().map(|(name, _)| *name).collect();
    let plan = plan(&names, threads, repeats);
    cells(&plan, |planned| {
        let (position, (_, curve)) =
            targets.iter().enumerate().find(|(_, (name, _))| *name == planned.cell.target)?;
        let per_s = curve[threads.iter().position(|n| *n == planned.cell.threads)?];
        // Different for each target, so that pairs do not move in step.
        let wobble = [0.0, 0.01, -0.01, 0.005][(planned.cell.repeat as usize + position) % 4];
        (per_s > 0.0)
            .then(|| recorded(planned, per_s * (1.0 + wobble)))
            .or_else(|| Some(failed(planned, "Too many connections")))
    })
}

pub fn server(flavour: Flavour) -> ServerFacts {
    ServerFacts {
        flavour,
        version: "9.7.4".to_owned(),
        version_comment: String::new(),
        tls_cipher: None,
        durability: Durability::Durable,
        durability_because: Vec::new(),
        binlog: false,
        buffer_pool_bytes: 1 << 30,
        max_connections: 151,
        round_trip_ms: None,
    }
}

const EMPTY_RESULT: &str = r#"{"format":1,"index":0,"cell":{"target":"","workload":"","threads":1,"repeat":1},
    "outcome":{"outcome":"completed"},"started_at":"","connect_s":0.1,"warmup_s":5.0,"measured_s":30.0,
    "transactions":0,"queries":{"read":0,"write":0,"other":0},"operations":[],"errors":[],"reconnects":0,
    "in_flight":0,"in_flight_longest_ns":null,
    "generator":{"user_s":0,"system_s":0,"workers":1,"busiest_worker":0,"host_share":0,"run_queue_wait_s":0,
                 "memory_peak_bytes":0},
    "fairness":{"transactions_mean":0,"transactions_stddev":0,"busy_s_mean":0,"busy_s_stddev":0},
    "server":null,"data_restored":true}"#;

const EMPTY_INTERVAL: &str = r#"{"end_s":0.0,"length_s":1.0,"warmup":false,"threads":1,"transactions":0,
    "queries":{"read":0,"write":0,"other":0},
    "response":{"count":0,"saturated":0,"sum_ns":0.0,"mean_ns":0.0,"min_ns":0,"p50_ns":0,"p90_ns":0,
                "p95_ns":0,"p99_ns":0,"p999_ns":0,"max_ns":0},
    "errors":{},"reconnects":0,"generator_cpu_s":0.0}"#;
