//! What to do about an error or a finding, as data.
//!
//! The crates know what would help; only the command line knows what its options and verbs are called. A message says what
//! failed and why; advice is a separate value, so no code has to split a sentence to find it.

use crate::DataSet;

/// A suggested remedy. Several are alternatives, the most promising first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The effect of the remedy, or the whole advice if there is nothing to run: `raise the limit`, `is the server running?`
    pub what: String,
    /// The way to carry it out.
    pub how: How,
}

/// The way to follow a piece of advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// Follow the text; there is nothing to run.
    Words,
    /// Set an option of the command, to this value if there is one.
    Set(OptionId, Option<String>),
    /// Run a command of mydyno.
    Run(Verb),
    /// Execute a statement on the server.
    Sql(String),
    /// Use a line in a shell or a configuration file.
    Line(String),
}

/// An option that advice may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionId {
    /// Host of the server.
    Host,
    /// Its Unix socket.
    Socket,
    /// Port of a server of our own.
    Port,
    /// Account.
    User,
    /// Database.
    Database,
    /// Seconds to wait for a connection.
    ConnectTimeout,
    /// Whether to use TLS, and how.
    SslMode,
    /// Certificate authority.
    SslCa,
    /// The client's certificate.
    SslCert,
    /// Its key.
    SslKey,
    /// Versions of TLS.
    TlsVersion,
    /// Whether to request the server's public key.
    GetServerPublicKey,
    /// The directory of recordings.
    Results,
    /// A server to be measured.
    Target,
    /// A server variable.
    Set,
    /// Numbers of clients.
    Threads,
    /// Length of the measured window.
    Time,
    /// Transactions after which a trial ends.
    Events,
    /// Whether to load missing data.
    Prepare,
    /// Whether to continue after a cell fails.
    AllowFailingCells,
    /// Whether to prepare statements on the server.
    PreparedStatements,
    /// Rows of a table.
    TableSize,
    /// Warehouses.
    Warehouses,
    /// Storage engine.
    StorageEngine,
    /// Proceed despite the obstacle.
    Force,
    /// The meaning of a table's columns.
    Map,
    /// The price of a target.
    Price,
}

impl OptionId {
    /// All options, so that a test can check that each has a name.
    pub const ALL: [Self; 27] = [
        Self::Host,
        Self::Socket,
        Self::Port,
        Self::User,
        Self::Database,
        Self::ConnectTimeout,
        Self::SslMode,
        Self::SslCa,
        Self::SslCert,
        Self::SslKey,
        Self::TlsVersion,
        Self::GetServerPublicKey,
        Self::Results,
        Self::Target,
        Self::Set,
        Self::Threads,
        Self::Time,
        Self::Events,
        Self::Prepare,
        Self::AllowFailingCells,
        Self::PreparedStatements,
        Self::TableSize,
        Self::Warehouses,
        Self::StorageEngine,
        Self::Force,
        Self::Map,
        Self::Price,
    ];
}

/// A command of mydyno that advice may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verb {
    /// Measure one workload.
    Run,
    /// Show the recordings.
    List,
    /// Load these data.
    Prepare(Box<DataSet>),
    /// Load what was being loaded.
    PrepareAgain,
    /// Remove the tables of this family, and load these data.
    Replace(Box<DataSet>),
    /// Remove tables.
    Cleanup,
    /// Install a server: a flavour, or `flavour@version`.
    ServerInstall(String),
    /// Show the sandboxed servers.
    ServerList,
    /// Start one.
    ServerStart(String),
    /// Stop one.
    ServerStop(String),
    /// Remove one.
    ServerRemove(String),
}

impl Advice {
    /// All of it in words.
    pub fn words(what: impl Into<String>) -> Self {
        Self { what: what.into(), how: How::Words }
    }

    /// An option to be given.
    pub fn option(what: impl Into<String>, option: OptionId) -> Self {
        Self { what: what.into(), how: How::Set(option, None) }
    }

    /// An option to be given with a value.
    pub fn value(what: impl Into<String>, option: OptionId, value: impl ToString) -> Self {
        Self { what: what.into(), how: How::Set(option, Some(value.to_string())) }
    }

    /// A command of mydyno.
    pub fn run(what: impl Into<String>, verb: Verb) -> Self {
        Self { what: what.into(), how: How::Run(verb) }
    }

    /// A statement.
    pub fn sql(what: impl Into<String>, statement: impl Into<String>) -> Self {
        Self { what: what.into(), how: How::Sql(statement.into()) }
    }

    /// A line for a shell or a configuration file.
    pub fn line(what: impl Into<String>, line: impl Into<String>) -> Self {
        Self { what: what.into(), how: How::Line(line.into()) }
    }

    /// The advice for recordings, without options and verbs: their readers may use another command line.
    pub fn in_words(&self) -> String {
        match &self.how {
            How::Sql(line) | How::Line(line) => format!("{}: {line}", self.what),
            How::Words | How::Set(..) | How::Run(_) => self.what.clone(),
        }
    }
}

/// Errors that know what to do about them.
pub trait Advise: std::fmt::Display {
    /// Alternative remedies; empty if the message is self-explanatory.
    fn advice(&self) -> Vec<Advice> {
        Vec::new()
    }
}
