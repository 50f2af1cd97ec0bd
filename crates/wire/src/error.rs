//! Errors of the protocol, of connecting and of commands: each names its subject, and what failed and why.
//!
//! Advice is given by the caller, who knows the user: every case that needs different advice is a variant.

use std::{io, path::PathBuf, time::Duration};

/// An error that the server reported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("error {code} ({state}): {message}")]
pub struct ServerError {
    /// The server's error number, e.g. 1213.
    pub code: u16,
    /// SQLSTATE, five characters; `HY000` where the server sent none.
    pub state: String,
    /// The server's words, cut to [`crate::limits::TEXT_BYTES_MAX`].
    pub message: String,
}

/// The peer broke the protocol, or speaks another one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// A packet ended too early.
    #[error("the server sent a {packet} that ends too early; is this a MySQL port?")]
    Truncated {
        /// The packet.
        packet: &'static str,
    },
    /// A packet contradicts the protocol.
    #[error("the server sent a malformed {packet}: {detail}; is this a MySQL port?")]
    Malformed {
        /// The packet.
        packet: &'static str,
        /// Description of the fault.
        detail: &'static str,
    },
    /// A packet that has no place here.
    #[error("the server sent a packet beginning with {first:#04x} where {expected} was due")]
    Unexpected {
        /// The expected packet.
        expected: &'static str,
        /// The packet's first byte.
        first: u8,
    },
    /// Sequence ids are wrong: something else reads or writes on this connection, or it is not MySQL.
    #[error("packets out of order: sequence id {got} where {expected} was due")]
    OutOfOrder {
        /// The id that was due.
        expected: u8,
        /// The id that came.
        got: u8,
    },
    /// A packet is longer than its kind may be.
    #[error("the server sent a {packet} of {length} bytes; the limit is {limit}")]
    TooLong {
        /// The packet.
        packet: &'static str,
        /// Its length, as far as known.
        length: usize,
        /// The limit.
        limit: usize,
    },
    /// A result set with more columns than a server can have.
    #[error("the server announced {count} columns; the limit is 4096")]
    TooManyColumns {
        /// The number announced.
        count: u64,
    },
    /// Bytes came although no command was under way.
    #[error("the server sent data that no command had asked for")]
    Unsolicited,
    /// The server speaks a protocol other than version 10.
    #[error("the server speaks protocol version {version}; mydyno speaks version 10 (MySQL 4.1 and later)")]
    Version {
        /// The version in the greeting.
        version: u8,
    },
}

/// The reason the connection phase failed, before the address is added to it. See [`ConnectError`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HandshakeError {
    /// The server refused.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The server broke the protocol.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// TLS is required and the server does not offer it.
    #[error("the server does not offer TLS")]
    TlsNotOffered,
    /// The account uses a plugin that mydyno does not speak.
    #[error("authentication plugin {plugin} is not supported")]
    PluginUnsupported {
        /// The plugin's name.
        plugin: String,
    },
    /// The password would travel in clear text.
    #[error("the account wants the password in clear text over an unencrypted connection")]
    ClearPassword,
    /// Full authentication by a SHA-256 plugin without TLS, and the key was not requested.
    #[error("the server's public key is needed")]
    NeedsPublicKey,
    /// The server's public key is unusable.
    #[error("the server's public key is unusable: {detail}")]
    PublicKey {
        /// The server's or the library's error.
        detail: String,
    },
}

/// Faults of a TLS handshake, as far as advice depends on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsFault {
    /// X.509 version 1, which names no host.
    CertificateVersion,
    /// The certificate names another host.
    CertificateName,
    /// Its signer is not trusted.
    CertificateUntrusted,
    /// No version or cipher in common.
    Version,
    /// The server ended the handshake with an alert.
    Refused,
    /// Anything else.
    Other,
}

impl std::fmt::Display for TlsFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::CertificateVersion => "the certificate is of X.509 version 1",
            Self::CertificateName => "the certificate is for another host",
            Self::CertificateUntrusted => "the certificate is not trusted",
            Self::Version => "the server speaks no version of TLS that it is asked for",
            Self::Refused => "the server refused",
            Self::Other => "the handshake ended early",
        })
    }
}

/// A file that TLS needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsFile {
    /// Certificates of the authority.
    Ca,
    /// The client's certificate.
    Cert,
    /// Its key.
    Key,
}

impl std::fmt::Display for TlsFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ca => "certificate authority",
            Self::Cert => "client certificate",
            Self::Key => "client key",
        })
    }
}

/// The reason there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Nothing listens on the address.
    #[error("cannot connect to {address}: {source}")]
    Refused {
        /// Host and port, or socket path.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// The name does not resolve.
    #[error("unknown host {host}: {source}")]
    UnknownHost {
        /// The name.
        host: String,
        /// The resolver's error.
        source: io::Error,
    },
    /// No answer in time.
    #[error("no answer from {address} within {} s", timeout.as_secs_f64())]
    TimedOut {
        /// Host and port, or socket path.
        address: String,
        /// The time allowed.
        timeout: Duration,
    },
    /// The socket file is not there or not accessible.
    #[error("cannot use the socket {}: {source}", path.display())]
    Socket {
        /// The socket file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The connection broke while it was being made.
    #[error("the connection to {address} broke during the handshake: {source}")]
    Lost {
        /// Host and port, or socket path.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// Wrong user or password (1045, 1698).
    #[error("access denied for user {user} at {address} (using password: {}): {error}", yes_no(*.using_password))]
    AccessDenied {
        /// Host and port, or socket path.
        address: String,
        /// The account name.
        user: String,
        /// Whether a password was given.
        using_password: bool,
        /// The server's words.
        error: ServerError,
    },
    /// The database does not exist (1049).
    #[error("{address} has no database {database}: {error}")]
    UnknownDatabase {
        /// Host and port, or socket path.
        address: String,
        /// The name.
        database: String,
        /// The server's words.
        error: ServerError,
    },
    /// The account may not use the database (1044); to such an account a missing one looks the same.
    #[error("user {user} may not use database {database} at {address}, or it does not exist: {error}")]
    DatabaseDenied {
        /// Host and port, or socket path.
        address: String,
        /// The account name.
        user: String,
        /// The name.
        database: String,
        /// The server's words.
        error: ServerError,
    },
    /// max_connections reached (1040).
    #[error("{address} has too many connections: {error}")]
    TooManyConnections {
        /// Host and port, or socket path.
        address: String,
        /// The server's words.
        error: ServerError,
    },
    /// Any other refusal by the server.
    #[error("{address} refused user {user}: {error}")]
    Server {
        /// Host and port, or socket path.
        address: String,
        /// The account name.
        user: String,
        /// The server's words.
        error: ServerError,
    },
    /// The ssl-mode asks for TLS and the server has none.
    #[error("{address} does not offer TLS, which is required")]
    TlsNotOffered {
        /// Host and port, or socket path.
        address: String,
    },
    /// The TLS handshake failed.
    #[error("TLS with {address} failed: {fault}: {detail}")]
    Tls {
        /// Host and port, or socket path.
        address: String,
        /// The error of rustls.
        detail: String,
        /// Kind of the fault.
        fault: TlsFault,
    },
    /// A certificate or key file cannot be used.
    #[error("cannot use the {file} {}: {detail}", path.display())]
    TlsFile {
        /// The expected kind of file.
        file: TlsFile,
        /// The file.
        path: PathBuf,
        /// The server's or the library's error.
        detail: String,
    },
    /// The account uses a plugin that mydyno does not speak.
    #[error("user {user} at {address} uses the authentication plugin {plugin}, which mydyno does not speak")]
    PluginUnsupported {
        /// Host and port, or socket path.
        address: String,
        /// The account name.
        user: String,
        /// The plugin's name.
        plugin: String,
    },
    /// Full authentication by a SHA-256 plugin without TLS, and the key was not requested.
    #[error("user {user} at {address} has a SHA-256 password, which needs a secure connection")]
    NeedsPublicKey {
        /// Host and port, or socket path.
        address: String,
        /// The account name.
        user: String,
    },
    /// The server's public key is unusable.
    #[error("the public key of {address} is unusable: {detail}")]
    PublicKey {
        /// Host and port, or socket path.
        address: String,
        /// The server's or the library's error.
        detail: String,
    },
    /// The password would travel in clear text.
    #[error("user {user} at {address} needs the password in clear text, which mydyno sends over TLS only")]
    ClearPassword {
        /// Host and port, or socket path.
        address: String,
        /// The account name.
        user: String,
    },
    /// The peer does not speak MySQL's protocol, or not correctly.
    #[error("{address}: {source}")]
    Protocol {
        /// Host and port, or socket path.
        address: String,
        /// The protocol error.
        source: ProtocolError,
    },
    /// A statement that the user wants on every new connection failed.
    #[error("the init command failed at {address}: {source}")]
    InitCommand {
        /// Host and port, or socket path.
        address: String,
        /// Its error, which shows the statement.
        source: Box<QueryError>,
    },
}

impl ConnectError {
    /// Host and port, or socket path, in the message; none for a failure on this side.
    pub fn address(&self) -> Option<&str> {
        match self {
            Self::UnknownHost { host, .. } => Some(host),
            Self::Socket { path, .. } => path.to_str(),
            Self::TlsFile { .. } => None,
            Self::Refused { address, .. }
            | Self::TimedOut { address, .. }
            | Self::Lost { address, .. }
            | Self::AccessDenied { address, .. }
            | Self::UnknownDatabase { address, .. }
            | Self::DatabaseDenied { address, .. }
            | Self::TooManyConnections { address, .. }
            | Self::Server { address, .. }
            | Self::TlsNotOffered { address }
            | Self::Tls { address, .. }
            | Self::PluginUnsupported { address, .. }
            | Self::NeedsPublicKey { address, .. }
            | Self::PublicKey { address, .. }
            | Self::ClearPassword { address, .. }
            | Self::Protocol { address, .. }
            | Self::InitCommand { address, .. } => Some(address),
        }
    }

    /// The server's own error, if it was the server that refused.
    pub fn server_error(&self) -> Option<&ServerError> {
        match self {
            Self::AccessDenied { error, .. }
            | Self::UnknownDatabase { error, .. }
            | Self::DatabaseDenied { error, .. }
            | Self::TooManyConnections { error, .. }
            | Self::Server { error, .. } => Some(error),
            Self::InitCommand { source, .. } => source.server_error(),
            _ => None,
        }
    }
}

fn yes_no(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}

/// The reason a command failed.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The server reported an error; the connection stays usable.
    #[error("{error}; statement: {statement}")]
    Server {
        /// The statement, shortened, without passwords.
        statement: String,
        /// The server's words.
        error: ServerError,
    },
    /// The connection is gone.
    #[error("lost the connection to the server: {source}; statement: {statement}")]
    Lost {
        /// The statement, shortened, without passwords.
        statement: String,
        /// The system's error.
        source: io::Error,
    },
    /// No answer within the read timeout; the connection is of no further use.
    #[error("no answer from the server within {} s; statement: {statement}", timeout.as_secs_f64())]
    TimedOut {
        /// The statement, shortened, without passwords.
        statement: String,
        /// The time allowed.
        timeout: Duration,
    },
    /// The server broke the protocol; the connection is of no further use.
    #[error("{source}; statement: {statement}")]
    Protocol {
        /// The statement, shortened, without passwords.
        statement: String,
        /// The protocol error.
        source: ProtocolError,
    },
    /// The server requested a local file that was not offered; nothing was sent.
    #[error(
        "the server asked for a local file, which mydyno offers only for its own LOAD DATA; statement: {statement}"
    )]
    LocalFileRefused {
        /// The statement, shortened, without passwords.
        statement: String,
    },
    /// The stream offered to LOAD DATA LOCAL could not be read; the rows sent before that are in the table.
    #[error("reading the data for LOAD DATA failed: {source}; statement: {statement}")]
    LocalData {
        /// The statement, shortened, without passwords.
        statement: String,
        /// The stream's error.
        source: io::Error,
    },
    /// The number of values differs from the statement's parameters.
    #[error("the statement has {expected} parameters, {got} were given: {statement}")]
    Parameters {
        /// The statement, shortened, without passwords.
        statement: String,
        /// Parameters of the statement.
        expected: usize,
        /// Values given.
        got: usize,
    },
}

impl QueryError {
    /// The server's own error, if there was one.
    pub fn server_error(&self) -> Option<&ServerError> {
        match self {
            Self::Server { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Whether the connection is no longer usable.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::TimedOut { .. } | Self::Protocol { .. })
    }
}
