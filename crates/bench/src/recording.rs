//! A recording of a thousand trials, made up: seconds and histograms as a server of a hundred microseconds a statement would
//! give them, written through `store` as a run writes them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hdrhistogram::Histogram;
use model::{
    Design, Event, EventKind, FORMAT, Flavour, GeneratorUse, HostFacts, Instance, Interval, LatencySummary,
    LoadShape, OperationKind, OperationSummary, Outcome, PlannedTrial, QueryCounts, ServerFacts, ServerKind,
    Spec, SpecTarget, SysbenchOptions, Target, Traffic, TrialResult, Variables, WorkloadSpec,
};
use random::Rng;
use store::Results;

use crate::error::BenchError;
use crate::laboratory;

/// Version of the recording made below: an older one is not reused.
const VERSION: u32 = 3;
const TARGETS: [&str; 4] = ["mysql-8.4", "mysql-9.7", "mariadb-11.8", "mariadb-12"];
const REPEATS: u32 = 10;
const SECONDS: u32 = 30;
const WARMUP: u32 = 5;
/// Different seconds that are made; every trial has them in an order of its own.
const KINDS: usize = 24;
/// Statements of a transaction: name, how many, and microseconds of the middle one.
const STATEMENTS: [(&str, u32, f64); 11] = [
    ("begin", 1, 60.0),
    ("point_select", 10, 120.0),
    ("simple_range", 1, 210.0),
    ("sum_range", 1, 230.0),
    ("order_range", 1, 300.0),
    ("distinct_range", 1, 340.0),
    ("index_update", 1, 280.0),
    ("non_index_update", 1, 240.0),
    ("delete", 1, 220.0),
    ("insert", 1, 200.0),
    ("commit", 1, 900.0),
];

/// A spec with this many trials, in the shape of a large sweep.
pub fn spec(threads: u32, repeats: u32) -> Spec {
    let target = |label: &&str| SpecTarget {
        target: Target::single((*label).to_owned(), ServerKind::Sandbox(laboratory::spec())),
        instance: Instance::new(),
        levels: BTreeMap::new(),
    };
    Spec {
        format: FORMAT,
        name: "bench-judging".to_owned(),
        about: None,
        threads: (1..=threads).collect(),
        repeats,
        seed: 42,
        load: LoadShape { warmup_s: f64::from(WARMUP), time_s: f64::from(SECONDS), ..LoadShape::default() },
        prepare: true,
        observe: model::Observe::Off,
        allow_failing_cells: false,
        design: Design::default(),
        targets: TARGETS.iter().map(target).collect(),
        workloads: vec![WorkloadSpec::Sysbench(SysbenchOptions::default())],
    }
}

/// The directory of the recording; it is made once, which takes a minute, and half a gigabyte.
pub fn thousand(scratch: &Path) -> Result<PathBuf, BenchError> {
    let root = scratch.join(format!("recording-{VERSION}"));
    let results = Results::open(&root);
    let whole = results.list()?.into_iter().find(|run| run.status == store::RunStatus::Complete);
    if let Some(run) = whole {
        return Ok(run.path);
    }
    eprintln!("writing a recording of a thousand trials to {}", root.display());
    let plan = runner::plan(&spec(25, REPEATS))?;
    let kinds: Vec<Second> = (0..KINDS).map(|kind| Second::new(kind as u64)).collect();
    let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_203_727);
    let host = HostFacts { format: FORMAT, hostname: "bench".to_owned(), cpus: 2, ..HostFacts::default() };
    let mut run = results.create("", &plan, &host, start)?;
    let event = |kind| Event { at: "2026-11-20T19:42:07.000Z".to_owned(), elapsed_ms: 0, kind };
    let trials = plan.trials.len() as u32;
    run.event(&event(EventKind::RunStarted { run: run.id(), trials, done: 0 }))?;
    for planned in &plan.trials {
        write(&mut run, planned, &kinds)?;
    }
    run.event(&event(EventKind::RunFinished { completed: trials, failed: 0 }))?;
    let path = run.path().to_owned();
    run.close()?;
    Ok(path)
}

/// The transactions completed in a second.
struct Second {
    transactions: u64,
    /// Histograms by tag.
    histograms: Vec<(String, Histogram<u64>)>,
}

impl Second {
    fn new(seed: u64) -> Self {
        let mut random = Rng::from_seed(seed);
        let mut unit = move || (random.below(1 << 32) as f64 + 0.5) / (1_u64 << 32) as f64;
        // Lognormal with a sigma of a third, by Box and Muller.
        let mut draw = move |median_us: f64| {
            let normal = (-2.0 * unit().ln()).sqrt() * (std::f64::consts::TAU * unit()).cos();
            (median_us * 1e3 * (0.33 * normal).exp()) as u64
        };
        let transactions = 900 + seed % 40;
        let mut histograms = Vec::new();
        for (name, each, median_us) in STATEMENTS {
            let mut histogram = empty();
            for _ in 0..transactions * u64::from(each) {
                histogram.saturating_record(draw(median_us));
            }
            histograms.push((format!("service:{name}"), histogram));
        }
        let mut whole = empty();
        for _ in 0..transactions {
            whole.saturating_record(draw(4_300.0));
        }
        histograms.push(("service:transaction".to_owned(), whole.clone()));
        histograms.push(("response:transaction".to_owned(), whole));
        Self { transactions, histograms }
    }
}

fn empty() -> Histogram<u64> {
    Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("bounds are valid")
}

fn write(run: &mut store::RunWriter, planned: &PlannedTrial, kinds: &[Second]) -> Result<(), BenchError> {
    let mut random = Rng::from_seed(planned.seed ^ u64::from(planned.index));
    let mut trial = run.trial(planned)?;
    let variables = variables(&planned.cell.target);
    trial.member(0).variables_before(&variables)?;
    let mut sums: Vec<(String, Histogram<u64>)> = Vec::new();
    let mut transactions = 0;
    for second in 1..=WARMUP + SECONDS {
        let kind = &kinds[random.below(kinds.len() as u64) as usize];
        let warmup = second <= WARMUP;
        let (_, whole) = kind.histograms.last().expect("the transaction stands last");
        let interval = Interval {
            end_s: f64::from(second),
            length_s: 1.0,
            warmup,
            threads: planned.cell.threads,
            transactions: kind.transactions,
            queries: queries(kind.transactions),
            response: summary(whole),
            response_counts: Vec::new(),
            errors: BTreeMap::new(),
            reconnects: 0,
            traffic: Traffic::default(),
            backlog: None,
            generator_cpu_s: 0.1,
        };
        let tagged: Vec<(&str, &Histogram<u64>)> =
            kind.histograms.iter().map(|(tag, histogram)| (tag.as_str(), histogram)).collect();
        trial.interval(&interval, &tagged)?;
        if warmup {
            continue;
        }
        transactions += kind.transactions;
        for (tag, histogram) in &kind.histograms {
            match sums.iter_mut().find(|(known, _)| known == tag) {
                Some((_, sum)) => drop(sum.add(histogram)),
                None => sums.push((tag.clone(), histogram.clone())),
            }
        }
    }
    trial.member(0).variables_after(&variables)?;
    trial.finish(&result(planned, transactions, &sums))?;
    Ok(())
}

fn queries(transactions: u64) -> QueryCounts {
    QueryCounts { read: transactions * 14, write: transactions * 4, other: transactions * 2 }
}

fn summary(histogram: &Histogram<u64>) -> LatencySummary {
    LatencySummary {
        count: histogram.len(),
        saturated: 0,
        sum_ns: histogram.mean() * histogram.len() as f64,
        mean_ns: histogram.mean(),
        min_ns: histogram.min(),
        p50_ns: histogram.value_at_quantile(0.5),
        p90_ns: histogram.value_at_quantile(0.9),
        p95_ns: histogram.value_at_quantile(0.95),
        p99_ns: histogram.value_at_quantile(0.99),
        p999_ns: histogram.value_at_quantile(0.999),
        p9999_ns: histogram.value_at_quantile(0.9999),
        max_ns: histogram.max(),
    }
}

fn result(planned: &PlannedTrial, transactions: u64, sums: &[(String, Histogram<u64>)]) -> TrialResult {
    let of = |tag: &str| {
        let found = sums.iter().find(|(known, _)| known == tag);
        found.map(|(_, histogram)| summary(histogram)).unwrap_or_default()
    };
    let whole = OperationSummary {
        name: "transaction".to_owned(),
        kind: OperationKind::Transaction,
        response: of("response:transaction"),
        service: of("service:transaction"),
    };
    let statements = STATEMENTS.iter().map(|(name, ..)| OperationSummary {
        name: (*name).to_owned(),
        kind: OperationKind::Statement,
        response: LatencySummary::default(),
        service: of(&format!("service:{name}")),
    });
    TrialResult {
        format: FORMAT,
        index: planned.index,
        cell: planned.cell.clone(),
        outcome: Outcome::Completed,
        started_at: "2026-11-20T19:42:07.000Z".to_owned(),
        members: vec![
            ServerFacts {
                flavour: if planned.cell.target.starts_with("mysql") {
                    Flavour::Mysql
                } else {
                    Flavour::Mariadb
                },
                version: planned.cell.target.clone(),
                version_comment: String::new(),
                tls_cipher: None,
                durability: model::Durability::Durable,
                durability_because: Vec::new(),
                binlog: true,
                buffer_pool_bytes: 1 << 30,
                max_connections: 151,
                round_trip_ms: Some(0.05),
            }
            .into(),
        ],
        data_restored: true,
        measured: model::Measured {
            connect_s: 0.1,
            warmup_s: f64::from(WARMUP),
            measured_s: f64::from(SECONDS),
            transactions,
            queries: queries(transactions),
            operations: std::iter::once(whole).chain(statements).collect(),
            generator: GeneratorUse { user_s: 1.0, system_s: 3.0, workers: 2, ..GeneratorUse::default() },
            traffic: Traffic { sent_bytes: transactions * 800, received_bytes: transactions * 40_000 },
            ..Default::default()
        },
        ..TrialResult::default()
    }
}

/// As many variables as a server has; all but a few have unknown names.
fn variables(target: &str) -> Variables {
    let known = [
        ("version", target),
        ("innodb_flush_log_at_trx_commit", "1"),
        ("sync_binlog", "1"),
        ("innodb_buffer_pool_size", "1073741824"),
        ("innodb_io_capacity", if target.starts_with("mysql") { "10000" } else { "200" }),
    ];
    let made_up = (0..640).map(|at| (format!("some_variable_of_a_server_{at}"), format!("value {at}")));
    known.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).chain(made_up).collect()
}
