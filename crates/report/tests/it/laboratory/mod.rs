//! A made-up laboratory: recordings with known figures, the same at every call, so that what people read can be
//! compared with golden files and the page can be tried on every shape of result.

#![allow(dead_code)] // each test takes only what it needs of it

use std::collections::BTreeMap;

use analysis::OperationHistograms;
use hdrhistogram::Histogram;
use model::{
    Address, CellKey, Durability, Endpoint, ErrorCount, Event, EventKind, Failure, FailureCode, Fairness,
    Flavour, GeneratorUse, HostFacts, Interval, LatencySummary, LoadShape, OperationKind, OperationSummary,
    Outcome, Plan, PlannedTrial, QueryCounts, SandboxSpec, ServerFacts, ServerKind, Spec, SpecTarget,
    SysbenchOptions, Target, TlsMode, TlsSpec, TpccTransaction, TrialResult, Variables, WorkloadSpec,
};
use report::View;
use report::build::input::{RunInput, TrialRecord};

pub mod capacity;
pub mod colocation;
pub mod experiment;
pub mod imported;
pub mod profiled;
pub mod watched;

/// What to make up.
#[derive(Debug, Clone)]
pub struct Laboratory {
    /// Servers.
    pub targets: Vec<MadeUp>,
    /// Numbers of clients.
    pub threads: Vec<u32>,
    /// Runs of each cell.
    pub repeats: u32,
    /// Measured seconds.
    pub time_s: u32,
    /// Copies of the workload, each under a label of its own.
    pub workloads: u32,
}

/// A made-up server that follows the Universal Scalability Law.
#[derive(Debug, Clone)]
pub struct MadeUp {
    label: &'static str,
    flavour: Flavour,
    version: &'static str,
    binlog: bool,
    durability: Durability,
    /// Transactions per second of one client.
    lambda: f64,
    /// Contention and coherence.
    alpha: f64,
    beta: f64,
    /// Connections beyond which every run fails.
    connections: u32,
    /// A server of somebody else's, with what the user knows of it.
    remote: bool,
    /// How much faster it is with the second workload.
    second: f64,
    /// What it was started with.
    settings: &'static [(&'static str, &'static str)],
    /// What happens in a second of a run, as a share of the usual throughput.
    course: fn(&CellKey, u32) -> f64,
}

/// Every 20 seconds the server has other things to do.
fn checkpoints(_: &CellKey, second: u32) -> f64 {
    if second % 20 == 18 { 0.45 } else { 1.0 }
}

const MYSQL: MadeUp = MadeUp {
    label: "mysql",
    flavour: Flavour::Mysql,
    version: "9.7.4",
    binlog: true,
    durability: Durability::Durable,
    lambda: 331.0,
    alpha: 0.33,
    beta: 0.000_2,
    connections: 151,
    remote: false,
    second: 1.0,
    settings: &[("innodb_buffer_pool_size", "1G")],
    course: checkpoints,
};

const MARIADB: MadeUp = MadeUp {
    label: "mariadb",
    flavour: Flavour::Mariadb,
    version: "10.11.19-MariaDB",
    binlog: false,
    durability: Durability::Durable,
    lambda: 402.0,
    alpha: 0.36,
    beta: 0.004,
    connections: 50,
    remote: false,
    second: 1.0,
    settings: &[("innodb_buffer_pool_size", "1G")],
    course: checkpoints,
};

/// Two sandboxes, seven numbers of clients, three runs; one server fails at the last number.
pub fn two_targets() -> Laboratory {
    Laboratory {
        targets: vec![MYSQL, MARIADB],
        threads: vec![1, 2, 4, 8, 16, 32, 64],
        repeats: 3,
        time_s: 30,
        workloads: 1,
    }
}

/// The same, each cell run once.
pub fn single_runs() -> Laboratory {
    Laboratory { repeats: 1, ..two_targets() }
}

/// One server, nothing to compare it with, nothing wrong.
pub fn one_target() -> Laboratory {
    Laboratory { targets: vec![MadeUp { connections: 500, ..MYSQL }], ..two_targets() }
}

/// Four servers, two workloads, 25 numbers of clients: 200 cells.
pub fn many_cells() -> Laboratory {
    let remote =
        |label, lambda, beta| MadeUp { label, lambda, beta, connections: 5000, remote: true, ..MYSQL };
    Laboratory {
        targets: vec![
            remote("ha-cross-zone", 316.0, 0.000_1),
            remote("ha-same-zone", 302.0, 0.000_12),
            remote("standalone", 340.0, 0.000_06),
            MadeUp { durability: Durability::LosesOnOsCrash, ..remote("relaxed", 610.0, 0.001) },
        ],
        threads: (1..=25).map(|i| i * 8).collect(),
        repeats: 3,
        time_s: 60,
        workloads: 2,
    }
}

/// Nothing worked.
pub fn nothing_completed() -> Laboratory {
    Laboratory {
        targets: vec![MadeUp { connections: 0, ..MYSQL }],
        threads: vec![16],
        repeats: 1,
        ..two_targets()
    }
}

/// What a TPC-C cell has besides.
pub fn tpcc() -> analysis::TpccSummary {
    let kind = |(index, kind): (usize, TpccTransaction)| {
        let share = [45.0, 43.0, 4.1, 4.0, 3.9][index];
        let p90_ms = [40.1, 22.5, 6.4, 5_210.0, 9.7][index];
        analysis::TypeSummary {
            name: kind.name().to_owned(),
            title: kind.title().to_owned(),
            count: (share * 538.0) as u64,
            per_minute: share * 269.0,
            mix_pct: share,
            mix_least_pct: kind.least_percent(),
            response: percentiles(p90_ms),
            service: percentiles(p90_ms * 0.98),
            limit_s: kind.limit_s(),
            limit_kept: p90_ms <= kind.limit_s() * 1e3,
            retries: 12 - 2 * index as u64,
            rollbacks: if index == 0 { 243 } else { 0 },
            errors: 12 - 2 * index as u64,
        }
    };
    let measure =
        |mean: f64| Some(analysis::Measure { mean, low: Some(mean * 0.98), high: Some(mean * 1.02), n: 3 });
    analysis::TpccSummary {
        tpmc: measure(12_105.0),
        tpm_total: measure(26_894.0),
        types: TpccTransaction::ALL.into_iter().enumerate().map(kind).collect(),
        warehouses_touched: 10,
        warehouses: 10,
        consistency: Some(analysis::tpcc::Consistent { holding: 12, checked: 12, violated: Vec::new() }),
        check_missing: None,
        deviations: analysis::tpcc::deviations(&model::TpccOptions::default()),
    }
}

fn percentiles(p90_ms: f64) -> analysis::tpcc::Percentiles {
    analysis::tpcc::Percentiles {
        p50_ms: p90_ms / 2.2,
        p90_ms,
        p95_ms: p90_ms * 1.3,
        p99_ms: p90_ms * 2.0,
        max_ms: p90_ms * 5.2,
    }
}

/// One cell of TPC-C whose work grows with its data, by eight minutes a run.
pub fn tpcc_view() -> View {
    let mut view = view(&Laboratory { threads: vec![16], ..one_target() });
    view.workloads[0].label = "tpcc".to_owned();
    let cell = &mut view.cells[0];
    cell.tpcc = Some(tpcc());
    cell.timelines = (1..=cell.runs_completed).map(timeline).collect();
    view
}

fn timeline(repeat: u32) -> analysis::Timeline {
    let (mut noise, mut before) = (Noise(u64::from(repeat)), 0.0);
    let names = TpccTransaction::ALL.map(|kind| kind.name().to_owned());
    let mut slot = |index: u32| {
        let throughput_per_s = (1_000.0 / (2.2 + before / 1e5) * (1.0 + 0.01 * noise.next())).round();
        let middle = before + throughput_per_s * 7.5;
        before += throughput_per_s * 15.0;
        let kind = |share: f64, ms: f64| analysis::timeline::SlotOperation {
            per_s: (throughput_per_s * share).round(),
            p95_ms: Some(ms.round()),
        };
        analysis::timeline::Slot {
            end_s: 5.0 + 15.0 * f64::from(index + 1),
            throughput_per_s,
            transactions_before: middle,
            operations: vec![
                kind(1.0, 60.0),
                kind(0.45, 52.0),
                kind(0.43, 29.0),
                kind(0.04, 8.0),
                kind(0.04, 90.0),
                kind(0.04, 20.0 + 2.0 * f64::from(index)),
            ],
        }
    };
    analysis::Timeline {
        repeat,
        slot_s: 15.0,
        slots: (0..32).map(&mut slot).collect(),
        operations: std::iter::once("transaction".to_owned()).chain(names).collect(),
        sustained: Some(analysis::timeline::Sustained {
            first_per_s: 436.0,
            last_per_s: 271.0,
            window_s: 120.0,
            variation: 0.181,
            variation_from_s: 5.0,
            variation_chance: 0.07,
            transactions: 165_000.0,
            silent_s: 0.0,
            silent_longest_s: 0.0,
            growth: Some(analysis::timeline::CostGrowth {
                start_s: 2.2e-3,
                per_million: 4.545,
                low: 4.49,
                high: 4.6,
                misfit: 0.006,
                found: true,
            }),
            says: analysis::Words::new(
                "Throughput 436/s in the first quarter, 271/s in the last",
                "首个四分之一吞吐 436/秒",
            ),
            slower: Some(analysis::Words::new("Stock-Level 28 → 76 ms", "Stock-Level 28 → 76 毫秒")),
        }),
    }
}

/// The view of a laboratory.
pub fn view(laboratory: &Laboratory) -> View {
    View::from_inputs(&[laboratory.record()], &report::ReportOptions::default())
}

/// A small generator of noise with nothing in common with the one under test.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as f64 / (1u64 << 31) as f64) * 2.0 - 1.0
    }
}

impl Laboratory {
    /// A recording of everything.
    pub fn record(&self) -> RunInput {
        let plan = self.plan();
        let trials: Vec<TrialRecord> = plan.trials.iter().map(|p| self.trial(p)).collect();
        let mut events = vec![Event {
            at: "2026-11-20T19:42:00.000Z".to_owned(),
            elapsed_ms: 0,
            kind: EventKind::RunStarted {
                run: "2026-11-20T19-42-oltp_read_write".to_owned(),
                trials: plan.trials.len() as u32,
                done: 0,
            },
        }];
        if self.targets.iter().any(|t| t.binlog != self.targets[0].binlog) {
            events.push(Event {
                at: "2026-11-20T19:42:04.000Z".to_owned(),
                elapsed_ms: 4000,
                kind: EventKind::Caution {
                    target: None,
                    text: "the binary log is on in mysql only: the curves are not directly comparable"
                        .to_owned(),
                },
            });
        }
        RunInput {
            path: "results/a-recording".into(),
            spec_toml: "format = 2\n".to_owned(),
            examinations: Default::default(),
            id: "2026-11-20T19-42-oltp_read_write".to_owned(),
            plan,
            host: host(),
            events,
            trials,
            truncated: None,
            note: None,
            damaged: Vec::new(),
        }
    }

    fn plan(&self) -> Plan {
        let options = SysbenchOptions { tables: 4, table_size: 100_000, ..SysbenchOptions::default() };
        let mut trials = Vec::new();
        for repeat in 1..=self.repeats {
            for workload in 0..self.workloads {
                for threads in &self.threads {
                    for target in &self.targets {
                        trials.push(PlannedTrial {
                            index: trials.len() as u32,
                            cell: CellKey {
                                target: target.label.to_owned(),
                                workload: workload_label(workload),
                                threads: *threads,
                                repeat,
                            },
                            workload,
                            seed: 1000 + trials.len() as u64,
                            why: Default::default(),
                        });
                    }
                }
            }
        }
        let workload = |i: u32| {
            WorkloadSpec::Sysbench(SysbenchOptions { tables: options.tables * (i + 1), ..options.clone() })
        };
        let spec = Spec {
            format: 1,
            name: "oltp_read_write".to_owned(),
            about: None,
            threads: self.threads.clone(),
            repeats: self.repeats,
            seed: 42,
            load: LoadShape { warmup_s: 5.0, time_s: f64::from(self.time_s), ..LoadShape::default() },
            prepare: true,
            observe: model::Observe::Off,
            allow_failing_cells: true,
            design: Default::default(),
            targets: self.targets.iter().map(MadeUp::target).collect(),
            workloads: (0..self.workloads).map(workload).collect(),
        };
        Plan { spec, hash: "3f1c5f4e0a7b92d8".repeat(4), imported: None, trials }
    }

    fn trial(&self, planned: &PlannedTrial) -> TrialRecord {
        let server =
            self.targets.iter().find(|t| t.label == planned.cell.target).expect("planned from this list");
        let mut result = TrialResult {
            format: 1,
            index: planned.index,
            cell: planned.cell.clone(),
            outcome: Outcome::Completed,
            started_at: format!(
                "2026-11-20T19:{:02}:{:02}Z",
                42 + planned.index / 60 % 18,
                planned.index % 60
            ),
            members: vec![server.facts().into()],
            data_restored: true,
            measured: model::Measured {
                connect_s: 0.004 * f64::from(planned.cell.threads),
                warmup_s: 5.0,
                measured_s: 0.0,
                transactions: 0,
                queries: QueryCounts::default(),
                operations: Vec::new(),
                errors: Vec::new(),
                reconnects: 0,
                generator: GeneratorUse::default(),
                fairness: Fairness::default(),
                ..Default::default()
            },
            ..TrialResult::default()
        };
        let mut input = TrialRecord {
            planned: planned.clone(),
            result: None,
            intervals: Vec::new(),
            watched: model::Watched::default(),
            variables: Some(server.variables().into()),
            others: Vec::new(),
            variables_of_others: Vec::new(),
            stacks: None,
            histograms: Vec::new(),
            damaged: Vec::new(),
        };
        if planned.cell.threads > server.connections {
            result.outcome = Outcome::Failed(too_many_connections(server.connections, planned.cell.threads));
            result.measured.connect_s = 0.0;
        } else {
            run(server, planned, self.time_s, &mut result, &mut input);
        }
        input.result = Some(result);
        input
    }
}

fn workload_label(index: u32) -> String {
    if index == 0 { "oltp_read_write".to_owned() } else { format!("oltp_read_write {}", index + 1) }
}

fn too_many_connections(limit: u32, threads: u32) -> Failure {
    Failure {
        code: FailureCode::Connect,
        message: format!("too many connections: {limit} of {threads} clients could connect"),
        hint: Some("raise max_connections, or use fewer clients".to_owned()),
        server_error: Some(1040),
    }
}

/// Fills in what a completed run brings.
fn run(
    server: &MadeUp,
    planned: &PlannedTrial,
    time_s: u32,
    result: &mut TrialResult,
    input: &mut TrialRecord,
) {
    let threads = planned.cell.threads;
    let n = f64::from(threads);
    let mut noise = Noise(planned.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for _ in 0..8 {
        noise.next();
    }
    let factor = if planned.workload == 1 { server.second } else { 1.0 };
    let speed = (1.0 + 0.035 * noise.next()) * factor;
    let rate = server.lambda * n / (1.0 + server.alpha * (n - 1.0) + server.beta * n * (n - 1.0)) * speed;
    let mean_ms = n / rate * 1000.0;
    for second in 1..=(5 + time_s) {
        let course = (server.course)(&planned.cell, second);
        input.intervals.push(interval(second, threads, rate, mean_ms, course, &mut noise));
    }
    let measured = || input.intervals.iter().filter(|i| !i.warmup);
    result.measured.measured_s = f64::from(time_s) + 0.004_2;
    result.measured.transactions = measured().map(|i| i.transactions).sum();
    let t = result.measured.transactions;
    let deadlocks: u64 = measured().flat_map(|i| i.errors.values()).sum();
    result.measured.queries = QueryCounts { read: 14 * t, write: 4 * t, other: 2 * t + deadlocks };
    for (name, kind, count, share) in OPERATIONS {
        // In a closed loop throughput times response time is the number of clients (Little's law).
        let mean_ms = n * result.measured.measured_s * 1000.0 / t as f64;
        let response = latencies(t * count, mean_ms * share, &mut noise);
        // A closed loop sends at once: service differs from response by what the generator itself takes.
        let service = scaled(&response, if kind == OperationKind::Transaction { 0.996 } else { 1.0 });
        result.measured.operations.push(OperationSummary {
            name: name.to_owned(),
            kind,
            response: if kind == OperationKind::Transaction {
                summary(&response)
            } else {
                LatencySummary::default()
            },
            service: summary(&service),
        });
        input.histograms.push(OperationHistograms {
            name: name.to_owned(),
            response: (kind == OperationKind::Transaction).then(|| response.into()),
            service: Some(service.into()),
            response_spans: Vec::new(),
        });
    }
    if deadlocks > 0 {
        result.measured.errors.push(ErrorCount {
            code: 1213,
            state: "40001".to_owned(),
            message: "Deadlock found when trying to get lock; try restarting transaction".to_owned(),
            statement: "DELETE FROM sbtest1 WHERE id=?".to_owned(),
            transaction: String::new(),
            count: deadlocks,
            forgiven: true,
        });
    }
    let cpu_s = result.measured.queries.total() as f64 * 10.4e-6;
    result.measured.generator = GeneratorUse {
        user_s: cpu_s * 0.21,
        system_s: cpu_s * 0.79,
        workers: 1,
        busiest_worker: cpu_s / result.measured.measured_s,
        host_share: cpu_s / result.measured.measured_s / 2.0,
        run_queue_wait_s: 0.02 * cpu_s,
        memory_peak_bytes: 18 << 20,
        clock_set_back_s: 0.0,
    };
    result.measured.fairness = Fairness {
        transactions_mean: t as f64 / n,
        transactions_stddev: (t as f64 / n).sqrt() * 0.8,
        busy_s_mean: f64::from(time_s) * 0.999_7,
        busy_s_stddev: 0.001,
    };
}

/// Name, kind, times per transaction, share of the transaction's time that one takes.
const OPERATIONS: [(&str, OperationKind, u64, f64); 12] = [
    ("transaction", OperationKind::Transaction, 1, 1.0),
    ("point_select", OperationKind::Statement, 10, 0.035),
    ("simple_range", OperationKind::Statement, 1, 0.045),
    ("sum_range", OperationKind::Statement, 1, 0.042),
    ("order_range", OperationKind::Statement, 1, 0.05),
    ("distinct_range", OperationKind::Statement, 1, 0.055),
    ("index_update", OperationKind::Statement, 1, 0.05),
    ("non_index_update", OperationKind::Statement, 1, 0.045),
    ("delete", OperationKind::Statement, 1, 0.045),
    ("insert", OperationKind::Statement, 1, 0.05),
    ("begin", OperationKind::Statement, 1, 0.02),
    ("commit", OperationKind::Statement, 1, 0.25),
];

fn interval(second: u32, threads: u32, rate: f64, mean_ms: f64, course: f64, noise: &mut Noise) -> Interval {
    let warmup = second <= 5;
    let warming = if warmup { 0.55 + 0.08 * f64::from(second) } else { 1.0 };
    let transactions = (rate * warming * course * (1.0 + 0.03 * noise.next())).round();
    let p95_ms = mean_ms * 1.75 / warming / course.max(0.1) * (1.0 + 0.05 * noise.next());
    let t = transactions as u64;
    let deadlocks = if threads >= 16 { (f64::from(threads) / 16.0 * (1.0 + noise.next())) as u64 } else { 0 };
    let mut errors = BTreeMap::new();
    if deadlocks > 0 {
        errors.insert(1213, deadlocks);
    }
    Interval {
        end_s: f64::from(second),
        length_s: 1.0,
        warmup,
        threads,
        transactions: t,
        queries: QueryCounts { read: 14 * t, write: 4 * t, other: 2 * t },
        response: LatencySummary {
            count: t,
            p95_ns: (p95_ms * 1e6) as u64,
            p99_ns: (p95_ms * 1.5e6) as u64,
            max_ns: (p95_ms * 3e6) as u64,
            mean_ns: mean_ms * 1e6,
            ..LatencySummary::default()
        },
        response_counts: Vec::new(),
        errors,
        reconnects: 0,
        traffic: model::Traffic::default(),
        generator_cpu_s: transactions * 20.0 * 10.4e-6,
        backlog: None,
    }
}

/// A skewed distribution with the mean asked for: 2,000 quantiles of a flat body with a Pareto tail.
fn latencies(count: u64, mean_ms: f64, noise: &mut Noise) -> Histogram<u64> {
    let quantiles = count.clamp(1, 2000);
    let shape: Vec<f64> = (0..quantiles)
        .map(|i| {
            let u = (i as f64 + 0.5) / quantiles as f64;
            (0.55 + 0.62 * u + 0.02 / (1.0 - u).powf(0.62)) * (1.0 + 0.01 * noise.next())
        })
        .collect();
    let scale = mean_ms * 1e6 * quantiles as f64 / shape.iter().sum::<f64>();
    let mut histogram = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("valid bounds");
    for (i, value) in (0..quantiles).zip(shape) {
        let share = count * (i + 1) / quantiles - count * i / quantiles;
        histogram.record_n((value * scale) as u64, share).expect("within bounds");
    }
    histogram
}

fn scaled(histogram: &Histogram<u64>, factor: f64) -> Histogram<u64> {
    let mut scaled = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).expect("valid bounds");
    for value in histogram.iter_recorded() {
        let ns = (value.value_iterated_to() as f64 * factor) as u64;
        scaled.record_n(ns, value.count_at_value()).expect("within bounds");
    }
    scaled
}

fn summary(h: &Histogram<u64>) -> LatencySummary {
    LatencySummary {
        count: h.len(),
        saturated: 0,
        sum_ns: h.mean() * h.len() as f64,
        mean_ns: h.mean(),
        min_ns: h.min(),
        p50_ns: h.value_at_percentile(50.0),
        p90_ns: h.value_at_percentile(90.0),
        p95_ns: h.value_at_percentile(95.0),
        p99_ns: h.value_at_percentile(99.0),
        p999_ns: h.value_at_percentile(99.9),
        p9999_ns: h.value_at_percentile(99.99),
        max_ns: h.max(),
    }
}

impl MadeUp {
    fn target(&self) -> SpecTarget {
        let kind = if self.remote {
            ServerKind::External(Endpoint {
                address: Address::Tcp { host: format!("{}.example.net", self.label), port: 3306 },
                user: "bench".to_owned(),
                database: "sbtest".to_owned(),
                tls: TlsSpec { mode: TlsMode::Required, ..TlsSpec::default() },
                connect_timeout_s: 10,
                get_server_public_key: false,
                init_commands: Vec::new(),
                globals: Default::default(),
            })
        } else {
            ServerKind::Sandbox(SandboxSpec {
                flavour: self.flavour,
                basedir: None,
                settings: self
                    .settings
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
                tcp: false,
                tls: TlsMode::Disabled.into(),
                place: Default::default(),
            })
        };
        let known = [("class", "2 OCPU / 32 GB"), ("region", "tokyo"), ("storage_gb", "100")];
        let instance = known.iter().filter(|_| self.remote).map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        SpecTarget {
            target: Target::single(self.label, kind),
            instance: instance.collect(),
            levels: Default::default(),
        }
    }

    fn facts(&self) -> ServerFacts {
        ServerFacts {
            flavour: self.flavour,
            version: self.version.to_owned(),
            version_comment: "built from a distribution's package".to_owned(),
            tls_cipher: self.remote.then(|| "TLS_AES_256_GCM_SHA384".to_owned()),
            durability: self.durability,
            durability_because: Vec::new(),
            binlog: self.binlog,
            buffer_pool_bytes: 1 << 30,
            max_connections: u64::from(self.connections),
            round_trip_ms: None,
        }
    }

    fn variables(&self) -> Variables {
        let maria = self.flavour == Flavour::Mariadb;
        let relaxed = self.durability != Durability::Durable;
        let pick = |maria_value: &str, mysql_value: &str| {
            if maria { maria_value.to_owned() } else { mysql_value.to_owned() }
        };
        let list = [
            ("innodb_flush_log_at_trx_commit", if relaxed { "2" } else { "1" }.to_owned()),
            ("sync_binlog", pick("0", "1")),
            ("log_bin", if self.binlog { "ON" } else { "OFF" }.to_owned()),
            ("innodb_buffer_pool_size", (1u64 << 30).to_string()),
            ("innodb_io_capacity", pick("200", "10000")),
            ("innodb_io_capacity_max", pick("2000", "20000")),
            ("innodb_log_buffer_size", pick("16777216", "67108864")),
            ("innodb_adaptive_hash_index", "OFF".to_owned()),
            ("innodb_flush_neighbors", pick("1", "0")),
            ("innodb_doublewrite", "ON".to_owned()),
            ("max_connections", self.connections.to_string()),
            ("performance_schema", pick("OFF", "ON")),
            ("character_set_server", "utf8mb4".to_owned()),
            ("collation_server", pick("utf8mb4_general_ci", "utf8mb4_0900_ai_ci")),
            ("table_open_cache", pick("2000", "4000")),
            ("thread_handling", "one-thread-per-connection".to_owned()),
            ("max_allowed_packet", pick("16777216", "67108864")),
            (
                "sql_mode",
                pick("STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION", "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES"),
            ),
            ("datadir", format!("/sandbox/{}/data/", self.label)),
            ("port", pick("3307", "3306")),
        ];
        let mut variables: Variables = list.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        variables.insert(pick("tx_isolation", "transaction_isolation"), "REPEATABLE-READ".to_owned());
        variables.insert(pick("aria_pagecache_buffer_size", "mysqlx_port"), pick("134217728", "33060"));
        variables
    }
}

fn host() -> HostFacts {
    HostFacts {
        format: 1,
        hostname: "bench1".to_owned(),
        os: "Debian GNU/Linux 12 (bookworm)".to_owned(),
        kernel: "6.1.0-26-amd64".to_owned(),
        architecture: "x86_64".to_owned(),
        cpu_model: "Made-up CPU 2.50GHz".to_owned(),
        cpus: 2,
        memory_bytes: 24 << 30,
        numa_nodes: 1,
        governor: None,
        virtualised: true,
        cgroup_cpus: None,
        cgroup_memory_bytes: None,
        mydyno_version: "0.1.0".to_owned(),
        calibration: None,
    }
}
