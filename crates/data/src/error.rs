//! Errors about data: what failed and why, with advice.

use messages::number::{counted, thousands};
use model::{Advice, Advise, DataSet, OptionId, TpccData, Verb};
use wire::{ConnectError, QueryError, ServerError};

/// The reason data could not be prepared, checked or removed.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// No connection.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The connection names no database.
    #[error("no database is named")]
    NoDatabase,
    /// The database does not exist, or the account may not use it; and it may not create it.
    #[error("there is no database {database} that {account} may use, and it may not create one ({error})")]
    NoSuchDatabase {
        /// Its name.
        database: String,
        /// The account, as `'user'@'host'`.
        account: String,
        /// The server's words.
        error: Box<ServerError>,
    },
    /// Tables are missing; those that exist are right.
    #[error("database {database} has no table {}", list(tables))]
    Missing {
        /// The database.
        database: String,
        /// The tables that are missing.
        tables: Vec<String>,
        /// The requested data.
        data: Box<DataSet>,
    },
    /// The existing tables differ from the requested ones.
    #[error("{}", list_sentences(differences))]
    Differs {
        /// The database.
        database: String,
        /// The differences, one clause each, naming its table.
        differences: Vec<String>,
        /// Whether they can be replaced.
        way_out: WayOut,
    },
    /// An interrupted prepare of another data set left its tables.
    #[error(
        "an interrupted load ({found}) left unfinished tables in database {database}, and {asked} is asked for"
    )]
    Unfinished {
        /// The database.
        database: String,
        /// The data being loaded.
        found: String,
        /// The data requested now.
        asked: String,
    },
    /// An interrupted prepare left its tables.
    #[error("the tables in database {database} are not complete, since their load ({found}) was interrupted")]
    Incomplete {
        /// The database.
        database: String,
        /// The data being loaded.
        found: String,
    },
    /// Another program is preparing or cleaning up.
    #[error("another mydyno is at work on database {database} (connection {connection} of the server)")]
    Busy {
        /// The database.
        database: String,
        /// The server's number of its connection.
        connection: String,
    },
    /// More rows than ids.
    #[error("a table cannot have {} rows: its id column is an INTEGER, so it holds at most {}", thousands(*table_size), thousands(*max))]
    TooManyRows {
        /// The size asked for.
        table_size: u64,
        /// The limit.
        max: u64,
    },
    /// The user interrupted.
    #[error("interrupted with {rows_done} of {rows} rows loaded")]
    Interrupted {
        /// Rows in place.
        rows_done: u64,
        /// Rows in all.
        rows: u64,
    },
    /// The user interrupted a script.
    #[error("interrupted before the script was done: its tables may be incomplete")]
    ScriptInterrupted,
    /// The user interrupted a check.
    #[error("interrupted before all consistency conditions were checked")]
    CheckInterrupted,
    /// No space left.
    #[error("the server ran out of space in {what} ({error})")]
    NoSpace {
        /// The step that failed.
        what: String,
        /// The server's words.
        error: Box<ServerError>,
    },
    /// A privilege is missing.
    #[error("{account} lacks a privilege for {what} ({error})")]
    Privilege {
        /// The step that failed.
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
         something else writes to the table"
    )]
    RowsRefused {
        /// The table.
        table: String,
        /// Rows taken.
        taken: u64,
        /// Rows sent.
        sent: u64,
        /// The rows, `with ids 1 to 1000`.
        which: String,
    },
    /// TPC-C: fewer warehouses than requested.
    #[error(
        "database '{database}' on {server} holds {found}, the run asks for {}",
        data.warehouses, found = warehouses(*found)
    )]
    Fewer {
        /// The database.
        database: String,
        /// Address of the server.
        server: String,
        /// Warehouses that are there.
        found: u32,
        /// The requested data.
        data: Box<TpccData>,
    },
    /// TPC-C: tables of other contents have the names of its tables.
    #[error("database {database} has tables named like TPC-C's that are others: {}", list_sentences(tables))]
    Strangers {
        /// The database.
        database: String,
        /// The tables, each with what makes it another.
        tables: Vec<String>,
    },
    /// TPC-C: an engine that cannot keep its rules.
    #[error(
        "TPC-C needs an engine with transactions, and {engine} on this server does not support transactions"
    )]
    NoTransactions {
        /// The engine.
        engine: String,
    },
    /// TPC-C: tables that cannot be made like that.
    #[error("{what}")]
    Unable {
        /// The reason, with what is impossible.
        what: String,
    },
    /// Tried again and again without success.
    #[error("{what} failed {attempts} times, the last time with: {last}")]
    GaveUp {
        /// The step that failed.
        what: String,
        /// Number of attempts.
        attempts: u32,
        /// The last error.
        last: String,
    },
    /// Any other error of the server or the connection.
    #[error("{what} failed: {source}")]
    Query {
        /// The step that failed.
        what: String,
        /// The error.
        source: QueryError,
    },
    /// The server's answer makes no sense.
    #[error("{what}: the server answered without the expected {expected}")]
    Answer {
        /// The step that failed.
        what: String,
        /// The expected answer.
        expected: &'static str,
    },
}

impl DataError {
    /// The server's own error, if there was one.
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

/// Whether tables that differ may be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WayOut {
    /// They are of mydyno's or sysbench's making: these data can be loaded in their place.
    Replace(Box<DataSet>),
    /// Some are of others, which cleanup leaves alone.
    Elsewhere,
}

impl Advise for DataError {
    fn advice(&self) -> Vec<Advice> {
        let again = |what: &str| Advice::run(what, Verb::PrepareAgain);
        let remove = || Advice::run("remove them", Verb::Cleanup);
        let elsewhere = || Advice::option("use another database", OptionId::Database);
        match self {
            Self::NoDatabase => vec![
                Advice::option("name one", OptionId::Database),
                Advice::words("or add its name to the target's URL"),
            ],
            Self::NoSuchDatabase { database, account, .. } => {
                let create =
                    format!("CREATE DATABASE IF NOT EXISTS `{database}`; {}", grant(database, account));
                vec![Advice::sql("create it as another account", create), elsewhere()]
            }
            Self::Missing { data, .. } => vec![Advice::run("load the data", Verb::Prepare(data.clone()))],
            Self::Differs { way_out: WayOut::Replace(data), .. } => {
                vec![Advice::run("replace the tables", Verb::Replace(data.clone())), elsewhere()]
            }
            Self::Differs { way_out: WayOut::Elsewhere, .. } => vec![
                elsewhere(),
                Advice::words("or rename the table that is not sysbench's: cleanup leaves it alone"),
            ],
            Self::Unfinished { .. } => vec![
                Advice::words("finish that load with its own options: it continues where it stopped"),
                remove(),
            ],
            Self::Incomplete { .. } => vec![again("finish the load with its own options"), remove()],
            Self::Busy { connection, .. } => vec![
                Advice::words("wait for it to end"),
                Advice::sql("end it", format!("KILL {connection};")),
            ],
            Self::TooManyRows { max, .. } => {
                vec![Advice::value("load fewer rows, over more tables", OptionId::TableSize, max)]
            }
            Self::Interrupted { .. } => vec![again("continue the load with the same options")],
            Self::ScriptInterrupted => {
                vec![Advice::words("remove them with the script's command cleanup, then prepare again")]
            }
            Self::NoSpace { .. } => vec![
                Advice::words(
                    "free or add space where the server's data directory, temporary files and logs are",
                ),
                again("then continue the load with the same options"),
            ],
            Self::Privilege { database, account, .. } => {
                vec![Advice::sql("grant it as another account", grant(database, account))]
            }
            Self::RowsRefused { .. } => {
                vec![
                    Advice::words("stop what writes to the table"),
                    remove(),
                    again("then load the data again"),
                ]
            }
            Self::Fewer { found, data, .. } => vec![
                Advice::run("load the rest", Verb::Prepare(Box::new(DataSet::Tpcc((**data).clone())))),
                Advice::value("use those that are there", OptionId::Warehouses, found),
            ],
            Self::Strangers { .. } => vec![elsewhere(), Advice::words("or rename the tables")],
            Self::NoTransactions { .. } => {
                vec![Advice::value("use an engine with transactions", OptionId::StorageEngine, "InnoDB")]
            }
            Self::GaveUp { .. } => {
                vec![again("what is loaded is kept: continue with the same options when the server is well")]
            }
            Self::Answer { .. } => vec![Advice::words("is it a MySQL or MariaDB server?")],
            Self::Connect(_) | Self::CheckInterrupted | Self::Unable { .. } | Self::Query { .. } => {
                Vec::new()
            }
        }
    }
}

fn warehouses(n: u32) -> String {
    counted(n.into(), "warehouse")
}

fn grant(database: &str, account: &str) -> String {
    format!("GRANT ALL PRIVILEGES ON `{database}`.* TO {account};")
}

/// Maximum number of entries shown of a list.
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

    fn data() -> DataSet {
        DataSet::Tpcc(TpccData { warehouses: 1, ..TpccData::default() })
    }

    #[test]
    fn long_lists_are_cut() {
        let tables = (1..=5).map(|n| format!("sbtest{n}")).collect();
        let error = DataError::Missing { database: "sb".into(), tables, data: Box::new(data()) };
        assert_eq!(error.to_string(), "database sb has no table sbtest1, sbtest2, sbtest3 and 2 more");
    }
    #[test]
    fn the_message_holds_no_advice_and_the_advice_no_fact() {
        let words = "error 1044 (42000): no; such: run";
        let error = ServerError { code: 1044, state: "42000".into(), message: "no; such: run".into() };
        let error = DataError::NoSuchDatabase {
            database: "sb".into(),
            account: "'bench'@'%'".into(),
            error: Box::new(error),
        };
        assert_eq!(
            error.to_string(),
            format!("there is no database sb that 'bench'@'%' may use, and it may not create one ({words})")
        );
        assert_eq!(
            error.advice()[0],
            Advice::sql(
                "create it as another account",
                "CREATE DATABASE IF NOT EXISTS `sb`; GRANT ALL PRIVILEGES ON `sb`.* TO 'bench'@'%';"
            )
        );
        let differences = vec!["table sbtest1 lacks an index".into(), "table sbtest2 lacks one".into()];
        let way_out = WayOut::Replace(Box::new(data()));
        let error = DataError::Differs { database: "sb".into(), differences, way_out };
        assert_eq!(error.to_string(), "table sbtest1 lacks an index; table sbtest2 lacks one");
        assert_eq!(error.advice()[0], Advice::run("replace the tables", Verb::Replace(Box::new(data()))));
    }
}
