//! A connection that knows its account and database, so that its errors can name the missing privilege.

use std::time::Duration;

use codes::ErrorClass;
use wire::{Client, ConnectOptions, Done, QueryError, ResultSet, ServerError};

use crate::error::DataError;

/// Whether to create a missing database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IfMissing {
    Create,
    Fail,
}

/// Connection options and account.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub options: ConnectOptions,
    pub database: String,
    /// `'user'@'host'`, as the server matched it.
    pub name: String,
}

/// A connection of an account.
pub(crate) struct Session<'a> {
    pub client: Client,
    pub account: &'a Account,
}

/// Unknown database; and what an account hears that may not even know whether there is one.
const MISSING_DATABASE: [u16; 2] = [codes::ER_BAD_DB_ERROR, codes::ER_DBACCESS_DENIED_ERROR];

impl Account {
    /// Connects once, to see that the server, the account and the database are there.
    pub fn open(options: &ConnectOptions, missing: IfMissing) -> Result<Self, DataError> {
        let database =
            options.database.clone().filter(|name| !name.is_empty()).ok_or(DataError::NoDatabase)?;
        let mut options = options.clone();
        // Building an index takes as long as it takes.
        options.read_timeout = None;
        // Where a server's init_connect has switched it off, the ledger would not be kept.
        options.init_commands.push("SET SESSION autocommit = 1".to_owned());
        let mut account = Self { name: format!("'{}'@'%'", options.user), options, database };
        let mut client = match Client::connect(&account.options) {
            Err(error)
                if missing == IfMissing::Create
                    && error.server_error().is_some_and(|e| MISSING_DATABASE.contains(&e.code)) =>
            {
                account.create_database()?
            }
            other => other?,
        };
        account.learn_name(&mut client);
        Ok(account)
    }

    /// Opens a connection.
    pub fn connect(&self) -> Result<Session<'_>, DataError> {
        Ok(Session { client: Client::connect(&self.options)?, account: self })
    }

    fn create_database(&mut self) -> Result<Client, DataError> {
        let outside = ConnectOptions { database: None, ..self.options.clone() };
        let mut client = Client::connect(&outside)?;
        self.learn_name(&mut client);
        let statement = format!("CREATE DATABASE IF NOT EXISTS {}", quoted_name(&self.database));
        client.execute(&statement).map_err(|source| match source.server_error() {
            Some(error) => DataError::NoSuchDatabase {
                database: self.database.clone(),
                account: self.name.clone(),
                error: Box::new(error.clone()),
            },
            None => DataError::Query { what: format!("creating database {}", self.database), source },
        })?;
        Ok(Client::connect(&self.options)?)
    }

    /// Reads the name of the account, for error messages only: a failure is no reason to stop.
    fn learn_name(&mut self, client: &mut Client) {
        let Ok(result) = client.query("SELECT CURRENT_USER()") else { return };
        if let Some((user, host)) =
            result.first().and_then(|row| row.text(0)).and_then(|name| name.rsplit_once('@'))
        {
            self.name = format!("'{user}'@'{host}'");
        }
    }

    /// Adds advice to a server's error.
    pub fn explain(&self, what: &str, source: QueryError) -> DataError {
        let what = what.to_owned();
        match source.server_error() {
            Some(error) if lacks_privilege(error.code) => DataError::Privilege {
                what,
                database: self.database.clone(),
                account: self.name.clone(),
                error: Box::new(error.clone()),
            },
            Some(error) if out_of_space(error) => DataError::NoSpace { what, error: Box::new(error.clone()) },
            _ => DataError::Query { what, source },
        }
    }
}

impl Session<'_> {
    /// Executes a statement; `what` completes "... failed".
    pub fn execute(&mut self, what: &str, sql: &str) -> Result<Done, DataError> {
        self.client.execute(sql).map_err(|source| self.account.explain(what, source))
    }

    /// Executes a statement and keeps its rows.
    pub fn query(&mut self, what: &str, sql: &str) -> Result<ResultSet, DataError> {
        self.client.query(sql).map_err(|source| self.account.explain(what, source))
    }

    /// Prevents other mydyno processes from preparing or cleaning up the same database, as long as this connection lives.
    pub fn lock_out_others(&mut self) -> Result<(), DataError> {
        let name = format!("mydyno.{:016x}", fingerprint(&self.account.database));
        // A killed predecessor's connection may need a moment to be noticed by the server.
        let result = match self.client.query(&format!("SELECT GET_LOCK('{name}', 3), IS_USED_LOCK('{name}')"))
        {
            Ok(result) => result,
            // Some clusters have no such locks. The ledger's primary key still keeps every chunk from doubling.
            Err(QueryError::Server { .. }) => return Ok(()),
            Err(source) => return Err(self.account.explain("locking the database", source)),
        };
        match result.first().map(|row| (row.text(0), row.text(1))) {
            Some((Some("0"), holder)) => Err(DataError::Busy {
                database: self.account.database.clone(),
                connection: holder.unwrap_or("unknown").to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Keeps the server from closing this connection while the others work.
    pub fn outlast(&mut self) -> Result<(), DataError> {
        let day = Duration::from_secs(24 * 3600).as_secs();
        self.execute("raising wait_timeout", &format!("SET SESSION wait_timeout = {day}")).map(drop)
    }
}

/// A name as SQL takes it.
pub(crate) fn quoted_name(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// A short hash, the same on every machine (FNV-1a).
pub(crate) fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn lacks_privilege(code: u16) -> bool {
    codes::is(code, &[ErrorClass::Privilege])
}

fn out_of_space(error: &ServerError) -> bool {
    match codes::class(error.code) {
        Some(ErrorClass::NoSpace) => true,
        // They carry the system's error 28, ENOSPC.
        Some(ErrorClass::FileError) => error.message.contains("28") || error.message.contains("No space"),
        _ => false,
    }
}
