//! The display of a run where standard error is not a terminal.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::rc::Rc;

use model::{
    Durability, FailureCode, Flavour, LatencySummary, LoadShape, OperationSummary, PlannedTrial, QueryCounts,
    SandboxSpec, Spec, SpecTarget, SysbenchOptions, Target, WorkloadSpec,
};

use super::*;

#[derive(Clone, Default)]
struct Paper(Rc<RefCell<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(super) fn cell(threads: u32) -> CellKey {
    CellKey { target: "mysql".to_owned(), workload: "oltp_read_write".to_owned(), threads, repeat: 1 }
}

pub(super) fn plan() -> Plan {
    let sandbox = SandboxSpec::new(Flavour::Mysql, BTreeMap::new());
    let target = Target::single("mysql".to_owned(), ServerKind::Sandbox(sandbox));
    let spec = Spec {
        format: model::FORMAT,
        name: "oltp_read_write".to_owned(),
        about: None,
        threads: vec![16, 512],
        repeats: 1,
        seed: 1,
        load: LoadShape { warmup_s: 1.0, time_s: 2.0, ..LoadShape::default() },
        prepare: true,
        observe: model::Observe::Off,
        allow_failing_cells: false,
        design: Default::default(),
        targets: vec![SpecTarget { target, instance: BTreeMap::new(), levels: Default::default() }],
        workloads: vec![WorkloadSpec::Sysbench(SysbenchOptions::default())],
    };
    Plan {
        spec,
        hash: String::new(),
        imported: None,
        trials: [(0, 16), (1, 512)]
            .map(|(index, threads)| PlannedTrial {
                index,
                cell: cell(threads),
                workload: 0,
                seed: 1,
                why: Default::default(),
            })
            .to_vec(),
    }
}

pub(super) fn second(end_s: f64, latencies_ms: [u64; 4]) -> Interval {
    Interval {
        end_s,
        length_s: 1.0,
        warmup: end_s < 1.5,
        threads: 16,
        transactions: 4,
        queries: QueryCounts { read: 56, write: 16, other: 8 },
        response: LatencySummary::default(),
        response_counts: latencies_ms.map(|ms| (ms * 1_000_000, 1)).to_vec(),
        errors: BTreeMap::from([(1213, 2)]),
        reconnects: 0,
        traffic: model::Traffic::default(),
        generator_cpu_s: 0.1,
        backlog: None,
    }
}

pub(super) fn result(index: u32, threads: u32, outcome: Outcome) -> Box<TrialResult> {
    let response = LatencySummary { p95_ns: 31_000_000, ..LatencySummary::default() };
    let transaction = OperationSummary {
        name: "transaction".to_owned(),
        kind: OperationKind::Transaction,
        response,
        service: response,
    };
    Box::new(TrialResult {
        format: model::FORMAT,
        index,
        cell: cell(threads),
        outcome,
        measured: model::Measured {
            warmup_s: 1.0,
            measured_s: 2.0,
            transactions: 1624,
            operations: vec![transaction],
            ..Default::default()
        },
        ..TrialResult::default()
    })
}

fn shown(interval_s: Option<u32>, kinds: Vec<EventKind>) -> String {
    let paper = Paper::default();
    let plan = plan();
    let out = Out::Lines(Box::new(paper.clone()));
    let mut screen =
        Screen::over(&plan, Settings { interval_s, percentile: 95.0, lines: Lines::Progress }, out, None);
    for (at, kind) in kinds.into_iter().enumerate() {
        screen.event(&Event { at: String::new(), elapsed_ms: at as u64 * 1000, kind });
    }
    let bytes = paper.0.borrow();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn facts() -> ServerFacts {
    ServerFacts {
        flavour: Flavour::Mysql,
        version: "9.7.1".to_owned(),
        version_comment: String::new(),
        tls_cipher: None,
        durability: Durability::Durable,
        durability_because: Vec::new(),
        binlog: true,
        buffer_pool_bytes: 1 << 30,
        max_connections: 151,
        round_trip_ms: None,
    }
}

#[test]
fn a_sweep_is_a_line_for_each_server_and_each_cell() {
    let failure = Failure {
        code: FailureCode::Connect,
        message: "too many connections".to_owned(),
        hint: Some("raise max_connections".to_owned()),
        server_error: Some(1040),
    };
    let target = || "mysql".to_owned();
    let text = shown(
        None,
        vec![
            EventKind::RunStarted { run: "r".to_owned(), trials: 2, done: 0 },
            EventKind::ServerReady { target: target(), facts: facts(), address: "/s".to_owned() },
            EventKind::DataReady { target: target(), seconds: 6.1, reused: false },
            EventKind::Caution { target: None, text: "the servers differ".to_owned() },
            EventKind::TrialStarted { index: 0, cell: cell(16) },
            EventKind::Interval { index: 0, interval: second(1.0, [1, 2, 3, 4]) },
            EventKind::TrialFinished { index: 0, result: result(0, 16, Outcome::Completed) },
            EventKind::TrialFinished { index: 1, result: result(1, 512, Outcome::Failed(failure)) },
            EventKind::RunFinished { completed: 1, failed: 1 },
        ],
    );
    insta::assert_snapshot!(text, @r"
    mysql  9.7.1  sandbox, socket, buffer pool 1 GiB, durable (binary log on), TLS off
    data     mysql: loaded, 6.1 s
    ! the servers differ
    1 of 2 trials  mysql 16 clients  812.0 tps  p95 31.0 ms
    ! 2 of 2 trials  mysql 512 clients  failed: too many connections
        raise max_connections
    ");
}

#[test]
fn a_pipe_says_what_is_waited_for_and_restoring_once() {
    let target = || "mysql".to_owned();
    let waiting = |wait| EventKind::Waiting { target: target(), wait };
    let text = shown(
        None,
        vec![
            EventKind::ServerStarting { target: target() },
            EventKind::DataStarted { target: target(), rows: 30_000 },
            waiting(Wait::Snapshot),
            waiting(Wait::Restore),
            waiting(Wait::Restore),
            waiting(Wait::Check),
            waiting(Wait::Stop),
        ],
    );
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "starting mysql",
            "loading 30,000 rows into mysql",
            "keeping a snapshot of the data of mysql",
            "restoring the data of mysql",
            "checking the consistency of mysql",
            "stopping mysql",
        ]
    );
}

#[test]
fn interval_lines_are_sysbenchs_and_merge_seconds_by_their_histograms() {
    let text = shown(
        Some(2),
        vec![
            EventKind::TrialStarted { index: 0, cell: cell(16) },
            EventKind::Interval { index: 0, interval: second(1.0, [1, 1, 1, 1]) },
            EventKind::Interval { index: 0, interval: second(2.0, [1, 1, 1, 90]) },
            EventKind::Interval { index: 0, interval: second(3.0, [5, 5, 5, 5]) },
        ],
    );
    // Of eight values the 95th percentile is the largest; the mean of the two seconds' percentiles would be 45.5.
    insta::assert_snapshot!(text, @"[ 2s ] thds: 16 tps: 4.00 qps: 80.00 (r/w/o: 56.00/16.00/8.00) lat (ms,95%): 90.00 err/s: 2.00 reconn/s: 0.00");
}

#[test]
fn warm_up_is_marked() {
    let text = shown(
        Some(1),
        vec![
            EventKind::TrialStarted { index: 0, cell: cell(16) },
            EventKind::Interval { index: 0, interval: second(1.0, [1, 1, 1, 1]) },
        ],
    );
    assert!(text.trim_end().ends_with("(warm-up)"), "{text}");
}
