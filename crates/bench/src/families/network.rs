//! Delay that the simulated network adds to the requested one, and its throughput.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::thread;
use std::time::{Duration, Instant};

use network::{Link, Links, SimulatedNetwork};

use crate::error::BenchError;
use crate::laboratory::Laboratory;
use crate::rounds::{Arm, Figure, Figures, interleave};

/// Delay of the link whose error is measured.
const DELAY: Duration = Duration::from_millis(1);
/// Round trips on it in a round.
const TRIPS: usize = 1_000;
/// Bytes sent to measure throughput.
const BYTES: usize = 1 << 30;
const BLOCK: usize = 1 << 20;
/// Timeout for an answer of the other node.
const PATIENCE: Duration = Duration::from_secs(10);

/// 99th percentile of the router's delivery delay beyond the requested one, with one datagram under way at a time.
pub fn late(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let arms = vec![Arm::new("p99 at 1 ms", || round_trips().map_err(BenchError::from))];
    let measured = interleave("error of the simulated network", laboratory.rounds, arms)?;
    let p99 = measured.value(0, "us", |late: &Late| late.p99_us);
    let medians = measured.value(0, "us", |late| late.p50_us).rounds;
    let median = Figure::of("median at 1 ms", "us", medians);
    Ok(Figures::from([("network_late_p99".to_owned(), p99.beside([median]))]))
}

/// Throughput of one connection in one direction without a delay.
pub fn throughput(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let arms = vec![Arm::new("no delay", || Ok(bytes_per_s()? / 1e6))];
    let measured = interleave("throughput of the simulated network", laboratory.rounds, arms)?;
    let figure = measured.value(0, "MB/s", |megabytes: &f64| *megabytes);
    Ok(Figures::from([("network_throughput".to_owned(), figure)]))
}

struct Late {
    p50_us: f64,
    p99_us: f64,
}

fn nodes(link: Link) -> io::Result<SimulatedNetwork> {
    SimulatedNetwork::start(&["a", "b"], &Links::all(link)).map_err(io::Error::other)
}

/// Runs a function in the namespace of a node.
fn on<T: Send>(
    network: &SimulatedNetwork,
    node: &str,
    task: impl FnOnce() -> io::Result<T> + Send,
) -> io::Result<T> {
    let namespace = network.namespace(node).ok_or(io::ErrorKind::NotFound)?;
    namespace.enter_and(task).map_err(io::Error::other)?
}

fn address(network: &SimulatedNetwork, node: &str, port: u16) -> io::Result<SocketAddr> {
    Ok((network.address(node).ok_or(io::ErrorKind::NotFound)?, port).into())
}

fn datagrams(network: &SimulatedNetwork, node: &str) -> io::Result<(UdpSocket, SocketAddr)> {
    let socket = on(network, node, || UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)))?;
    socket.set_read_timeout(Some(PATIENCE))?;
    let port = socket.local_addr()?.port();
    Ok((socket, address(network, node, port)?))
}

fn round_trips() -> io::Result<Late> {
    let network = nodes(Link::delayed(DELAY))?;
    let ((near, from), (far, to)) = (datagrams(&network, "a")?, datagrams(&network, "b")?);
    thread::scope(|scope| -> io::Result<()> {
        let reflecting = scope.spawn(move || -> io::Result<()> {
            for _ in 0..TRIPS {
                far.recv(&mut [0])?;
                far.send_to(b"!", from)?;
            }
            Ok(())
        });
        for _ in 0..TRIPS {
            near.send_to(b"?", to)?;
            near.recv(&mut [0])?;
        }
        reflecting.join().unwrap_or_else(|_| Err(io::Error::other("the reflecting thread failed")))
    })?;
    let used = network.stop();
    Ok(Late { p50_us: used.late_p50_ns as f64 / 1e3, p99_us: used.late_p99_ns as f64 / 1e3 })
}

fn bytes_per_s() -> io::Result<f64> {
    let network = nodes(Link::default())?;
    let listener = on(&network, "b", || TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)))?;
    let to = address(&network, "b", listener.local_addr()?.port())?;
    let mut stream = on(&network, "a", || TcpStream::connect_timeout(&to, PATIENCE))?;
    let (mut reader, _) = listener.accept()?;
    let start = Instant::now();
    let received = thread::scope(|scope| -> io::Result<usize> {
        let sending = scope.spawn(move || {
            let block = vec![7; BLOCK];
            (0..BYTES / BLOCK).try_for_each(|_| stream.write_all(&block))
        });
        let (mut buffer, mut received) = (vec![0; BLOCK], 0);
        while let length @ 1.. = reader.read(&mut buffer)? {
            received += length;
        }
        sending.join().unwrap_or_else(|_| Err(io::Error::other("the sending thread failed")))?;
        Ok(received)
    })?;
    Ok(received as f64 / start.elapsed().as_secs_f64())
}
