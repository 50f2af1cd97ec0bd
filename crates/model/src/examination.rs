//! What a server shows to somebody who examines it once, from outside.

use serde::{Deserialize, Serialize};

use crate::{Flavour, Variables};

/// A server as it was seen. What could not be seen is none, and named in `unseen`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Examination {
    /// Whose server.
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
    /// The accounts that need no password; none: not allowed to be seen, or recorded before it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accounts: Option<AccountFacts>,
    /// Age of the oldest open transaction, seconds; 0: there is none.
    pub oldest_transaction_s: Option<u64>,
    /// Events that the event scheduler runs.
    pub events: Option<u64>,
    /// What could not be seen.
    pub unseen: Vec<Unseen>,
}

/// A replication channel of a replica.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Its name; empty for the one that has none.
    pub name: String,
    /// Where it replicates from.
    pub source: String,
    /// True if events arrive.
    pub receives: bool,
    /// True if they are applied.
    pub applies: bool,
    /// How far behind it is, seconds; none: unknown, as while it is stopped.
    pub lag_s: Option<u64>,
}

/// Tables outside the server's own schemas.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableFacts {
    /// Number of tables.
    pub tables: u64,
    /// Data and indexes of those in InnoDB, bytes, as the statistics estimate them.
    pub innodb_bytes: u64,
    /// How many are in an engine that a crash can damage (MyISAM and its like).
    pub not_crash_safe: u64,
    /// How many have neither a primary key nor a unique one that could stand in for it.
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
    /// How many of them may connect from another host than the server's.
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
