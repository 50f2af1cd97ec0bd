//! TPC-C's tables as a data set.

use std::sync::atomic::AtomicBool;

use model::{Consistency, TpccData};
use wire::ConnectOptions;

use super::{check, chunks, cleanup, consistency, prepare, schema};
use crate::account::{Account, Session};
use crate::described::Described;
use crate::error::DataError;
use crate::found::{Checked, Cleaned, Depth};
use crate::job::{Job, PrepareProgress, Prepared};
use crate::tables::Tables;

impl Described for TpccData {
    fn names(&self) -> Vec<String> {
        schema::TABLES.iter().map(|table| table.name.to_owned()).collect()
    }

    /// Order lines, whose number is random, count as ten to an order.
    fn rows(&self) -> u64 {
        chunks::rows_of(self)
    }

    fn identity(&self) -> u64 {
        schema::identity(self)
    }

    fn describe(&self) -> String {
        schema::describe(self)
    }
}

impl Tables for TpccData {
    fn prepare(
        &self,
        job: &Job<'_>,
        progress: &(dyn Fn(PrepareProgress) + Sync),
    ) -> Result<Prepared, DataError> {
        prepare::prepare(job, self, progress)
    }

    fn check(&self, account: &Account, depth: Depth) -> Result<Checked, DataError> {
        check::check(account, self, depth)
    }

    fn cleanup(&self, session: &mut Session<'_>, _first: Option<u32>) -> Result<Cleaned, DataError> {
        cleanup::cleanup(session)
    }

    fn consistency(
        &self,
        connect: &ConnectOptions,
        connections: u32,
        cancel: &AtomicBool,
    ) -> Result<Option<Consistency>, DataError> {
        consistency::consistency(connect, self, connections, cancel).map(Some)
    }
}
