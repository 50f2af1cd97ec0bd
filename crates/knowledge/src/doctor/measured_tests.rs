//! Rules about what was measured, each with its cause in the cell, and next to it.

use model::{Examination, Flavour, HostFacts, PlanStep};

use super::tests::{healthy, machine, pairs};
use super::*;

/// 8 clients at 800 transactions of 10 ms a second.
fn cell() -> MeasuredWindow {
    MeasuredWindow {
        clients: 8,
        throughput_per_s: Some(800.0),
        transactions: 24_000,
        service_ms: Some(10.0),
        ..MeasuredWindow::default()
    }
}

fn found(seen: &Examination, cell: &MeasuredWindow) -> Vec<(String, String)> {
    let host = HostFacts { ..machine() };
    let examined = Examined {
        seen,
        host: Some(&host),
        planned: None,
        measured: Some(cell),
        today: Some("2026-11-21"),
        runs: Runs::User,
    };
    examine(&examined).into_iter().map(|advice| (advice.id, advice.evidence)).collect()
}

/// The evidence of that rule with the cause planted, and nothing of it without.
fn evidence(id: &str, planted: MeasuredWindow, just_not: MeasuredWindow) -> String {
    let seen = healthy(Flavour::Mysql);
    let of = |cell: &MeasuredWindow| found(&seen, cell).into_iter().find(|(known, _)| known == id);
    assert_eq!(of(&just_not), None, "{id} where there is no cause");
    of(&planted).unwrap_or_else(|| panic!("{id} is not found")).1
}

fn with_thread(name: &str, busiest: f64) -> MeasuredWindow {
    MeasuredWindow { threads: vec![Thread { name: name.to_owned(), busiest }], ..cell() }
}

#[test]
fn a_thread_that_uses_a_whole_cpu_is_named() {
    let said =
        evidence("saturated_thread", with_thread("ib_log_writer", 0.97), with_thread("ib_log_writer", 0.6));
    assert_eq!(said, "thread ib_log_writer uses 97 % of a CPU at 8 clients");
    // One client's own thread is as busy as its client makes it.
    evidence("saturated_thread", with_thread("ib_pg_flush_co", 0.95), with_thread("connection", 1.0));
}

#[test]
fn commits_that_wait_for_the_logs_are_told_with_their_share() {
    let waiting = |ms: f64| {
        let wait = |event: &str| WaitEvent { event: event.to_owned(), ms_per_transaction: ms / 2.0 };
        let waits = vec![wait("wait/io/file/sql/binlog"), wait("wait/io/file/innodb/innodb_log_file")];
        MeasuredWindow { waits, ..cell() }
    };
    let said = evidence("commits_wait", waiting(6.0), waiting(2.0));
    assert!(said.contains("60 % of its time at 8 clients"), "{said}");
    // Where a crash may lose commits, they do not wait for their durability.
    let mut loose = healthy(Flavour::Mysql);
    loose.variables.extend(pairs("sync_binlog=0; innodb_flush_log_at_trx_commit=2"));
    assert!(found(&loose, &waiting(6.0)).iter().all(|(id, _)| id != "commits_wait"));
}

#[test]
fn rows_that_are_other_than_expected_are_told() {
    let reads = |rows: f64| {
        let step = PlanStep {
            table: "stock".to_owned(),
            access: "ref".to_owned(),
            key: "PRIMARY".to_owned(),
            rows: 10.0,
            actual_rows: Some(rows),
        };
        let plan = ExecutionPlan {
            operation: "stock_level.count_stock".to_owned(),
            steps: vec![step],
            ..ExecutionPlan::default()
        };
        MeasuredWindow { plans: vec![plan], ..cell() }
    };
    let said = evidence("rows_expected", reads(20_000.0), reads(20.0));
    assert_eq!(said, "stock_level.count_stock: 10 rows of stock estimated, 20,000 read");
}

#[test]
fn a_plan_that_changed_during_the_run_is_told() {
    let after = |changed_to: Option<Vec<String>>| {
        let plan = ExecutionPlan {
            operation: "order_status.select_order".to_owned(),
            says: vec!["orders by PRIMARY".to_owned()],
            changed_to,
            ..ExecutionPlan::default()
        };
        MeasuredWindow { plans: vec![plan], ..cell() }
    };
    let said = evidence("plan_changed", after(Some(vec!["orders by customer".to_owned()])), after(None));
    assert_eq!(
        said,
        "order_status.select_order: before the load orders by PRIMARY; after the load orders by customer"
    );
}

#[test]
fn memory_that_runs_out_is_told_of_the_servers_own_machine() {
    let left = |bytes: u64, is_servers: bool| {
        let machine = Machine { memory_available_bytes: bytes, is_servers, ..Machine::default() };
        MeasuredWindow { machine: Some(machine), ..cell() }
    };
    let said = evidence("memory_short", left(200 << 20, true), left(4 << 30, true));
    assert_eq!(said, "200 MiB of 16 GiB memory available");
    evidence("memory_short", left(200 << 20, true), left(200 << 20, false));
}

#[test]
fn a_slow_io_capacity_is_held_against_what_the_disk_did() {
    let mut seen = healthy(Flavour::Mysql);
    seen.variables.extend(pairs("innodb_io_capacity=200"));
    let machine = Machine {
        is_servers: true,
        disk_writes_per_s: 3_400.0,
        disk_write_ms: Some(0.31),
        ..Machine::default()
    };
    let said = found(&seen, &MeasuredWindow { machine: Some(machine), ..cell() });
    let said = said.iter().find(|(id, _)| id == "io_capacity").expect("it is 200");
    assert_eq!(said.1, "innodb_io_capacity = 200; the disk completed 3,400 writes/s, 0.31 ms each");
}
