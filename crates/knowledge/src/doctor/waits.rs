//! Rules about what statements wait for and how they run: locks, history, scans. They read counters since the start.

use messages::message;

use super::finding::{Check, Found, RecommendationSeverity};

/// A transaction that is open for longer keeps old versions of rows from being removed.
const LONG_TRANSACTION_S: u64 = 600;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("old_transaction", |p| {
        let age = p.seen.oldest_transaction_s.filter(|age| *age >= LONG_TRANSACTION_S)?;
        let said = message!("doctor-old-transaction", age = Count(age));
        Found::new(RecommendationSeverity::Medium, said)
    }),
    ("history_list", |p| {
        let length = p.status("innodb_history_list_length").filter(|length| *length > 100_000)?;
        let said = message!("doctor-history-list", length = Count(length));
        Found::new(RecommendationSeverity::Medium, said)
    }),
    ("row_lock_waits", |p| {
        // Milliseconds of waiting per second, of all clients together.
        let waiting = p.rate("innodb_row_lock_time").filter(|waiting| *waiting > 200.0)?;
        let (waits, mean) = (p.status("innodb_row_lock_waits")?, p.status("innodb_row_lock_time_avg")?);
        let said = message!(
            "doctor-row-lock-waits",
            waits = Count(waits),
            mean = Count(mean),
            clients = Figure(waiting / 1000.0)
        );
        Found::new(RecommendationSeverity::Medium, said)
    }),
    ("deadlocks", |p| {
        let each_minute = p.rate("innodb_deadlocks").map(|rate| rate * 60.0).filter(|rate| *rate > 1.0)?;
        let all = p.status("innodb_deadlocks")?;
        let said = message!("doctor-deadlocks", all = Count(all), each_minute = Figure(each_minute));
        Found::new(RecommendationSeverity::Medium, said)
    }),
    ("table_locks", |p| {
        let (waited, at_once) = (p.status("table_locks_waited")?, p.status("table_locks_immediate")?);
        let share = waited as f64 / (waited + at_once).max(1) as f64;
        let evidence = message!("doctor-table-locks", part = Percent(share));
        (waited > 1000 && share > 0.01)
            .then(|| Found::new(RecommendationSeverity::Medium, evidence))
            .flatten()
    }),
    ("full_joins", |p| {
        let joins = p.status("select_full_join")?;
        let rate = p.rate("select_full_join")?;
        let evidence = message!("doctor-full-joins", all = Count(joins), each = Figure(rate));
        (joins > 1000 && rate > 0.5).then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
    ("scans", |p| {
        let scanned = p.status("handler_read_rnd_next")?;
        let by_key = p.status("handler_read_key")? + p.status("handler_read_next")?;
        let share = scanned as f64 / (scanned + by_key).max(1) as f64;
        let rate = p.rate("handler_read_rnd_next")?;
        let evidence = message!("doctor-scans", part = Percent(share), each = Figure(rate));
        (share > 0.5 && rate > 10_000.0)
            .then(|| Found::new(RecommendationSeverity::Medium, evidence))
            .flatten()
    }),
    ("sorts_on_disk", |p| {
        let rate = p.rate("sort_merge_passes").filter(|rate| *rate > 1.0)?;
        let said =
            message!("doctor-sorts-on-disk", each = Figure(rate), size = Text(p.say("sort_buffer_size")));
        Found::new(RecommendationSeverity::Low, said)
    }),
    ("autocommit", |p| {
        p.is_off("autocommit")
            .then(|| Found::new(RecommendationSeverity::Medium, p.say("autocommit")))
            .flatten()
    }),
    ("aborted_connects", |p| {
        let (failed, all) = (p.status("aborted_connects")?, p.status("connections")?);
        let evidence = message!("doctor-aborted-connects", part = Count(failed), whole = Count(all));
        (failed >= 20 && failed as f64 > 0.05 * all as f64)
            .then(|| Found::new(RecommendationSeverity::Low, evidence))
            .flatten()
    }),
    ("slow_query_log", |p| {
        p.is_off("slow_query_log")
            .then(|| Found::new(RecommendationSeverity::Low, p.say("slow_query_log")))
            .flatten()
    }),
    ("slow_query_log_full", |p| {
        let limit = p.text("long_query_time")?.parse::<f64>().ok()?;
        let evidence = format!("{}, {}", p.say("slow_query_log"), p.say("long_query_time"));
        (p.is_on("slow_query_log") && limit < 0.01)
            .then(|| Found::new(RecommendationSeverity::Medium, evidence))
            .flatten()
    }),
    ("events", |p| {
        let events = p.seen.events.filter(|events| *events > 0 && p.is_on("event_scheduler"))?;
        let said = message!("doctor-events", events = Count(events));
        Found::new(RecommendationSeverity::Low, said)
    }),
];
