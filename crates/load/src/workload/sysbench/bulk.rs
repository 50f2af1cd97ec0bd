//! `bulk_insert`: each client fills a table of its own with rows (n, n), in INSERTs of up to 512 KiB.
//!
//! As in sysbench an event is one row, not one INSERT: most events only add to the buffer, and the one that finds it
//! full waits for the server. The latency of the INSERTs themselves is under the operation `bulk_insert`.

use std::io::Write;

use super::statements::BULK_INSERT;
use crate::session::Session;
use crate::statement_error::StatementError;
use crate::workload::{ClientNumber, ClientWorkload};

/// sysbench's limit for one INSERT, bytes.
const PACKET_BYTES: usize = 512 * 1024;

/// One client.
pub(crate) struct BulkInsert {
    head: String,
    sql: Vec<u8>,
    row: Vec<u8>,
    next_id: u64,
    rows: usize,
}

impl BulkInsert {
    /// A client of that number; its table is `sbtest<number + 1>`.
    pub fn new(client: ClientNumber) -> Self {
        let head = format!("INSERT INTO sbtest{} VALUES", client.number + 1);
        Self { sql: head.clone().into_bytes(), head, row: Vec::new(), next_id: 0, rows: 0 }
    }

    async fn flush(&mut self, session: &mut Session) -> Result<(), StatementError> {
        if self.rows > 0 {
            session.query(BULK_INSERT, &self.sql).await?;
            self.sql.truncate(self.head.len());
            self.rows = 0;
        }
        Ok(())
    }
}

impl ClientWorkload for BulkInsert {
    async fn prepare(&mut self, _session: &mut Session) -> Result<(), StatementError> {
        Ok(())
    }

    async fn transaction(&mut self, session: &mut Session) -> Result<(), StatementError> {
        self.row.clear();
        let id = self.next_id + 1;
        write!(self.row, "({id},{id})").expect("writing to a Vec does not fail");
        if self.sql.len() + self.row.len() + 2 > PACKET_BYTES {
            self.flush(session).await?;
        }
        if self.rows > 0 {
            self.sql.push(b',');
        }
        self.sql.extend_from_slice(&self.row);
        self.next_id = id;
        self.rows += 1;
        Ok(())
    }

    async fn roll_back(&mut self, _session: &mut Session) -> Result<(), StatementError> {
        Ok(())
    }

    async fn finish(&mut self, session: &mut Session) -> Result<(), StatementError> {
        self.flush(session).await
    }
}
