//! The behaviour of a fake server, and its records of its clients.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32},
    },
    time::Duration,
};

use wire::{Capabilities, ServerError, Socket, SqlValue, auth::Plugin, response::OkInfo};

/// The address to listen on.
#[derive(Debug, Clone)]
pub enum Listen {
    /// A free port of 127.0.0.1.
    Loopback,
    /// A Unix socket at this path, which must be free.
    Unix(PathBuf),
}

/// The accounts that may log in.
#[derive(Debug, Clone)]
pub enum Password {
    /// Anyone with any password.
    Any,
    /// Anyone with this one.
    Required(String),
}

/// The continuation of caching_sha2_password after the first answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sha2Cache {
    /// The server knows the password's hash: fast authentication.
    Warm,
    /// A cache miss: the client must send the password. Without TLS, which this server lacks, only a Unix socket will do.
    Cold,
}

/// The way bytes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// An answer in one write.
    Whole,
    /// Each byte in a write of its own.
    ByteByByte,
    /// In pieces, with a pause before each.
    Slowly(Duration),
}

/// The behaviour of the server on every connection.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address to listen on.
    pub listen: Listen,
    /// The version in the greeting; with "MariaDB" in it clients take the server for one.
    pub version: String,
    /// The capabilities in the greeting.
    pub capabilities: Capabilities,
    /// The plugin in the greeting.
    pub plugin: Plugin,
    /// The plugin to which every login is switched.
    pub switch_to: Option<Plugin>,
    /// Fast or full caching_sha2_password.
    pub sha2_cache: Sha2Cache,
    /// The accounts that may log in.
    pub password: Password,
    /// Connections beyond this number are refused with error 1040.
    pub connections_max: usize,
    /// Every connection is closed once that many bytes were sent over it, in mid-packet if need be.
    pub close_after_bytes: Option<u64>,
    /// The way bytes are written.
    pub delivery: Delivery,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: Listen::Loopback,
            version: "9.7.0-fake".into(),
            capabilities: Capabilities::WANTED
                .without(Capabilities::MARIADB_CACHE_METADATA)
                .union(Capabilities::CONNECT_WITH_DB)
                .union(Capabilities::LOCAL_FILES),
            plugin: Plugin::CachingSha2,
            switch_to: None,
            sha2_cache: Sha2Cache::Warm,
            password: Password::Any,
            connections_max: usize::MAX,
            close_after_bytes: None,
            delivery: Delivery::Whole,
        }
    }
}

/// A client's request: a query, or the execution of a prepared statement with its values.
#[derive(Debug)]
pub struct Request<'a> {
    /// The connection's number, from 1.
    pub connection: u32,
    /// The statement.
    pub sql: &'a str,
    /// The values of its parameters; empty for a query.
    pub values: &'a [SqlValue<'a>],
}

/// The server's answer.
#[derive(Debug, Clone)]
pub enum Answer {
    /// An OK packet with a remark.
    Ok(OkInfo, String),
    /// Columns, all of them strings, and rows; `None` is NULL.
    Rows {
        /// Names.
        columns: Vec<String>,
        /// Cells.
        rows: Vec<Vec<Option<Vec<u8>>>>,
    },
    /// An error.
    Error(ServerError),
    /// Several results, as of a procedure.
    Several(Vec<Answer>),
    /// Ask for a local file, keep it for [`FakeServer::local_data`], then answer.
    LocalFile(Box<Answer>),
    /// Wait, then answer.
    Stall(Duration, Box<Answer>),
    /// One packet with this payload, whatever it is.
    Packet(Vec<u8>),
    /// These bytes, not even framed as packets.
    Bytes(Vec<u8>),
    /// Close the connection without an answer.
    Close,
}

impl Answer {
    /// OK, with this number of affected rows.
    pub fn ok(affected_rows: u64) -> Self {
        Self::Ok(OkInfo { affected_rows, ..OkInfo::default() }, String::new())
    }

    /// A result of strings.
    pub fn rows(columns: &[&str], rows: &[&[Option<&str>]]) -> Self {
        let cells = |row: &&[Option<&str>]| {
            row.iter().map(|cell| cell.map(|text| text.as_bytes().to_vec())).collect()
        };
        Self::Rows {
            columns: columns.iter().map(ToString::to_string).collect(),
            rows: rows.iter().map(cells).collect(),
        }
    }

    /// An error.
    pub fn error(code: u16, state: &str, message: &str) -> Self {
        Self::Error(ServerError { code, state: state.into(), message: message.into() })
    }
}

pub(crate) type Handler = dyn Fn(&Request<'_>) -> Answer + Send + Sync;

pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) handler: Box<Handler>,
    pub(crate) stopping: AtomicBool,
    pub(crate) next_connection: AtomicU32,
    /// One handle per live connection, with which it can be closed from outside.
    pub(crate) live: Mutex<HashMap<u32, Socket>>,
    pub(crate) statements: Mutex<Vec<String>>,
    pub(crate) local_data: Mutex<Vec<u8>>,
}

/// Locks even after a panic of another thread: a failed assertion in a handler must not hide itself behind this one.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
