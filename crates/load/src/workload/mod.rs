//! What to do: the third axis of load. A workload is straight-line code over a session.

mod bulk;
mod oltp;
mod secondary;
mod statements;

use model::{SysbenchOptions, SysbenchWorkload};

use crate::session::{Session, StatementError};

pub(crate) use bulk::BulkInsert;
pub(crate) use oltp::{Oltp, UniqueIds};
pub(crate) use secondary::Secondary;
pub use statements::statement_templates;
pub(crate) use statements::{Catalog, OPERATIONS};

/// What one client does.
pub(crate) trait Workload {
    /// Prepares the statements on a new connection.
    async fn prepare(&mut self, session: &mut Session) -> Result<(), StatementError>;

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
pub fn prepared_statements(workload: &model::WorkloadSpec) -> u64 {
    let model::WorkloadSpec::Sysbench(options) = workload;
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
