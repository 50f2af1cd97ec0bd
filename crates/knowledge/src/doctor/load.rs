//! Rules about what shapes a measured curve: rotations, table cache, logging, isolation, limits, threads.

use model::Flavour;

use super::Examined;
use super::finding::{Check, Found, RecommendationSeverity};
use messages::{Words, message};

const MIB: u64 = 1 << 20;
/// From so many clients on a thread pool is worth a trial.
const MANY_CLIENTS: u64 = 256;
/// Binary log files smaller than this are rotated often enough to be seen in a p99.
const SMALL_BINLOG: u64 = 512 * MIB;
/// Far fewer open tables than any default since MySQL 5.6 (2000).
const FEW_TABLES: u64 = 400;
/// MySQL's default since 8.0, and what is tried where nothing says how many are needed.
const USUAL_TABLES: u64 = 4000;
/// Threads for clients that come and go: MariaDB's default.
const THREAD_CACHE: u64 = 256;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("max_binlog_size", |p| {
        let size = p.number("max_binlog_size").filter(|_| p.is_on("log_bin"))?;
        let small = size < SMALL_BINLOG;
        let written = p.rate("binlog_bytes_written").filter(|rate| *rate > 0.0);
        let evidence = message!(
            "doctor-max-binlog-size",
            size = Bytes(size),
            seconds = Whole?(written.map(|rate| size as f64 / rate)),
            since = Message(p.over_what())
        );
        small.then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
    ("table_open_cache", table_open_cache),
    ("print_all_deadlocks", |p| {
        let evidence = message!(
            "doctor-deadlocks-printed",
            setting = Text(p.say("innodb_print_all_deadlocks")),
            deadlocks = Count?(p.status("innodb_deadlocks")),
            since = Message(p.over_what())
        );
        p.is_on("innodb_print_all_deadlocks")
            .then(|| Found::new(RecommendationSeverity::Medium, evidence))
            .flatten()
    }),
    ("isolation", |p| {
        let name = ["transaction_isolation", "tx_isolation"].into_iter().find(|n| p.text(n).is_some())?;
        let unusual = ["SERIALIZABLE", "READ-UNCOMMITTED"].contains(&p.text(name)?);
        let found = Found::new(RecommendationSeverity::Medium, p.say(name))?;
        // The line of my.cnf has the newer name in every version.
        unusual.then(|| found.with([("transaction_isolation", "REPEATABLE-READ".to_owned())]))
    }),
    ("general_log", |p| {
        p.is_on("general_log")
            .then(|| Found::new(RecommendationSeverity::Medium, p.say("general_log")))
            .flatten()
    }),
    ("max_connections", |p| {
        let (most, used) = (p.number("max_connections")?, p.status("max_used_connections")?);
        let refused = p.status("connection_errors_max_connections").unwrap_or_default();
        let tight = refused > 0 || used as f64 > 0.85 * most as f64;
        let evidence = message!(
            "doctor-max-connections",
            most = Count(most),
            used = Count(used),
            refused = Count(refused)
        );
        tight.then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
    ("prepared_statements", |p| {
        let (most, open) = (p.number("max_prepared_stmt_count")?, p.status("prepared_stmt_count")?);
        let tight = open as f64 > 0.8 * most as f64;
        let evidence = message!("doctor-prepared-statements", most = Count(most), open = Count(open));
        tight.then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
    ("thread_pool", |p| {
        let planned = p.planned.map(|planned| planned.clients).unwrap_or_default();
        let running = p.status("threads_running").unwrap_or_default();
        if pooled(p) || planned.max(running) < MANY_CLIENTS {
            return None;
        }
        let evidence = match planned >= running {
            true => message!(
                "doctor-planned-clients",
                handling = Text(p.say("thread_handling")),
                clients = Count(planned)
            ),
            false => {
                message!(
                    "doctor-running-threads",
                    handling = Text(p.say("thread_handling")),
                    clients = Count(running)
                )
            }
        };
        let found = Found::new(RecommendationSeverity::Low, evidence)?;
        // MySQL's own is a plugin of the Enterprise edition.
        let pool =
            (p.seen.flavour == Flavour::Mariadb).then(|| ("thread_handling", "pool-of-threads".to_owned()));
        Some(found.with(pool))
    }),
    ("thread_concurrency", |p| {
        let limit = p.number("innodb_thread_concurrency").filter(|limit| *limit > 0)?;
        let few = p.host.is_some_and(|host| limit < u64::from(host.cpus));
        let severity = if few { RecommendationSeverity::Medium } else { RecommendationSeverity::Low };
        Found::new(severity, p.say("innodb_thread_concurrency"))
    }),
    ("spinning", |p| {
        let delay = if p.seen.flavour == Flavour::Mysql { 6 } else { 4 };
        let usual = [
            ("innodb_sync_spin_loops", 30),
            ("innodb_spin_wait_delay", delay),
            ("innodb_spin_wait_pause_multiplier", 50),
        ];
        let is_changed = |(name, usual): &(&str, u64)| p.number(name).is_some_and(|value| value != *usual);
        let changed: Vec<(&str, u64)> = usual.into_iter().filter(is_changed).collect();
        if changed.is_empty() {
            return None;
        }
        let said = changed.iter().map(|(name, usual)| {
            message!("doctor-not-default", said = Text(p.say(name)), usual = Text(usual.to_string()))
        });
        let found = Found::new(RecommendationSeverity::Low, Words::parts(said.collect::<Vec<_>>()))?;
        Some(found.with(changed.into_iter().map(|(name, usual)| (name, usual.to_string()))))
    }),
    ("performance_schema_off", |p| {
        p.is_off("performance_schema")
            .then(|| Found::new(RecommendationSeverity::Low, p.say("performance_schema")))
            .flatten()
    }),
    ("performance_schema_on", |p| {
        p.is_on("performance_schema")
            .then(|| Found::new(RecommendationSeverity::Low, p.say("performance_schema")))
            .flatten()
    }),
    ("thread_cache", |p| {
        let (made, all) = (p.status("threads_created")?, p.status("connections")?);
        let often = !pooled(p) && made > 1000 && made as f64 > 0.2 * all as f64;
        let evidence = message!(
            "doctor-thread-cache",
            cache = Text(p.say("thread_cache_size")),
            made = Count(made),
            all = Count(all)
        );
        let found = Found::new(RecommendationSeverity::Low, evidence)?;
        often.then(|| found.with([("thread_cache_size", THREAD_CACHE.to_string())]))
    }),
    ("open_files_limit", |p| {
        let limit = p.number("open_files_limit").filter(|limit| *limit > 0)?;
        let open = p.status("open_files").unwrap_or_default()
            + p.status("innodb_num_open_files").unwrap_or_default();
        let connected = p.status("threads_connected").unwrap_or_default();
        let tight = (open + connected) as f64 > 0.85 * limit as f64;
        let evidence = message!("doctor-open-files", limit = Count(limit), open = Count(open + connected));
        tight.then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
    ("query_cache", |p| {
        let used = !p.is_off("query_cache_type") && p.number("query_cache_size")? > 0;
        let evidence = format!("{}, {}", p.say("query_cache_type"), p.say("query_cache_size"));
        used.then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
    ("deadlock_detect", |p| {
        let off = p.is_off("innodb_deadlock_detect") && p.number("innodb_lock_wait_timeout")? > 5;
        let evidence = format!("{}, {}", p.say("innodb_deadlock_detect"), p.say("innodb_lock_wait_timeout"));
        off.then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
];

/// True if it serves its connections with a thread pool.
pub(super) fn pooled(p: &Examined<'_>) -> bool {
    p.text("thread_handling").is_some_and(|value| value == "pool-of-threads" || value == "loaded-dynamically")
}

fn table_open_cache(p: &Examined<'_>) -> Option<Found> {
    let cache = p.number("table_open_cache")?;
    let wanted = p.planned.map(|planned| planned.clients * planned.tables).unwrap_or_default();
    if wanted > cache {
        let size = (wanted + wanted / 20).next_multiple_of(100);
        let found = Found::so(
            RecommendationSeverity::Medium,
            message!("doctor-planned-tables", cache = Count(cache), wanted = Count(wanted)),
            message!("doctor-table-cache-action", size = Text(size.to_string())),
        )?;
        return Some(found.with([("table_open_cache", size.to_string())]));
    }
    let larger = |evidence: Words| {
        let found = Found::new(RecommendationSeverity::Medium, evidence)?;
        Some(found.with([("table_open_cache", USUAL_TABLES.max(2 * cache).to_string())]))
    };
    let opened = p.rate("opened_tables").unwrap_or_default();
    let misses = p.status("table_open_cache_misses").unwrap_or_default();
    let hits = p.status("table_open_cache_hits").unwrap_or_default();
    let overflows = p.status("table_open_cache_overflows").unwrap_or_default();
    let missed = misses as f64 / (hits + misses).max(1) as f64;
    let busy = overflows > 1000 && missed > 0.01;
    if busy || (opened > 2.0 && overflows > 0) {
        let evidence = message!(
            "doctor-table-cache-misses",
            cache = Count(cache),
            opened = Tenths(opened),
            missed = Percent(missed)
        );
        return larger(evidence);
    }
    (cache < FEW_TABLES).then(|| larger(message!("doctor-table-cache-small", cache = Count(cache)))).flatten()
}
