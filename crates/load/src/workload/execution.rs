//! The execution of a workload; `model::Workload` has what is known without running it.

use std::io;

use model::{TpccResult, WorkloadSpec, for_workload};

use super::sample::Sample;
use crate::recorder::Operations;
use crate::setup::WorkerSetup;

/// A workload that can be run, implemented by its options.
pub(crate) trait Execution {
    /// Everything measured of it, in the order of its indexes: the transaction, transactions that took more than one attempt,
    /// types of transaction if it has several, statements.
    fn operations(&self) -> Operations;

    /// Prepared statements that each client holds on the server.
    fn prepared_statements(&self) -> u64;

    /// One statement of each kind, see [`samples`].
    fn samples(&self) -> Vec<Sample>;

    /// Makes what all clients of a trial share.
    ///
    /// # Errors
    /// The workload cannot be run.
    fn start(&self, seed: u64) -> io::Result<Box<dyn Started + '_>>;
}

/// A workload of which a trial has begun. One call to [`Started::run`] lasts for a whole trial; within it the clients are of
/// one type, so that no transaction is dispatched at run time.
pub(crate) trait Started: Sync {
    /// Runs the clients of a worker, on its thread, to their end.
    ///
    /// # Errors
    /// The worker could not be set up.
    fn run(&self, worker: WorkerSetup<'_>) -> io::Result<()>;

    /// The load is over, and a worker is still busy with something that never ends by itself: it is to be ended.
    fn abandon(&self) {}

    /// The figures that only TPC-C has, from the rollbacks and the retries by operation in the measured window.
    fn tpcc(&self, _rollbacks: u64, _retries: &[u64]) -> Option<TpccResult> {
        None
    }
}

/// The implementation of a workload.
pub(crate) fn execution(workload: &WorkloadSpec) -> &dyn Execution {
    for_workload!(workload, options => options)
}

/// Prepared statements that each client of a workload holds on the server.
pub fn prepared_statements(workload: &WorkloadSpec) -> u64 {
    execution(workload).prepared_statements()
}

/// One statement of each kind, on the first table and on values in the middle of it. An INSERT has no plan and is left out.
/// TPC-C's samples access one row at a time, whatever the style of its statements.
pub fn samples(workload: &WorkloadSpec) -> Vec<Sample> {
    execution(workload).samples()
}
