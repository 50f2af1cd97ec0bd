//! The facts visible in a one-off examination of a server from outside.

use serde::{Deserialize, Serialize};

use crate::{Flavour, Variables};

/// A server as examined. A fact that could not be read is none, and is named in `unseen`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Examination {
    /// Vendor of the server.
    pub flavour: Flavour,
    /// Global variables, secrets masked.
    pub variables: Variables,
    /// Global status, names in lower case.
    pub status: Variables,
    /// Active plugins that were loaded from a file, by name.
    pub plugins: Option<Vec<String>>,
    /// The channels on which it replicates from others.
    pub channels: Option<Vec<Channel>>,
    /// The tables of users.
    pub tables: Option<TableFacts>,
    /// The accounts that need no password; none: no privilege to see them, or recorded before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accounts: Option<AccountFacts>,
    /// Age of the oldest open transaction, seconds; 0: there is none.
    pub oldest_transaction_s: Option<u64>,
    /// Events that the event scheduler runs.
    pub events: Option<u64>,
    /// Facts that could not be read.
    pub unseen: Vec<Unseen>,
}

impl Examination {
    /// A server of which only variables and status are known.
    pub fn of(flavour: Flavour, variables: Variables, status: Variables) -> Self {
        Self {
            flavour,
            variables,
            status,
            plugins: None,
            channels: None,
            tables: None,
            accounts: None,
            oldest_transaction_s: None,
            events: None,
            unseen: Vec::new(),
        }
    }
}

/// A replication channel of a replica.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Its name; empty for the one that has none.
    pub name: String,
    /// The server it replicates from.
    pub source: String,
    /// True if events arrive.
    pub receives: bool,
    /// True if they are applied.
    pub applies: bool,
    /// Replication lag, seconds; none: unknown, for example while replication is stopped.
    pub lag_s: Option<u64>,
}

/// Tables outside the server's own schemas.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableFacts {
    /// Number of tables.
    pub tables: u64,
    /// Data and indexes of those in InnoDB, bytes, as the statistics estimate them.
    pub innodb_bytes: u64,
    /// Tables in an engine that a crash can damage (such as MyISAM).
    pub not_crash_safe: u64,
    /// Tables with neither a primary key nor a unique key that could serve as one.
    pub without_key: u64,
    /// The first few of those, as `schema.table`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_key_names: Vec<String>,
}

/// Accounts that are not locked and accept an empty password.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountFacts {
    /// Number of accounts without a password.
    pub without_password: u64,
    /// Accounts that may connect from a host other than the server's.
    pub from_elsewhere: u64,
    /// The first few, as `'user'@'host'`; those from elsewhere first.
    pub names: Vec<String>,
}

/// Something that could not be seen.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unseen {
    /// Name of the fact that was not available.
    pub what: String,
    /// The server's answer.
    pub why: String,
}
