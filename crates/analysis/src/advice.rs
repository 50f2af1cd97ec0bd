//! Recommendations for a measured server: applies the rules of [`knowledge::doctor`] to the observations of each cell.

use std::collections::{BTreeMap, BTreeSet};

use knowledge::doctor::{
    self, Examined, ExecutionPlan, LongRunning, Machine, MeasuredWindow, PartExcess, Planned, Recommendation,
    Runs, StatementDigest, Thread, TimePart, WaitEvent,
};
use messages::message;
use model::{Examination, HostFacts, OperationKind, Variables, Watched, WorkloadSpec};
use serde::{Deserialize, Serialize};

use crate::explanation::{Explanation, PartChange};
use crate::others;
use crate::plans::PlanSummary;
use crate::summary::CellSummary;
use crate::tops::{TopStatement, TopThreads, TopWait};

/// A piece of advice, with the cells in which it was found.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellAdvice {
    /// The advice, with the evidence of the cell where it weighs most.
    pub advice: Recommendation,
    /// Numbers of clients of the cells in which it was found; all of them for what is so in every cell.
    pub clients: Vec<u32>,
}

/// A cell of one server, with the observations of one of its trials.
#[derive(Debug, Clone, Copy)]
pub struct SeenCell<'a> {
    /// Its figures.
    pub cell: &'a CellSummary,
    /// Its workload.
    pub workload: &'a WorkloadSpec,
    /// Observations of the server.
    pub watched: &'a Watched,
    /// The server's variables then, if they were read.
    pub variables: Option<&'a Variables>,
    /// The day, as `2026-05-01`.
    pub day: &'a str,
}

/// The circumstances of a measured server.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// The machine that offered the load.
    pub host: &'a HostFacts,
    /// The party that runs the server.
    pub runs: Runs,
    /// Variables in which the targets were made to differ: [`crate::unequal::on_purpose`].
    pub on_purpose: &'a BTreeSet<String>,
    /// Which parts of the response time carry the differences between the targets.
    pub explanations: &'a [Explanation],
}

/// A recommendation that is expected after a server was taken away on purpose.
const OF_A_LOST_REPLICA: &str = "semisync_fallback";

/// All recommendations for one server, worst first. None of them undoes a deliberate setting.
pub fn advise(seen: &Examination, setup: Setup<'_>, cells: &[SeenCell<'_>]) -> Vec<CellAdvice> {
    let Setup { host, runs, on_purpose, explanations } = setup;
    let mut found: BTreeMap<String, (usize, CellAdvice)> = BTreeMap::new();
    for one in cells {
        let is_here = one.cell.machine.as_ref().is_some_and(|machine| machine.server_is_here);
        let seen = in_window(seen, one);
        let measured = MeasuredWindow { long: long_running(one.watched), ..measured(one.cell, explanations) };
        let examined = Examined {
            seen: &seen,
            host: is_here.then_some(host),
            planned: Some(planned(one.workload, one.cell.threads)),
            measured: Some(&measured),
            today: Some(one.day),
            runs,
        };
        let is_disturbed = one.cell.failover.is_some() || !one.cell.events.is_empty();
        let told = |advice: &Recommendation| !(is_disturbed && advice.id == OF_A_LOST_REPLICA);
        let kept =
            doctor::examine(&examined).into_iter().filter(told).filter_map(|advice| kept(advice, on_purpose));
        for (place, advice) in kept.enumerate() {
            let clients = one.cell.threads;
            match found.get_mut(&advice.id) {
                None => {
                    found.insert(advice.id.clone(), (place, CellAdvice { advice, clients: vec![clients] }));
                }
                Some((first, known)) => {
                    known.clients.push(clients);
                    // Of cells in which it weighs as much, the last: that with the most clients.
                    if advice.severity <= known.advice.severity {
                        *first = place.min(*first);
                        known.advice = advice;
                    }
                }
            }
        }
    }
    let mut all: Vec<(usize, CellAdvice)> = found.into_values().collect();
    for (_, one) in &mut all {
        one.clients.sort_unstable();
        one.clients.dedup();
    }
    all.sort_by_key(|(place, one)| (one.advice.severity, *place));
    all.into_iter().map(|(_, one)| one).collect()
}

/// Filters out recommendations that would undo a deliberate setting. A measured finding stays, without its action; one that
/// is only about such a setting is dropped.
fn kept(mut advice: Recommendation, on_purpose: &BTreeSet<String>) -> Option<Recommendation> {
    let names = |text: &str, name: &str| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
            || (name == "transaction_isolation" && text.contains("ISOLATION LEVEL"))
    };
    let is_measured = doctor::is_measured(&advice.id);
    let undone = on_purpose
        .iter()
        .find(|name| names(&advice.action, name) || (!is_measured && names(&advice.evidence, name)));
    let Some(name) = undone else { return Some(advice) };
    if !is_measured {
        return None;
    }
    let text = message!("differs-on-purpose", variable = Text(name));
    (advice.action, advice.zh.action) = (text.en, text.zh);
    let none = message!("costs-nothing");
    (advice.cost, advice.zh.cost) = (none.en, none.zh);
    Some(advice)
}

/// A part of the response time is worth a finding where it carries so much of the difference between two targets.
const CARRIES_MUCH: f64 = 0.3;
/// The same, as a share of the response time of the slower one: a small difference is no alarm.
const NOTICEABLE: f64 = 0.05;

/// The parts of a cell's response time, those that make it longer than another target's with their excess.
fn parts(cell: &CellSummary, explanations: &[Explanation]) -> Vec<TimePart> {
    let Some(breakdown) = &cell.breakdown else { return Vec::new() };
    let of_cell: Vec<&Explanation> = explanations
        .iter()
        .filter(|one| (&one.workload, one.threads) == (&cell.workload, cell.threads))
        .collect();
    let part = |part: &crate::BreakdownPart| {
        let excesses = of_cell.iter().filter_map(|one| excess(one, &cell.target, &part.id));
        let excess = excesses.max_by(|a, b| a.ms.total_cmp(&b.ms));
        let excess = excess.filter(|excess| excess.ms >= NOTICEABLE * breakdown.response_ms.mean);
        TimePart { id: part.id.clone(), label: part.label.clone(), ms: part.ms.mean, excess }
    };
    breakdown.resources.iter().map(part).collect()
}

/// By how much a part is longer on this target than on the other one of a pair, if that carries much of their difference.
fn excess(of: &Explanation, target: &str, part: &str) -> Option<PartExcess> {
    let carries = |one: &&PartChange| {
        one.id == part && one.named && one.change_ms.mean / of.change_ms.mean >= CARRIES_MUCH
    };
    let change_ms = of.resources.iter().find(carries)?.change_ms.mean;
    let (than, ms) = match target {
        target if target == of.other => (&of.base, change_ms),
        target if target == of.base => (&of.other, -change_ms),
        _ => return None,
    };
    (ms > 0.0).then(|| PartExcess { than: than.clone(), ms })
}

/// Statements that the clients send per transaction; none where they were not counted.
fn statements_per_transaction(cell: &CellSummary) -> Option<f64> {
    let transactions = cell.transaction()?.response.count;
    let statements = cell.operations.iter().filter(|one| one.kind == OperationKind::Statement);
    let sent: u64 = statements.map(|one| one.service.count).sum();
    (transactions > 0 && sent > 0).then(|| sent as f64 / transactions as f64)
}

/// Statements that were seen to run for a second or more in the window, those of one verb and state together.
fn long_running(watched: &Watched) -> Vec<LongRunning> {
    let Some((before, after)) = watched.before.as_ref().zip(watched.after.as_ref()) else {
        return Vec::new();
    };
    let in_window = watched
        .readings
        .iter()
        .filter(|one| one.is_answer() && (before.at_s..=after.at_s).contains(&one.at_s));
    let mut readings = 0.0;
    let mut kinds: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
    for reading in in_window {
        readings += 1.0;
        for one in &reading.long_statements {
            let kind = kinds.entry((&one.verb, &one.state)).or_default();
            *kind = (kind.0 + one.statements, kind.1.max(one.longest_s));
        }
    }
    let one = |((verb, state), (statements, longest_s)): ((&str, &str), (u64, u64))| LongRunning {
        verb: verb.to_owned(),
        state: state.to_owned(),
        on_average: statements as f64 / readings,
        longest_s: longest_s as f64,
    };
    kinds.into_iter().map(one).collect()
}

/// The values of a cell that the rules read.
fn measured(cell: &CellSummary, explanations: &[Explanation]) -> MeasuredWindow {
    let transaction = cell.transaction();
    let tops = cell.tops.as_ref();
    let statement = |one: &TopStatement| StatementDigest {
        text: one.text.clone(),
        share: one.share,
        rows_examined: one.rows_examined,
        rows_returned: one.rows_returned,
        full_scans: one.full_scans,
    };
    let wait =
        |one: &TopWait| WaitEvent { event: one.event.clone(), ms_per_transaction: one.ms_per_transaction };
    let thread = |one: &TopThreads| Thread { name: one.name.clone(), busiest: one.busiest };
    let plan = |one: &PlanSummary| ExecutionPlan {
        operation: one.operation.clone(),
        sql: one.sql.clone(),
        steps: one.steps.clone(),
        says: one.says.clone(),
        changed_to: one.changed_to.clone(),
    };
    // What is recommended is for the server that clients connect to.
    let own = |one: &&TopThreads| one.server.as_ref().is_none_or(|server| *server == cell.target);
    MeasuredWindow {
        clients: cell.threads,
        throughput_per_s: cell.throughput_per_s.map(|measure| measure.mean),
        transactions: transaction.map_or(0, |transaction| transaction.response.count),
        service_ms: transaction.map(|one| one.service.mean_ns / 1e6).filter(|ms| *ms > 0.0),
        response_ms: cell.breakdown.as_ref().map(|breakdown| breakdown.response_ms.mean),
        parts: parts(cell, explanations),
        statements_per_transaction: statements_per_transaction(cell),
        others: others::others(cell),
        long: Vec::new(),
        p999_ms: transaction.map(|one| one.response.p999_ns as f64 / 1e6),
        errors: cell.errors.clone(),
        costs: cell.costs.iter().map(|cost| (cost.id.to_owned(), cost.per_transaction)).collect(),
        machine: cell.machine.as_ref().map(|machine| Machine {
            is_servers: machine.server_is_here,
            disk_writes_per_s: machine.disk_writes_per_s,
            disk_write_ms: machine.disk_write_ms,
            disk_written_bytes_per_s: machine.disk_written_bytes_per_s,
            disk_busy: machine.disk_busy,
            cpu_idle: machine.cpu_idle,
            throttled: machine.throttled,
            memory_available_bytes: machine.memory_available_bytes,
        }),
        statements: tops.map_or(Vec::new(), |tops| tops.statements.iter().map(statement).collect()),
        waits: tops.map_or(Vec::new(), |tops| tops.waits.iter().map(wait).collect()),
        threads: tops.map_or(Vec::new(), |tops| tops.threads.iter().filter(own).map(thread).collect()),
        plans: cell.plans.iter().map(plan).collect(),
    }
}

fn planned(workload: &WorkloadSpec, threads: u32) -> Planned {
    Planned { clients: threads.into(), tables: workload.tables(), writes: workload.writes() }
}

/// The server during the window: its counters are those of the window alone.
fn in_window(seen: &Examination, one: &SeenCell<'_>) -> Examination {
    let mut seen = seen.clone();
    if let Some(variables) = one.variables {
        seen.variables = variables.clone();
    }
    // A watch that was cut off has no counters of the end.
    let ends = one.watched.before.as_ref().zip(one.watched.after.as_ref());
    if let Some((before, after)) = ends.filter(|(_, after)| !after.status.is_empty()) {
        seen.status = counted(&before.status, &after.status);
        seen.status.insert("uptime".to_owned(), format!("{:.0}", (after.at_s - before.at_s).max(0.0)));
        for (metric, name) in [("lock_deadlocks", "innodb_deadlocks")] {
            if let (Some(a), Some(b)) = (before.metrics.get(metric), after.metrics.get(metric)) {
                seen.status.entry(name.to_owned()).or_insert_with(|| (b - a).max(0).to_string());
            }
        }
        if let Some(length) = after.metrics.get("trx_rseg_history_len") {
            seen.status.entry("innodb_history_list_length".to_owned()).or_insert_with(|| length.to_string());
        }
    }
    seen
}

/// Status variables that are gauges, not counters.
const GAUGES: [&str; 18] = [
    "innodb_buffer_pool_bytes_",
    "innodb_buffer_pool_pages_data",
    "innodb_buffer_pool_pages_dirty",
    "innodb_buffer_pool_pages_free",
    "innodb_buffer_pool_pages_misc",
    "innodb_buffer_pool_pages_total",
    "innodb_history_list_length",
    "innodb_num_open_files",
    "innodb_page_size",
    "innodb_row_lock_current_waits",
    "innodb_row_lock_time_avg",
    "innodb_row_lock_time_max",
    "max_used_connections",
    "open_",
    "prepared_stmt_count",
    "rpl_semi_sync",
    "slaves_connected",
    "threads_",
];

/// Increase of each counter between two readings; for a gauge, the later value.
fn counted(before: &Variables, after: &Variables) -> Variables {
    let value = |(name, now): (&String, &String)| {
        let is_gauge = GAUGES.iter().any(|start| name.starts_with(start)) && name != "threads_created";
        let numbers =
            before.get(name).and_then(|then| Some((then.parse::<u64>().ok()?, now.parse::<u64>().ok()?)));
        let value = match numbers {
            Some((then, now)) if !is_gauge && now >= then => (now - then).to_string(),
            _ => now.clone(),
        };
        (name.clone(), value)
    };
    after.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_those_of_the_window_and_gauges_the_last() {
        let pairs = |list: &[(&str, &str)]| -> Variables {
            list.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
        };
        let before = pairs(&[
            ("questions", "100"),
            ("threads_running", "7"),
            ("threads_created", "3"),
            ("innodb_num_open_files", "20"),
        ]);
        let after = pairs(&[
            ("questions", "150"),
            ("threads_running", "9"),
            ("threads_created", "4"),
            ("new", "2"),
            ("innodb_num_open_files", "25"),
        ]);
        let expected = pairs(&[
            ("questions", "50"),
            ("threads_running", "9"),
            ("threads_created", "1"),
            ("new", "2"),
            ("innodb_num_open_files", "25"),
        ]);
        assert_eq!(counted(&before, &after), expected);
    }

    #[test]
    fn nobody_is_told_to_undo_what_was_set_on_purpose() {
        let advice = |id: &str, evidence: &str, action: &str| {
            let texts = [evidence.into(), "why".into(), action.into(), "cost".into()];
            Recommendation::new(id, doctor::RecommendationSeverity::High, texts, String::new())
        };
        let purpose: BTreeSet<String> =
            ["sync_binlog", "innodb_buffer_pool_size", "transaction_isolation"].map(str::to_owned).into();
        let sync = advice("sync_binlog", "sync_binlog = 0", "SET GLOBAL sync_binlog = 1;");
        assert_eq!(kept(sync.clone(), &purpose), None);
        assert_eq!(kept(sync.clone(), &BTreeSet::new()), Some(sync));
        let other = advice("doublewrite", "innodb_doublewrite = OFF", "innodb_doublewrite = ON in my.cnf");
        assert_eq!(kept(other.clone(), &purpose), Some(other));
        let level =
            advice("isolation", "tx_isolation = SERIALIZABLE", "SET GLOBAL TRANSACTION ISOLATION LEVEL ...");
        assert_eq!(kept(level, &purpose), None);
        // What was measured is worth knowing all the same.
        let misses = advice(
            "buffer_pool_misses",
            "3.1 pages read from disk per transaction, innodb_buffer_pool_size = 32 MiB",
            "SET GLOBAL innodb_buffer_pool_size = ...;",
        );
        let said = kept(misses, &purpose).expect("it was measured");
        assert!(said.evidence.contains("3.1 pages") && said.action.contains("on purpose"), "{said:?}");
        let locks = advice(
            "row_lock_contention",
            "90 % in row locks, transaction_isolation = READ-COMMITTED",
            "shorter transactions",
        );
        assert_eq!(kept(locks.clone(), &purpose), Some(locks));
    }
}
