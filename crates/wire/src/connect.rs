//! Making a connection: address, socket, TLS, login. Errors get the address and the advice here.

use std::{
    fmt,
    io::{self, Read, Write},
    net::{IpAddr, TcpStream, ToSocketAddrs},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::{Duration, Instant},
};

use rustls::ClientConnection;

use codes::ErrorClass;

use crate::{
    error::{ConnectError, HandshakeError, ServerError},
    frame::Assembler,
    handshake::{Action, Handshake, HandshakeOptions, SessionInfo, StartTls, Transport},
    limits::HANDSHAKE_BYTES_MAX,
    secret::Secret,
    tls::{self, TlsOptions, TlsPolicy, TlsSession},
};

/// The address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are what they are called")]
pub enum ServerAddress {
    /// A name or IP address, and a port.
    Tcp { host: String, port: u16 },
    /// A Unix socket's file.
    Unix(PathBuf),
}

impl ServerAddress {
    /// Whether it leads to this machine: a socket, or the loopback interface. Either may lead to a tunnel.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Unix(_) => true,
            Self::Tcp { host, .. } => {
                host.eq_ignore_ascii_case("localhost")
                    || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
            }
        }
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Unix(path) => write!(f, "{}", path.display()),
        }
    }
}

/// Everything about a connection that the user can choose.
#[derive(Debug, Clone)]
pub struct ConnectOptions {
    /// The address.
    pub address: ServerAddress,
    /// The account.
    pub user: String,
    /// Its password.
    pub password: Option<Secret>,
    /// The database to use.
    pub database: Option<String>,
    /// The TLS options.
    pub tls: TlsOptions,
    /// Timeout of the whole connection phase, including login.
    pub connect_timeout: Duration,
    /// Timeout of each later wait for the server; none: unlimited.
    pub read_timeout: Option<Duration>,
    /// Whether to request the server's RSA key, and trust it, when there is no TLS.
    pub get_server_public_key: bool,
    /// Statements to execute first.
    pub init_commands: Vec<String>,
    /// Whether [`crate::Client::load_data_local`] will be used.
    pub local_infile: bool,
    /// Shown to the DBA as connection attribute `program_name`.
    pub program_name: String,
}

impl ConnectOptions {
    /// The defaults of the mysql client, with a limit of ten seconds for connecting.
    pub fn new(address: ServerAddress, user: impl Into<String>) -> Self {
        Self {
            address,
            user: user.into(),
            password: None,
            database: None,
            tls: TlsOptions::default(),
            connect_timeout: Duration::from_secs(10),
            read_timeout: None,
            get_server_public_key: false,
            init_commands: Vec::new(),
            local_infile: false,
            program_name: "mydyno".into(),
        }
    }
}

/// A connected socket.
#[derive(Debug)]
pub enum Socket {
    /// TCP, without Nagle's delay.
    Tcp(TcpStream),
    /// A Unix socket.
    Unix(UnixStream),
}

impl Socket {
    /// Limits each wait, in either direction.
    pub fn set_timeouts(&self, timeout: Option<Duration>) -> io::Result<()> {
        match self {
            Self::Tcp(socket) => {
                socket.set_read_timeout(timeout).and_then(|()| socket.set_write_timeout(timeout))
            }
            Self::Unix(socket) => {
                socket.set_read_timeout(timeout).and_then(|()| socket.set_write_timeout(timeout))
            }
        }
    }
}

impl Socket {
    /// Another handle of the same socket, by which another thread can close it.
    pub fn handle(&self) -> io::Result<SocketHandle> {
        Ok(SocketHandle(match self {
            Self::Tcp(socket) => Self::Tcp(socket.try_clone()?),
            Self::Unix(socket) => Self::Unix(socket.try_clone()?),
        }))
    }
}

/// Ends a connection whose owner waits for an answer: the wait ends, as if the server had closed it.
#[derive(Debug)]
pub struct SocketHandle(Socket);

impl SocketHandle {
    /// Ends it. One that has ended already stays so.
    pub fn hang_up(&self) {
        let both = std::net::Shutdown::Both;
        let _ = match &self.0 {
            Socket::Tcp(socket) => socket.shutdown(both),
            Socket::Unix(socket) => socket.shutdown(both),
        };
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(socket) => socket.read(buffer),
            Self::Unix(socket) => socket.read(buffer),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(socket) => socket.write(bytes),
            Self::Unix(socket) => socket.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Tcp(socket) => socket.flush(),
            Self::Unix(socket) => socket.flush(),
        }
    }
}

/// Bytes that went through a socket, those of TLS included and those of TCP and IP not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByteCounts {
    /// Bytes to the server.
    pub sent: u64,
    /// Bytes from the server.
    pub received: u64,
}

/// A socket whose bytes are counted.
pub struct Counted<'a> {
    /// The socket.
    pub socket: &'a mut Socket,
    /// The count.
    pub traffic: &'a mut ByteCounts,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.socket.read(buffer)?;
        self.traffic.received += count as u64;
        Ok(count)
    }
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.socket.write(bytes)?;
        self.traffic.sent += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

/// A socket, encrypted or not, with its session's parameters: the parts that the load generator's reactor takes over.
#[derive(Debug)]
pub struct Parts {
    /// The socket, in blocking mode.
    pub socket: Socket,
    /// Its bytes until now.
    pub traffic: ByteCounts,
    /// The TLS session, if there is one.
    pub tls: Option<Box<ClientConnection>>,
    /// The session.
    pub session: SessionInfo,
}

impl Parts {
    /// The parts of a new connection, with nothing negotiated yet.
    pub fn new(socket: Socket) -> Self {
        Self { socket, traffic: ByteCounts::default(), tls: None, session: SessionInfo::default() }
    }
}

impl Read for Parts {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut counted = Counted { socket: &mut self.socket, traffic: &mut self.traffic };
        match &mut self.tls {
            Some(tls) => rustls::Stream::new(tls.as_mut(), &mut counted).read(buffer),
            None => counted.read(buffer),
        }
    }
}

impl Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut counted = Counted { socket: &mut self.socket, traffic: &mut self.traffic };
        match &mut self.tls {
            Some(tls) => rustls::Stream::new(tls.as_mut(), &mut counted).write(bytes),
            None => counted.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut counted = Counted { socket: &mut self.socket, traffic: &mut self.traffic };
        match &mut self.tls {
            Some(tls) => rustls::Stream::new(tls.as_mut(), &mut counted).flush(),
            None => counted.flush(),
        }
    }
}

/// Makes connections to one server. They share what TLS needs: its certificates, read once, and the sessions that later
/// connections may resume.
#[derive(Debug)]
pub struct Connector<'a> {
    options: &'a ConnectOptions,
    tls: OnceLock<tls::Context>,
}

impl<'a> Connector<'a> {
    /// A connector for these options; nothing is read or connected to yet.
    pub fn new(options: &'a ConnectOptions) -> Self {
        Self { options, tls: OnceLock::new() }
    }

    /// The options it was made for.
    pub(crate) fn options(&self) -> &'a ConnectOptions {
        self.options
    }

    /// Connects and logs in. The socket's timeouts are those of `read_timeout` afterwards.
    pub(crate) fn connect(&self) -> Result<Parts, ConnectError> {
        let options = self.options;
        let deadline = Instant::now() + options.connect_timeout;
        let mut parts = Parts::new(dial(options)?);
        self.login(&mut parts, deadline)?;
        let lost = |source| broken(options, source);
        parts.socket.set_timeouts(options.read_timeout).map_err(lost)?;
        Ok(parts)
    }

    /// Moves the handshake's bytes.
    fn login(&self, parts: &mut Parts, deadline: Instant) -> Result<(), ConnectError> {
        let options = self.options;
        let pid = std::process::id().to_string();
        let attributes = [
            ("_client_name", "mydyno"),
            ("_client_version", env!("CARGO_PKG_VERSION")),
            ("_os", std::env::consts::OS),
            ("_platform", std::env::consts::ARCH),
            ("_pid", &pid),
            ("program_name", &options.program_name),
        ];
        let mut handshake = Handshake::new(handshake_options(options, &attributes));
        let mut packets = Assembler::new(HANDSHAKE_BYTES_MAX);
        let mut action = Action::Read;
        loop {
            action = match action {
                Action::Send(bytes) => {
                    parts
                        .write_all(&bytes)
                        .and_then(|()| parts.flush())
                        .map_err(|source| broken(options, source))?;
                    Action::Read
                }
                Action::StartTls(bytes) => {
                    if !packets.is_empty() {
                        let source = crate::ProtocolError::Unsolicited;
                        return Err(ConnectError::Protocol { address: options.address.to_string(), source });
                    }
                    parts.write_all(&bytes).map_err(|source| broken(options, source))?;
                    let tls = self.start_tls(parts, deadline)?;
                    handshake.tls_started(tls).map_err(|error| explain(options, error))?
                }
                Action::Read => match packets.next_packet() {
                    Ok(Some(packet)) => handshake
                        .packet(packet.sequence, packet.payload)
                        .map_err(|error| explain(options, error))?,
                    Ok(None) => {
                        receive(parts, &mut packets, options, deadline)?;
                        Action::Read
                    }
                    Err(error) => return Err(explain(options, error.into())),
                },
                Action::Done(session) => {
                    parts.session = session;
                    return Ok(());
                }
            }
        }
    }

    fn start_tls(&self, parts: &mut Parts, deadline: Instant) -> Result<TlsSession, ConnectError> {
        let options = self.options;
        let mut tls = Box::new(self.tls_context()?.connection()?);
        let begun = Instant::now();
        while tls.is_handshaking() {
            limit_wait(parts, options, deadline)?;
            let mut counted = Counted { socket: &mut parts.socket, traffic: &mut parts.traffic };
            tls.complete_io(&mut counted).map_err(|source| broken(options, source))?;
        }
        let session = tls::session(&tls, begun.elapsed());
        parts.tls = Some(tls);
        Ok(session)
    }

    /// The TLS context. Two threads that need it first both make it, and continue with the same one.
    fn tls_context(&self) -> Result<&tls::Context, ConnectError> {
        if let Some(context) = self.tls.get() {
            return Ok(context);
        }
        let host = match &self.options.address {
            ServerAddress::Tcp { host, .. } => host.as_str(),
            ServerAddress::Unix(_) => "localhost",
        };
        let context = tls::Context::new(&self.options.tls, host, &self.options.address.to_string())?;
        Ok(self.tls.get_or_init(|| context))
    }
}

fn dial(options: &ConnectOptions) -> Result<Socket, ConnectError> {
    let (host, port) = match &options.address {
        ServerAddress::Unix(path) => {
            let socket = dial_unix(path, options.connect_timeout);
            return socket.map(Socket::Unix).map_err(|source| {
                if is_timeout(&source) {
                    return timed_out(options);
                }
                ConnectError::Socket { path: path.clone(), source }
            });
        }
        ServerAddress::Tcp { host, port } => (host, *port),
    };
    let unknown = |source| ConnectError::UnknownHost { host: host.clone(), source };
    let mut last = None;
    for address in (host.as_str(), port).to_socket_addrs().map_err(unknown)? {
        match TcpStream::connect_timeout(&address, options.connect_timeout) {
            Ok(socket) => {
                socket.set_nodelay(true).map_err(|source| broken(options, source))?;
                return Ok(Socket::Tcp(socket));
            }
            Err(error) => last = Some(error),
        }
    }
    let source = last.unwrap_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the name has no address"));
    if is_timeout(&source) {
        return Err(timed_out(options));
    }
    Err(ConnectError::Refused { address: options.address.to_string(), source })
}

/// std has no time limit for Unix sockets: a server that hangs with a full backlog would hang its clients too.
fn dial_unix(path: &Path, timeout: Duration) -> io::Result<UnixStream> {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, sockopt};
    let address = SocketAddrUnix::new(path)?;
    let socket =
        rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(timeout))?;
    rustix::net::connect(&socket, &address)?;
    Ok(UnixStream::from(socket))
}

fn handshake_options<'a>(
    options: &'a ConnectOptions,
    attributes: &'a [(&'a str, &'a str)],
) -> HandshakeOptions<'a> {
    let transport = match options.address {
        ServerAddress::Unix(_) => Transport::UnixSocket,
        ServerAddress::Tcp { .. } => Transport::Network,
    };
    let tls = match (options.tls.mode, transport) {
        (TlsPolicy::Disabled, _) | (TlsPolicy::Preferred, Transport::UnixSocket) => StartTls::Never,
        (TlsPolicy::Preferred, Transport::Network) => StartTls::IfOffered,
        _ => StartTls::Always,
    };
    HandshakeOptions {
        user: &options.user,
        password: options.password.as_ref(),
        database: options.database.as_deref(),
        transport,
        tls,
        get_server_public_key: options.get_server_public_key,
        local_infile: options.local_infile,
        attributes,
    }
}

/// One read within the time that is left.
fn receive(
    parts: &mut Parts,
    packets: &mut Assembler,
    options: &ConnectOptions,
    deadline: Instant,
) -> Result<(), ConnectError> {
    limit_wait(parts, options, deadline)?;
    let mut buffer = [0; 4096];
    match parts.read(&mut buffer) {
        Ok(0) => Err(broken(options, io::ErrorKind::UnexpectedEof.into())),
        Ok(count) => {
            packets.push(&buffer[..count]);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
        Err(error) => Err(broken(options, error)),
    }
}

fn limit_wait(parts: &Parts, options: &ConnectOptions, deadline: Instant) -> Result<(), ConnectError> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(timed_out(options));
    }
    parts.socket.set_timeouts(Some(left)).map_err(|source| broken(options, source))
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn timed_out(options: &ConnectOptions) -> ConnectError {
    ConnectError::TimedOut { address: options.address.to_string(), timeout: options.connect_timeout }
}

/// An error of the system during the handshake; rustls hides its own in one.
fn broken(options: &ConnectOptions, source: io::Error) -> ConnectError {
    let address = options.address.to_string();
    if is_timeout(&source) {
        return timed_out(options);
    }
    match source.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        Some(error) => tls::tls_error(&address, error),
        None => ConnectError::Lost { address, source },
    }
}

/// Adds the address and the account to a failed handshake.
fn explain(options: &ConnectOptions, error: HandshakeError) -> ConnectError {
    let address = options.address.to_string();
    let user = options.user.clone();
    match error {
        HandshakeError::Server(error) => refusal(options, address, user, error),
        HandshakeError::Protocol(source) => ConnectError::Protocol { address, source },
        HandshakeError::TlsNotOffered => ConnectError::TlsNotOffered { address },
        HandshakeError::PluginUnsupported { plugin } => {
            ConnectError::PluginUnsupported { address, user, plugin }
        }
        HandshakeError::ClearPassword => ConnectError::ClearPassword { address, user },
        HandshakeError::NeedsPublicKey => ConnectError::NeedsPublicKey { address, user },
        HandshakeError::PublicKey { detail } => ConnectError::PublicKey { address, detail },
    }
}

fn refusal(options: &ConnectOptions, address: String, user: String, error: ServerError) -> ConnectError {
    match error.code {
        code if codes::is(code, &[ErrorClass::AccessDenied]) => {
            let using_password = options.password.as_ref().is_some_and(|secret| !secret.expose().is_empty());
            ConnectError::AccessDenied { address, user, using_password, error }
        }
        codes::ER_BAD_DB_ERROR => {
            ConnectError::UnknownDatabase { address, database: database(options), error }
        }
        codes::ER_DBACCESS_DENIED_ERROR => {
            ConnectError::DatabaseDenied { address, user, database: database(options), error }
        }
        codes::ER_CON_COUNT_ERROR => ConnectError::TooManyConnections { address, error },
        _ => ConnectError::Server { address, user, error },
    }
}

fn database(options: &ConnectOptions) -> String {
    options.database.clone().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_and_the_loopback_interface_are_on_this_machine() {
        let tcp = |host: &str| ServerAddress::Tcp { host: host.to_owned(), port: 3306 };
        assert!(ServerAddress::Unix("/tmp/mysql.sock".into()).is_local());
        for (host, local) in
            [("localhost", true), ("127.0.0.2", true), ("::1", true), ("db1", false), ("10.0.0.1", false)]
        {
            assert_eq!(tcp(host).is_local(), local, "{host}");
        }
    }
}
