//! What was seen of the servers of a laboratory while they were loaded: counters every second, totals at both ends of the
//! window, plans, and an examination for the doctor.

use std::collections::BTreeMap;

use model::{
    BinlogUse, DiskUse, EventUse, Examination, Flavour, HostUse, Observation, PlanStep, Plans, ProcessUse,
    Snapshot, StatementPlan, StatementUse, ThreadUse, Unseen, Watched,
};
use report::View;
use report::build::input::TrialRecord;

use super::{Laboratory, two_targets};

/// Two servers, two numbers of clients, two runs; all of them watched. The second shows no statements and no waits.
pub fn view() -> View {
    let laboratory = Laboratory { threads: vec![4, 16], repeats: 2, time_s: 20, ..two_targets() };
    let mut run = laboratory.record();
    run.plan.spec.observe = model::Observe::Light;
    for trial in &mut run.trials {
        trial.watched = seen(trial);
    }
    for server in &laboratory.targets {
        run.examinations.insert(server.label.to_owned(), examination(server.flavour, server.variables()));
    }
    View::from_inputs(&[run], &report::ReportOptions::default())
}

fn examination(flavour: Flavour, variables: model::Variables) -> Examination {
    Examination {
        flavour,
        variables,
        status: BTreeMap::new(),
        plugins: Some(Vec::new()),
        channels: Some(Vec::new()),
        accounts: None,
        tables: None,
        oldest_transaction_s: Some(0),
        events: Some(0),
        unseen: vec![Unseen {
            what: "tables without a primary key".to_owned(),
            why: "SELECT command denied to user 'bench'@'%'".to_owned(),
        }],
    }
}

fn seen(trial: &TrialRecord) -> Watched {
    let is_mysql = trial.planned.cell.target == "mysql";
    let rate = trial.result.as_ref().map_or(0.0, |r| r.measured.transactions as f64 / r.measured.measured_s);
    // A reading comes a little after the end of its second, and the last one at once upon the one before it.
    let ends = (1..=25).map(|second| f64::from(second) + 0.003).chain([25.013]);
    Watched {
        readings: ends.map(|at_s| reading(at_s, rate, is_mysql)).collect(),
        before: Some(snapshot(5.01, rate, is_mysql)),
        after: Some(snapshot(25.01, rate, is_mysql)),
        plans: Some(plans(is_mysql)),
        ..Watched::default()
    }
}

/// Counters after so many seconds at so many transactions per second.
fn reading(at_s: f64, rate: f64, is_mysql: bool) -> Observation {
    let done = rate * at_s;
    let count = |each: f64| (each * done) as u64;
    // Every 20 seconds the server has other things to do.
    let burst = if at_s > 18.0 { 40_000_000.0 } else { 0.0 };
    let counters = [
        ("innodb_data_fsyncs", count(0.9)),
        ("innodb_os_log_written", count(2_400.0)),
        ("innodb_row_lock_waits", count(0.02)),
        ("innodb_row_lock_time", count(0.05)),
        ("innodb_buffer_pool_reads", count(0.004)),
        ("innodb_rows_read", count(413.0)),
        ("created_tmp_tables", count(1.0)),
        ("opened_tables", 64),
        ("threads_running", 3 + at_s as u64 % 4),
        ("innodb_buffer_pool_pages_dirty", 900 + 20 * at_s as u64),
        ("innodb_checkpoint_age", (4_000_000.0 + 900_000.0 * at_s) as u64),
    ];
    let mut status: BTreeMap<String, u64> =
        counters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    if !is_mysql {
        status.insert("innodb_history_list_length".to_owned(), 400 + 7 * (at_s as u64 % 9));
    }
    let disk = DiskUse {
        reads: count(0.01),
        writes: count(3.0),
        read_bytes: count(160.0),
        written_bytes: count(13_000.0) + burst as u64,
        read_s: done * 2e-6,
        write_s: done * 3e-4,
        busy_s: at_s * 0.2,
    };
    let host = HostUse {
        cpu_user_s: at_s * 1.1,
        cpu_system_s: at_s * 0.6,
        cpu_iowait_s: at_s * 0.05,
        cpu_steal_s: at_s * 0.01,
        cpu_idle_s: at_s * 0.24,
        context_switches: count(30.0),
        run_queue: 6 + at_s as u32 % 5,
        memory_available_bytes: 16 << 30,
        disk,
        pressure_cpu_s: Some(at_s * 0.5),
        pressure_io_s: Some(at_s * 0.08),
        pressure_memory_s: Some(0.0),
        ..HostUse::default()
    };
    let process = ProcessUse {
        cpu_s: at_s * 1.4,
        context_switches: Some(count(28.0)),
        throttled_s: None,
        read_bytes: count(160.0),
        written_bytes: count(13_000.0),
    };
    Observation {
        at_s,
        took_s: 0.002,
        late_s: 0.0004,
        lag_s: None,
        applier: None,
        group: None,
        long_statements: Vec::new(),
        round_trip_s: Some(0.0003 + 0.0001 * f64::from(at_s as u32 % 3)),
        status,
        host: Some(host),
        process: Some(process),
    }
}

fn snapshot(at_s: f64, rate: f64, is_mysql: bool) -> Snapshot {
    let done = rate * at_s;
    let uses = |each: f64, ms: f64| EventUse { count: (each * done) as u64, time_s: each * done * ms / 1e3 };
    let threads = [("connection", 1.3), ("ib_srv_purge", 0.04)];
    let threads = threads.into_iter().enumerate().map(|(id, (name, cpus))| {
        (
            100 + id as u32,
            ThreadUse { name: name.to_owned(), told: false, cpu_s: cpus * at_s, cpu_wait_s: None },
        )
    });
    let mut snapshot = Snapshot { at_s, threads: threads.collect(), ..Snapshot::default() };
    if !is_mysql {
        snapshot.unseen.push(Unseen {
            what: "statements, waits, stages and memory".to_owned(),
            why: "performance_schema = OFF".to_owned(),
        });
        return snapshot;
    }
    snapshot.statements = STATEMENTS
        .iter()
        .map(|(text, each, ms, examined, returned)| StatementUse {
            schema: "sbtest".to_owned(),
            text: (*text).to_owned(),
            all: uses(*each, *ms),
            rows_examined: (examined * each * done) as u64,
            rows_returned: (returned * each * done) as u64,
            ..StatementUse::default()
        })
        .collect();
    snapshot.waits = WAITS.iter().map(|(event, each, ms)| ((*event).to_owned(), uses(*each, *ms))).collect();
    snapshot.binlog = Some(BinlogUse { last_file: 1, bytes: (1_750.0 * done) as u64 });
    snapshot
}

/// Text, times per transaction, milliseconds each, rows examined and returned.
const STATEMENTS: [(&str, f64, f64, f64, f64); 7] = [
    ("COMMIT", 1.0, 2.4, 0.0, 0.0),
    ("SELECT `c` FROM `sbtest1` WHERE `id` = ?", 10.0, 0.05, 1.0, 1.0),
    ("SELECT DISTINCTROW `c` FROM `sbtest1` WHERE `id` BETWEEN ? AND ? ORDER BY `c`", 1.0, 0.3, 200.0, 100.0),
    ("SELECT `c` FROM `sbtest1` WHERE `id` BETWEEN ? AND ? ORDER BY `c`", 1.0, 0.21, 200.0, 100.0),
    ("UPDATE `sbtest1` SET `k` = `k` + ? WHERE `id` = ?", 1.0, 0.24, 1.0, 1.0),
    ("DELETE FROM `sbtest1` WHERE `id` = ?", 1.0, 0.18, 1.0, 1.0),
    ("BEGIN", 1.0, 0.02, 0.0, 0.0),
];

/// Event, times per transaction, milliseconds each.
const WAITS: [(&str, f64, f64); 3] = [
    ("wait/io/table/sql/handler", 417.0, 0.0016),
    ("wait/io/file/sql/binlog", 1.2, 0.42),
    ("wait/io/file/innodb/innodb_log_file", 1.9, 0.24),
];

/// One plan stays as it is; of the first server another one changes.
fn plans(changes: bool) -> Plans {
    let plan = |operation: &str, access: &str, key: &str, rows: f64| StatementPlan {
        operation: operation.to_owned(),
        sql: format!("SELECT c FROM sbtest1 /* {operation} */"),
        steps: vec![PlanStep {
            table: "sbtest1".to_owned(),
            access: access.to_owned(),
            key: key.to_owned(),
            rows,
            actual_rows: Some(rows),
        }],
        ..StatementPlan::default()
    };
    let point = plan("point_select", "const", "PRIMARY", 1.0);
    let range = plan("simple_range", "range", "PRIMARY", 100.0);
    let worse = plan("simple_range", "ALL", "", 100_000.0);
    let after = if changes { worse } else { range.clone() };
    Plans { before: vec![point.clone(), range], after: vec![point, after] }
}
