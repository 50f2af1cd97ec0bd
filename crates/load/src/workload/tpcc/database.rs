//! The database of a transaction: a session together with the terminal's statements and buffers.

use std::fmt::Arguments;
use std::io::Write;

use crate::recorder::OperationIndex;
use crate::rows::Rows;
use crate::session::{Param, Session, Statement};
use crate::statement_error::StatementError;
use crate::workload::statement::Text;

use super::statements::{COMMIT, OPERATIONS, ROLLBACK};

/// State that a terminal keeps from transaction to transaction.
#[derive(Debug, Default)]
pub(super) struct TerminalBuffers {
    /// Statements by operation; those that are not prepared are sent as text.
    pub statements: Vec<Statement>,
    rows: Rows,
    sql: Sql,
    /// A transaction was begun and has not ended.
    pub open: bool,
}

/// A terminal's buffers, connected.
pub(super) struct Database<'a> {
    pub session: &'a mut Session,
    pub buffers: &'a mut TerminalBuffers,
    pub texts: &'a [Text],
}

impl Database<'_> {
    /// Begins a transaction, without a word to the server: sessions do not commit by themselves, so that the first
    /// statement begins it.
    pub fn begin(&mut self) {
        self.buffers.open = true;
    }

    pub async fn commit(&mut self) -> Result<(), StatementError> {
        self.bracket(COMMIT).await?;
        self.buffers.open = false;
        Ok(())
    }

    pub async fn roll_back(&mut self) -> Result<(), StatementError> {
        self.buffers.open = false;
        self.bracket(ROLLBACK).await
    }

    async fn bracket(&mut self, operation: OperationIndex) -> Result<(), StatementError> {
        self.session.query(operation, OPERATIONS[operation].template.as_bytes()).await.map(drop)
    }

    /// Runs a statement that has no rows.
    pub async fn run(
        &mut self,
        operation: OperationIndex,
        params: &[Param<'_>],
    ) -> Result<(), StatementError> {
        let pieces = &self.texts[operation].pieces;
        self.session
            .execute(operation, &mut self.buffers.statements[operation], pieces, params)
            .await
            .map(drop)
    }

    /// Runs a statement, and gives its rows.
    pub async fn select(
        &mut self,
        operation: OperationIndex,
        params: &[Param<'_>],
    ) -> Result<&Rows, StatementError> {
        let (pieces, buffers) = (&self.texts[operation].pieces, &mut *self.buffers);
        let statement = &mut buffers.statements[operation];
        self.session.execute_for_rows(operation, statement, pieces, params, &mut buffers.rows).await?;
        Ok(&buffers.rows)
    }

    /// An empty statement to be written.
    pub fn write(&mut self) -> &mut Sql {
        self.buffers.sql.0.clear();
        &mut self.buffers.sql
    }

    /// Runs the statement that was written; it has no rows.
    pub async fn run_written(&mut self, operation: OperationIndex) -> Result<(), StatementError> {
        self.session.query(operation, &self.buffers.sql.0).await.map(drop)
    }

    /// Runs the statement that was written, and gives its rows.
    pub async fn select_written(&mut self, operation: OperationIndex) -> Result<&Rows, StatementError> {
        let buffers = &mut *self.buffers;
        self.session.query_for_rows(operation, &buffers.sql.0, &mut buffers.rows).await?;
        Ok(&buffers.rows)
    }
}

/// A statement that is being written.
#[derive(Debug, Default)]
pub(super) struct Sql(Vec<u8>);

impl Sql {
    pub fn put(&mut self, text: Arguments<'_>) -> &mut Self {
        self.0.write_fmt(text).expect("writing to a Vec does not fail");
        self
    }

    /// Writes something for each of several values, with a separator between them.
    pub fn list<T>(
        &mut self,
        separator: &str,
        values: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Self, T),
    ) -> &mut Self {
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.0.extend_from_slice(separator.as_bytes());
            }
            each(self, value);
        }
        self
    }

    /// Writes numbers with commas between them.
    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = i64>) -> &mut Self {
        self.list(", ", numbers, |sql, number| {
            sql.put(format_args!("{number}"));
        })
    }

    pub fn quoted(&mut self, text: &[u8]) -> &mut Self {
        crate::session::write_quoted(&mut self.0, text);
        self
    }
}
