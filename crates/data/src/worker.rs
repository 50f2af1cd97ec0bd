//! A connection that loads: it takes tasks from the queue until none is left, and repeats what fails for a passing
//! reason.
//!
//! A chunk is one transaction together with its row in the ledger. Whatever happens to it (deadlock, lost connection,
//! server restarted), it is either wholly there or not at all, and the ledger knows which.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use model::DataSet;
use wire::{ConnectError, QueryError};

use crate::{
    account::{Account, Session},
    chunks::{Chunk, Queue, Task},
    count::{NO_PANIC, fresh, ids_differ},
    definition::{create_index, table_name},
    error::DataError,
    ledger,
    rows::{Inserts, LINES_FORMAT, Lines, Rows},
};

/// How often one task is tried.
const ATTEMPTS_MAX: u32 = 10;
const BACK_OFF_FIRST: Duration = Duration::from_millis(100);
const BACK_OFF_MAX: Duration = Duration::from_secs(5);
/// How soon a waiting connection notices that it should stop.
const NAP: Duration = Duration::from_millis(50);

/// Size of INSERT statements, if the server takes that.
const STATEMENT_BYTES: usize = 1 << 20;

/// What the server can do, as far as loading cares.
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

/// What all connections of a load share.
pub(crate) struct Load<'a> {
    pub account: &'a Account,
    pub data: &'a DataSet,
    pub seed: u64,
    pub abilities: Abilities,
    /// Rows in all tables.
    pub rows: u64,
    /// The user's wish to stop.
    pub cancel: &'a AtomicBool,
    pub queue: Mutex<Queue>,
    /// LOAD DATA LOCAL is not, or no longer, to be used.
    pub insert_only: AtomicBool,
    /// A connection has failed for good; the others need not go on.
    pub failed: AtomicBool,
    pub rows_done: AtomicU64,
    pub rows_loaded: AtomicU64,
    pub bytes: AtomicU64,
    pub retries: AtomicU64,
    pub tables_done: AtomicU32,
    /// Connections in the midst of a statement that may take minutes.
    pub patient: Mutex<BTreeSet<u32>>,
}

impl Load<'_> {
    /// How many connections may load one table.
    pub fn lanes(&self) -> u32 {
        if self.insert_only.load(Ordering::Relaxed) { u32::MAX } else { self.abilities.load_lanes }
    }

    /// Whether connections should end what they do.
    pub fn stopping(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }

    /// Does tasks until none is left for this connection.
    pub fn work(&self) -> Result<(), DataError> {
        let mut worker = Worker { load: self, session: None };
        let result = worker.run();
        if result.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        result
    }

    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().expect(NO_PANIC)
    }

    fn interrupted(&self) -> DataError {
        DataError::Interrupted { rows_done: self.rows_done.load(Ordering::Relaxed), rows: self.rows }
    }
}

struct Worker<'a> {
    load: &'a Load<'a>,
    session: Option<Session<'a>>,
}

impl<'a> Worker<'a> {
    fn run(&mut self) -> Result<(), DataError> {
        loop {
            if self.load.stopping() {
                return Err(self.load.interrupted());
            }
            let lanes = self.load.lanes();
            let Some(task) = self.load.queue().take(lanes) else { return Ok(()) };
            match task {
                Task::Load(chunk) => {
                    let bytes = self.persist(&describe(&chunk), |worker| worker.load_chunk(&chunk))?;
                    self.load.rows_done.fetch_add(chunk.rows(), Ordering::Relaxed);
                    if let Some(bytes) = bytes {
                        self.load.rows_loaded.fetch_add(chunk.rows(), Ordering::Relaxed);
                        self.load.bytes.fetch_add(bytes, Ordering::Relaxed);
                    }
                }
                Task::Index(table) => {
                    self.persist(&format!("creating the index of {}", table_name(table)), |worker| {
                        worker.create_index(table)
                    })?;
                }
                Task::Count(table) => {
                    self.persist(&format!("counting the rows of {}", table_name(table)), |worker| {
                        worker.count(table)
                    })?;
                }
            }
            if self.load.queue().done(task) {
                self.load.tables_done.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Does something until it succeeds, fails for a lasting reason, or has failed too often.
    fn persist<T>(
        &mut self,
        what: &str,
        mut attempt: impl FnMut(&mut Self) -> Result<T, DataError>,
    ) -> Result<T, DataError> {
        let mut attempts = 0;
        let mut pause = BACK_OFF_FIRST;
        loop {
            let error = match attempt(self) {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            self.clear_up(&error);
            if self.load.stopping() {
                return Err(self.load.interrupted());
            }
            if refuses_local_infile(&error) && !self.load.insert_only.swap(true, Ordering::Relaxed) {
                continue;
            }
            attempts += 1;
            if !is_passing(&error) {
                return Err(error);
            }
            if attempts >= ATTEMPTS_MAX {
                return Err(DataError::GaveUp { what: what.to_owned(), attempts, last: error.to_string() });
            }
            self.load.retries.fetch_add(1, Ordering::Relaxed);
            self.nap(pause)?;
            pause = (pause * 2).min(BACK_OFF_MAX);
        }
    }

    /// Ends the transaction, or forgets the connection if that cannot be done.
    fn clear_up(&mut self, error: &DataError) {
        let lost = matches!(error, DataError::Query { source, .. } if source.is_lost());
        let kept =
            !lost && self.session.as_mut().is_some_and(|session| session.client.execute("ROLLBACK").is_ok());
        if !kept {
            self.session = None;
        }
    }

    fn nap(&self, length: Duration) -> Result<(), DataError> {
        let mut left = length;
        while !left.is_zero() {
            if self.load.stopping() {
                return Err(self.load.interrupted());
            }
            let step = left.min(NAP);
            std::thread::sleep(step);
            left -= step;
        }
        Ok(())
    }

    fn session(&mut self) -> Result<&mut Session<'a>, DataError> {
        match self.session {
            Some(ref mut session) => Ok(session),
            None => Ok(self.session.insert(self.load.account.connect()?)),
        }
    }

    /// Loads a chunk; the bytes it took, or none if it was there already.
    fn load_chunk(&mut self, chunk: &Chunk) -> Result<Option<u64>, DataError> {
        let load = self.load;
        let session = self.session()?;
        if !load.abilities.transactional {
            return load_without_transaction(load, session, chunk).map(Some);
        }
        let what = describe(chunk);
        session.execute(&what, "START TRANSACTION")?;
        // First of all, since it tells whether the chunk is there: an earlier attempt may have been committed although
        // its answer was lost, and a killed predecessor's may be about to be.
        if !enter(session, chunk)? {
            session.execute(&what, "ROLLBACK")?;
            return Ok(None);
        }
        let bytes = send_rows(load, session, chunk)?;
        session.execute(&what, "COMMIT")?;
        Ok(Some(bytes))
    }

    fn create_index(&mut self, table: u32) -> Result<(), DataError> {
        const ER_DUP_KEYNAME: u16 = 1061;
        let name = table_name(table);
        let load = self.load;
        let session = self.session()?;
        let _patient = Patient::new(load, session);
        match session.client.execute(&create_index(table)) {
            // An earlier attempt made it although its answer was lost.
            Err(error) if code(&error) == Some(ER_DUP_KEYNAME) => Ok(()),
            other => other
                .map(drop)
                .map_err(|source| load.account.explain(&format!("creating the index of {name}"), source)),
        }
    }

    fn count(&mut self, table: u32) -> Result<(), DataError> {
        let load = self.load;
        let session = self.session()?;
        let _patient = Patient::new(load, session);
        let (found, wrong) = fresh(session, load.data, table)?;
        match wrong.or_else(|| ids_differ(table, found)) {
            None => Ok(()),
            Some(wrong) => Err(crate::check::differ(load.account, load.data, vec![wrong])),
        }
    }
}

/// A connection that is in the midst of a long statement, for as long as this lives.
struct Patient<'a> {
    load: &'a Load<'a>,
    connection: u32,
}

impl<'a> Patient<'a> {
    fn new(load: &'a Load<'a>, session: &Session<'_>) -> Self {
        let connection = session.client.session().connection_id;
        load.patient.lock().expect(NO_PANIC).insert(connection);
        Self { load, connection }
    }
}

impl Drop for Patient<'_> {
    fn drop(&mut self) {
        self.load.patient.lock().expect(NO_PANIC).remove(&self.connection);
    }
}

/// The engine keeps what it got, whatever happens: rows that an interrupted attempt left are taken out first, and the
/// ledger is written last.
fn load_without_transaction(
    load: &Load<'_>,
    session: &mut Session<'_>,
    chunk: &Chunk,
) -> Result<u64, DataError> {
    let Chunk { table, first, last, .. } = *chunk;
    let remove = format!("DELETE FROM {} WHERE id BETWEEN {first} AND {last}", table_name(table));
    session.execute(&describe(chunk), &remove)?;
    let bytes = send_rows(load, session, chunk)?;
    enter(session, chunk)?;
    Ok(bytes)
}

/// Writes a chunk into the ledger; false if it stands there already.
fn enter(session: &mut Session<'_>, chunk: &Chunk) -> Result<bool, DataError> {
    const ER_DUP_ENTRY: u16 = 1062;
    match session.client.execute(&ledger::enter(chunk.table, chunk.number)) {
        Ok(_) => Ok(true),
        Err(error) if code(&error) == Some(ER_DUP_ENTRY) => Ok(false),
        Err(source) => Err(session.account.explain(&describe(chunk), source)),
    }
}

/// Sends a chunk's rows; the bytes it took.
fn send_rows(load: &Load<'_>, session: &mut Session<'_>, chunk: &Chunk) -> Result<u64, DataError> {
    let name = table_name(chunk.table);
    let rows = Rows::new(load.seed, chunk.table, load.data.table_size, chunk.first, chunk.last);
    let explain = |source| load.account.explain(&describe(chunk), source);
    let (taken, bytes) = if load.insert_only.load(Ordering::Relaxed) {
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
        let Chunk { first, last, .. } = *chunk;
        return Err(DataError::RowsRefused { table: name, taken, sent: chunk.rows(), first, last });
    }
    Ok(bytes)
}

fn describe(chunk: &Chunk) -> String {
    format!("loading ids {} to {} of {}", chunk.first, chunk.last, table_name(chunk.table))
}

fn code(error: &QueryError) -> Option<u16> {
    error.server_error().map(|e| e.code)
}

/// The server, or the client library's side of the protocol, does not allow LOAD DATA LOCAL.
fn refuses_local_infile(error: &DataError) -> bool {
    const CODES: [u16; 4] = [1148, 3948, 4166, 2068];
    match error {
        DataError::Query { source: QueryError::LocalFileRefused { .. }, .. } => true,
        DataError::Query { source, .. } => code(source).is_some_and(|code| CODES.contains(&code)),
        _ => false,
    }
}

/// Whether trying again may help.
fn is_passing(error: &DataError) -> bool {
    // Deadlock, lock wait timeout, record changed; conflicts found by Group Replication and Galera; the server is
    // shutting down; it has become a replica (a failover, so that the next connection may find the new primary);
    // somebody killed the statement or the connection.
    const CODES: [u16; 11] = [1213, 1205, 1020, 3101, 1047, 1180, 1053, 1290, 1792, 1317, 1927];
    match error {
        DataError::Query { source, .. } => {
            source.is_lost() || code(source).is_some_and(|code| CODES.contains(&code))
        }
        DataError::Connect(error) => match error {
            ConnectError::Refused { .. }
            | ConnectError::TimedOut { .. }
            | ConnectError::Lost { .. }
            | ConnectError::Socket { .. }
            | ConnectError::TooManyConnections { .. } => true,
            other => other.server_error().is_some_and(|e| CODES.contains(&e.code)),
        },
        _ => false,
    }
}
