//! Rules about what statements wait for and how they run: locks, history, scans. They read counters since the start.

use super::{Found, Manual, Only, Rule, Severity};
use crate::text::{count, figure, percent};

/// A transaction that is open for longer keeps old versions of rows from being removed.
const LONG_TRANSACTION_S: u64 = 600;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "old_transaction",
        only: Only::Both,
        manual: Manual::Status("Innodb_history_list_length"),
        why: "every version of a row since then is kept, and readers step over all of them",
        action: "find it in information_schema.innodb_trx, and end it",
        cost: "its work is rolled back",
        check: |p| {
            let age = p.seen.oldest_transaction_s.filter(|age| *age >= LONG_TRANSACTION_S)?;
            Found::new(Severity::Medium, format!("a transaction is open for {} s", count(age)))
        },
    },
    Rule {
        id: "history_list",
        only: Only::Both,
        manual: Manual::Innodb("innodb_purge_threads"),
        why: "purge does not keep up: readers step over old versions, the undo log grows, throughput decays over hours",
        action: "end old transactions; innodb_purge_threads = 4 or more; fewer clients",
        cost: "purge takes CPU and disk from the clients",
        check: |p| {
            let length = p.status("innodb_history_list_length").filter(|length| *length > 100_000)?;
            Found::new(Severity::Medium, format!("history list length {}", count(length)))
        },
    },
    Rule {
        id: "row_lock_waits",
        only: Only::Both,
        manual: Manual::Status("Innodb_row_lock_time"),
        why: "clients wait for each other's rows: more clients bring more waiting",
        action: "shorten transactions, touch hot rows last, in one order; look at sys.innodb_lock_waits",
        cost: "work on the application",
        check: |p| {
            // Milliseconds of waiting per second, of all clients together.
            let waiting = p.rate("innodb_row_lock_time").filter(|waiting| *waiting > 200.0)?;
            let (waits, mean) = (p.status("innodb_row_lock_waits")?, p.status("innodb_row_lock_time_avg")?);
            Found::new(
                Severity::Medium,
                format!(
                    "{} row lock waits of {mean} ms in the mean: {} clients wait at any time",
                    count(waits),
                    figure(waiting / 1000.0)
                ),
            )
        },
    },
    Rule {
        id: "deadlocks",
        only: Only::Both,
        manual: Manual::Innodb("innodb_deadlock_detect"),
        why: "each rolls a transaction back, which has to be done again",
        action: "lock rows in one order; shorter transactions; READ-COMMITTED locks fewer gaps",
        cost: "work on the application",
        check: |p| {
            let each_minute =
                p.rate("innodb_deadlocks").map(|rate| rate * 60.0).filter(|rate| *rate > 1.0)?;
            let all = p.status("innodb_deadlocks")?;
            Found::new(
                Severity::Medium,
                format!("{} deadlocks, {} a minute", count(all), figure(each_minute)),
            )
        },
    },
    Rule {
        id: "table_locks",
        only: Only::Both,
        manual: Manual::Status("Table_locks_waited"),
        why: "statements wait for whole tables: MyISAM, LOCK TABLES, or changes of structure",
        action: "find the tables that are not in InnoDB; run ALTER TABLE at quiet times",
        cost: "a conversion copies the table",
        check: |p| {
            let (waited, at_once) = (p.status("table_locks_waited")?, p.status("table_locks_immediate")?);
            let share = waited as f64 / (waited + at_once).max(1) as f64;
            let evidence = format!("{} of table locks waited", percent(share));
            (waited > 1000 && share > 0.01).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "full_joins",
        only: Only::Both,
        manual: Manual::Status("Select_full_join"),
        why: "tables are joined without an index: the work grows with the product of their sizes",
        action: "find the statements (sys.statements_with_full_table_scans) and index the columns they join on",
        cost: "an index is kept with every write",
        check: |p| {
            let joins = p.status("select_full_join")?;
            let rate = p.rate("select_full_join")?;
            let evidence = format!("{} joins without an index, {} a second", count(joins), figure(rate));
            (joins > 1000 && rate > 0.5).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "scans",
        only: Only::Both,
        manual: Manual::Status("Handler_read_rnd_next"),
        why: "rows are found by reading whole tables: an index is missing, or is not used",
        action: "find the statements by rows examined (digests, slow query log), and look at their plans",
        cost: "an index is kept with every write",
        check: |p| {
            let scanned = p.status("handler_read_rnd_next")?;
            let by_key = p.status("handler_read_key")? + p.status("handler_read_next")?;
            let share = scanned as f64 / (scanned + by_key).max(1) as f64;
            let rate = p.rate("handler_read_rnd_next")?;
            let evidence =
                format!("{} of rows were read by scanning tables, {} a second", percent(share), figure(rate));
            (share > 0.5 && rate > 10_000.0).then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "sorts_on_disk",
        only: Only::Both,
        manual: Manual::Status("Sort_merge_passes"),
        why: "sorts do not fit their buffer and go through files",
        action: "an index in the order wanted; else a larger sort_buffer_size in the sessions concerned",
        cost: "memory of each session that sorts",
        check: |p| {
            let rate = p.rate("sort_merge_passes").filter(|rate| *rate > 1.0)?;
            Found::new(
                Severity::Low,
                format!("{} merge passes a second, {}", figure(rate), p.say("sort_buffer_size")),
            )
        },
    },
    Rule {
        id: "autocommit",
        only: Only::Both,
        manual: Manual::Server("autocommit"),
        why: "clients that do not know leave transactions open: locks and old versions stay",
        action: "SET GLOBAL autocommit = ON;",
        cost: "applications that rely on it have to begin their transactions",
        check: |p| {
            p.is_off("autocommit").then(|| Found::new(Severity::Medium, p.say("autocommit"))).flatten()
        },
    },
    Rule {
        id: "aborted_connects",
        only: Only::Both,
        manual: Manual::Status("Aborted_connects"),
        why: "connections fail before they are used: wrong passwords, time-outs, scans, or a full listen queue",
        action: "look into the error log with log_error_verbosity = 3 (MariaDB: log_warnings = 2)",
        cost: "a longer log",
        check: |p| {
            let (failed, all) = (p.status("aborted_connects")?, p.status("connections")?);
            let evidence = format!("{} of {} connections failed", count(failed), count(all));
            (failed >= 20 && failed as f64 > 0.05 * all as f64)
                .then(|| Found::new(Severity::Low, evidence))
                .flatten()
        },
    },
    Rule {
        id: "slow_query_log",
        only: Only::Both,
        manual: Manual::Server("slow_query_log"),
        why: "there is no record of which statements were slow",
        action: "SET GLOBAL slow_query_log = ON, GLOBAL long_query_time = 1;",
        cost: "a write for each slow statement; with long_query_time = 0 it changes what is measured",
        check: |p| {
            p.is_off("slow_query_log").then(|| Found::new(Severity::Low, p.say("slow_query_log"))).flatten()
        },
    },
    Rule {
        id: "slow_query_log_full",
        only: Only::Both,
        manual: Manual::Server("long_query_time"),
        why: "nearly every statement is written to the slow query log, which slows all of them",
        action: "SET GLOBAL long_query_time = 1;  while measuring",
        cost: "short statements are no longer on record",
        check: |p| {
            let limit = p.text("long_query_time")?.parse::<f64>().ok()?;
            let evidence = format!("{}, {}", p.say("slow_query_log"), p.say("long_query_time"));
            (p.is_on("slow_query_log") && limit < 0.01)
                .then(|| Found::new(Severity::Medium, evidence))
                .flatten()
        },
    },
    Rule {
        id: "events",
        only: Only::Both,
        manual: Manual::Server("event_scheduler"),
        why: "they work while you measure, on a clock of their own",
        action: "SET GLOBAL event_scheduler = OFF;  while measuring",
        cost: "what they do is not done",
        check: |p| {
            let events = p.seen.events.filter(|events| *events > 0 && p.is_on("event_scheduler"))?;
            Found::new(Severity::Low, format!("event_scheduler = ON, enabled events: {}", count(events)))
        },
    },
];
