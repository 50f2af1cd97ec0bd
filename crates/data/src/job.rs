//! The input and output of loading, common to all data sets.

use std::sync::atomic::{AtomicBool, Ordering};

use model::DataSet;
use wire::ConnectOptions;

use crate::described::described;
use crate::error::DataError;

/// A job: what to load, and with what.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Server, account and database.
    pub connect: &'a ConnectOptions,
    /// The requested data.
    pub data: &'a DataSet,
    /// Seed: it alone decides the rows, whatever the number of connections.
    pub seed: u64,
    /// Connections at once.
    pub threads: u32,
    /// Set by another thread to stop the load at the next chunk.
    pub cancel: &'a AtomicBool,
}

/// The phase of loading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreparePhase {
    /// Looking at what is there.
    Looking,
    /// Creating tables.
    Tables,
    /// Loading rows.
    Rows,
    /// All rows are loaded; indexes are being built and rows counted.
    Finishing,
}

/// Progress of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrepareProgress {
    /// The current phase.
    pub phase: PreparePhase,
    /// Rows in place and safe, those from before an interruption and those of tables found complete included.
    pub rows_done: u64,
    /// Rows in all.
    pub rows: u64,
    /// Bytes sent to the server.
    pub bytes: u64,
    /// Tables finished, index and count included.
    pub tables_done: u32,
    /// Tables in all.
    pub tables: u32,
    /// Chunks, indexes and counts that had to be repeated.
    pub retries: u64,
}

/// The outcome of loading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrepareOutcome {
    /// All tables existed and were complete; nothing was done.
    AlreadyThere,
    /// Rows were loaded, or an interrupted load was completed.
    Loaded,
}

/// The method of sending rows to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrepareMethod {
    /// LOAD DATA LOCAL.
    LoadData,
    /// Multi-row INSERT, since the server does not allow LOAD DATA LOCAL.
    Insert,
}

/// A finished load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The outcome: whether anything had to be loaded.
    pub outcome: PrepareOutcome,
    /// The method of sending rows.
    pub method: PrepareMethod,
    /// Rows of all tables together, counted while loading; for TPC-C tables that existed already, their initial number
    /// according to [`rows`].
    pub rows: u64,
    /// Rows loaded this time.
    pub rows_loaded: u64,
    /// Bytes sent to the server.
    pub bytes: u64,
    /// Connections used.
    pub connections: u32,
    /// Chunks, indexes and counts that had to be repeated.
    pub retries: u64,
    /// Fingerprint of the inputs that decide the rows. Only for TPC-C data that mydyno loaded.
    pub fingerprint: Option<String>,
}

impl PrepareProgress {
    /// The progress before any row is loaded.
    pub(crate) fn at(phase: PreparePhase, rows: u64, tables: u32) -> Self {
        Self { phase, rows_done: 0, rows, bytes: 0, tables_done: 0, tables, retries: 0 }
    }
}

impl Prepared {
    /// The result if nothing had to be loaded.
    pub(crate) fn already_there(rows: u64, method: PrepareMethod, fingerprint: Option<String>) -> Self {
        Self {
            outcome: PrepareOutcome::AlreadyThere,
            method,
            rows,
            rows_loaded: 0,
            bytes: 0,
            connections: 0,
            retries: 0,
            fingerprint,
        }
    }
}

impl Job<'_> {
    /// The error for a cancelled load, if the user cancelled it.
    pub(crate) fn cancelled(&self) -> Option<DataError> {
        let cancelled = self.cancel.load(Ordering::Relaxed);
        cancelled.then(|| DataError::Interrupted { rows_done: 0, rows: rows(self.data) })
    }
}

/// Number of tables of a data set.
pub fn tables(data: &DataSet) -> u32 {
    described(data).names().len() as u32
}

/// Rows in all tables of a data set. TPC-C's order lines, whose number is random, count as ten to an order.
pub fn rows(data: &DataSet) -> u64 {
    described(data).rows()
}
