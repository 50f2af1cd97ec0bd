//! Rules about what was measured: each has its evidence in the window of a cell, not in a setting alone.

use model::{Durability, PlanStep};

use messages::message;

use super::finding::{Check, Found, RecommendationSeverity};
use super::window::LOG_FILES;
use super::{Examined, durability, far_apart};
use crate::threads::may_serve_clients;

/// From this share of the time on something is worth a finding.
const MUCH: f64 = 0.1;

pub(super) const CHECKS: &[(&str, Check)] = &[
    ("cpu_throttled", |p| {
        let m = p.measured?;
        let throttled = m.machine.as_ref()?.throttled.filter(|share| *share > 0.02)?;
        let evidence = message!("doctor-throttled", throttled = Figure(throttled), at = Message(m.at()));
        Found::new(RecommendationSeverity::Medium, evidence)
    }),
    ("full_scan", full_scan),
    ("plan_changed", |p| {
        let plan = p.measured?.plans.iter().find(|plan| plan.changed_to.is_some())?;
        let after = plan.changed_to.as_ref()?.join("; ");
        let (operation, before) = (&plan.operation, plan.says.join("; "));
        let evidence = message!(
            "doctor-plan-changed",
            operation = Text(operation),
            before = Text(before),
            after = Text(after)
        );
        Found::new(RecommendationSeverity::Medium, evidence)
    }),
    ("row_lock_contention", row_lock_contention),
    ("buffer_pool_misses", |p| {
        let m = p.measured?;
        let misses = m.cost("buffer_pool_misses").filter(|misses| *misses > 0.5)?;
        let pool = p.number("innodb_buffer_pool_size")?;
        // Pages that are read for the first time are a warm-up, not a shortage.
        let pages = pool / p.number("innodb_page_size").unwrap_or(16 << 10);
        let turned_over = p.status("innodb_buffer_pool_reads")? > pages;
        let evidence =
            message!("doctor-pool-misses", misses = Figure(misses), at = Message(m.at()), size = Bytes(pool));
        turned_over.then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
    ("binlog_rotations", |p| {
        let m = p.measured?;
        let per_s = m.per_s("binlog_rotations").filter(|rate| *rate > 1.0 / 60.0)?;
        let size = p.number("max_binlog_size")?;
        let evidence = message!(
            "doctor-binlog-rotations",
            size = Bytes(size),
            seconds = Figure(1.0 / per_s),
            at = Message(m.at())
        );
        Found::new(RecommendationSeverity::Medium, evidence)
    }),
    ("tables_reopened", |p| {
        let m = p.measured?;
        let opened = m.cost("opened_tables").filter(|opened| *opened > 0.02)?;
        // Tables that are opened for the first time need no larger cache.
        p.status("table_open_cache_overflows").filter(|overflows| *overflows > 0)?;
        let evidence = message!(
            "doctor-tables-reopened",
            cache = Text(p.say("table_open_cache")),
            opened = Figure(opened),
            at = Message(m.at())
        );
        Found::new(RecommendationSeverity::Medium, evidence)
    }),
    ("error_log_grows", |p| {
        let m = p.measured?;
        let per_s = m.per_s("error_log").filter(|rate| *rate > 1024.0)?;
        let printed = p.is_on("innodb_print_all_deadlocks");
        let evidence = message!(
            "doctor-error-log",
            size = Bytes(per_s as u64),
            at = Message(m.at()),
            deadlocks = Word(if printed { "printed" } else { "not-printed" })
        );
        Found::new(RecommendationSeverity::Medium, evidence)
    }),
    ("saturated_thread", |p| {
        let m = p.measured?;
        let busy =
            m.threads.iter().find(|thread| thread.busiest >= 0.9 && !may_serve_clients(&thread.name))?;
        let evidence = message!(
            "doctor-saturated-thread",
            name = Text(&busy.name),
            share = Percent(busy.busiest.min(1.0)),
            at = Message(m.at())
        );
        Found::new(RecommendationSeverity::Medium, evidence)
    }),
    ("memory_short", |p| {
        let machine = p.measured?.servers_machine()?;
        let left = machine.memory_available_bytes;
        let all = p.memory()?;
        let short = left > 0 && (left as f64) < 0.03 * all as f64;
        let evidence =
            message!("doctor-memory-short", left = Bytes(left >> 20 << 20), all = Bytes(all >> 20 << 20));
        short.then(|| Found::new(RecommendationSeverity::Medium, evidence)).flatten()
    }),
    ("rows_expected", |p| {
        let plans = &p.measured?.plans;
        let off = |step: &&PlanStep| step.actual_rows.is_some_and(|read| far_apart(step.rows, read));
        let found = plans.iter().find_map(|plan| Some((plan, plan.steps.iter().find(off)?)));
        let (plan, step) = found?;
        let rows = |rows: f64| rows.round() as u64;
        let (operation, table) = (&plan.operation, &step.table);
        let evidence = message!(
            "doctor-rows-expected",
            operation = Text(operation),
            expected = Count(rows(step.rows)),
            table = Text(table),
            read = Count(rows(step.actual_rows?))
        );
        Found::new(RecommendationSeverity::Low, evidence)
    }),
    ("commits_wait", |p| {
        let m = p.measured?;
        let in_logs: f64 = LOG_FILES.iter().filter_map(|event| m.wait_ms(event)).sum();
        let share = in_logs / m.service_ms?;
        let durable = durability::class(p).class == Durability::Durable;
        let evidence = message!(
            "doctor-commits-wait",
            ms = Figure(in_logs),
            part = Percent(share.min(1.0)),
            at = Message(m.at())
        );
        // Beside a target that commits faster it is what makes this one slow.
        let is_why = m.part("commit_wait").is_some_and(|part| part.excess.is_some());
        let severity = if is_why { RecommendationSeverity::Medium } else { RecommendationSeverity::Low };
        (share > 0.3 && durable).then(|| Found::new(severity, evidence)).flatten()
    }),
];

/// By the plan where there is one: that needs no performance schema. A small table is read as a whole with reason.
fn full_scan(p: &Examined<'_>) -> Option<Found> {
    const MANY_ROWS: f64 = 1_000.0;
    let m = p.measured?;
    let by_plan = m.plans.iter().find_map(|plan| {
        // What is expected can be wrong by far, right after a load.
        let rows = |step: &PlanStep| step.rows.max(step.actual_rows.unwrap_or_default());
        let step = plan.steps.iter().find(|step| step.access == "ALL" && rows(step) >= MANY_ROWS)?;
        let (operation, table, sql) = (&plan.operation, &step.table, shortened(&plan.sql));
        Some(message!(
            "doctor-scan-by-plan",
            operation = Text(operation),
            table = Text(table),
            rows = Count(rows(step).round() as u64),
            sql = Text(sql)
        ))
    });
    let by_digest = || {
        let found = m.statements.iter().find(|one| {
            one.full_scans > 0.5
                && one.rows_examined >= MANY_ROWS
                && one.rows_examined > 100.0 * one.rows_returned
        })?;
        let sql = shortened(&found.text);
        Some(message!(
            "doctor-scan-by-digest",
            examined = Count(found.rows_examined.round() as u64),
            returned = Figure(found.rows_returned),
            share = Percent(found.share),
            sql = Text(sql)
        ))
    };
    Found::new(RecommendationSeverity::Medium, by_plan.or_else(by_digest)?)
}

/// A statement, as far as a line has room for it.
pub(super) fn shortened(sql: &str) -> String {
    const LENGTH: usize = 120;
    if sql.chars().count() <= LENGTH {
        return sql.to_owned();
    }
    format!("{} ...", sql.chars().take(LENGTH).collect::<String>())
}

fn row_lock_contention(p: &Examined<'_>) -> Option<Found> {
    /// ER_LOCK_WAIT_TIMEOUT and ER_LOCK_DEADLOCK.
    const CONFLICTS: [u16; 2] = [1205, 1213];
    let m = p.measured?;
    let waiting = m.cost("row_lock_time").unwrap_or_default() / m.service_ms?;
    let completed = m.transactions as f64;
    let conflicts: u64 = m.errors.iter().filter(|e| CONFLICTS.contains(&e.code)).map(|e| e.count).sum();
    let conflicted = conflicts as f64 / completed.max(1.0);
    let is_why = m.part("row_locks").is_some_and(|part| part.excess.is_some());
    if waiting < MUCH && conflicted < 0.02 && !is_why {
        return None;
    }
    let isolation = ["transaction_isolation", "tx_isolation"].into_iter().find(|name| p.text(name).is_some());
    let evidence = message!(
        "doctor-row-locks",
        share = Percent(waiting.min(1.0)),
        at = Message(m.at()),
        per_100 = Figure?((conflicts > 0).then_some(conflicted * 100.0)),
        level = Text?(isolation.map(|name| p.say(name)))
    );
    let action = match isolation.and_then(|name| p.text(name)) {
        Some("SERIALIZABLE") => message!("doctor-serializable-action"),
        Some("READ-COMMITTED") => message!("doctor-read-committed-action"),
        _ => return Found::new(RecommendationSeverity::Medium, evidence),
    };
    Found::so(RecommendationSeverity::Medium, evidence, action)
}
