//! What was measured on a server, as far as rules look at it.

use std::collections::BTreeMap;

use messages::{Words, message};
use model::{ErrorCount, PlanStep};

/// Waits for the binary log and the redo log.
pub(super) const LOG_FILES: [&str; 2] = ["wait/io/file/sql/binlog", "wait/io/file/innodb/innodb_log_file"];

/// What was measured on a server with one number of clients, as far as rules look at it.
#[derive(Debug, Clone, Default)]
pub struct MeasuredWindow {
    /// Clients.
    pub clients: u32,
    /// Transactions per second.
    pub throughput_per_s: Option<f64>,
    /// Transactions that completed.
    pub transactions: u64,
    /// Mean service time of a transaction, ms; none if none completed.
    pub service_ms: Option<f64>,
    /// Mean response time of a transaction, ms; none where it was not broken down.
    pub response_ms: Option<f64>,
    /// What that time is spent on; empty where it was not broken down.
    pub parts: Vec<TimePart>,
    /// Statements of a transaction, COMMIT among them.
    pub statements_per_transaction: Option<f64>,
    /// Statements that the load's clients did not send; none where they cannot be told apart.
    pub others: Option<OtherStatements>,
    /// Statements that were seen to run for a second or more, whoever sent them.
    pub long: Vec<LongRunning>,
    /// 99.9th percentile of the response time of a transaction, ms.
    pub p999_ms: Option<f64>,
    /// Errors by code.
    pub errors: Vec<ErrorCount>,
    /// What a transaction cost the server, by the cost's id.
    pub costs: BTreeMap<String, f64>,
    /// The machine, if it is the server's own or the generator's.
    pub machine: Option<Machine>,
    /// The statements that took most of the server's time.
    pub statements: Vec<StatementDigest>,
    /// The waits that took most of it.
    pub waits: Vec<WaitEvent>,
    /// The threads that used most CPU.
    pub threads: Vec<Thread>,
    /// How the workload's statements are executed.
    pub plans: Vec<ExecutionPlan>,
}

/// A part of the mean response time of a transaction, by what it is spent on.
#[derive(Debug, Clone)]
pub struct TimePart {
    /// Which: `commit_wait`, `network`, ...
    pub id: String,
    /// What it is called.
    pub label: Words,
    /// Milliseconds of a transaction.
    pub ms: f64,
    /// On which target it is shorter, where it carries much of the difference between the two.
    pub excess: Option<PartExcess>,
}

/// By how much a part of the response time is longer than on another target.
#[derive(Debug, Clone, PartialEq)]
pub struct PartExcess {
    /// Label of the other target.
    pub than: String,
    /// Milliseconds of a transaction.
    pub ms: f64,
}

/// Statements of other sessions than the load's clients.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OtherStatements {
    /// Share of the time of all statements.
    pub share: f64,
    /// Sessions that were in such a statement at any time, in the mean.
    pub sessions: f64,
    /// That of them that took most time, without its values.
    pub text: String,
    /// Mean time of an execution of it, ms.
    pub mean_ms: f64,
}

/// Statements that were seen to run for a second or more.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LongRunning {
    /// First word of the statements, in capital letters; empty where the server does not show it.
    pub verb: String,
    /// What they did, as the server says.
    pub state: String,
    /// How many at any time, in the mean.
    pub on_average: f64,
    /// How long the longest had run, seconds.
    pub longest_s: f64,
}

impl LongRunning {
    /// It waits for a lock of a whole table or server, not of rows.
    pub(super) fn waits_for_table(&self) -> bool {
        const STATES: [&str; 7] = [
            "waiting for table metadata lock",
            "waiting for schema metadata lock",
            "waiting for global read lock",
            "waiting for commit lock",
            "waiting for table flush",
            "waiting for table level lock",
            "waiting for backup lock",
        ];
        STATES.contains(&self.state.to_ascii_lowercase().as_str())
    }
}

/// What a machine did meanwhile.
#[derive(Debug, Clone, Default)]
pub struct Machine {
    /// The server runs on it.
    pub is_servers: bool,
    /// Writes to disks per second.
    pub disk_writes_per_s: f64,
    /// Mean time of a write, ms.
    pub disk_write_ms: Option<f64>,
    /// Bytes written to disks per second, by all programs.
    pub disk_written_bytes_per_s: f64,
    /// Share of the time in which a disk was busy; summed over disks. None where it is not known.
    pub disk_busy: Option<f64>,
    /// Share of the CPU time that was idle.
    pub cpu_idle: f64,
    /// Share of the time in which the quota of its control group kept the server from running.
    pub throttled: Option<f64>,
    /// The least memory that was left, bytes; 0: not known.
    pub memory_available_bytes: u64,
}

/// A form of statement.
#[derive(Debug, Clone, Default)]
pub struct StatementDigest {
    /// Without its values.
    pub text: String,
    /// Share of the time of all statements.
    pub share: f64,
    /// Rows that an execution looks at.
    pub rows_examined: f64,
    /// Rows that it sends or changes.
    pub rows_returned: f64,
    /// Share of the executions that went through a whole table.
    pub full_scans: f64,
}

/// An event of the performance schema.
#[derive(Debug, Clone, Default)]
pub struct WaitEvent {
    /// Its name.
    pub event: String,
    /// Time per transaction, ms.
    pub ms_per_transaction: f64,
}

/// The threads of one name.
#[derive(Debug, Clone, Default)]
pub struct Thread {
    /// The name.
    pub name: String,
    /// CPUs that the busiest of them used.
    pub busiest: f64,
}

/// How a statement of the workload is executed.
#[derive(Debug, Clone, Default)]
pub struct ExecutionPlan {
    /// The operation.
    pub operation: String,
    /// The statement.
    pub sql: String,
    /// The tables in the order in which they are read.
    pub steps: Vec<PlanStep>,
    /// The same in words, a line each.
    pub says: Vec<String>,
    /// The plan after the load, if it was another one.
    pub changed_to: Option<Vec<String>>,
}

impl MeasuredWindow {
    /// A cost per transaction, by its id.
    pub(super) fn cost(&self, id: &str) -> Option<f64> {
        self.costs.get(id).copied()
    }

    /// The same per second.
    pub(super) fn per_s(&self, id: &str) -> Option<f64> {
        Some(self.cost(id)? * self.throughput_per_s?)
    }

    /// A part of the response time, by its id.
    pub(super) fn part(&self, id: &str) -> Option<&TimePart> {
        self.parts.iter().find(|part| part.id == id)
    }

    /// Its share of the response time.
    pub(super) fn part_share(&self, part: &TimePart) -> Option<f64> {
        self.response_ms.filter(|whole| *whole > 0.0).map(|whole| part.ms / whole)
    }

    /// A wait, by its event.
    pub(super) fn wait_ms(&self, event: &str) -> Option<f64> {
        self.waits.iter().find(|wait| wait.event == event).map(|wait| wait.ms_per_transaction)
    }

    /// Share of the time in which the redo log or the binary log was written or flushed, at most 1; none where the server does
    /// not time its files.
    pub(super) fn logs_in_use(&self) -> Option<f64> {
        if self.waits.is_empty() {
            return None;
        }
        // The two are written one after the other by each group of commits.
        let ms_per_transaction: f64 = LOG_FILES.iter().filter_map(|event| self.wait_ms(event)).sum();
        Some((ms_per_transaction * self.throughput_per_s? / 1e3).min(1.0))
    }

    /// Its machine, if that is the server's own.
    pub(super) fn servers_machine(&self) -> Option<&Machine> {
        self.machine.as_ref().filter(|machine| machine.is_servers)
    }

    /// `at 8 clients`.
    pub(super) fn at(&self) -> Words {
        message!("doctor-at", clients = Count(self.clients))
    }
}

/// Rows that are read are other than expected: by a factor of ten, of more than a handful.
pub fn far_apart(a: f64, b: f64) -> bool {
    const FACTOR: f64 = 10.0;
    const HANDFUL: f64 = 100.0;
    let (less, more) = (a.min(b).max(1.0), a.max(b));
    more > HANDFUL && more / less >= FACTOR
}
