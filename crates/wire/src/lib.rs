//! The MySQL client/server protocol as machines without I/O, and one small blocking client over them.
//!
//! mydyno has its own protocol path because the load path is what the project exists for: no allocation and no copy
//! per transaction, and the instant of sending in the caller's hands. Administration and loading use the same encoders
//! and decoders through [`client::Client`], so that two readings of the protocol cannot disagree.
//!
//! | question | module |
//! |---|---|
//! | how bytes become packets, and packets bytes | [`frame`], [`codec`] |
//! | how a connection is greeted and authenticated | [`handshake`], [`auth`], [`tls`] |
//! | what a command looks like | [`command`] |
//! | how an answer is read | [`response`], [`value`] |
//! | the server's side, for fake servers in tests | [`server`] |
//! | a connection that just works | [`client`] |
//!
//! Nothing that a peer sends may panic, loop, or allocate without bound; every limit is a constant in [`limits`].

pub mod auth;
pub mod capability;
pub mod client;
pub mod codec;
pub mod command;
pub mod connect;
pub mod error;
pub mod frame;
pub mod handshake;
mod intake;
pub mod limits;
pub mod response;
pub mod result;
pub mod secret;
pub mod server;
pub mod tls;
pub mod value;

pub use capability::Capabilities;
pub use client::{
    ByteCounts, Client, ConnectOptions, Connector, Counted, Done, Parts, ResultSet, Row, ServerAddress,
    Socket, SocketHandle, Statement,
};
pub use error::{ConnectError, ProtocolError, QueryError, ServerError, TlsFault, TlsFile};
pub use handshake::SessionInfo;
pub use secret::Secret;
pub use tls::{TlsOptions, TlsPolicy, TlsProtocol, TlsSession};
pub use value::{ColumnDef, ColumnType, SqlValue};
