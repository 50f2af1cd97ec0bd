//! A server that answers from memory: it accepts every login and returns one row for every statement. It uses a thread for
//! each connection, since only the cost of the generator matters.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use wire::auth::Plugin;
use wire::frame::{self, Assembler};
use wire::response::{OkInfo, PreparedStatement};
use wire::server::{self, Command, Greeting};
use wire::{Capabilities, ColumnDef, ColumnType, ConnectOptions, ServerAddress};

/// Stand-in for the value of sysbench's column `c`, of the same length.
const ROW: [u8; 119] = [b'5'; 119];
const PACKET_BYTES_MAX: usize = 1 << 20;

/// A running null server; stops when dropped.
pub(crate) struct NullServer {
    port: u16,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    stopping: AtomicBool,
    sockets: Mutex<Vec<TcpStream>>,
}

impl NullServer {
    /// Listens on a free port of 127.0.0.1.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared::default());
        let of_acceptor = Arc::clone(&shared);
        let acceptor = std::thread::Builder::new()
            .name("null-accept".to_owned())
            .spawn(move || accept(&listener, &of_acceptor))?;
        Ok(Self { port, shared, acceptor: Some(acceptor) })
    }

    pub fn connect_options(&self) -> ConnectOptions {
        let address = ServerAddress::Tcp { host: Ipv4Addr::LOCALHOST.to_string(), port: self.port };
        ConnectOptions::new(address, "mydyno")
    }
}

impl Drop for NullServer {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::Relaxed);
        // The acceptor sits in accept(): one more connection lets it look at the flag. Where none can be made it is left
        // to sit: waiting for it would be for ever.
        let woken = TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)));
        if let (Some(acceptor), Ok(_)) = (self.acceptor.take(), woken) {
            let _ = acceptor.join();
        }
        let sockets = self.shared.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        for socket in sockets.iter() {
            // One that is closed already needs no closing.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

fn accept(listener: &TcpListener, shared: &Shared) {
    while let Ok((socket, _)) = listener.accept() {
        if shared.stopping.load(Ordering::Relaxed) {
            return;
        }
        let Ok(kept) = socket.try_clone() else { return };
        shared.sockets.lock().unwrap_or_else(PoisonError::into_inner).push(kept);
        // A client that cannot be served sees its connection closed.
        let _ = std::thread::Builder::new().name("null".to_owned()).spawn(move || serve(socket));
    }
}

/// Serves one client until it goes.
fn serve(mut socket: TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    // Without the end-of-columns packet, as every server of today.
    let capabilities = Capabilities::WANTED.without(Capabilities::MARIADB_CACHE_METADATA);
    let greeting = Greeting {
        version: "0.0.0-null",
        connection_id: 1,
        capabilities,
        challenge: *b"abcdefghijklmnopqrst",
        plugin: Plugin::Native.name(),
    };
    socket.write_all(&packets(0, &[&|out| server::greeting(out, &greeting)]))?;
    let mut packets_in = Assembler::new(PACKET_BYTES_MAX);
    let login = receive(&mut socket, &mut packets_in)?;
    let login = server::login(&login).map_err(io::Error::other)?.ok_or(io::ErrorKind::Unsupported)?;
    let capabilities = login.capabilities & capabilities;
    socket.write_all(&packets(2, &[&|out| server::ok(out, &OkInfo::default(), "")]))?;
    let answers = Answers::new(capabilities);
    loop {
        let payload = receive(&mut socket, &mut packets_in)?;
        let answer = match server::command(&payload).map_err(io::Error::other)? {
            Command::Quit => return Ok(()),
            Command::Close(_) => continue,
            Command::Execute { .. } => &answers.binary,
            Command::Prepare(_) => &answers.prepared,
            Command::Query(sql) if sql.starts_with(b"SELECT") => &answers.text,
            Command::Query(_) | Command::Ping | Command::Reset | Command::Other(_) => &answers.ok,
        };
        socket.write_all(answer)?;
    }
}

fn receive(socket: &mut TcpStream, packets: &mut Assembler) -> io::Result<Vec<u8>> {
    loop {
        if let Some(packet) = packets.next_packet().map_err(io::Error::other)? {
            return Ok(packet.payload.to_vec());
        }
        let mut buffer = [0; 4 << 10];
        match socket.read(&mut buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => packets.push(&buffer[..count]),
        }
    }
}

/// Every answer there is, made once.
struct Answers {
    ok: Vec<u8>,
    prepared: Vec<u8>,
    text: Vec<u8>,
    binary: Vec<u8>,
}

impl Answers {
    fn new(capabilities: Capabilities) -> Self {
        let column = ColumnDef {
            name: "c".to_owned(),
            kind: ColumnType::VAR_STRING,
            collation: 45,
            flags: 0,
            decimals: 0,
        };
        let definition = |out: &mut Vec<u8>| server::column(out, &column);
        let ok = OkInfo::default();
        let end = |out: &mut Vec<u8>| server::end_of_rows(out, capabilities, &ok);
        let count = |out: &mut Vec<u8>| server::column_count(out, 1, None);
        let prepared =
            |out: &mut Vec<u8>| server::prepared(out, &PreparedStatement { id: 1, params: 1, columns: 1 });
        let text = |out: &mut Vec<u8>| server::text_row(out, &[Some(&ROW)]);
        let binary = |out: &mut Vec<u8>| server::binary_row(out, &[Some(&ROW)]);
        Self {
            ok: packets(1, &[&|out| server::ok(out, &ok, "")]),
            prepared: packets(1, &[&prepared, &definition, &definition]),
            text: packets(1, &[&count, &definition, &text, &end]),
            binary: packets(1, &[&count, &definition, &binary, &end]),
        }
    }
}

/// Writes a packet's payload.
type Payload<'a> = &'a dyn Fn(&mut Vec<u8>);

/// Packets one after the other, from a sequence number on.
fn packets(first: u8, payloads: &[Payload<'_>]) -> Vec<u8> {
    let (mut out, mut sequence) = (Vec::new(), first);
    for payload in payloads {
        let start = frame::begin(&mut out);
        payload(&mut out);
        sequence = frame::finish(&mut out, start, sequence);
    }
    out
}
