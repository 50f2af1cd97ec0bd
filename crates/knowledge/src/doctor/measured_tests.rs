//! Rules about what was measured, each with its cause in the cell, and next to it.

use model::{Examination, Flavour, HostFacts, PlanStep};

use messages::Words;

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

/// A transaction of 10 ms, of which these parts are known.
fn with_parts(parts: &[(&str, f64, Option<f64>)]) -> MeasuredWindow {
    let part = |(id, ms, excess): &(&str, f64, Option<f64>)| TimePart {
        id: (*id).to_owned(),
        label: Words::new(*id, *id),
        ms: *ms,
        excess: excess.map(|ms| PartExcess { than: "plain".to_owned(), ms }),
    };
    MeasuredWindow { response_ms: Some(10.0), parts: parts.iter().map(part).collect(), ..cell() }
}

/// Findings about a server with these settings besides those of a healthy one.
fn found_with(variables: &str, cell: &MeasuredWindow) -> Vec<(String, String)> {
    let mut seen = healthy(Flavour::Mysql);
    seen.variables.extend(pairs(variables));
    found(&seen, cell)
}

fn ids(found: &[(String, String)]) -> Vec<&str> {
    found.iter().map(|(id, _)| id.as_str()).collect()
}

#[test]
fn round_trips_are_told_with_their_number() {
    let of = |ms: f64| MeasuredWindow {
        statements_per_transaction: Some(20.0),
        ..with_parts(&[("network", ms, None)])
    };
    let said = evidence("network_round_trips", of(8.0), of(0.5));
    assert_eq!(
        said,
        "round trips: 8.00 of 10.0 ms of a transaction (80 %) at 8 clients, 20 statements of 0.40 ms each"
    );
    let near = evidence("network_round_trips", with_parts(&[("network", 1.0, Some(0.9))]), of(1.0));
    assert!(near.ends_with(", 0.90 ms more than on plain"), "{near}");
}

#[test]
fn a_delay_of_group_commit_is_told_by_the_time_in_commit() {
    let in_commit = |ms: f64| {
        let wait = |event: &str, ms| WaitEvent { event: event.to_owned(), ms_per_transaction: ms };
        let waits =
            vec![wait("wait/io/file/sql/binlog", 0.1), wait("wait/io/file/innodb/innodb_log_file", 0.025)];
        MeasuredWindow { waits, ..with_parts(&[("commit_wait", ms, Some(ms))]) }
    };
    let delayed = "binlog_group_commit_sync_delay=8000";
    let said = found_with(delayed, &in_commit(8.2));
    let expected = "binlog_group_commit_sync_delay = 8000: 8.20 of 10.0 ms of a transaction waiting in COMMIT at 8 clients, while \
                    the logs are in use 10 % of the time, 8.20 ms more than on plain";
    assert_eq!(said.first(), Some(&("commit_delay".to_owned(), expected.to_owned())));
    // The cause takes the place of the part.
    assert!(!ids(&said).contains(&"commit_wait_time"), "{said:?}");
    let said = found_with("", &in_commit(8.2));
    assert_eq!(ids(&said), ["commit_wait_time"]);
    // Transactions that only read have a COMMIT that waits for nothing.
    assert!(found_with(delayed, &with_parts(&[("commit_wait", 0.1, None)])).is_empty());
    // Without COMMIT a transaction that is over before cannot have waited.
    let short = MeasuredWindow { service_ms: Some(0.2), ..cell() };
    assert!(found_with(delayed, &short).is_empty());
    let long = found_with(delayed, &cell());
    assert!(long[0].1.contains("up to 8.00 ms of delay in the 10.0 ms of a transaction"), "{long:?}");
}

#[test]
fn mariadb_delays_commits_only_where_it_waits_for_several() {
    let said = |variables: &str| {
        let mut seen = healthy(Flavour::Mariadb);
        seen.variables.extend(pairs(variables));
        found(&seen, &with_parts(&[("commit_wait", 8.0, None)]))
    };
    let delayed = said("binlog_commit_wait_count=20; binlog_commit_wait_usec=9000");
    assert_eq!(delayed[0].0, "commit_delay");
    assert!(delayed[0].1.starts_with("binlog_commit_wait_usec = 9000: 8.00 of 10.0 ms"), "{delayed:?}");
    let idle = said("binlog_commit_wait_count=0; binlog_commit_wait_usec=100000");
    assert!(!ids(&idle).contains(&"commit_delay"), "{idle:?}");
}

#[test]
fn statements_of_other_sessions_are_told_with_the_longest() {
    let of = |share: f64| {
        let text = "SELECT COUNT ( * ) FROM `sbtest#` WHERE `pad` LIKE ?".to_owned();
        let others = OtherStatements { share, sessions: 3.9, text, mean_ms: 2_130.0 };
        MeasuredWindow { others: Some(others), ..cell() }
    };
    assert_eq!(
        evidence("other_statements", of(0.38), of(0.04)),
        "38 % of the server's statement time is not the load's at 8 clients: 3.90 other sessions on average, most of it \
         2,130 ms each in SELECT COUNT ( * ) FROM `sbtest#` WHERE `pad` LIKE ?"
    );
}

#[test]
fn metadata_locks_take_the_place_of_unattributed_time() {
    let locked = |ms: f64| {
        let wait = WaitEvent { event: "wait/lock/metadata/sql/mdl".to_owned(), ms_per_transaction: ms };
        MeasuredWindow { waits: vec![wait], ..with_parts(&[("cpu", 1.0, None), ("unattributed", 8.0, None)]) }
    };
    let said = found_with("", &locked(6.0));
    assert_eq!(ids(&said), ["metadata_locks"]);
    assert_eq!(said[0].1, "waiting for metadata locks: 6.00 of 10.0 ms of a transaction (60 %) at 8 clients");
    let said = found_with("", &locked(0.9));
    assert_eq!(ids(&said), ["unattributed_time"]);
    // Those that wait may be others.
    assert!(found_with("", &locked(80.0))[0].1.contains("10.0 of 10.0 ms"));
}

fn running(verb: &str, state: &str, on_average: f64, longest_s: f64) -> LongRunning {
    LongRunning { verb: verb.to_owned(), state: state.to_owned(), on_average, longest_s }
}

#[test]
fn locks_of_tables_are_seen_by_the_states_of_sessions() {
    let locked = |on_average: f64| {
        let waiting = running("SELECT", "Waiting for table metadata lock", on_average, 7.0);
        MeasuredWindow { long: vec![waiting, running("ALTER", "altering table", 0.6, 9.0)], ..cell() }
    };
    // Transactions that stood still take longer than a second, so nothing is known of statements that are not theirs.
    let said = found_with("", &locked(5.2));
    assert_eq!(ids(&said), ["metadata_locks"]);
    assert_eq!(
        said[0].1,
        "5.20 statements on average, of 8 clients, in state \"Waiting for table metadata lock\" for up to 7 s, while ALTER ran \
         for up to 9 s (\"altering table\")"
    );
    assert!(found_with("", &locked(0.5)).is_empty());
}

#[test]
fn long_statements_are_of_others_where_the_loads_own_are_short() {
    let beside = |p999_ms: f64, on_average: f64| {
        let long = vec![running("SELECT", "Sending data", on_average, 4.0)];
        MeasuredWindow { long, p999_ms: Some(p999_ms), ..cell() }
    };
    let said = evidence("long_statements", beside(40.0, 1.9), beside(40.0, 0.2));
    assert_eq!(
        said,
        "1.90 statements of other sessions on average run for a second or more at 8 clients, most of them SELECT \
         (\"Sending data\") for up to 4 s"
    );
    evidence("long_statements", beside(40.0, 1.9), beside(1_400.0, 1.9));
}

#[test]
fn temporary_tables_on_disk_are_told_per_transaction() {
    let of =
        |tables: f64| MeasuredWindow { costs: [("tmp_disk_tables".to_owned(), tables)].into(), ..cell() };
    let said = evidence("tmp_disk_tables", of(1.0), of(0.01));
    assert_eq!(said, "1.00 temporary tables on disk per transaction at 8 clients, tmp_table_size = 16 MiB");
    // MySQL's TempTable engine counts those that exceed their memory.
    let mut seen = healthy(Flavour::Mysql);
    seen.status.extend(pairs(
        "uptime=30; count_hit_tmp_table_size=24000; innodb_os_log_written=0; innodb_deadlocks=0",
    ));
    let found = found(&seen, &of(0.01));
    assert_eq!(ids(&found), ["tmp_disk_tables"]);
    assert_eq!(
        found[0].1,
        "1.00 temporary tables per transaction exceed tmp_table_size = 16 MiB at 8 clients"
    );
}

#[test]
fn a_thread_pool_with_fewer_groups_than_cpus_is_told() {
    let idle = Machine { is_servers: true, cpu_idle: 0.62, ..Machine::default() };
    let slow = MeasuredWindow { machine: Some(idle), ..with_parts(&[("unattributed", 9.0, None)]) };
    let pool = |groups: u32| format!("thread_handling=pool-of-threads; thread_pool_size={groups}");
    let said = found_with(&pool(2), &slow);
    assert_eq!(ids(&said), ["thread_pool_groups", "unattributed_time"]);
    assert_eq!(said[0].1, "thread_pool_size = 2, CPUs: 8, 62 % of the CPU time idle at 8 clients");
    assert!(!ids(&found_with(&pool(8), &slow)).contains(&"thread_pool_groups"));
    // A group is enough where all the time is spent on CPUs.
    let on_cpu = with_parts(&[("cpu", 6.0, None), ("cpu_wait", 3.0, None)]);
    assert!(!ids(&found_with(&pool(2), &on_cpu)).contains(&"thread_pool_groups"));
}

#[test]
fn a_disk_that_others_write_to_is_told() {
    let written = |mib_per_s: f64| {
        let machine = Machine {
            is_servers: true,
            disk_written_bytes_per_s: mib_per_s * f64::from(1 << 20),
            disk_busy: Some(0.98),
            disk_write_ms: Some(41.0),
            ..Machine::default()
        };
        // 800 transactions a second: 3 MiB/s, and a flush each.
        let costs = [("disk_written".to_owned(), 3932.16), ("fsyncs".to_owned(), 1.0)].into();
        MeasuredWindow { machine: Some(machine), costs, ..with_parts(&[("commit_wait", 4.0, None)]) }
    };
    let said = evidence("disk_shared", written(228.0), written(30.0));
    assert_eq!(
        said,
        "other processes write 200 MiB per second to disk, the server 3 MiB at 8 clients; the disk is busy 98 % of the time; \
         a write takes 41.0 ms"
    );
}

#[test]
fn a_part_that_is_most_of_the_time_or_of_a_difference_is_a_finding() {
    let of = |id: &'static str, ms: f64, excess| {
        found_with("", &with_parts(&[("cpu", 0.5, None), (id, ms, excess)]))
    };
    for (id, rule) in [
        ("commit_wait", "commit_wait_time"),
        ("data_io", "data_io_time"),
        ("replication", "replication_time"),
        ("cpu_wait", "cpu_wait_time"),
        ("unattributed", "unattributed_time"),
        ("client", "generator_time"),
    ] {
        assert_eq!(ids(&of(id, 6.0, None)), [rule]);
        assert_eq!(ids(&of(id, 2.0, Some(1.5))), [rule], "it carries a difference");
        assert_eq!(of(id, 2.0, None), [], "{id} is little");
        assert_eq!(part_of(rule), Some(id));
    }
    let said = of("cpu_wait", 6.0, Some(5.0));
    assert_eq!(
        said[0].1,
        "cpu_wait: 6.00 of 10.0 ms of a transaction (60 %) at 8 clients, 5.00 ms more than on plain"
    );
}

#[test]
fn every_rule_about_a_part_is_a_rule() {
    for id in listed().map(|rule| rule.id).filter(|id| id.ends_with("_time")) {
        assert!(part_of(id).is_some(), "{id}");
    }
    let known: Vec<&str> = listed().map(|rule| rule.id).collect();
    assert!(parts::rules_about_parts().all(|id| known.contains(&id)));
}

#[test]
fn unattributed_time_is_told_with_the_wait_that_took_most() {
    let wait = |event: &str, ms| WaitEvent { event: event.to_owned(), ms_per_transaction: ms };
    let waits = vec![wait("wait/io/table/sql/handler", 9.0), wait("wait/synch/rwlock/innodb/trx_sys", 4.5)];
    let machine = Machine { is_servers: true, cpu_idle: 0.4, ..Machine::default() };
    let parts = with_parts(&[("cpu", 1.0, None), ("unattributed", 8.0, Some(7.0))]);
    let said = found_with("", &MeasuredWindow { waits, machine: Some(machine), ..parts });
    assert_eq!(
        said[0].1,
        "unattributed: 8.00 of 10.0 ms of a transaction (80 %) at 8 clients, 7.00 ms more than on plain; 40 % of the CPU time idle; \
         most waited for: wait/synch/rwlock/innodb/trx_sys, 4.50 ms"
    );
}
