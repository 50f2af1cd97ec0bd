//! Execution of a chunk of TPC-C's rows on a connection.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

use super::{
    chunks::Chunk,
    counts::Counts,
    differ::differ,
    rows::{Block, FORMAT, Inserts, blocks},
};
use crate::{
    account::Session,
    error::DataError,
    pool::{LoadConnection, LoadPool, STATEMENT_BYTES},
    queue::{Piece, Queue, Task},
};

/// A load of TPC-C's tables.
pub(crate) struct Load<'a> {
    pub pool: LoadPool<'a>,
    pub data: &'a model::TpccData,
    pub seed: u64,
    /// `max_allowed_packet`.
    pub packet_bytes_max: usize,
    pub queue: Mutex<Queue<Chunk>>,
    /// Rows found by counting the loaded ones.
    pub counted: AtomicU64,
}

impl Load<'_> {
    /// Executes tasks until none is left for this connection.
    pub fn work(&self, connection: &mut LoadConnection<'_>) -> Result<(), DataError> {
        connection
            .work_through(&self.queue, &|| u32::MAX, &|| (), |connection, task| self.act(connection, task))
    }

    fn act(&self, connection: &mut LoadConnection<'_>, task: Task<Chunk>) -> Result<(), DataError> {
        match task {
            Task::Load(chunk) => {
                let what = format!("loading {}", chunk.describe());
                // Made once, however often it has to be sent.
                let blocks = blocks(self.seed, self.data.age, &chunk);
                connection.load_once((chunk.warehouse, chunk.number()), chunk.rows(), &what, &mut |session| {
                    blocks.iter().try_fold(0, |sum, block| Ok(sum + self.send(session, block, &chunk)?))
                })
            }
            Task::Count(warehouse) => {
                let what = match warehouse {
                    0 => "counting items".to_owned(),
                    warehouse => format!("counting the rows of warehouse {warehouse}"),
                };
                connection.persist(&what, |connection| {
                    connection.patiently(|session| self.count(session, warehouse))
                })
            }
            // Foreign keys come when all warehouses are there.
            Task::Index(_) => Ok(()),
        }
    }

    /// Sends the rows of one table; the bytes it took.
    fn send(&self, session: &mut Session<'_>, block: &Block, chunk: &Chunk) -> Result<u64, DataError> {
        let name = block.table.name;
        let account = session.account;
        let explain = |source| account.explain(&format!("loading {} into {name}", chunk.describe()), source);
        let (mut taken, mut bytes) = (0, 0);
        if self.pool.insert_only.load(Ordering::Relaxed) {
            let mut inserts = Inserts::new(block, STATEMENT_BYTES.min(self.packet_bytes_max));
            while let Some(statement) = inserts.next() {
                taken += session.client.execute(statement).map_err(explain)?.affected_rows;
                bytes += statement.len() as u64;
            }
        } else {
            let statement = format!(
                "LOAD DATA LOCAL INFILE 'mydyno' INTO TABLE {name} CHARACTER SET utf8mb4 {FORMAT} ({})",
                block.table.column_list()
            );
            let mut text = &block.text[..];
            taken = session.client.load_data_local(&statement, &mut text).map_err(explain)?.affected_rows;
            bytes = block.text.len() as u64;
        }
        // LOAD DATA LOCAL skips rows whose keys are taken without an error.
        if taken != block.rows {
            let which = format!("of the {}", chunk.describe());
            return Err(DataError::RowsRefused { table: name.to_owned(), taken, sent: block.rows, which });
        }
        Ok(bytes)
    }

    fn count(&self, session: &mut Session<'_>, warehouse: u32) -> Result<(), DataError> {
        let counts = Counts::of(session, warehouse)?;
        let wrong = counts.initial(self.data.age);
        if !wrong.is_empty() {
            return Err(differ(self.pool.account, self.data, wrong));
        }
        self.counted.fetch_add(counts.sum(), Ordering::Relaxed);
        Ok(())
    }
}
