//! Rules about what was measured: each has its evidence in the window of a cell, not in a setting alone.

use model::{Durability, PlanStep};

use super::{Found, Manual, Only, Patient, Rule, Severity, durability};
use crate::plans::far_apart;
use crate::summary::CellSummary;
use crate::text::{bytes, clients, count, figure, percent};

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

    fn clients(&self) -> String {
        clients(self.cell.threads)
    }
}

/// From this share of the time on something is worth a finding.
const MUCH: f64 = 0.1;

/// What a measured finding says better than one about the setting alone.
pub(super) const SUPERSEDES: [(&str, &str); 7] = [
    ("binlog_rotations", "max_binlog_size"),
    ("tables_reopened", "table_open_cache"),
    ("buffer_pool_misses", "buffer_pool_small"),
    ("error_log_grows", "print_all_deadlocks"),
    ("row_lock_contention", "isolation"),
    ("row_lock_contention", "row_lock_waits"),
    ("row_lock_contention", "deadlocks"),
];

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "cpu_throttled",
        only: Only::Both,
        manual: Manual::Kernel("admin-guide/cgroup-v2.html#cpu"),
        why: "the control group of the server has used up its CPU quota and stands still until the next period: the quota is \
              measured, and stalls show in the p99",
        action: "raise the quota (docker --cpus, Kubernetes limits.cpu, CPUQuota= of systemd), or compare servers of the same \
                 quota only",
        cost: "CPU for others on the machine",
        check: |p| {
            let m = p.measured?;
            let throttled = m.cell.machine.as_ref()?.throttled.filter(|share| *share > 0.02)?;
            let evidence = format!("{} s of throttling per second at {}", figure(throttled), m.clients());
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "full_scan",
        only: Only::Both,
        manual: Manual::Optimization("mysql-indexes"),
        why: "every execution reads a whole table, so that the statement becomes slower with each row that is added, and \
              pushes the pages of others out of the buffer pool",
        action: "an index on the columns that its WHERE compares",
        cost: "disk, and a little of each write to the table",
        check: full_scan,
    },
    Rule {
        id: "plan_changed",
        only: Only::Both,
        manual: Manual::Optimization("controlling-query-plan-evaluation"),
        why: "the optimizer went over to another plan during the run: what was measured before and after is not one server",
        action: "see whether statistics were taken anew (ANALYZE TABLE, innodb_stats_auto_recalc); fix the plan with a hint or \
                 an index",
        cost: "a fixed plan does not follow the data",
        check: |p| {
            let plan = p.measured?.cell.plans.iter().find(|plan| plan.changed_to.is_some())?;
            let after = plan.changed_to.as_ref()?.join("; ");
            let evidence = format!("{}: {}; after the load {after}", plan.operation, plan.says.join("; "));
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "row_lock_contention",
        only: Only::Both,
        manual: Manual::Server("transaction_isolation"),
        why: "clients wait for rows that others have locked: more clients bring more waiting, and throughput falls",
        action: "shorter transactions that touch hot rows last and in one order; READ-COMMITTED locks fewer gaps; fewer \
                 clients at once",
        cost: "work on the application",
        check: row_lock_contention,
    },
    Rule {
        id: "buffer_pool_misses",
        only: Only::Both,
        manual: Manual::Innodb("innodb_buffer_pool_size"),
        why: "transactions wait for pages that the pool had thrown out: the disk is measured",
        action: "SET GLOBAL innodb_buffer_pool_size = ...;  as large as data and memory allow",
        cost: "that memory; resizing stalls a busy server for moments",
        check: |p| {
            let m = p.measured?;
            let misses = m.cost("buffer_pool_misses").filter(|misses| *misses > 0.5)?;
            let pool = p.number("innodb_buffer_pool_size")?;
            // Pages that are read for the first time are a warm-up, not a shortage.
            let pages = pool / p.number("innodb_page_size").unwrap_or(16 << 10);
            let turned_over = p.status("innodb_buffer_pool_reads")? > pages;
            let evidence = format!(
                "{} pages read from disk per transaction at {}, innodb_buffer_pool_size = {}",
                figure(misses),
                m.clients(),
                bytes(pool)
            );
            turned_over.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "binlog_rotations",
        only: Only::Both,
        manual: Manual::Binlog("max_binlog_size"),
        why: "at each rotation all commits wait for the new file: small files show as jitter in throughput and p99",
        action: "SET GLOBAL max_binlog_size = 1073741824;  (and in my.cnf)",
        cost: "old files are purged in larger pieces",
        check: |p| {
            let m = p.measured?;
            let per_s = m.per_s("binlog_rotations").filter(|rate| *rate > 1.0 / 60.0)?;
            let size = p.number("max_binlog_size")?;
            let evidence = format!(
                "max_binlog_size = {}, a rotation every {} s at {}",
                bytes(size),
                figure(1.0 / per_s),
                m.clients()
            );
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "tables_reopened",
        only: Only::Both,
        manual: Manual::Server("table_open_cache"),
        why: "tables are closed and opened again under load, behind a lock, for want of room in the cache",
        action: "raise table_open_cache to tables x clients, and open_files_limit with it",
        cost: "some 10 KiB of memory and up to one file handle per entry",
        check: |p| {
            let m = p.measured?;
            let opened = m.cost("opened_tables").filter(|opened| *opened > 0.02)?;
            // Tables that are opened for the first time need no larger cache.
            p.status("table_open_cache_overflows").filter(|overflows| *overflows > 0)?;
            let evidence = format!(
                "{}, {} tables opened per transaction at {}",
                p.say("table_open_cache"),
                figure(opened),
                m.clients()
            );
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "error_log_grows",
        only: Only::Both,
        manual: Manual::Innodb("innodb_print_all_deadlocks"),
        why: "what is written to the error log is written while locks are held: the log, not the server, is measured",
        action: "see what fills it; SET GLOBAL innodb_print_all_deadlocks = OFF;  while measuring",
        cost: "deadlocks leave only a counter and the latest one in SHOW ENGINE INNODB STATUS",
        check: |p| {
            let m = p.measured?;
            let per_s = m.per_s("error_log").filter(|rate| *rate > 1024.0)?;
            let printed = p.is_on("innodb_print_all_deadlocks");
            let cause = if printed { ", innodb_print_all_deadlocks = ON" } else { "" };
            let evidence =
                format!("{} per second in the error log at {}{cause}", bytes(per_s as u64), m.clients());
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "saturated_thread",
        only: Only::Both,
        manual: Manual::Optimization("performance-schema-threads-table"),
        why: "one thread of the server uses a whole CPU: whatever it does, all others wait for it, and more CPUs do not help",
        action: "see what that thread is for: a log writer wants fewer or larger writes, a purge or page cleaner thread more of \
                 its kind, the acceptor of connections fewer new ones",
        cost: "depends on the thread",
        check: |p| {
            let m = p.measured?;
            let busy = m
                .cell
                .tops
                .as_ref()?
                .threads
                .iter()
                .find(|thread| thread.busiest >= 0.9 && !SESSIONS.contains(&thread.name.as_str()))?;
            let evidence = format!(
                "thread {} uses {} of a CPU at {}",
                busy.name,
                percent(busy.busiest.min(1.0)),
                m.clients()
            );
            Found::new(Severity::Medium, evidence)
        },
    },
    Rule {
        id: "memory_short",
        only: Only::Both,
        manual: Manual::Optimization("memory-use"),
        why: "the machine has hardly any memory left: it will swap, or the kernel will kill the server",
        action: "a smaller buffer pool, smaller buffers per session, fewer connections; or more memory",
        cost: "more reads from disk",
        check: |p| {
            let machine = p.measured?.cell.machine.as_ref().filter(|machine| machine.server_is_here)?;
            let left = machine.memory_available_bytes;
            let all = p.memory()?;
            let short = left > 0 && (left as f64) < 0.03 * all as f64;
            let evidence =
                format!("{} of memory left of {}", bytes(left >> 20 << 20), bytes(all >> 20 << 20));
            short.then(|| Found::new(Severity::Medium, evidence)).flatten()
        },
    },
    Rule {
        id: "rows_expected",
        only: Only::Both,
        manual: Manual::Optimization("optimizer-statistics"),
        why: "the optimizer expects other numbers of rows than there are: with a little more data it may choose another plan",
        action: "ANALYZE TABLE; more sample pages (innodb_stats_persistent_sample_pages), or a histogram",
        cost: "reads while the statistics are taken",
        check: |p| {
            let plans = &p.measured?.cell.plans;
            let off = |step: &&PlanStep| step.actual_rows.is_some_and(|read| far_apart(step.rows, read));
            let found = plans.iter().find_map(|plan| Some((plan, plan.steps.iter().find(off)?)));
            let (plan, step) = found?;
            let evidence = format!(
                "{}: {} rows of {} expected, {} read",
                plan.operation,
                count(step.rows.round() as u64),
                step.table,
                count(step.actual_rows?.round() as u64)
            );
            Found::new(Severity::Low, evidence)
        },
    },
    Rule {
        id: "commits_wait",
        only: Only::Both,
        manual: Manual::Binlog("sync_binlog"),
        why: "most of a transaction's time goes into writing the logs: the latency of the disk decides, not the CPU",
        action: "a disk with a faster flush; more clients at once, who share a flush; see `mydyno experiment run durability` for \
                 what looser settings would bring and lose",
        cost: "money, or commits that a crash loses",
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
            let evidence = format!(
                "{} ms per transaction in writes of redo and binary log, {} of its time at {}",
                figure(in_logs),
                percent(share.min(1.0)),
                m.clients()
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
        Some(format!(
            "{} reads all of {}, {} rows: {}",
            plan.operation,
            step.table,
            count(rows(step).round() as u64),
            shortened(&plan.sql)
        ))
    });
    let by_digest = || {
        let tops = m.cell.tops.as_ref()?;
        let found = tops.statements.iter().find(|one| {
            one.full_scans > 0.5
                && one.rows_examined >= MANY_ROWS
                && one.rows_examined > 100.0 * one.rows_returned
        })?;
        Some(format!(
            "{} rows examined for {} returned, {} of the time of all statements: {}",
            count(found.rows_examined.round() as u64),
            figure(found.rows_returned),
            percent(found.share),
            shortened(&found.text)
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
    let conflicted = (conflicts > 0).then(|| {
        format!(", {} deadlocks and lock timeouts per 100 transactions", figure(conflicted * 100.0))
    });
    let evidence = format!(
        "{} of the time of a transaction in row locks{} at {}{}",
        percent(waiting.min(1.0)),
        conflicted.unwrap_or_default(),
        m.clients(),
        isolation.map(|name| format!(", {}", p.say(name))).unwrap_or_default()
    );
    let action = match isolation.and_then(|name| p.text(name)) {
        Some("SERIALIZABLE") => {
            "SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ;  SERIALIZABLE locks whatever it reads"
        }
        Some("READ-COMMITTED") => {
            "shorter transactions that touch hot rows last and in one order; fewer clients at once"
        }
        _ => return Found::new(Severity::Medium, evidence),
    };
    Found::so(Severity::Medium, evidence, action.to_owned())
}
