//! A fake MySQL server, for tests only: it answers as configured, including in ways that no real server can be made to.
//!
//! One thread per connection over a free loopback port or a Unix socket; the protocol's server side comes from
//! [`wire::server`]. Start one with [`FakeServer::start`]; it stops when dropped.
//!
//! The test at the end of this file is an example.

mod behaviour;
mod connection;

pub use behaviour::{Answer, Delivery, Listen, Options, Password, Request, Sha2Cache};
use behaviour::{Shared, lock};

use std::{
    io,
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    os::unix::net::{UnixListener, UnixStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread::JoinHandle,
};

use wire::{ConnectOptions, ServerAddress, Socket};

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

    /// The address it listens on.
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
