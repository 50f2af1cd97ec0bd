//! Execution of a task of sysbench's tables on a connection.

use std::sync::{Mutex, atomic::Ordering};

use model::SysbenchData;

use super::{
    check::differ,
    chunks::Chunk,
    count::{fresh, ids_differ},
    definition::{create_index, table_name},
    rows::{Inserts, LINES_FORMAT, Lines, Rows},
};
use crate::{
    account::Session,
    error::DataError,
    pool::{LoadConnection, LoadPool, STATEMENT_BYTES, code},
    queue::{Piece, Queue, Task},
};

/// Abilities of the server that matter to loading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// `max_allowed_packet`.
    pub packet_bytes_max: usize,
    /// The engine rolls back.
    pub transactional: bool,
    /// Connections that can run LOAD DATA on one table without standing in each other's way.
    pub load_lanes: u32,
    /// Character set of the text columns.
    pub charset: String,
}

/// A load of sysbench's tables.
pub(crate) struct Load<'a> {
    pub pool: LoadPool<'a>,
    pub data: &'a SysbenchData,
    pub seed: u64,
    pub abilities: Abilities,
    pub queue: Mutex<Queue<Chunk>>,
}

impl Load<'_> {
    /// Maximum number of connections that load one table.
    pub fn lanes(&self) -> u32 {
        if self.pool.insert_only.load(Ordering::Relaxed) { u32::MAX } else { self.abilities.load_lanes }
    }

    /// Executes tasks until none is left for this connection.
    pub fn work(&self, connection: &mut LoadConnection<'_>) -> Result<(), DataError> {
        let finished = || {
            self.pool.tables_done.fetch_add(1, Ordering::Relaxed);
        };
        connection.work_through(&self.queue, &|| self.lanes(), &finished, |connection, task| {
            self.act(connection, task)
        })
    }

    fn act(&self, connection: &mut LoadConnection<'_>, task: Task<Chunk>) -> Result<(), DataError> {
        match task {
            Task::Load(chunk) => {
                let (entry, what) = ((chunk.table, chunk.number), describe(&chunk));
                if self.abilities.transactional {
                    connection.load_once(entry, chunk.rows(), &what, &mut |session| {
                        send_rows(self, session, &chunk)
                    })
                } else {
                    connection.load_again(entry, chunk.rows(), &what, &mut |session| {
                        remove_rows(session, &chunk)?;
                        send_rows(self, session, &chunk)
                    })
                }
            }
            Task::Index(table) => connection
                .persist(&format!("creating the index of {}", table_name(table)), |connection| {
                    connection.patiently(|session| build_index(session, table))
                }),
            Task::Count(table) => connection
                .persist(&format!("counting the rows of {}", table_name(table)), |connection| {
                    connection.patiently(|session| self.count(session, table))
                }),
        }
    }

    fn count(&self, session: &mut Session<'_>, table: u32) -> Result<(), DataError> {
        let (found, wrong) = fresh(session, self.data, table)?;
        match wrong.or_else(|| ids_differ(table, found)) {
            None => Ok(()),
            Some(wrong) => Err(differ(self.pool.account, self.data, vec![wrong])),
        }
    }
}

fn build_index(session: &mut Session<'_>, table: u32) -> Result<(), DataError> {
    match session.client.execute(&create_index(table)) {
        // An earlier attempt made it although its answer was lost.
        Err(error) if code(&error) == Some(codes::ER_DUP_KEYNAME) => Ok(()),
        other => other.map(drop).map_err(|source| {
            session.account.explain(&format!("creating the index of {}", table_name(table)), source)
        }),
    }
}

fn remove_rows(session: &mut Session<'_>, chunk: &Chunk) -> Result<(), DataError> {
    let Chunk { table, first, last, .. } = *chunk;
    let remove = format!("DELETE FROM {} WHERE id BETWEEN {first} AND {last}", table_name(table));
    session.execute(&describe(chunk), &remove).map(drop)
}

/// Sends a chunk's rows; the bytes it took.
fn send_rows(load: &Load<'_>, session: &mut Session<'_>, chunk: &Chunk) -> Result<u64, DataError> {
    let name = table_name(chunk.table);
    let rows = Rows::new(load.seed, chunk.table, load.data.table_size, chunk.first, chunk.last);
    let explain = |source| load.pool.account.explain(&describe(chunk), source);
    let (taken, bytes) = if load.pool.insert_only.load(Ordering::Relaxed) {
        let mut inserts =
            Inserts::new(rows, name.clone(), STATEMENT_BYTES.min(load.abilities.packet_bytes_max));
        let (mut taken, mut bytes) = (0, 0);
        while let Some(statement) = inserts.next() {
            taken += session.client.execute(statement).map_err(explain)?.affected_rows;
            bytes += statement.len() as u64;
        }
        (taken, bytes)
    } else {
        let mut lines = Lines::new(rows);
        let statement = format!(
            "LOAD DATA LOCAL INFILE 'mydyno' INTO TABLE {name} CHARACTER SET {} {LINES_FORMAT}",
            load.abilities.charset
        );
        let taken = session.client.load_data_local(&statement, &mut lines).map_err(explain)?.affected_rows;
        (taken, lines.bytes)
    };
    // LOAD DATA LOCAL skips rows whose ids are taken without an error.
    if taken != chunk.rows() {
        let which = format!("with ids {} to {}", chunk.first, chunk.last);
        return Err(DataError::RowsRefused { table: name, taken, sent: chunk.rows(), which });
    }
    Ok(bytes)
}

fn describe(chunk: &Chunk) -> String {
    format!("loading ids {} to {} of {}", chunk.first, chunk.last, table_name(chunk.table))
}
