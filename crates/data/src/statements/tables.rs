//! The tables of a file as a data set.

use messages::number::counted;
use model::StatementsData;

use super::{check, cleanup, definition, prepare};
use crate::account::{Account, Session, fingerprint};
use crate::described::Described;
use crate::error::DataError;
use crate::found::{Checked, Cleaned, Depth};
use crate::job::{Job, PrepareProgress, Prepared};
use crate::tables::Tables;

impl Described for StatementsData {
    fn names(&self) -> Vec<String> {
        self.tables.iter().map(|table| table.name.clone()).collect()
    }

    fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    fn identity(&self) -> u64 {
        let each = self.tables.iter().map(|table| definition::identity(self, table));
        fingerprint(&format!("{:?}", each.collect::<Vec<_>>()))
    }

    fn describe(&self) -> String {
        let (tables, rows) = (counted(self.tables.len() as u64, "table"), counted(self.rows(), "row"));
        format!("statements of {}: {tables} with {rows}", self.workload)
    }
}

impl Tables for StatementsData {
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
        cleanup::cleanup(session, self)
    }
}
