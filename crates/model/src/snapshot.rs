//! Totals of a server, read at both ends of a measured window, and the plans of the statements.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Channel, Observation, Unseen, Variables};

/// One reading of values that are too expensive to read every second. `snapshot-before.json` and `snapshot-after.json` of a
/// trial; their difference is the activity in between. A part that could not be read is empty, and named in `unseen`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Seconds since the load began, when the reading was complete.
    pub at_s: f64,
    /// Time taken to read each part, seconds, by its name.
    pub took_s: BTreeMap<String, f64>,
    /// SHOW GLOBAL STATUS, names in lower case.
    #[serde(default)]
    pub status: Variables,
    /// Statements by digest, those that took longest since the server's start.
    #[serde(default)]
    pub statements: Vec<StatementUse>,
    /// Time of all statements that have a digest, seconds, those among them that `statements` leaves out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digested_s: Option<f64>,
    /// All statements by event (`statement/com/Execute`), whether the server keeps a digest of them or not.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub statement_events: BTreeMap<String, EventUse>,
    /// Waits by event (`wait/io/file/innodb/innodb_log_file`).
    #[serde(default)]
    pub waits: BTreeMap<String, EventUse>,
    /// The file waits of threads that serve a client.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub client_waits: BTreeMap<String, EventUse>,
    /// Stages of statements by event.
    #[serde(default)]
    pub stages: BTreeMap<String, EventUse>,
    /// Memory that the server holds, by purpose, bytes; the largest entries.
    #[serde(default)]
    pub memory: BTreeMap<String, u64>,
    /// INFORMATION_SCHEMA.INNODB_METRICS, those that are switched on.
    #[serde(default)]
    pub metrics: BTreeMap<String, i64>,
    /// The files of the binary log.
    #[serde(default)]
    pub binlog: Option<BinlogUse>,
    /// Bytes of the error log, of a server whose log is accessible.
    #[serde(default)]
    pub error_log_bytes: Option<u64>,
    /// The threads of the server's process by id, of a server of this machine.
    #[serde(default)]
    pub threads: BTreeMap<u32, ThreadUse>,
    /// Time the threads were read, if other than `at_s`: at the end, the last time at which the clients' threads still existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads_at_s: Option<f64>,
    /// Replication channels.
    #[serde(default)]
    pub channels: Vec<Channel>,
    /// Members of the replication group, as `host:port`, with state and role.
    #[serde(default)]
    pub members: BTreeMap<String, String>,
    /// Parts that could not be read, with the reason.
    #[serde(default)]
    pub unseen: Vec<Unseen>,
}

impl Snapshot {
    /// Time the threads were read, seconds since the load began.
    pub fn threads_at_s(&self) -> f64 {
        self.threads_at_s.unwrap_or(self.at_s)
    }
}

/// Number of occurrences and total duration of an event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct EventUse {
    /// Times.
    pub count: u64,
    /// Seconds.
    pub time_s: f64,
}

/// Totals of the statements of one form.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StatementUse {
    /// Database; empty if none was chosen.
    pub schema: String,
    /// The statement with its values taken out.
    pub text: String,
    /// Executions, and their total duration.
    pub all: EventUse,
    /// Seconds of waiting for locks of tables.
    pub lock_s: f64,
    /// Rows that were looked at.
    pub rows_examined: u64,
    /// Rows that were sent or changed.
    pub rows_returned: u64,
    /// Executions that went through a whole table.
    pub full_scans: u64,
    /// Temporary tables on disk.
    pub tmp_disk_tables: u64,
    /// Executions that ended with an error.
    pub errors: u64,
}

/// The files of the binary log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BinlogUse {
    /// The number in the last file's name, one higher after each rotation.
    pub last_file: u64,
    /// All files, bytes.
    pub bytes: u64,
}

/// A thread of the server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ThreadUse {
    /// The name that the server gave it.
    pub name: String,
    /// Whether the server reported the name; otherwise it is the kernel's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
    /// CPU, seconds.
    pub cpu_s: f64,
    /// Seconds in which it was ready to run and had no CPU; none where the kernel does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_wait_s: Option<f64>,
}

/// The execution plans of a workload's statements. `plans.json` of a trial.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Plans {
    /// The plans before the load.
    pub before: Vec<StatementPlan>,
    /// The plans after the load.
    pub after: Vec<StatementPlan>,
}

/// The plan of one statement.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StatementPlan {
    /// The operation of the workload.
    pub operation: String,
    /// The statement that was explained.
    pub sql: String,
    /// The tables in the order in which they are read.
    pub steps: Vec<PlanStep>,
    /// The plan in the server's own form, JSON; empty if it gave none.
    pub json: String,
    /// The server's own account of an execution (EXPLAIN ANALYZE, ANALYZE FORMAT=JSON); empty where nothing was executed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub analyzed: String,
    /// The reason there is no plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How one table is read.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanStep {
    /// Table.
    pub table: String,
    /// How (`const`, `range`, `ALL`, ...), as in the manual's table of join types.
    pub access: String,
    /// Index; empty: none.
    pub key: String,
    /// Rows that the server expects to read.
    pub rows: f64,
    /// Rows that an execution read; none where nothing was executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual_rows: Option<f64>,
}

/// All observations of a server during a trial. A part that was not observed is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Watched {
    /// Second by second.
    pub readings: Vec<Observation>,
    /// The snapshot at the beginning of the measured window.
    pub before: Option<Snapshot>,
    /// The snapshot at its end.
    pub after: Option<Snapshot>,
    /// The execution plans of the workload's statements.
    pub plans: Option<Plans>,
    /// Server variables that changed between the beginning and the end of the trial.
    pub changed_variables: Vec<ChangedVariable>,
}

/// A server variable that changed during a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedVariable {
    /// Name, as reported by the server.
    pub name: String,
    /// Value before the load.
    pub before: String,
    /// Value after it.
    pub after: String,
}
