//! A fake MySQL server, for tests only: it answers as it is told, including in ways that no real server can be made to.
//!
//! One thread per connection over a free loopback port or a Unix socket; the protocol's server side comes from
//! [`wire::server`]. Start one with [`FakeServer::start`]; it stops when dropped.
//!
//! The test at the end of this file is an example.

mod connection;

use std::{
    collections::HashMap,
    io,
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    os::unix::net::{UnixListener, UnixStream},
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

use wire::{
    Capabilities, ConnectOptions, ServerAddress, ServerError, Socket, SqlValue, auth::Plugin,
    response::OkInfo,
};

/// Where to listen.
#[derive(Debug, Clone)]
pub enum Listen {
    /// A free port of 127.0.0.1.
    Loopback,
    /// A Unix socket at this path, which must be free.
    Unix(PathBuf),
}

/// Who may log in.
#[derive(Debug, Clone)]
pub enum Password {
    /// Anyone with any password.
    Any,
    /// Anyone with this one.
    Required(String),
}

/// How caching_sha2_password goes on after the first answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sha2Cache {
    /// The server knows the password's hash: fast authentication.
    Warm,
    /// It does not: the client must send the password. Without TLS, which this server lacks, only a Unix socket will do.
    Cold,
}

/// How bytes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// An answer in one write.
    Whole,
    /// Each byte in a write of its own.
    ByteByByte,
    /// The same, with a pause before each.
    Slowly(Duration),
}

/// How the server behaves on every connection.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to listen.
    pub listen: Listen,
    /// The version in the greeting; with "MariaDB" in it clients take the server for one.
    pub version: String,
    /// What the greeting offers.
    pub capabilities: Capabilities,
    /// The plugin in the greeting.
    pub plugin: Plugin,
    /// The plugin to which every login is switched.
    pub switch_to: Option<Plugin>,
    /// Fast or full caching_sha2_password.
    pub sha2_cache: Sha2Cache,
    /// Who may log in.
    pub password: Password,
    /// Connections beyond this number are refused with error 1040.
    pub connections_max: usize,
    /// Every connection is closed once that many bytes were sent over it, in mid-packet if need be.
    pub close_after_bytes: Option<u64>,
    /// How bytes are written.
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

/// What a client asked: a query, or the execution of a prepared statement with its values.
#[derive(Debug)]
pub struct Request<'a> {
    /// The connection's number, from 1.
    pub connection: u32,
    /// The statement.
    pub sql: &'a str,
    /// The values of its parameters; empty for a query.
    pub values: &'a [SqlValue<'a>],
}

/// What the server answers.
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
    /// OK, with so many rows affected.
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

type Handler = dyn Fn(&Request<'_>) -> Answer + Send + Sync;

struct Shared {
    options: Options,
    handler: Box<Handler>,
    stopping: AtomicBool,
    next_connection: AtomicU32,
    /// One handle per live connection, with which it can be closed from outside.
    live: Mutex<HashMap<u32, Socket>>,
    statements: Mutex<Vec<String>>,
    local_data: Mutex<Vec<u8>>,
}

/// Locks even after a panic of another thread: a failed assertion in a handler must not hide itself behind this one.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Listener {
    fn accept(&self) -> io::Result<Socket> {
        match self {
            Self::Tcp(listener) => {
                let (socket, _) = listener.accept()?;
                socket.set_nodelay(true)?;
                Ok(Socket::Tcp(socket))
            }
            Self::Unix(listener) => listener.accept().map(|(socket, _)| Socket::Unix(socket)),
        }
    }
}

fn try_clone(socket: &Socket) -> io::Result<Socket> {
    Ok(match socket {
        Socket::Tcp(socket) => Socket::Tcp(socket.try_clone()?),
        Socket::Unix(socket) => Socket::Unix(socket.try_clone()?),
    })
}

fn shut_down(socket: &Socket) {
    // A socket that is closed already needs no closing.
    let _ = match socket {
        Socket::Tcp(socket) => socket.shutdown(Shutdown::Both),
        Socket::Unix(socket) => socket.shutdown(Shutdown::Both),
    };
}

/// A running fake server; stops, closing all connections, when dropped.
pub struct FakeServer {
    address: ServerAddress,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

impl FakeServer {
    /// Starts a server that asks `handler` for every answer.
    ///
    /// # Panics
    /// If it cannot listen: there is no test without it.
    pub fn start(options: Options, handler: impl Fn(&Request<'_>) -> Answer + Send + Sync + 'static) -> Self {
        let (listener, address) = match &options.listen {
            Listen::Loopback => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a loopback port is free");
                let port = listener.local_addr().expect("it is bound").port();
                (Listener::Tcp(listener), ServerAddress::Tcp { host: Ipv4Addr::LOCALHOST.to_string(), port })
            }
            Listen::Unix(path) => {
                let listener = UnixListener::bind(path).expect("the socket's path is free and writable");
                (Listener::Unix(listener), ServerAddress::Unix(path.clone()))
            }
        };
        let shared = Arc::new(Shared {
            options,
            handler: Box::new(handler),
            stopping: AtomicBool::new(false),
            next_connection: AtomicU32::new(1),
            live: Mutex::default(),
            statements: Mutex::default(),
            local_data: Mutex::default(),
        });
        let acceptor = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        Self { address, shared, acceptor: Some(acceptor) }
    }

    /// Where it listens.
    pub fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// Options that connect to it as user `test`, with the password it requires.
    pub fn connect_options(&self) -> ConnectOptions {
        let mut options = ConnectOptions::new(self.address.clone(), "test");
        if let Password::Required(password) = &self.shared.options.password {
            options.password = Some(password.as_str().into());
        }
        options
    }

    /// Every statement that was prepared, or executed as a query, in order of arrival.
    pub fn statements(&self) -> Vec<String> {
        lock(&self.shared.statements).clone()
    }

    /// Everything that clients sent as local files.
    pub fn local_data(&self) -> Vec<u8> {
        lock(&self.shared.local_data).clone()
    }

    /// Connections made so far, refused ones included.
    pub fn connections_made(&self) -> u32 {
        self.shared.next_connection.load(Ordering::SeqCst) - 1
    }

    /// Connections open now.
    pub fn connections_open(&self) -> usize {
        lock(&self.shared.live).len()
    }

    /// Closes every open connection, as a crash would; new ones are still accepted.
    pub fn close_connections(&self) {
        lock(&self.shared.live).values().for_each(shut_down);
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        // The acceptor sits in accept(): one more connection lets it look at the flag.
        match &self.address {
            ServerAddress::Tcp { port, .. } => {
                drop(TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, *port))));
            }
            ServerAddress::Unix(path) => {
                drop(UnixStream::connect(path));
                let _ = std::fs::remove_file(path);
            }
        }
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
        self.close_connections();
    }
}

fn accept(listener: &Listener, shared: &Arc<Shared>) {
    loop {
        let accepted = listener.accept();
        if shared.stopping.load(Ordering::SeqCst) {
            return;
        }
        let Ok(socket) = accepted else { continue };
        let id = shared.next_connection.fetch_add(1, Ordering::SeqCst);
        let Ok(handle) = try_clone(&socket) else { continue };
        let open = {
            let mut live = lock(&shared.live);
            live.insert(id, handle);
            live.len()
        };
        let shared = Arc::clone(shared);
        std::thread::spawn(move || {
            let refused = open > shared.options.connections_max;
            // A client that goes away is no concern of the server's.
            let _ = connection::serve(&shared, socket, id, refused);
            if let Some(socket) = lock(&shared.live).remove(&id) {
                shut_down(&socket);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::{Answer, FakeServer, Options};

    #[test]
    fn a_fake_server_answers_as_it_was_told() {
        let server = FakeServer::start(Options::default(), |request| match request.sql {
            "SELECT 1" => Answer::rows(&["1"], &[&[Some("1")]]),
            other => Answer::error(1064, "42000", &format!("no answer for {other}")),
        });
        let mut client = wire::Client::connect(&server.connect_options()).expect("the server is up");
        assert_eq!(client.query("SELECT 1").expect("it is answered").rows[0].text(0), Some("1"));
        let refused = client.query("SELECT 2").expect_err("it is not known");
        assert_eq!(refused.server_error().map(|error| error.code), Some(1064));
    }
}
