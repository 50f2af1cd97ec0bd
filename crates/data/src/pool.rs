//! The connections that load: each takes work until none is left, and retries after transient errors.
//!
//! A chunk is one transaction together with its row in the ledger. Whatever happens to it (deadlock, lost connection,
//! server restarted), it is either wholly there or not at all, and the ledger knows which. The families define what is
//! loaded; this is what they share.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
        mpsc,
    },
    time::Duration,
};

use codes::ErrorClass;
use wire::{ConnectError, QueryError};

use crate::{
    account::{Account, Session},
    each::NO_PANIC,
    error::DataError,
    job::{PrepareMethod, PrepareOutcome, PreparePhase, PrepareProgress, Prepared},
    ledger,
    queue::{Piece, Queue, Task},
};

/// Maximum number of attempts per task.
const ATTEMPTS_MAX: u32 = 10;
const BACK_OFF_FIRST: Duration = Duration::from_millis(100);
const BACK_OFF_MAX: Duration = Duration::from_secs(5);
/// Interval at which a waiting connection checks whether it should stop.
const NAP: Duration = Duration::from_millis(50);
/// Interval of progress reports.
const TICK: Duration = Duration::from_millis(200);

/// Size of INSERT statements, if the server takes that.
pub(crate) const STATEMENT_BYTES: usize = 1 << 20;

/// State shared by all connections of a load.
pub(crate) struct LoadPool<'a> {
    pub account: &'a Account,
    /// Rows in all tables.
    pub rows: u64,
    /// Number of tables.
    pub tables: u32,
    /// The user's wish to stop.
    pub cancel: &'a AtomicBool,
    /// LOAD DATA LOCAL is not, or no longer, to be used.
    pub insert_only: AtomicBool,
    /// A connection has failed for good; the others need not go on.
    failed: AtomicBool,
    pub rows_done: AtomicU64,
    pub rows_loaded: AtomicU64,
    pub bytes: AtomicU64,
    pub retries: AtomicU64,
    pub tables_done: AtomicU32,
    /// Connections in the midst of a statement that may take minutes.
    long_statements: Mutex<BTreeSet<u32>>,
}

impl<'a> LoadPool<'a> {
    /// A pool that has yet to load `rows_left` of `rows`.
    pub fn new(account: &'a Account, cancel: &'a AtomicBool, rows: u64, rows_left: u64, tables: u32) -> Self {
        Self {
            account,
            rows,
            tables,
            cancel,
            insert_only: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            rows_done: AtomicU64::new(rows - rows_left),
            rows_loaded: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            retries: AtomicU64::new(0),
            tables_done: AtomicU32::new(0),
            long_statements: Mutex::new(BTreeSet::new()),
        }
    }

    /// Whether connections should stop.
    pub fn stopping(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }

    /// Makes connections work, and reports their progress.
    pub fn run(
        &self,
        connections: u32,
        control: &mut Session<'_>,
        progress: &(dyn Fn(PrepareProgress) + Sync),
        work: &(dyn Fn(&mut LoadConnection<'_>) -> Result<(), DataError> + Sync),
    ) -> Result<(), DataError> {
        let (ended, ends) = mpsc::channel();
        let mut results = Vec::new();
        std::thread::scope(|scope| {
            for _ in 0..connections {
                let ended = ended.clone();
                // The receiver outlives the threads.
                scope.spawn(move || drop(ended.send(self.one(work))));
            }
            drop(ended);
            loop {
                progress(self.snapshot());
                match ends.recv_timeout(TICK) {
                    Ok(result) => results.push(result),
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
                if self.stopping() {
                    self.end_long_statements(control);
                }
            }
        });
        progress(self.snapshot());
        // Where one failed the others were only told to stop.
        let (interrupted, failed): (Vec<_>, Vec<_>) = results
            .into_iter()
            .filter_map(Result::err)
            .partition(|error| matches!(error, DataError::Interrupted { .. }));
        failed.into_iter().chain(interrupted).next().map_or(Ok(()), Err)
    }

    /// The result, once nothing is left to do.
    pub fn prepared(&self, rows: u64, connections: u32, fingerprint: Option<String>) -> Prepared {
        let insert_only = self.insert_only.load(Ordering::Relaxed);
        Prepared {
            outcome: PrepareOutcome::Loaded,
            method: if insert_only { PrepareMethod::Insert } else { PrepareMethod::LoadData },
            rows,
            rows_loaded: self.rows_loaded.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            connections,
            retries: self.retries.load(Ordering::Relaxed),
            fingerprint,
        }
    }

    fn one(
        &self,
        work: &(dyn Fn(&mut LoadConnection<'_>) -> Result<(), DataError> + Sync),
    ) -> Result<(), DataError> {
        let mut connection = LoadConnection { pool: self, session: None };
        let result = work(&mut connection);
        if result.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        result
    }

    fn snapshot(&self) -> PrepareProgress {
        let rows_done = self.rows_done.load(Ordering::Relaxed);
        PrepareProgress {
            phase: if rows_done < self.rows { PreparePhase::Rows } else { PreparePhase::Finishing },
            rows_done,
            rows: self.rows,
            bytes: self.bytes.load(Ordering::Relaxed),
            tables_done: self.tables_done.load(Ordering::Relaxed),
            tables: self.tables,
            retries: self.retries.load(Ordering::Relaxed),
        }
    }

    /// Kills long statements after a cancellation: a user who pressed Ctrl-C must not wait minutes for an index.
    fn end_long_statements(&self, control: &mut Session<'_>) {
        let long_statements: Vec<u32> =
            self.long_statements.lock().expect(NO_PANIC).iter().copied().collect();
        for connection in long_statements {
            // Best effort: the statement may just have ended.
            let _ = control.client.execute(&format!("KILL QUERY {connection}"));
        }
    }

    fn interrupted(&self) -> DataError {
        DataError::Interrupted { rows_done: self.rows_done.load(Ordering::Relaxed), rows: self.rows }
    }
}

/// One connection of the pool, opened on demand and reopened when it is lost.
pub(crate) struct LoadConnection<'a> {
    pool: &'a LoadPool<'a>,
    session: Option<Session<'a>>,
}

impl<'a> LoadConnection<'a> {
    /// Executes tasks until none is left for this connection. `lanes` limits how many load one group at once; `finished`
    /// receives every completed group.
    pub fn work_through<P: Piece>(
        &mut self,
        queue: &Mutex<Queue<P>>,
        lanes: &dyn Fn() -> u32,
        finished: &dyn Fn(),
        mut act: impl FnMut(&mut Self, Task<P>) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        loop {
            if self.pool.stopping() {
                return Err(self.pool.interrupted());
            }
            let lanes = lanes();
            let Some(task) = queue.lock().expect(NO_PANIC).take(lanes) else { return Ok(()) };
            act(self, task)?;
            if queue.lock().expect(NO_PANIC).done(task) {
                finished();
            }
        }
    }

    /// Repeats an operation until it succeeds, fails permanently, or has failed too often.
    pub fn persist<T>(
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
            if self.pool.stopping() {
                return Err(self.pool.interrupted());
            }
            if refuses_local_infile(&error) && !self.pool.insert_only.swap(true, Ordering::Relaxed) {
                continue;
            }
            attempts += 1;
            if !is_passing(&error) {
                return Err(error);
            }
            if attempts >= ATTEMPTS_MAX {
                return Err(DataError::GaveUp { what: what.to_owned(), attempts, last: error.to_string() });
            }
            self.pool.retries.fetch_add(1, Ordering::Relaxed);
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
            if self.pool.stopping() {
                return Err(self.pool.interrupted());
            }
            let step = left.min(NAP);
            std::thread::sleep(step);
            left -= step;
        }
        Ok(())
    }

    pub fn session(&mut self) -> Result<&mut Session<'a>, DataError> {
        match self.session {
            Some(ref mut session) => Ok(session),
            None => Ok(self.session.insert(self.pool.account.connect()?)),
        }
    }

    /// Loads a chunk in one transaction with its entry in the ledger, and counts its rows. Does nothing if the entry exists.
    pub fn load_once(
        &mut self,
        entry: (u32, u32),
        rows: u64,
        what: &str,
        send: &mut dyn FnMut(&mut Session<'a>) -> Result<u64, DataError>,
    ) -> Result<(), DataError> {
        let bytes = self.persist(what, |connection| {
            let session = connection.session()?;
            session.execute(what, "START TRANSACTION")?;
            // First of all, since it tells whether the chunk is there: an earlier attempt may have been committed
            // although its answer was lost, and a killed predecessor's may be about to be.
            if !enter(session, entry, what)? {
                session.execute(what, "ROLLBACK")?;
                return Ok(None);
            }
            let bytes = send(session)?;
            session.execute(what, "COMMIT")?;
            Ok(Some(bytes))
        })?;
        self.count_rows(rows, bytes);
        Ok(())
    }

    /// Like [`load_once`](Self::load_once), for engines without rollback: `send` first removes the rows of an interrupted
    /// attempt, and the ledger is written last.
    pub fn load_again(
        &mut self,
        entry: (u32, u32),
        rows: u64,
        what: &str,
        send: &mut dyn FnMut(&mut Session<'a>) -> Result<u64, DataError>,
    ) -> Result<(), DataError> {
        let bytes = self.persist(what, |connection| {
            let session = connection.session()?;
            let bytes = send(session)?;
            enter(session, entry, what)?;
            Ok(bytes)
        })?;
        self.count_rows(rows, Some(bytes));
        Ok(())
    }

    /// A statement that may take minutes, and that is ended early when the load is.
    pub fn patiently<T>(
        &mut self,
        act: impl FnOnce(&mut Session<'a>) -> Result<T, DataError>,
    ) -> Result<T, DataError> {
        let pool = self.pool;
        let session = self.session()?;
        let _long = LongStatement::new(pool, session);
        act(session)
    }

    fn count_rows(&self, rows: u64, bytes: Option<u64>) {
        self.pool.rows_done.fetch_add(rows, Ordering::Relaxed);
        if let Some(bytes) = bytes {
            self.pool.rows_loaded.fetch_add(rows, Ordering::Relaxed);
            self.pool.bytes.fetch_add(bytes, Ordering::Relaxed);
        }
    }
}

/// A connection that is in the midst of a long statement, for as long as this lives.
struct LongStatement<'a> {
    pool: &'a LoadPool<'a>,
    connection: u32,
}

impl<'a> LongStatement<'a> {
    fn new(pool: &'a LoadPool<'a>, session: &Session<'_>) -> Self {
        let connection = session.client.session().connection_id;
        pool.long_statements.lock().expect(NO_PANIC).insert(connection);
        Self { pool, connection }
    }
}

impl Drop for LongStatement<'_> {
    fn drop(&mut self) {
        self.pool.long_statements.lock().expect(NO_PANIC).remove(&self.connection);
    }
}

/// Writes a chunk into the ledger; returns false if it is there already.
fn enter(session: &mut Session<'_>, (group, number): (u32, u32), what: &str) -> Result<bool, DataError> {
    match session.client.execute(&ledger::enter(group, number)) {
        Ok(_) => Ok(true),
        Err(error) if code(&error) == Some(codes::ER_DUP_ENTRY) => Ok(false),
        Err(source) => Err(session.account.explain(what, source)),
    }
}

/// The server's number of an error.
pub(crate) fn code(error: &QueryError) -> Option<u16> {
    error.server_error().map(|e| e.code)
}

/// The server, or the client library's side of the protocol, does not allow LOAD DATA LOCAL.
fn refuses_local_infile(error: &DataError) -> bool {
    match error {
        DataError::Query { source: QueryError::LocalFileRefused { .. }, .. } => true,
        DataError::Query { source, .. } => {
            code(source).is_some_and(|code| codes::is(code, &[ErrorClass::NoLocalInfile]))
        }
        _ => false,
    }
}

/// Whether a retry may succeed.
fn is_passing(error: &DataError) -> bool {
    // After a failover the next connection may find the new primary.
    const CLASSES: [ErrorClass; 5] = [
        ErrorClass::Conflict,
        ErrorClass::Shutdown,
        ErrorClass::ReadOnly,
        ErrorClass::StatementKilled,
        ErrorClass::ConnectionKilled,
    ];
    let may_pass = |code: u16| codes::is(code, &CLASSES);
    match error {
        DataError::Query { source, .. } => source.is_lost() || code(source).is_some_and(may_pass),
        DataError::Connect(error) => match error {
            ConnectError::Refused { .. }
            | ConnectError::TimedOut { .. }
            | ConnectError::Lost { .. }
            | ConnectError::Socket { .. }
            | ConnectError::TooManyConnections { .. } => true,
            other => other.server_error().is_some_and(|e| may_pass(e.code)),
        },
        _ => false,
    }
}
