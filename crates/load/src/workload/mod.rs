//! What to do: the third axis of load. A workload is straight-line code over a session.

mod bulk;
mod oltp;
mod samples;
mod secondary;
mod statements;
pub(crate) mod tpcc;

use model::{SysbenchOptions, SysbenchWorkload, WorkloadSpec};

use crate::recorder::{Operation, OperationIndex, TRANSACTION};
use crate::session::{Session, StatementError};

pub(crate) use bulk::BulkInsert;
pub(crate) use oltp::{Oltp, UniqueIds};
pub use samples::{Sample, samples};
pub(crate) use secondary::Secondary;
pub(crate) use statements::Catalog;

/// Everything that is measured of a workload, in the order of its indexes.
pub(crate) fn operations(workload: &WorkloadSpec) -> &'static [Operation] {
    match workload {
        WorkloadSpec::Sysbench(_) => &statements::OPERATIONS,
        WorkloadSpec::Tpcc(_) => &tpcc::OPERATIONS,
        WorkloadSpec::Imported(_) => &[],
    }
}

/// What one client does.
pub(crate) trait Workload {
    /// Prepares the statements on a new connection.
    async fn prepare(&mut self, session: &mut Session) -> Result<(), StatementError>;

    /// Turns to the next transaction. Returns the nanoseconds from the last completion until it is due. Called once
    /// before each transaction, but not before it is tried again.
    fn next_pause_ns(&mut self) -> u64 {
        0
    }

    /// The type of the transaction that is turned to; `TRANSACTION` if there is only one.
    fn operation(&self) -> OperationIndex {
        TRANSACTION
    }

    /// Runs one transaction.
    async fn transaction(&mut self, session: &mut Session) -> Result<(), StatementError>;

    /// Undoes a failed transaction.
    async fn roll_back(&mut self, session: &mut Session) -> Result<(), StatementError>;

    /// Does what is left to do at the end, before the connection is closed.
    async fn finish(&mut self, _session: &mut Session) -> Result<(), StatementError> {
        Ok(())
    }

    /// True if duplicate keys are an expected conflict between clients.
    fn collides(&self) -> bool {
        false
    }
}

/// Which of the implementations runs a workload of sysbench's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Oltp,
    Secondary,
    Bulk,
}

impl Family {
    pub fn of(options: &SysbenchOptions) -> Self {
        match options.workload {
            SysbenchWorkload::SelectRandomPoints | SysbenchWorkload::SelectRandomRanges => Self::Secondary,
            SysbenchWorkload::BulkInsert => Self::Bulk,
            _ => Self::Oltp,
        }
    }
}

/// Prepared statements that each client of a workload holds on the server.
pub fn prepared_statements(workload: &WorkloadSpec) -> u64 {
    let options = match workload {
        WorkloadSpec::Sysbench(options) => options,
        WorkloadSpec::Tpcc(options) => return tpcc::prepared_statements(options),
        WorkloadSpec::Imported(_) => return 0,
    };
    match (options.db_ps_mode, Family::of(options)) {
        (model::PsMode::Disable, _) | (_, Family::Bulk) => 0,
        (_, Family::Secondary) => 1,
        (_, Family::Oltp) => oltp::prepared_statements(options),
    }
}

/// A client's place among all clients of a trial.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientNumber {
    /// From 0.
    pub number: u32,
    /// Number of clients.
    pub of: u32,
    /// Seed of the trial.
    pub seed: u64,
}

/// The key distribution that a workload's options ask for, compiled for drawing from `1..=n`.
pub(crate) fn keys(options: &SysbenchOptions, n: u64) -> random::Keys {
    match options.rand {
        model::KeyDistribution::Uniform => random::Keys::uniform(),
        model::KeyDistribution::Gaussian { iter } => random::Keys::gaussian(iter),
        model::KeyDistribution::Special(shape) => random::Keys::special(shape.iter, shape.pct, shape.res),
        model::KeyDistribution::Pareto { h } => random::Keys::pareto(h),
        model::KeyDistribution::Zipfian { exponent } => random::Keys::zipfian(exponent, n),
    }
}
