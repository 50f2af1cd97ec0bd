//! What was measured on a server, as far as rules look at it.

use std::collections::BTreeMap;

use messages::{Words, message};
use model::{ErrorCount, PlanStep};

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

/// What a machine did meanwhile.
#[derive(Debug, Clone, Default)]
pub struct Machine {
    /// The server runs on it.
    pub is_servers: bool,
    /// Writes to disks per second.
    pub disk_writes_per_s: f64,
    /// Mean time of a write, ms.
    pub disk_write_ms: Option<f64>,
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
