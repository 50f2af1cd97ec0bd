//! What a transaction costs the server: counters over the measured window, divided by the transactions of that time.

use std::collections::BTreeMap;

use model::{Observation, ProcessUse};
use serde::{Deserialize, Serialize};

use self::Counter::{Process, Status};
use crate::Words;
use crate::input::TrialInput;

/// A cost per transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Which: stable, for files.
    pub id: String,
    /// What it is.
    pub label: Words,
    /// Its unit; empty for a plain number.
    pub unit: String,
    /// Mean over the completed runs.
    pub per_transaction: f64,
}

/// Where a cost is counted.
enum Counter {
    /// In a status variable.
    Status(&'static str),
    /// In what the server's process uses.
    Process(fn(&ProcessUse) -> Option<f64>),
}

impl Counter {
    fn of(&self, observation: &Observation) -> Option<f64> {
        match self {
            Self::Status(name) => observation.status.get(*name).map(|count| *count as f64),
            Self::Process(used) => observation.process.as_ref().and_then(used),
        }
    }
}

/// Every cost, in the order in which they are shown: id, what it is in both languages, unit, counter.
const KINDS: [(&str, &str, &str, &str, Counter); 13] = [
    ("server_cpu", "server CPU", "服务器 CPU", "us", Process(|used| Some(used.cpu_s * 1e6))),
    (
        "context_switches",
        "context switches",
        "上下文切换",
        "",
        Process(|used| Some(used.context_switches? as f64)),
    ),
    ("disk_read", "read from disk", "磁盘读取", "B", Process(|used| Some(used.read_bytes as f64))),
    ("disk_written", "written to disk", "磁盘写入", "B", Process(|used| Some(used.written_bytes as f64))),
    ("fsyncs", "fsyncs of InnoDB", "InnoDB fsync", "", Status("innodb_data_fsyncs")),
    ("redo", "redo log", "重做日志", "B", Status("innodb_os_log_written")),
    ("row_lock_waits", "row lock waits", "行锁等待", "", Status("innodb_row_lock_waits")),
    ("row_lock_time", "waiting for row locks", "行锁等待时间", "ms", Status("innodb_row_lock_time")),
    ("buffer_pool_misses", "buffer pool misses", "缓冲池未命中", "", Status("innodb_buffer_pool_reads")),
    ("rows_read", "rows read", "读取行数", "", Status("innodb_rows_read")),
    ("tmp_tables", "temporary tables", "临时表", "", Status("created_tmp_tables")),
    ("tmp_disk_tables", "temporary tables on disk", "磁盘临时表", "", Status("created_tmp_disk_tables")),
    ("opened_tables", "tables opened", "打开表", "", Status("opened_tables")),
];

/// Of the completed runs of a cell, those that every run determines and that are not zero throughout.
pub(crate) fn costs(completed: &[&TrialInput<'_>]) -> Vec<Cost> {
    let runs: Vec<BTreeMap<&str, f64>> = completed.iter().filter_map(|trial| of_trial(trial)).collect();
    if runs.is_empty() || runs.len() < completed.len() {
        return Vec::new();
    }
    let mean = |id: &str| {
        let values: Option<Vec<f64>> = runs.iter().map(|run| run.get(id).copied()).collect();
        stats::mean(&values?).filter(|mean| *mean > 0.0)
    };
    let costs = KINDS.iter().filter_map(|(id, en, zh, unit, _)| {
        Some(Cost {
            id: (*id).to_owned(),
            label: Words::new(*en, *zh),
            unit: (*unit).to_owned(),
            per_transaction: mean(id)?,
        })
    });
    costs.collect()
}

/// Between the first reading of the measured window and the last one: what was counted there per second, divided by the
/// throughput of the window.
fn of_trial(trial: &TrialInput<'_>) -> Option<BTreeMap<&'static str, f64>> {
    /// Over less the ends of the window say too much.
    const SECONDS_MIN: f64 = 0.9;
    let result = trial.result;
    let end_s = result.warmup_s + result.measured_s;
    let inside = |o: &&Observation| (result.warmup_s..=end_s + 1.0).contains(&o.at_s);
    let first = trial.watched.readings.iter().find(inside)?;
    let last = trial.watched.readings.iter().rfind(inside)?;
    let seconds = last.at_s.min(end_s) - first.at_s;
    let per_s = result.transactions as f64 / result.measured_s;
    if seconds < SECONDS_MIN || per_s <= 0.0 {
        return None;
    }
    let costs = KINDS.iter().filter_map(|(id, _, _, _, counter)| {
        let counted = counter.of(last)? - counter.of(first)?;
        // A server that was restarted counts from zero.
        (counted >= 0.0).then_some((*id, counted / seconds / per_s))
    });
    Some(costs.collect())
}
