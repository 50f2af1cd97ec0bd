//! Execution of a task on a connection.

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use messages::number::thousands;
use model::StatementsData;

use super::check::{count, differ};
use super::definition::{create_indexes, sql_name, table_of};
use super::rows::RowStatements;
use crate::account::Session;
use crate::error::DataError;
use crate::pool::{LoadConnection, LoadPool, STATEMENT_BYTES, code};
use crate::queue::{Piece, Queue, Task};
use crate::sysbench::chunks::Chunk;

/// A load of the tables of a file.
pub(super) struct Load<'a> {
    pub pool: LoadPool<'a>,
    pub data: &'a StatementsData,
    pub seed: u64,
    pub packet_bytes_max: usize,
    pub queue: Mutex<Queue<Chunk>>,
}

impl Load<'_> {
    /// Executes tasks until none is left for this connection.
    pub fn work(&self, connection: &mut LoadConnection<'_>) -> Result<(), DataError> {
        let finished = || {
            self.pool.tables_done.fetch_add(1, Ordering::Relaxed);
        };
        connection
            .work_through(&self.queue, &|| u32::MAX, &finished, |connection, task| self.act(connection, task))
    }

    fn act(&self, connection: &mut LoadConnection<'_>, task: Task<Chunk>) -> Result<(), DataError> {
        match task {
            Task::Load(chunk) => {
                let what = self.what(&chunk);
                connection.load_once((chunk.table, chunk.number), chunk.rows(), &what, &mut |session| {
                    self.send(session, &chunk, &what)
                })
            }
            Task::Index(table) => {
                let what = format!("creating the indexes of {}", sql_name(self.data, table));
                connection.persist(&what, |connection| {
                    connection.patiently(|session| self.index(session, table, &what))
                })
            }
            Task::Count(table) => {
                let what = format!("counting the rows of {}", sql_name(self.data, table));
                connection
                    .persist(&what, |connection| connection.patiently(|session| self.count(session, table)))
            }
        }
    }

    fn what(&self, chunk: &Chunk) -> String {
        let Chunk { first, last, .. } = chunk;
        format!("loading rows {first} to {last} of {}", sql_name(self.data, chunk.table))
    }

    /// Sends a chunk's rows; the bytes it took.
    fn send(&self, session: &mut Session<'_>, chunk: &Chunk, what: &str) -> Result<u64, DataError> {
        let bytes_max = STATEMENT_BYTES.min(self.packet_bytes_max);
        let rows = RowStatements::new(self.data, self.seed, chunk, bytes_max);
        let mut rows = rows.map_err(|what| DataError::Unable { what })?;
        let (mut taken, mut bytes) = (0, 0);
        while let Some(statement) = rows.next() {
            taken += session.execute(what, statement)?.affected_rows;
            bytes += statement.len() as u64;
        }
        if taken != chunk.rows() {
            let which = format!("{} to {}", thousands(chunk.first), thousands(chunk.last));
            let table = sql_name(self.data, chunk.table);
            return Err(DataError::RowsRefused { table, taken, sent: chunk.rows(), which });
        }
        Ok(bytes)
    }

    fn index(&self, session: &mut Session<'_>, table: u32, what: &str) -> Result<(), DataError> {
        let Some(sql) = table_of(self.data, table).and_then(create_indexes) else { return Ok(()) };
        match session.client.execute(&sql) {
            // An earlier attempt made them although its answer was lost.
            Err(error) if code(&error) == Some(codes::ER_DUP_KEYNAME) => Ok(()),
            other => other.map(drop).map_err(|source| session.account.explain(what, source)),
        }
    }

    fn count(&self, session: &mut Session<'_>, number: u32) -> Result<(), DataError> {
        let Some(table) = table_of(self.data, number) else { return Ok(()) };
        match count(session, table)?.1 {
            None => Ok(()),
            Some(wrong) => Err(differ(self.pool.account, self.data, vec![wrong], true)),
        }
    }
}
