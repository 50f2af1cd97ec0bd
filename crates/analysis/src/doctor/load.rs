//! Rules about what shapes a measured curve: rotations, table cache, logging, isolation, limits, threads.

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};
use crate::text::{bytes, count, percent};

const MIB: u64 = 1 << 20;
/// From so many clients on a thread pool is worth a trial.
const MANY_CLIENTS: u64 = 256;
/// Binary log files smaller than this are rotated often enough to be seen in a p99.
const SMALL_BINLOG: u64 = 512 * MIB;
/// Far fewer open tables than any default since MySQL 5.6 (2000).
const FEW_TABLES: u64 = 400;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "max_binlog_size",
        only: Only::Both,
        manual: Manual::Binlog("max_binlog_size"),
        why: "at each rotation all commits wait for the new file: small files show as jitter in throughput and p99",
        action: "SET GLOBAL max_binlog_size = 1073741824;  (and in my.cnf)",
        cost: "old files are purged in larger pieces",
        check: |p| {
            let size = p.number("max_binlog_size").filter(|_| p.is_on("log_bin"))?;
            let small = size < SMALL_BINLOG;
            let written = p.rate("binlog_bytes_written").filter(|rate| *rate > 0.0);
            let often = written.map_or(String::new(), |rate| {
                format!(", a rotation every {:.0} s at the mean rate {}", size as f64 / rate, p.over_what())
            });
            small
                .then(|| Found::new(Severity::Medium, format!("max_binlog_size = {}{often}", bytes(size))))
                .flatten()
        },
    },
    Rule {
        id: "table_open_cache",
        only: Only::Both,
        manual: Manual::Server("table_open_cache"),
        why: "every client needs an entry for each table it uses; beyond the cache tables are closed and opened again \
              under load, behind a lock",
        action: "raise table_open_cache to tables x clients, and open_files_limit with it",
        cost: "some 10 KiB of memory and up to one file handle per entry",
        check: table_open_cache,
    },
    Rule {
        id: "print_all_deadlocks",
        only: Only::Both,
        manual: Manual::Innodb("innodb_print_all_deadlocks"),
        why: "each deadlock is written to the error log while locks are held: under contention the log, not the server, \
              is measured",
        action: "SET GLOBAL innodb_print_all_deadlocks = OFF;  while measuring",
        cost: "deadlocks leave only a counter and the latest one in SHOW ENGINE INNODB STATUS",
        check: |p| {
            let seen = p
                .status("innodb_deadlocks")
                .map_or(String::new(), |n| format!(", {} deadlocks {}", count(n), p.over_what()));
            let evidence = format!("{}{seen}", p.say("innodb_print_all_deadlocks"));
            p.is_on("innodb_print_all_deadlocks").then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "isolation",
        only: Only::Both,
        manual: Manual::Server("transaction_isolation"),
        why: "SERIALIZABLE locks what it reads and collapses on hot keys; READ-UNCOMMITTED returns rows that may never \
              have been",
        action: "SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ;  or READ COMMITTED",
        cost: "an application that relies on it has to be looked at first",
        check: |p| {
            let name = ["transaction_isolation", "tx_isolation"].into_iter().find(|n| p.text(n).is_some())?;
            let unusual = ["SERIALIZABLE", "READ-UNCOMMITTED"].contains(&p.text(name)?);
            unusual.then(|| Found::new(Severity::Medium, p.say(name))).flatten()
        },
    },
    Rule {
        id: "general_log",
        only: Only::Both,
        manual: Manual::Server("general_log"),
        why: "every statement is written to a log, behind one lock",
        action: "SET GLOBAL general_log = OFF;",
        cost: "statements are no longer on record; the slow query log and digests do that for less",
        check: |p| {
            p.is_on("general_log").then(|| Found::new(Severity::Medium, p.say("general_log"))).flatten()
        },
    },
    Rule {
        id: "max_connections",
        only: Only::Both,
        manual: Manual::Server("max_connections"),
        why: "beyond it clients are refused with error 1040",
        action: "raise max_connections, or use a pool in the application",
        cost: "memory per connection: look at the buffers per session first",
        check: |p| {
            let (most, used) = (p.number("max_connections")?, p.status("max_used_connections")?);
            let refused = p.status("connection_errors_max_connections").unwrap_or_default();
            let evidence = format!(
                "max_connections = {}, most used {}, refused {}",
                count(most),
                count(used),
                count(refused)
            );
            let tight = refused > 0 || used as f64 > 0.85 * most as f64;
            tight.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "prepared_statements",
        only: Only::Both,
        manual: Manual::Server("max_prepared_stmt_count"),
        why: "beyond it preparing fails with error 1461",
        action: "raise max_prepared_stmt_count; or close statements that are no longer used",
        cost: "memory for each statement that is open",
        check: |p| {
            let (most, open) = (p.number("max_prepared_stmt_count")?, p.status("prepared_stmt_count")?);
            let tight = open as f64 > 0.8 * most as f64;
            let evidence = format!("max_prepared_stmt_count = {}, open now {}", count(most), count(open));
            tight.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "thread_pool",
        only: Only::Both,
        manual: Manual::ThreadPool,
        why: "with one thread per connection, hundreds of active clients spend the CPUs on switching and on each \
              other's locks",
        action: "try a thread pool (MariaDB: thread_handling = pool-of-threads; MySQL: the thread_pool plugin) and \
                 measure both",
        cost: "a little latency at few clients; a restart",
        check: |p| {
            let planned = p.planned.map(|planned| planned.clients).unwrap_or_default();
            let running = p.status("threads_running").unwrap_or_default();
            if pooled(p) || planned.max(running) < MANY_CLIENTS {
                return None;
            }
            let what = if planned >= running { "planned clients" } else { "threads running now" };
            let evidence = format!("{}, {what}: {}", p.say("thread_handling"), count(planned.max(running)));
            Found::new(Severity::Low, evidence)
        },
    },
    Rule {
        id: "thread_concurrency",
        only: Only::Both,
        manual: Manual::Innodb("innodb_thread_concurrency"),
        why: "only so many threads are inside InnoDB at a time; the others wait outside, also while CPUs are idle",
        action: "SET GLOBAL innodb_thread_concurrency = 0;  unless a measurement says otherwise",
        cost: "under very many clients more contention inside InnoDB",
        check: |p| {
            let limit = p.number("innodb_thread_concurrency").filter(|limit| *limit > 0)?;
            let few = p.host.is_some_and(|host| limit < u64::from(host.cpus));
            let severity = if few { Severity::Medium } else { Severity::Low };
            Found::new(severity, p.say("innodb_thread_concurrency"))
        },
    },
    Rule {
        id: "spinning",
        only: Only::Both,
        manual: Manual::Innodb("innodb_spin_wait_delay"),
        why: "how long a thread spins before it sleeps moves the point where a curve bends; compare only servers that \
              have the same",
        action: "set them to their defaults, unless a measurement on this machine chose them",
        cost: "none",
        check: |p| {
            let delay = if p.seen.flavour == model::Flavour::Mysql { 6 } else { 4 };
            let usual = [
                ("innodb_sync_spin_loops", 30),
                ("innodb_spin_wait_delay", delay),
                ("innodb_spin_wait_pause_multiplier", 50),
            ];
            let changed: Vec<String> = usual
                .into_iter()
                .filter(|(name, usual)| p.number(name).is_some_and(|value| value != *usual))
                .map(|(name, usual)| format!("{} (default {usual})", p.say(name)))
                .collect();
            (!changed.is_empty()).then(|| Found::new(Severity::Low, changed.join(", "))).flatten()
        },
    },
    Rule {
        id: "performance_schema_off",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::PerformanceSchema,
        why: "nobody can see what the server waits for, nor which statements cost the most",
        action: "performance_schema = ON in my.cnf, and restart",
        cost: "a few percent of throughput; some hundred MiB of memory",
        check: |p| {
            p.is_off("performance_schema")
                .then(|| Found::new(Severity::Low, p.say("performance_schema")))
                .flatten()
        },
    },
    Rule {
        id: "performance_schema_on",
        only: Only::Mariadb(FIRST, LAST),
        manual: Manual::PerformanceSchema,
        why: "it is off by default in MariaDB and costs a few percent: both servers of a comparison should have the same",
        action: "performance_schema = OFF in my.cnf if nobody reads it, and restart",
        cost: "nobody sees what the server waits for",
        check: |p| {
            p.is_on("performance_schema")
                .then(|| Found::new(Severity::Low, p.say("performance_schema")))
                .flatten()
        },
    },
    Rule {
        id: "thread_cache",
        only: Only::Both,
        manual: Manual::Server("thread_cache_size"),
        why: "a thread is made for most new connections, which costs each of them time",
        action: "raise thread_cache_size to the connections that come and go",
        cost: "memory of the threads that are kept",
        check: |p| {
            let (made, all) = (p.status("threads_created")?, p.status("connections")?);
            let often = !pooled(p) && made > 1000 && made as f64 > 0.2 * all as f64;
            let evidence = format!(
                "{}, threads made for {} of {} connections",
                p.say("thread_cache_size"),
                count(made),
                count(all)
            );
            often.then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "open_files_limit",
        only: Only::Both,
        manual: Manual::Server("open_files_limit"),
        why: "at the limit tables and connections fail with error 24",
        action: "raise open_files_limit, LimitNOFILE= of the service with it, and restart",
        cost: "none",
        check: |p| {
            let limit = p.number("open_files_limit").filter(|limit| *limit > 0)?;
            let open = p.status("open_files").unwrap_or_default()
                + p.status("innodb_num_open_files").unwrap_or_default();
            let connected = p.status("threads_connected").unwrap_or_default();
            let tight = (open + connected) as f64 > 0.85 * limit as f64;
            let evidence = format!(
                "open_files_limit = {}, files and connections open {}",
                count(limit),
                count(open + connected)
            );
            tight.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "query_cache",
        only: Only::Both,
        manual: Manual::Server("query_cache_type"),
        why: "its one lock is taken by every read and every write: more clients, less throughput; and repeated \
              statements measure the cache",
        action: "SET GLOBAL query_cache_type = OFF;  and query_cache_size = 0",
        cost: "identical reads of tables that hardly change become slower",
        check: |p| {
            let used = !p.is_off("query_cache_type") && p.number("query_cache_size")? > 0;
            let evidence = format!("{}, {}", p.say("query_cache_type"), p.say("query_cache_size"));
            used.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "deadlock_detect",
        only: Only::Both,
        manual: Manual::Innodb("innodb_deadlock_detect"),
        why: "deadlocks end only when a lock wait times out",
        action: "SET GLOBAL innodb_deadlock_detect = ON;  or innodb_lock_wait_timeout of a second or two",
        cost: "with hundreds of clients on one row the search for deadlocks costs CPU",
        check: |p| {
            let off = p.is_off("innodb_deadlock_detect") && p.number("innodb_lock_wait_timeout")? > 5;
            let evidence =
                format!("{}, {}", p.say("innodb_deadlock_detect"), p.say("innodb_lock_wait_timeout"));
            off.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
];

fn pooled(p: &Patient<'_>) -> bool {
    p.text("thread_handling").is_some_and(|value| value == "pool-of-threads" || value == "loaded-dynamically")
}

fn table_open_cache(p: &Patient<'_>) -> Option<Found> {
    let cache = p.number("table_open_cache")?;
    let wanted = p.planned.map(|planned| planned.clients * planned.tables).unwrap_or_default();
    if wanted > cache {
        return Found::so(
            Severity::Medium,
            format!("table_open_cache = {}, planned clients x tables: {}", count(cache), count(wanted)),
            format!(
                "SET GLOBAL table_open_cache = {};  (and in my.cnf)",
                (wanted + wanted / 20).next_multiple_of(100)
            ),
        );
    }
    let opened = p.rate("opened_tables").unwrap_or_default();
    let misses = p.status("table_open_cache_misses").unwrap_or_default();
    let hits = p.status("table_open_cache_hits").unwrap_or_default();
    let overflows = p.status("table_open_cache_overflows").unwrap_or_default();
    let missed = misses as f64 / (hits + misses).max(1) as f64;
    let busy = overflows > 1000 && missed > 0.01;
    if busy || (opened > 2.0 && overflows > 0) {
        let evidence = format!(
            "table_open_cache = {}, {:.1} tables opened per second, {} of lookups missed",
            count(cache),
            opened,
            percent(missed)
        );
        return Found::new(Severity::Medium, evidence);
    }
    (cache < FEW_TABLES)
        .then(|| {
            Found::new(
                Severity::Medium,
                format!("table_open_cache = {} (default 2,000 and more)", count(cache)),
            )
        })
        .flatten()
}
