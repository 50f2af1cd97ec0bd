//! Servers and clients in the nodes of a network.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests fail by panicking and say why they do not run"
)]

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use model::Advise;
use network::{HOST, Link, Links, SimulatedNetwork, check};

/// False, with the reason on the screen, where this machine allows no network.
pub fn is_possible() -> bool {
    static POSSIBLE: OnceLock<bool> = OnceLock::new();
    *POSSIBLE.get_or_init(|| match check() {
        Ok(()) => true,
        Err(error) => {
            eprintln!("skipped: {error}; {:?}", error.advice());
            false
        }
    })
}

/// Leaves the test where this machine allows no network.
macro_rules! needs_network {
    () => {
        if !crate::common::is_possible() {
            return;
        }
    };
}
pub(crate) use needs_network;

pub const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

pub fn network(links: &Links) -> SimulatedNetwork {
    SimulatedNetwork::start(&["a", "b"], links).expect("this machine allows it")
}

pub fn delayed(delay: Duration) -> SimulatedNetwork {
    network(&Links::all(Link::delayed(delay)))
}

/// Runs `task` on the node.
pub fn on<T: Send>(network: &SimulatedNetwork, node: &str, task: impl FnOnce() -> T + Send) -> T {
    if node == HOST {
        return task();
    }
    network.namespace(node).expect("there is the node").enter_and(task).expect("it can be entered")
}

pub fn address(network: &SimulatedNetwork, node: &str) -> Ipv4Addr {
    network.address(node).expect("there is the node")
}

/// A listener on the node.
pub fn listener(network: &SimulatedNetwork, node: &str) -> (TcpListener, SocketAddr) {
    let listener = on(network, node, || TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))).unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, (address(network, node), port).into())
}

/// A server on the node that sends back what it receives.
pub fn echo(network: &SimulatedNetwork, node: &str) -> SocketAddr {
    let (listener, address) = listener(network, node);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || answer(stream));
        }
    });
    address
}

fn answer(mut stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut buffer) {
        if stream.write_all(&buffer[..length]).is_err() {
            return;
        }
    }
}

/// A connection from one node to a server.
pub fn connect(network: &SimulatedNetwork, from: &str, to: SocketAddr) -> TcpStream {
    let stream = on(network, from, || TcpStream::connect_timeout(&to, ms(10_000))).unwrap();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(ms(20_000))).unwrap();
    stream
}

/// One byte there and back.
pub fn round_trip(stream: &mut TcpStream) -> std::io::Result<Duration> {
    let start = Instant::now();
    stream.write_all(b"?")?;
    stream.read_exact(&mut [0])?;
    Ok(start.elapsed())
}

/// So many round trips, shortest first.
pub fn round_trips(stream: &mut TcpStream, count: usize) -> Vec<Duration> {
    let mut all: Vec<Duration> = (0..count).map(|_| round_trip(stream).unwrap()).collect();
    all.sort();
    all
}

/// A datagram socket on the node.
pub fn datagrams(network: &SimulatedNetwork, node: &str) -> (UdpSocket, SocketAddr) {
    let socket = on(network, node, || UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))).unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, (address(network, node), port).into())
}

/// Names of the devices of the namespace that this thread is in.
pub fn devices() -> Vec<String> {
    let text = std::fs::read_to_string("/proc/thread-self/net/dev").unwrap();
    let name = |line: &str| line.split_once(':').map(|(name, _)| name.trim().to_owned());
    text.lines().filter_map(name).collect()
}
