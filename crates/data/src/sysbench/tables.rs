//! sysbench's tables as a data set.

use model::SysbenchData;

use super::{check, cleanup, definition, prepare};
use crate::account::{Account, Session, fingerprint};
use crate::described::Described;
use crate::error::DataError;
use crate::found::{Checked, Cleaned, Depth};
use crate::job::{Job, PrepareProgress, Prepared};
use crate::tables::Tables;

impl Described for SysbenchData {
    fn names(&self) -> Vec<String> {
        (1..=self.tables).map(definition::table_name).collect()
    }

    fn rows(&self) -> u64 {
        prepare::rows_of(self)
    }

    fn identity(&self) -> u64 {
        let SysbenchData {
            tables,
            table_size,
            auto_inc,
            secondary,
            create_secondary,
            engine,
            table_options,
            bulk,
        } = self;
        fingerprint(&format!(
            "{tables} {table_size} {auto_inc} {secondary} {create_secondary} {bulk} {} {table_options}",
            engine.to_lowercase()
        ))
    }

    fn describe(&self) -> String {
        definition::describe(self)
    }
}

impl Tables for SysbenchData {
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

    fn cleanup(&self, session: &mut Session<'_>, first: Option<u32>) -> Result<Cleaned, DataError> {
        cleanup::cleanup(session, first)
    }
}
