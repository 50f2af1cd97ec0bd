//! Loads a data set.

use crate::{
    account::{Account, IfMissing, quoted_name},
    described::described,
    error::DataError,
    job::{Job, PrepareOutcome, PrepareProgress, Prepared},
    tables::tables,
};

/// Makes the tables that the data set asks for, or completes them.
///
/// A load that was interrupted, even by a kill, goes on where it stopped and loads no row twice. Tables that are
/// complete are left as they are; tables that differ are an error, for nothing is ever dropped here. TPC-C's are
/// extended if they hold fewer warehouses than asked for. `progress` is called a few times a second.
pub fn prepare(job: &Job<'_>, progress: &(dyn Fn(PrepareProgress) + Sync)) -> Result<Prepared, DataError> {
    let prepared = tables(job.data).prepare(job, progress)?;
    if prepared.outcome == PrepareOutcome::Loaded {
        analyze(job)?;
    }
    Ok(prepared)
}

/// Updates the statistics. Those taken during loading describe tables of a few rows, for which the optimizer chooses other
/// plans; the server would update them some time later, in the middle of a trial.
fn analyze(job: &Job<'_>) -> Result<(), DataError> {
    let account = Account::open(job.connect, IfMissing::Create)?;
    let mut session = account.connect()?;
    session.outlast()?;
    // One after the other: a lock on many tables at once would stand in the way of others.
    for table in described(job.data).names() {
        let sql = format!("ANALYZE NO_WRITE_TO_BINLOG TABLE {}", quoted_name(&table));
        session.query("take statistics", &sql)?;
    }
    Ok(())
}
