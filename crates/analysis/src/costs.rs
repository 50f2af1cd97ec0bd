//! Cost of a transaction to the servers that clients use: counters over the measured window, divided by the transactions of
//! that time.

use std::collections::BTreeMap;

use messages::message;
use model::{Observation, ProcessUse, Snapshot, Watched};
use serde::{Deserialize, Serialize};

use self::Counter::{Ends, Living, Process, Status};
use crate::Words;
use crate::input::TrialInput;
use crate::machine::{readings, seconds_between, snapshots};
use crate::tops::is_of_the_watch;

/// A cost per transaction.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Which: stable, for files.
    pub id: String,
    /// What it is.
    pub label: Words,
    /// Its unit; empty for a plain number.
    pub unit: String,
    /// Mean over the completed trials of which it is known; the label says how many, if not all.
    pub per_transaction: f64,
}

/// The source of a cost.
enum Counter {
    /// A status variable.
    Status(&'static str),
    /// Resource use of the server's process.
    Process(fn(&ProcessUse) -> Option<f64>),
    /// Resource use of those threads of the process that are still alive.
    Living(fn(&ProcessUse) -> Option<f64>),
    /// Values read at both ends of the window.
    Ends(fn(&Snapshot) -> Option<f64>),
}

impl Counter {
    fn of(&self, observation: &Observation) -> Option<f64> {
        match self {
            Self::Status(name) => observation.status.get(*name).map(|count| *count as f64),
            Self::Process(used) | Self::Living(used) => observation.process.as_ref().and_then(used),
            Self::Ends(_) => None,
        }
    }

    /// Counted per second of the measured window, on all servers that clients used; none if it could not be seen on one of them.
    fn per_s(&self, trial: &TrialInput<'_>) -> Option<f64> {
        trial.used().map(|watched| self.of_server(trial, watched)).sum()
    }

    /// The rate of one server. A restarted server counts from zero.
    fn of_server(&self, trial: &TrialInput<'_>, watched: &Watched) -> Option<f64> {
        let (counted, seconds) = match self {
            Self::Ends(of) => {
                let (before, after, seconds) = snapshots(trial, watched)?;
                (of(after)? - of(before)?, seconds)
            }
            Self::Status(_) | Self::Process(_) | Self::Living(_) => {
                let mut readings = readings(trial, watched);
                // Past the window the clients' threads are gone, and what they had used with them.
                let end_s = trial.result.measured.warmup_s + trial.result.measured.measured_s;
                while let (Self::Living(_), [rest @ .., last]) = (self, readings)
                    && last.at_s > end_s
                {
                    readings = rest;
                }
                let (first, last) = (readings.first()?, readings.last()?);
                (self.of(last)? - self.of(first)?, seconds_between(trial, first.at_s, last.at_s)?)
            }
        };
        (counted >= 0.0).then_some(counted / seconds)
    }
}

/// Every cost, in the order in which they are shown: id, unit, counter.
const KINDS: [(&str, &str, Counter); 17] = [
    ("server_cpu", "us", Process(|used| Some(used.cpu_s * 1e6))),
    ("context_switches", "", Living(|used| Some(used.context_switches? as f64))),
    ("disk_read", "B", Process(|used| Some(used.read_bytes as f64))),
    ("disk_written", "B", Process(|used| Some(used.written_bytes as f64))),
    ("fsyncs", "", Status("innodb_data_fsyncs")),
    ("redo", "B", Status("innodb_os_log_written")),
    ("binlog", "B", Ends(|seen| Some(seen.binlog?.bytes as f64))),
    ("binlog_rotations", "", Ends(|seen| Some(seen.binlog?.last_file as f64))),
    ("row_lock_waits", "", Status("innodb_row_lock_waits")),
    ("row_lock_time", "ms", Status("innodb_row_lock_time")),
    ("buffer_pool_misses", "", Status("innodb_buffer_pool_reads")),
    ("rows_examined", "", Ends(rows_examined)),
    ("rows_read", "", Status("innodb_rows_read")),
    ("tmp_tables", "", Status("created_tmp_tables")),
    ("tmp_disk_tables", "", Status("created_tmp_disk_tables")),
    ("error_log", "B", Ends(|seen| Some(seen.error_log_bytes? as f64))),
    ("opened_tables", "", Status("opened_tables")),
];

/// The costs over the completed trials of a cell, those that are known and not zero throughout.
pub(crate) fn costs(completed: &[&TrialInput<'_>]) -> Vec<Cost> {
    let runs: Vec<BTreeMap<&str, f64>> = completed.iter().map(|trial| of_trial(trial)).collect();
    let costs = KINDS.iter().filter_map(|(id, unit, _)| {
        // A reading may come too late for the window of a trial; the others have their cost all the same.
        let values: Vec<f64> = runs.iter().filter_map(|run| run.get(id).copied()).collect();
        let (known, of) = (values.len(), runs.len());
        let cost = message!("cost", cost = Word(*id));
        let label = match known == of {
            true => cost,
            false => message!(
                "cost-in-some-trials",
                cost = Message(cost),
                known = Count(known as u64),
                all = Count(of as u64)
            ),
        };
        let per_transaction = stats::mean(&values).filter(|mean| *mean > 0.0)?;
        Some(Cost { id: (*id).to_owned(), label, unit: (*unit).to_owned(), per_transaction })
    });
    costs.collect()
}

/// Rows examined, from the statement digests of the performance schema.
fn rows_examined(seen: &Snapshot) -> Option<f64> {
    let asked = || seen.statements.iter().filter(|one| !is_of_the_watch(&one.text));
    (!seen.statements.is_empty()).then(|| asked().map(|one| one.rows_examined as f64).sum())
}

/// Counts per second, divided by the throughput of the window.
fn of_trial(trial: &TrialInput<'_>) -> BTreeMap<&'static str, f64> {
    let result = trial.result;
    let per_s = result.measured.transactions as f64 / result.measured.measured_s;
    if per_s <= 0.0 {
        return BTreeMap::new();
    }
    KINDS.iter().filter_map(|(id, _, counter)| Some((*id, counter.per_s(trial)? / per_s))).collect()
}
