//! Rules about what shapes a measured curve: rotations, table cache, logging, isolation, limits, threads.

use super::{FIRST, Found, LAST, Manual, Only, Patient, Rule, Severity};
use crate::Words;
use crate::text::{bytes, count, percent};
use crate::words::words;

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
        why: (
            "every commit waits for the new file at a rotation: small files show as jitter in throughput \
             and p99",
            "每次切换 binlog 文件时所有提交都要等待：文件太小会使吞吐和 p99 抖动",
        ),
        action: (
            "SET GLOBAL max_binlog_size = 1073741824;  (and in my.cnf)",
            "SET GLOBAL max_binlog_size = 1073741824;（并写入 my.cnf）",
        ),
        cost: ("old files are purged in larger pieces", "旧文件按更大的块清理"),
        check: |p| {
            let size = p.number("max_binlog_size").filter(|_| p.is_on("log_bin"))?;
            let small = size < SMALL_BINLOG;
            let written = p.rate("binlog_bytes_written").filter(|rate| *rate > 0.0);
            let mut evidence = Words::from(format!("max_binlog_size = {}", bytes(size)));
            if let Some(rate) = written {
                let (seconds, (since, since_zh)) = (size as f64 / rate, p.over_what());
                evidence = evidence.and(&words!(
                    ", a rotation every {seconds:.0} s at the mean rate {since}",
                    "，按{since_zh}的平均速率每 {seconds:.0} 秒切换一次"
                ));
            }
            small.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "table_open_cache",
        only: Only::Both,
        manual: Manual::Server("table_open_cache"),
        why: (
            "every client needs an entry for each table it uses; beyond the cache, tables are closed and \
             reopened under load, behind a lock",
            "每个客户端用到的每张表都要占一个条目；超出缓存后，负载下表要反复关闭再打开，还要争同一把锁",
        ),
        action: (
            "raise table_open_cache to tables x clients, and open_files_limit with it",
            "把 table_open_cache 提高到 表数 × 客户端数，并相应提高 open_files_limit",
        ),
        cost: (
            "about 10 KiB of memory and up to one file handle per entry",
            "每个条目约占 10 KiB 内存，最多一个文件句柄",
        ),
        check: table_open_cache,
    },
    Rule {
        id: "print_all_deadlocks",
        only: Only::Both,
        manual: Manual::Innodb("innodb_print_all_deadlocks"),
        why: (
            "each deadlock is written to the error log while locks are held: under contention the \
             measurement is of the log, not of the server",
            "每次死锁都在持锁期间写错误日志：竞争激烈时测到的是写日志，而不是服务器",
        ),
        action: (
            "SET GLOBAL innodb_print_all_deadlocks = OFF;  while measuring",
            "测试期间 SET GLOBAL innodb_print_all_deadlocks = OFF;",
        ),
        cost: (
            "deadlocks leave only a counter and the latest one in SHOW ENGINE INNODB STATUS",
            "死锁只留下计数，以及 SHOW ENGINE INNODB STATUS 中最近的一次",
        ),
        check: |p| {
            let mut evidence = Words::from(p.say("innodb_print_all_deadlocks"));
            if let Some(n) = p.status("innodb_deadlocks").map(count) {
                let (since, since_zh) = p.over_what();
                evidence = evidence.and(&words!(", {n} deadlocks {since}", "，{since_zh}死锁 {n} 次"));
            }
            p.is_on("innodb_print_all_deadlocks").then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "isolation",
        only: Only::Both,
        manual: Manual::Server("transaction_isolation"),
        why: (
            "SERIALIZABLE locks every row it reads and collapses on hot keys; READ-UNCOMMITTED returns \
             rows that may never be committed",
            "SERIALIZABLE 对读到的每一行加锁，遇到热点会急剧变慢；READ-UNCOMMITTED 会读到可能永远不会提交\
             的行",
        ),
        action: (
            "SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ;  or READ COMMITTED",
            "SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ;，或 READ COMMITTED",
        ),
        cost: ("check first whether an application relies on it", "先确认应用是否依赖它"),
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
        why: ("every statement is written to a log, behind one lock", "每条语句都要写日志，并争同一把锁"),
        action: ("SET GLOBAL general_log = OFF;", "SET GLOBAL general_log = OFF;"),
        cost: (
            "statements are no longer recorded; the slow query log and digests do that for less",
            "不再记录每条语句；慢查询日志和语句摘要的代价更小",
        ),
        check: |p| {
            p.is_on("general_log").then(|| Found::new(Severity::Medium, p.say("general_log"))).flatten()
        },
    },
    Rule {
        id: "max_connections",
        only: Only::Both,
        manual: Manual::Server("max_connections"),
        why: ("beyond it, clients are refused with error 1040", "超出后客户端被拒绝，报错 1040"),
        action: (
            "raise max_connections, or use a pool in the application",
            "提高 max_connections，或在应用中使用连接池",
        ),
        cost: (
            "memory per connection: check the session buffers first",
            "每个连接都占内存：先检查会话级缓冲",
        ),
        check: |p| {
            let (most, used) = (p.number("max_connections")?, p.status("max_used_connections")?);
            let refused = p.status("connection_errors_max_connections").unwrap_or_default();
            let tight = refused > 0 || used as f64 > 0.85 * most as f64;
            let (most, used, refused) = (count(most), count(used), count(refused));
            let evidence = words!(
                "max_connections = {most}, most used {used}, refused {refused}",
                "max_connections = {most}，最多用到 {used}，拒绝 {refused} 次"
            );
            tight.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "prepared_statements",
        only: Only::Both,
        manual: Manual::Server("max_prepared_stmt_count"),
        why: ("beyond it, preparing a statement fails with error 1461", "超出后预处理语句失败，报错 1461"),
        action: (
            "raise max_prepared_stmt_count, or close statements that are no longer used",
            "提高 max_prepared_stmt_count，或关闭不再使用的语句",
        ),
        cost: ("memory for each open statement", "每条打开的语句都占内存"),
        check: |p| {
            let (most, open) = (p.number("max_prepared_stmt_count")?, p.status("prepared_stmt_count")?);
            let tight = open as f64 > 0.8 * most as f64;
            let (most, open) = (count(most), count(open));
            let evidence = words!(
                "max_prepared_stmt_count = {most}, open now {open}",
                "max_prepared_stmt_count = {most}，目前打开 {open}"
            );
            tight.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "thread_pool",
        only: Only::Both,
        manual: Manual::ThreadPool,
        why: (
            "with one thread per connection, hundreds of active clients spend CPU on context switches and \
             on each other's locks",
            "一连接一线程时，数百个活跃客户端把 CPU 耗在上下文切换和互相争锁上",
        ),
        action: (
            "try a thread pool (MariaDB: thread_handling = pool-of-threads; MySQL: the thread_pool \
             plugin) and measure both",
            "试用线程池（MariaDB：thread_handling = pool-of-threads；MySQL：thread_pool 插件），两种都实测",
        ),
        cost: ("a little latency at few clients; a restart", "客户端少时延迟略增；需要重启"),
        check: |p| {
            let planned = p.planned.map(|planned| planned.clients).unwrap_or_default();
            let running = p.status("threads_running").unwrap_or_default();
            if pooled(p) || planned.max(running) < MANY_CLIENTS {
                return None;
            }
            let (handling, clients) = (p.say("thread_handling"), count(planned.max(running)));
            let evidence = match planned >= running {
                true => words!("{handling}, planned clients: {clients}", "{handling}，计划客户端：{clients}"),
                false => {
                    words!(
                        "{handling}, threads running now: {clients}",
                        "{handling}，当前运行线程：{clients}"
                    )
                }
            };
            Found::new(Severity::Low, evidence)
        },
    },
    Rule {
        id: "thread_concurrency",
        only: Only::Both,
        manual: Manual::Innodb("innodb_thread_concurrency"),
        why: (
            "only that many threads run inside InnoDB at a time; the others wait outside, even while CPUs \
             are idle",
            "同一时刻只有这么多线程能进入 InnoDB；其余的在外面等，即使 CPU 空闲",
        ),
        action: (
            "SET GLOBAL innodb_thread_concurrency = 0;  unless a measurement says otherwise",
            "SET GLOBAL innodb_thread_concurrency = 0;，除非实测表明有限制更好",
        ),
        cost: ("more contention inside InnoDB with very many clients", "客户端极多时 InnoDB 内部竞争加剧"),
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
        why: (
            "how long a thread spins before it sleeps moves the point where a curve bends; compare only \
             servers with equal values",
            "线程休眠前自旋多久，会移动曲线的拐点；只应比较取值相同的服务器",
        ),
        action: (
            "set them to their defaults, unless a measurement on this machine chose them",
            "恢复默认值，除非是在本机实测后选定的",
        ),
        cost: ("none", "无"),
        check: |p| {
            let delay = if p.seen.flavour == model::Flavour::Mysql { 6 } else { 4 };
            let usual = [
                ("innodb_sync_spin_loops", 30),
                ("innodb_spin_wait_delay", delay),
                ("innodb_spin_wait_pause_multiplier", 50),
            ];
            let changed: Vec<Words> = usual
                .into_iter()
                .filter(|(name, usual)| p.number(name).is_some_and(|value| value != *usual))
                .map(|(name, usual)| (p.say(name), usual))
                .map(|(said, usual)| words!("{said} (default {usual})", "{said}（默认 {usual}）"))
                .collect();
            let evidence = Words::join(&changed, ", ", "，");
            (!changed.is_empty()).then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "performance_schema_off",
        only: Only::Mysql(FIRST, LAST),
        manual: Manual::PerformanceSchema,
        why: (
            "nothing shows what the server waits for, or which statements cost most",
            "无法看到服务器在等什么、哪些语句最耗时",
        ),
        action: (
            "performance_schema = ON in my.cnf, and restart",
            "在 my.cnf 中设置 performance_schema = ON 并重启",
        ),
        cost: (
            "a few percent of throughput; a few hundred MiB of memory",
            "吞吐损失百分之几；占用几百 MiB 内存",
        ),
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
        why: (
            "MariaDB has it off by default, and it costs a few percent: both servers of a comparison \
             should have the same",
            "MariaDB 默认关闭它，开启要损失百分之几：参与比较的服务器应当一致",
        ),
        action: (
            "performance_schema = OFF in my.cnf if nothing reads it, and restart",
            "若没有用到，在 my.cnf 中设置 performance_schema = OFF 并重启",
        ),
        cost: ("the server's waits are no longer visible", "看不到服务器在等什么"),
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
        why: (
            "most new connections need a new thread, which takes time",
            "大多数新连接都要新建线程，耗费时间",
        ),
        action: (
            "raise thread_cache_size to the number of connections that come and go",
            "把 thread_cache_size 提高到频繁建立和断开的连接数",
        ),
        cost: ("memory of the threads kept", "保留的线程占用内存"),
        check: |p| {
            let (made, all) = (p.status("threads_created")?, p.status("connections")?);
            let often = !pooled(p) && made > 1000 && made as f64 > 0.2 * all as f64;
            let (cache, made, all) = (p.say("thread_cache_size"), count(made), count(all));
            let evidence = words!(
                "{cache}, threads created for {made} of {all} connections",
                "{cache}，{all} 个连接中有 {made} 个新建了线程"
            );
            often.then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
    Rule {
        id: "open_files_limit",
        only: Only::Both,
        manual: Manual::Server("open_files_limit"),
        why: (
            "at the limit, tables and connections fail with error 24",
            "达到上限后，打开表和建立连接会报错 24",
        ),
        action: (
            "raise open_files_limit, and LimitNOFILE= of the service with it, and restart",
            "提高 open_files_limit 及服务的 LimitNOFILE=，并重启",
        ),
        cost: ("none", "无"),
        check: |p| {
            let limit = p.number("open_files_limit").filter(|limit| *limit > 0)?;
            let open = p.status("open_files").unwrap_or_default()
                + p.status("innodb_num_open_files").unwrap_or_default();
            let connected = p.status("threads_connected").unwrap_or_default();
            let tight = (open + connected) as f64 > 0.85 * limit as f64;
            let (limit, open) = (count(limit), count(open + connected));
            let evidence = words!(
                "open_files_limit = {limit}, files and connections open {open}",
                "open_files_limit = {limit}，已打开文件和连接 {open}"
            );
            tight.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "query_cache",
        only: Only::Both,
        manual: Manual::Server("query_cache_type"),
        why: (
            "every read and every write takes its single lock: throughput falls as clients are added, and \
             repeated statements measure the cache",
            "每次读写都要争它唯一的锁：客户端越多吞吐越低；而且重复的语句测到的是缓存",
        ),
        action: (
            "SET GLOBAL query_cache_type = OFF;  and query_cache_size = 0",
            "SET GLOBAL query_cache_type = OFF;，并设置 query_cache_size = 0",
        ),
        cost: ("identical reads of rarely changed tables become slower", "很少修改的表上，相同的查询会变慢"),
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
        why: ("deadlocks end only when a lock wait times out", "死锁只有等到锁等待超时才会结束"),
        action: (
            "SET GLOBAL innodb_deadlock_detect = ON;  or innodb_lock_wait_timeout of a second or two",
            "SET GLOBAL innodb_deadlock_detect = ON;，或把 innodb_lock_wait_timeout 设为一两秒",
        ),
        cost: (
            "with hundreds of clients on one row the search for deadlocks costs CPU",
            "数百个客户端争同一行时，死锁检测会消耗 CPU",
        ),
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
        let size = (wanted + wanted / 20).next_multiple_of(100);
        let (cache, wanted) = (count(cache), count(wanted));
        return Found::so(
            Severity::Medium,
            words!(
                "table_open_cache = {cache}, planned clients x tables: {wanted}",
                "table_open_cache = {cache}，计划的客户端数 × 表数：{wanted}"
            ),
            words!(
                "SET GLOBAL table_open_cache = {size};  (and in my.cnf)",
                "SET GLOBAL table_open_cache = {size};（并写入 my.cnf）"
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
        let (cache, missed) = (count(cache), percent(missed));
        let evidence = words!(
            "table_open_cache = {cache}, {opened:.1} tables opened per second, {missed} of lookups missed",
            "table_open_cache = {cache}，每秒打开 {opened:.1} 张表，{missed} 的查找未命中"
        );
        return Found::new(Severity::Medium, evidence);
    }
    (cache < FEW_TABLES)
        .then(|| {
            let cache = count(cache);
            let evidence = words!(
                "table_open_cache = {cache} (default 2,000 and more)",
                "table_open_cache = {cache}（默认 2,000 以上）"
            );
            Found::new(Severity::Medium, evidence)
        })
        .flatten()
}
