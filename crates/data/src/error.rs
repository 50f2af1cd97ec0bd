//! What can go wrong with data, each error naming the thing and what to do next.

use model::DataSet;
use wire::{ConnectError, QueryError, ServerError};

use crate::{sysbench, tpcc};

/// Why data could not be prepared, checked or removed.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// No connection.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The connection names no database.
    #[error("no database is named: add --database=NAME, or the name to the target's URL")]
    NoDatabase,
    /// The database does not exist, or the account may not use it; and it may not create it.
    #[error(
        "there is no database {database} that {account} may use, and it may not create one ({error}): \
         CREATE DATABASE IF NOT EXISTS `{database}`; {}",
        grant(database, account)
    )]
    NoSuchDatabase {
        /// Its name.
        database: String,
        /// The account, as `'user'@'host'`.
        account: String,
        /// The server's words.
        error: Box<ServerError>,
    },
    /// Tables are missing; those that exist are right.
    #[error("database {database} has no table {}: {advice}", list(tables))]
    Missing {
        /// The database.
        database: String,
        /// The tables that are missing.
        tables: Vec<String>,
        /// What to do.
        advice: String,
    },
    /// Tables are there and are not what is asked for.
    #[error("{}: {advice}", list_sentences(differences))]
    Differs {
        /// The database.
        database: String,
        /// How they differ, one clause per difference, each naming its table.
        differences: Vec<String>,
        /// What to do.
        advice: String,
    },
    /// An interrupted prepare of another data set left its tables.
    #[error(
        "an interrupted prepare {found} left unfinished tables in database {database}, and {asked} is asked for: \
         finish it with its own options, or remove it with mydyno cleanup"
    )]
    Unfinished {
        /// The database.
        database: String,
        /// What was being loaded.
        found: String,
        /// What is asked for now.
        asked: String,
    },
    /// An interrupted prepare left its tables.
    #[error(
        "the tables in database {database} are not complete, since mydyno prepare {found} was interrupted: \
         run it again, it goes on from there; or remove them with mydyno cleanup"
    )]
    Incomplete {
        /// The database.
        database: String,
        /// What was being loaded.
        found: String,
    },
    /// Somebody else is preparing or cleaning up.
    #[error(
        "another mydyno is at work on database {database} (connection {connection} of the server): \
         wait for it, or end it with KILL {connection}"
    )]
    Busy {
        /// The database.
        database: String,
        /// The server's number of its connection.
        connection: String,
    },
    /// More rows than ids.
    #[error("--table-size={table_size}: the id column is an INTEGER, so a table holds at most {max} rows")]
    TooManyRows {
        /// The size asked for.
        table_size: u64,
        /// The limit.
        max: u64,
    },
    /// The user interrupted.
    #[error("interrupted with {rows_done} of {rows} rows loaded: the same mydyno prepare goes on from there")]
    Interrupted {
        /// Rows in place.
        rows_done: u64,
        /// Rows in all.
        rows: u64,
    },
    /// The user interrupted a check.
    #[error("interrupted before all consistency conditions were checked")]
    CheckInterrupted,
    /// No space left.
    #[error(
        "the server ran out of space in {what} ({error}): free or add space where its data directory, temporary files \
         and logs are, then run the same mydyno prepare again, it goes on from there; or ask for fewer rows"
    )]
    NoSpace {
        /// What was being done.
        what: String,
        /// The server's words.
        error: Box<ServerError>,
    },
    /// A privilege is missing.
    #[error("{account} lacks a privilege for {what} ({error}): {}", grant(database, account))]
    Privilege {
        /// What was being done.
        what: String,
        /// The database.
        database: String,
        /// The account, as `'user'@'host'`.
        account: String,
        /// The server's words.
        error: Box<ServerError>,
    },
    /// The server took fewer rows than it was given.
    #[error(
        "{table} took {taken} of the {sent} rows {which}, since other rows have these ids: \
         something else writes to the table; stop it, run mydyno cleanup, and prepare again"
    )]
    RowsRefused {
        /// The table.
        table: String,
        /// Rows taken.
        taken: u64,
        /// Rows sent.
        sent: u64,
        /// Which rows, `with ids 1 to 1000`.
        which: String,
    },
    /// TPC-C: fewer warehouses than asked for.
    #[error(
        "database '{database}' on {server} holds {found}, the run asks for {asked}: load the rest with \
         mydyno prepare {advice}, or run on fewer with --warehouses {found_number}",
        found = warehouses(*found), found_number = found
    )]
    Fewer {
        /// The database.
        database: String,
        /// Address of the server.
        server: String,
        /// Warehouses that are there.
        found: u32,
        /// Warehouses asked for.
        asked: u32,
        /// Options of the prepare that loads the rest.
        advice: String,
    },
    /// TPC-C: tables of other contents have the names of its tables.
    #[error(
        "database {database} has tables named like TPC-C's that are others: {}: name another database with --database=NAME, \
         or rename them",
        list_sentences(tables)
    )]
    Strangers {
        /// The database.
        database: String,
        /// The tables, each with what makes it another.
        tables: Vec<String>,
    },
    /// TPC-C: an engine that cannot keep its rules.
    #[error(
        "TPC-C needs an engine with transactions, and {engine} is none on this server: \
         leave --mysql-storage-engine out, or name InnoDB"
    )]
    NoTransactions {
        /// The engine.
        engine: String,
    },
    /// TPC-C: options that cannot be had together.
    #[error("{what}")]
    Unable {
        /// Which, and what to do.
        what: &'static str,
    },
    /// Tried again and again without success.
    #[error(
        "{what} failed {attempts} times, the last time with: {last}; what is loaded is kept: \
         run the same mydyno prepare again when the server is well"
    )]
    GaveUp {
        /// What was being done.
        what: String,
        /// How often.
        attempts: u32,
        /// The last error.
        last: String,
    },
    /// Any other error of the server or the connection.
    #[error("{what} failed: {source}")]
    Query {
        /// What was being done.
        what: String,
        /// The error.
        source: QueryError,
    },
    /// The server's answer makes no sense.
    #[error("{what}: the server answered without the expected {expected}; is it a MySQL or MariaDB server?")]
    Answer {
        /// What was being done.
        what: String,
        /// What was expected.
        expected: &'static str,
    },
}

impl DataError {
    /// What the server itself said, if it did.
    pub fn server_error(&self) -> Option<&ServerError> {
        match self {
            Self::Connect(error) => error.server_error(),
            Self::NoSuchDatabase { error, .. }
            | Self::NoSpace { error, .. }
            | Self::Privilege { error, .. } => Some(error),
            Self::Query { source, .. } => source.server_error(),
            _ => None,
        }
    }
}

/// How to get the data that are asked for.
pub(crate) fn prepare_advice(data: &DataSet) -> String {
    format!("run mydyno prepare {}", describe(data))
}

/// How to get them where others are in the way.
pub(crate) fn replace_advice(data: &DataSet) -> String {
    let family = if matches!(data, DataSet::Tpcc(_)) { " tpcc" } else { "" };
    format!("run mydyno cleanup{family}, then mydyno prepare {}", describe(data))
}

/// What a data set is, as the options that ask for it.
pub(crate) fn describe(data: &DataSet) -> String {
    match data {
        DataSet::Sysbench(data) => sysbench::definition::describe(data),
        DataSet::Tpcc(data) => tpcc::schema::describe(data),
    }
}

fn warehouses(n: u32) -> String {
    format!("{n} warehouse{}", if n == 1 { "" } else { "s" })
}

fn grant(database: &str, account: &str) -> String {
    format!("GRANT ALL PRIVILEGES ON `{database}`.* TO {account};")
}

/// How many of a list are shown.
const SHOWN: usize = 3;

fn list(items: &[String]) -> String {
    let shown = items.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match items.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn list_sentences(items: &[String]) -> String {
    let shown = items.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("; ");
    match items.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}; and {more} more differences"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        let tables = (1..=5).map(|n| format!("sbtest{n}")).collect();
        let error = DataError::Missing { database: "sb".into(), tables, advice: "run mydyno prepare".into() };
        assert_eq!(
            error.to_string(),
            "database sb has no table sbtest1, sbtest2, sbtest3 and 2 more: run mydyno prepare"
        );
    }
}
