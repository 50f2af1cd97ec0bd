//! Rules about what was measured: each has its evidence in the window of a cell, not in a setting alone.

use model::{Durability, PlanStep};

use super::{Found, Manual, Only, Patient, Rule, Severity, durability};
use crate::plans::far_apart;
use crate::summary::CellSummary;
use crate::text::{bytes, clients, count, figure, percent};
use crate::words::words;

/// A cell that was measured on the server.
#[derive(Debug, Clone, Copy)]
pub struct Measured<'a> {
    /// Its figures.
    pub cell: &'a CellSummary,
}

impl Measured<'_> {
    /// A cost per transaction, by its id.
    fn cost(&self, id: &str) -> Option<f64> {
        Some(self.cell.costs.iter().find(|cost| cost.id == id)?.per_transaction)
    }

    /// The same per second.
    fn per_s(&self, id: &str) -> Option<f64> {
        Some(self.cost(id)? * self.cell.throughput_per_s?.mean)
    }

    /// Mean service time of a transaction, ms.
    fn service_ms(&self) -> Option<f64> {
        Some(self.cell.transaction()?.service.mean_ns / 1e6).filter(|ms| *ms > 0.0)
    }

    /// `at 8 clients`, in both languages.
    fn at(&self) -> (String, String) {
        let threads = self.cell.threads;
        (format!("at {}", clients(threads)), format!("{} 个客户端时", count(threads.into())))
    }
}

/// From this share of the time on something is worth a finding.
const MUCH: f64 = 0.1;

/// What a measured finding says better than one about the setting alone.
pub(super) const SUPERSEDES: [(&str, &str); 6] = [
    ("binlog_rotations", "max_binlog_size"),
    ("tables_reopened", "table_open_cache"),
    ("buffer_pool_misses", "buffer_pool_small"),
    ("error_log_grows", "print_all_deadlocks"),
    ("row_lock_contention", "row_lock_waits"),
    ("row_lock_contention", "deadlocks"),
];

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "cpu_throttled",
        only: Only::Both,
        manual: Manual::Kernel("admin-guide/cgroup-v2.html#cpu"),
        why: (
            "the server's control group has used up its CPU quota and stands still until the next period: \
             the quota is measured, and the stalls show in the p99",
            "服务器的 cgroup 用完了 CPU 配额，只能停到下个周期：测到的是配额，停顿体现在 p99 上",
        ),
        action: (
            "raise the quota (docker --cpus, Kubernetes limits.cpu, CPUQuota= of systemd), or compare \
             servers with equal quotas only",
            "提高配额（docker --cpus、Kubernetes limits.cpu、systemd 的 CPUQuota=），或只比较配额相同的服\
             务器",
        ),
        cost: ("CPU for others on the machine", "主机上其他程序的 CPU 变少"),
        check: |p| {
            let m = p.measured?;
            let throttled = m.cell.machine.as_ref()?.throttled.filter(|share| *share > 0.02)?;
            let (throttled, (at, at_zh)) = (figure(throttled), m.at());
            let evidence = words!(
                "{throttled} s of throttling per second {at}",
                "{at_zh}，每秒有 {throttled} 秒因配额而停顿"
            );
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "full_scan",
        only: Only::Both,
        manual: Manual::Optimization("mysql-indexes"),
        why: (
            "every execution reads the whole table: the statement slows down with each row added, and \
             evicts other pages from the buffer pool",
            "每次执行都读整张表：每加一行语句就更慢，还会把其他页挤出缓冲池",
        ),
        action: ("an index on the columns that its WHERE compares", "给 WHERE 中比较的列建索引"),
        cost: ("disk space, and a little of each write to the table", "占用磁盘，该表每次写入略慢"),
        check: full_scan,
    },
    Rule {
        id: "plan_changed",
        only: Only::Both,
        manual: Manual::Optimization("controlling-query-plan-evaluation"),
        why: (
            "the optimizer switched to another plan during the run: before and after, two different \
             things were measured",
            "运行期间优化器换了执行计划：前后测的不是同一件事",
        ),
        action: (
            "check whether statistics were recalculated (ANALYZE TABLE, innodb_stats_auto_recalc); fix \
             the plan with a hint or an index",
            "查看统计信息是否被重新收集（ANALYZE TABLE、innodb_stats_auto_recalc）；用 hint 或索引固定计划",
        ),
        cost: ("a fixed plan does not follow the data", "固定的计划不会随数据变化"),
        check: |p| {
            let plan = p.measured?.cell.plans.iter().find(|plan| plan.changed_to.is_some())?;
            let after = plan.changed_to.as_ref()?.join("; ");
            let (operation, before) = (&plan.operation, plan.says.join("; "));
            let evidence = words!(
                "{operation}: {before}; after the load {after}",
                "{operation}：{before}；负载之后 {after}"
            );
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "row_lock_contention",
        only: Only::Both,
        manual: Manual::Server("transaction_isolation"),
        why: (
            "clients wait for rows that others have locked: more clients bring more waiting, and \
             throughput falls",
            "客户端等待被他人锁住的行：客户端越多等待越多，吞吐下降",
        ),
        action: (
            "shorter transactions that touch hot rows last and in one order; READ-COMMITTED locks fewer \
             gaps; fewer clients",
            "缩短事务，热点行放到最后并按固定顺序访问；READ-COMMITTED 的间隙锁更少；减少客户端",
        ),
        cost: ("changes to the application", "需要修改应用"),
        check: row_lock_contention,
    },
    Rule {
        id: "buffer_pool_misses",
        only: Only::Both,
        manual: Manual::Innodb("innodb_buffer_pool_size"),
        why: (
            "transactions wait for pages that were evicted from the pool: the disk is measured",
            "事务在等被挤出缓冲池的页：测到的是磁盘",
        ),
        action: (
            "SET GLOBAL innodb_buffer_pool_size = ...;  as large as data and memory allow",
            "SET GLOBAL innodb_buffer_pool_size = ...;，在数据量和内存允许的范围内尽量大",
        ),
        cost: (
            "that memory; resizing stalls a busy server for moments",
            "占用相应内存；调整大小时繁忙的服务器会短暂停顿",
        ),
        check: |p| {
            let m = p.measured?;
            let misses = m.cost("buffer_pool_misses").filter(|misses| *misses > 0.5)?;
            let pool = p.number("innodb_buffer_pool_size")?;
            // Pages that are read for the first time are a warm-up, not a shortage.
            let pages = pool / p.number("innodb_page_size").unwrap_or(16 << 10);
            let turned_over = p.status("innodb_buffer_pool_reads")? > pages;
            let (misses, size, (at, at_zh)) = (figure(misses), bytes(pool), m.at());
            let evidence = words!(
                "{misses} pages read from disk per transaction {at}, innodb_buffer_pool_size = {size}",
                "{at_zh}，每个事务从磁盘读 {misses} 页，innodb_buffer_pool_size = {size}"
            );
            turned_over.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "binlog_rotations",
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
            let m = p.measured?;
            let per_s = m.per_s("binlog_rotations").filter(|rate| *rate > 1.0 / 60.0)?;
            let size = p.number("max_binlog_size")?;
            let (size, seconds, (at, at_zh)) = (bytes(size), figure(1.0 / per_s), m.at());
            let evidence = words!(
                "max_binlog_size = {size}, a rotation every {seconds} s {at}",
                "max_binlog_size = {size}，{at_zh}每 {seconds} 秒切换一次"
            );
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "tables_reopened",
        only: Only::Both,
        manual: Manual::Server("table_open_cache"),
        why: (
            "the cache is too small: tables are closed and reopened under load, behind a lock",
            "缓存太小：负载下表要反复关闭再打开，还要争同一把锁",
        ),
        action: (
            "raise table_open_cache to tables x clients, and open_files_limit with it",
            "把 table_open_cache 提高到 表数 × 客户端数，并相应提高 open_files_limit",
        ),
        cost: (
            "about 10 KiB of memory and up to one file handle per entry",
            "每个条目约占 10 KiB 内存，最多一个文件句柄",
        ),
        check: |p| {
            let m = p.measured?;
            let opened = m.cost("opened_tables").filter(|opened| *opened > 0.02)?;
            // Tables that are opened for the first time need no larger cache.
            p.status("table_open_cache_overflows").filter(|overflows| *overflows > 0)?;
            let (cache, opened, (at, at_zh)) = (p.say("table_open_cache"), figure(opened), m.at());
            let evidence = words!(
                "{cache}, {opened} tables opened per transaction {at}",
                "{cache}，{at_zh}每个事务打开 {opened} 张表"
            );
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "error_log_grows",
        only: Only::Both,
        manual: Manual::Innodb("innodb_print_all_deadlocks"),
        why: (
            "the error log is written while locks are held: the measurement is of the log, not of the \
             server",
            "写错误日志时持有锁：测到的是写日志，而不是服务器",
        ),
        action: (
            "find out what fills it; SET GLOBAL innodb_print_all_deadlocks = OFF;  while measuring",
            "查明日志里写了什么；测试期间 SET GLOBAL innodb_print_all_deadlocks = OFF;",
        ),
        cost: (
            "deadlocks leave only a counter and the latest one in SHOW ENGINE INNODB STATUS",
            "死锁只留下计数，以及 SHOW ENGINE INNODB STATUS 中最近的一次",
        ),
        check: |p| {
            let m = p.measured?;
            let per_s = m.per_s("error_log").filter(|rate| *rate > 1024.0)?;
            let printed = p.is_on("innodb_print_all_deadlocks");
            let (size, (at, at_zh)) = (bytes(per_s as u64), m.at());
            let evidence =
                words!("{size} per second in the error log {at}", "{at_zh}，错误日志每秒写入 {size}");
            let evidence = match printed {
                true => evidence
                    .and(&words!(", innodb_print_all_deadlocks = ON", "，innodb_print_all_deadlocks = ON")),
                false => evidence,
            };
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "saturated_thread",
        only: Only::Both,
        manual: Manual::Optimization("performance-schema-threads-table"),
        why: (
            "one thread of the server uses a whole CPU: all others wait for it, and more CPUs do not help",
            "服务器的一个线程占满了一个 CPU：其他线程都在等它，加 CPU 也没用",
        ),
        action: (
            "find out what that thread does: a log writer needs fewer or larger writes, a purge or page \
             cleaner thread more of its kind, the connection acceptor fewer new connections",
            "查明该线程的作用：日志写线程需要更少或更大的写，purge 或刷脏线程需要增加数量，接受连接的线程\
             需要减少新建连接",
        ),
        cost: ("depends on the thread", "取决于该线程"),
        check: |p| {
            let m = p.measured?;
            let busy = m
                .cell
                .tops
                .as_ref()?
                .threads
                .iter()
                .find(|thread| thread.busiest >= 0.9 && !SESSIONS.contains(&thread.name.as_str()))?;
            let (name, share, (at, at_zh)) = (&busy.name, percent(busy.busiest.min(1.0)), m.at());
            let evidence = words!(
                "thread {name} uses {share} of a CPU {at}",
                "{at_zh}，线程 {name} 占用一个 CPU 的 {share}"
            );
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "memory_short",
        only: Only::Both,
        manual: Manual::Optimization("memory-use"),
        why: (
            "the machine has hardly any memory left: it will swap, or the kernel will kill the server",
            "主机几乎没有剩余内存：会发生交换，或者服务器被内核杀掉",
        ),
        action: (
            "a smaller buffer pool, smaller buffers per session, fewer connections; or more memory",
            "减小缓冲池、会话缓冲和连接数；或增加内存",
        ),
        cost: ("more reads from disk", "磁盘读增多"),
        check: |p| {
            let machine = p.measured?.cell.machine.as_ref().filter(|machine| machine.server_is_here)?;
            let left = machine.memory_available_bytes;
            let all = p.memory()?;
            let short = left > 0 && (left as f64) < 0.03 * all as f64;
            let (left, all) = (bytes(left >> 20 << 20), bytes(all >> 20 << 20));
            let evidence = words!("{left} of memory left of {all}", "内存 {all}，仅剩 {left}");
            short.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "rows_expected",
        only: Only::Both,
        manual: Manual::Optimization("optimizer-statistics"),
        why: (
            "the optimizer's row estimates are off: with a little more data it may choose another plan",
            "优化器估算的行数不准：数据再多一些就可能换执行计划",
        ),
        action: (
            "ANALYZE TABLE; more sample pages (innodb_stats_persistent_sample_pages), or a histogram",
            "ANALYZE TABLE；增加采样页（innodb_stats_persistent_sample_pages），或建直方图",
        ),
        cost: ("reads while statistics are collected", "收集统计信息时有额外读取"),
        check: |p| {
            let plans = &p.measured?.cell.plans;
            let off = |step: &&PlanStep| step.actual_rows.is_some_and(|read| far_apart(step.rows, read));
            let found = plans.iter().find_map(|plan| Some((plan, plan.steps.iter().find(off)?)));
            let (plan, step) = found?;
            let rows = |rows: f64| count(rows.round() as u64);
            let (operation, table) = (&plan.operation, &step.table);
            let (expected, read) = (rows(step.rows), rows(step.actual_rows?));
            let evidence = words!(
                "{operation}: {expected} rows of {table} expected, {read} read",
                "{operation}：估计读 {table} {expected} 行，实际 {read} 行"
            );
            Found::new(Severity::Low, evidence)
        },
    },
    Rule {
        id: "commits_wait",
        only: Only::Both,
        manual: Manual::Binlog("sync_binlog"),
        why: (
            "most of a transaction's time goes into writing the logs: disk latency decides, not the CPU",
            "事务的大部分时间花在写日志上：起决定作用的是磁盘延迟，不是 CPU",
        ),
        action: (
            "a disk with faster flushes; more clients, which share a flush; `mydyno experiment run \
             durability` shows what looser settings would gain and risk",
            "换刷盘更快的磁盘；增加客户端以共享刷盘；用 `mydyno experiment run durability` 查看放宽设置的\
             收益与风险",
        ),
        cost: ("money, or commits that a crash loses", "花钱，或者崩溃时丢失提交"),
        check: |p| {
            let m = p.measured?;
            let logs = ["wait/io/file/sql/binlog", "wait/io/file/innodb/innodb_log_file"];
            let waits = &m.cell.tops.as_ref()?.waits;
            let in_logs: f64 = waits
                .iter()
                .filter(|wait| logs.contains(&wait.event.as_str()))
                .map(|wait| wait.ms_per_transaction)
                .sum();
            let share = in_logs / m.service_ms()?;
            let durable = durability::class(p).class == Durability::Durable;
            let (ms, part, (at, at_zh)) = (figure(in_logs), percent(share.min(1.0)), m.at());
            let evidence = words!(
                "{ms} ms per transaction in writes of redo and binary log, {part} of its time {at}",
                "{at_zh}，每个事务花 {ms} 毫秒写 redo 和 binlog，占其时间的 {part}"
            );
            (share > 0.3 && durable).then(|| Found::new(Severity::Low, evidence)).flatten()
        },
    },
];

/// Threads that work for one client each. MariaDB's have no names of their own.
const SESSIONS: [&str; 4] = ["connection", "one_connection", "mysqld", "mariadbd"];

/// By the plan where there is one: that needs no performance schema. A small table is read as a whole with reason.
fn full_scan(p: &Patient<'_>) -> Option<Found> {
    const MANY_ROWS: f64 = 1_000.0;
    let m = p.measured?;
    let by_plan = m.cell.plans.iter().find_map(|plan| {
        // What is expected can be wrong by far, right after a load.
        let rows = |step: &PlanStep| step.rows.max(step.actual_rows.unwrap_or_default());
        let step = plan.steps.iter().find(|step| step.access == "ALL" && rows(step) >= MANY_ROWS)?;
        let (operation, table, sql) = (&plan.operation, &step.table, shortened(&plan.sql));
        let rows = count(rows(step).round() as u64);
        Some(words!(
            "{operation} reads all of {table}, {rows} rows: {sql}",
            "{operation} 全表扫描 {table}，{rows} 行：{sql}"
        ))
    });
    let by_digest = || {
        let tops = m.cell.tops.as_ref()?;
        let found = tops.statements.iter().find(|one| {
            one.full_scans > 0.5
                && one.rows_examined >= MANY_ROWS
                && one.rows_examined > 100.0 * one.rows_returned
        })?;
        let (examined, returned) = (count(found.rows_examined.round() as u64), figure(found.rows_returned));
        let (share, sql) = (percent(found.share), shortened(&found.text));
        Some(words!(
            "{examined} rows examined for {returned} returned, {share} of the time of all statements: {sql}",
            "检查 {examined} 行，返回 {returned} 行，占全部语句时间的 {share}：{sql}"
        ))
    };
    Found::new(Severity::Medium, by_plan.or_else(by_digest)?)
}

fn shortened(sql: &str) -> String {
    const LENGTH: usize = 120;
    if sql.chars().count() <= LENGTH {
        return sql.to_owned();
    }
    format!("{} ...", sql.chars().take(LENGTH).collect::<String>())
}

fn row_lock_contention(p: &Patient<'_>) -> Option<Found> {
    /// ER_LOCK_WAIT_TIMEOUT and ER_LOCK_DEADLOCK.
    const CONFLICTS: [u16; 2] = [1205, 1213];
    let m = p.measured?;
    let waiting = m.cost("row_lock_time").unwrap_or_default() / m.service_ms()?;
    let completed = m.cell.transaction()?.response.count as f64;
    let conflicts: u64 = m.cell.errors.iter().filter(|e| CONFLICTS.contains(&e.code)).map(|e| e.count).sum();
    let conflicted = conflicts as f64 / completed.max(1.0);
    if waiting < MUCH && conflicted < 0.02 {
        return None;
    }
    let isolation = ["transaction_isolation", "tx_isolation"].into_iter().find(|name| p.text(name).is_some());
    let (share, (at, at_zh)) = (percent(waiting.min(1.0)), m.at());
    let mut evidence = words!(
        "{share} of a transaction's time waiting for row locks {at}",
        "{at_zh}，事务时间的 {share} 在等行锁"
    );
    if conflicts > 0 {
        let per_100 = figure(conflicted * 100.0);
        evidence = evidence.and(&words!(
            ", {per_100} deadlocks and lock timeouts per 100 transactions",
            "，每 100 个事务有 {per_100} 次死锁和锁超时"
        ));
    }
    if let Some(level) = isolation.map(|name| p.say(name)) {
        evidence = evidence.and(&words!(", {level}", "，{level}"));
    }
    let action = match isolation.and_then(|name| p.text(name)) {
        Some("SERIALIZABLE") => words!(
            "SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ;  SERIALIZABLE locks every row it reads",
            "SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ; SERIALIZABLE 对读到的每一行加锁"
        ),
        Some("READ-COMMITTED") => words!(
            "shorter transactions that touch hot rows last and in one order; fewer clients",
            "缩短事务，热点行放到最后并按固定顺序访问；减少客户端"
        ),
        _ => return Found::new(Severity::Medium, evidence),
    };
    Found::so(Severity::Medium, evidence, action)
}
