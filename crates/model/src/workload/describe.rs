//! Properties of a workload that are known without running it.

use super::{DataSet, ErrorPolicy};

/// The transactions of a workload that only read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// All of them.
    All,
    /// Those of some types.
    Types,
    /// Single statements between others that write, each a transaction of its own.
    Statements,
    /// None.
    None,
}

/// A workload with every option resolved. It is implemented by the options themselves; how a workload is run and loaded is
/// in the crates `load` and `data`, see `docs/design/workloads.md`.
pub trait Workload {
    /// The name that users type and charts show, such as `oltp_read_write`.
    fn name(&self) -> &str;

    /// The name in charts and tables: its own, unless several workloads share it.
    fn label(&self) -> &str;

    /// Calls it something else.
    fn set_label(&mut self, label: &str);

    /// A one-line summary for help and reports.
    fn summary(&self) -> &str;

    /// The one-line summary in Simplified Chinese.
    fn summary_zh(&self) -> &str;

    /// The data that up to `clients` clients need; none if it cannot be run.
    fn data_set(&self, clients: u32) -> Option<DataSet>;

    /// Tables that each client uses.
    fn tables(&self) -> u64;

    /// True if it changes rows, so that data must be restored for an exact repeat.
    fn writes(&self) -> bool;

    /// The transactions of it that only read.
    fn reads(&self) -> Reads;

    /// True if it leaves other rows than it found, so that the next trial would run on other data.
    fn changes_row_count(&self) -> bool;

    /// The policy for server errors.
    fn errors(&self) -> &ErrorPolicy;

    /// Clients reconnect after this many transactions; 0: never.
    fn reconnect(&self) -> u64;

    /// Whether it can be run. False if only its name is known: it can then be shown and compared.
    fn can_run(&self) -> bool {
        true
    }

    /// True if its transactions are of several types, each measured by itself.
    fn has_transaction_types(&self) -> bool {
        false
    }

    /// True if the consistency of its data is to be checked after each trial.
    fn checks_data(&self) -> bool {
        false
    }
}
