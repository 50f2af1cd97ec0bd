//! What `docs/design/network.md` says of the router is measured here, on an idle machine:
//! `cargo test --release -p network measure -- --ignored --nocapture --test-threads 1`

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail by panicking, and a measurement is printed"
)]

use std::io::{Read, Write};
use std::net::UdpSocket;
use std::thread;
use std::time::{Duration, Instant};

use network::{Link, Links, SimulatedNetwork};

use crate::common::{connect, datagrams, delayed, listener, ms, needs_network, network};

/// Round trips at each delay.
const TRIPS: usize = 1_000;

/// What is sent for a throughput.
const BYTES: usize = 1 << 30;

#[test]
#[ignore = "a measurement"]
fn measure_delay() {
    needs_network!();
    println!(
        "requested ms | router late us p50, p99, max | round trip - 2 x requested, us: p50, p99 | router CPU us per packet"
    );
    for micros in [0, 100, 1_000, 5_000, 10_000] {
        let requested = Duration::from_micros(micros);
        let network = delayed(requested);
        let mut excess = excess(&network, requested);
        excess.sort_unstable();
        let figures = network.stop();
        let us = |ns: u64| ns as f64 / 1e3;
        println!(
            "{:5.1} | {:.1}, {:.1}, {:.1} | {:.1}, {:.1} | {:.1} (waited {:.1} ms)",
            requested.as_secs_f64() * 1e3,
            us(figures.late_p50_ns),
            us(figures.late_p99_ns),
            us(figures.late_max_ns),
            us(excess[TRIPS / 2]),
            us(excess[TRIPS * 99 / 100]),
            figures.cpu_s.unwrap_or_default() * 1e6 / figures.packets as f64,
            figures.cpu_wait_s.unwrap_or_default() * 1e3,
        );
    }
}

/// Nanoseconds that datagrams take longer than twice the delay, there and back.
fn excess(network: &SimulatedNetwork, requested: Duration) -> Vec<u64> {
    let ((near, from), (far, to)) = (datagrams(network, "a"), datagrams(network, "b"));
    near.set_read_timeout(Some(ms(1_000))).unwrap();
    far.set_read_timeout(Some(ms(1_000))).unwrap();
    let reflect = move || {
        while far.recv(&mut [0]).is_ok() {
            far.send_to(b"!", from).unwrap();
        }
    };
    thread::scope(|scope| {
        scope.spawn(reflect);
        let trip = |near: &UdpSocket| {
            let start = Instant::now();
            near.send_to(b"?", to).unwrap();
            near.recv(&mut [0]).unwrap();
            u64::try_from((start.elapsed() - 2 * requested).as_nanos()).unwrap()
        };
        (0..TRIPS).map(|_| trip(&near)).collect()
    })
}

#[test]
#[ignore = "a measurement"]
fn measure_throughput() {
    needs_network!();
    throughput("direct", &Links::default());
    throughput("direct, MTU 9,000", &Links::default().mtu(9_000));
    throughput("direct, MTU 1,500", &Links::default().mtu(1_500));
    throughput("1 ms", &Links::all(Link::delayed(ms(1))));
    throughput("5 ms", &Links::all(Link::delayed(ms(5))));
    let gigabit = Link { bandwidth_bytes_per_s: Some(125e6), ..Link::delayed(ms(1)) };
    throughput("1 ms, 125 MB/s", &Links::all(gigabit));
}

fn throughput(what: &str, links: &Links) {
    let network = network(links);
    let (listener, to) = listener(&network, "b");
    let mut stream = connect(&network, "a", to);
    let block = vec![7; 1 << 20];
    let start = Instant::now();
    let sender = thread::spawn(move || (0..BYTES / block.len()).try_for_each(|_| stream.write_all(&block)));
    let (mut reader, _) = listener.accept().unwrap();
    let mut buffer = vec![0; 1 << 20];
    let mut received = 0;
    while let length @ 1.. = reader.read(&mut buffer).unwrap() {
        received += length;
    }
    sender.join().unwrap().unwrap();
    assert_eq!(received, BYTES);
    let seconds = start.elapsed().as_secs_f64();
    let figures = network.stop();
    println!(
        "{what}: {:.0} MB/s, router used {:.0} % of a CPU, {} packets, {} overflowed, {} refused, late p99 {} us",
        BYTES as f64 / 1e6 / seconds,
        figures.cpu_s.unwrap_or_default() / seconds * 100.0,
        figures.packets,
        figures.overflowed,
        figures.refused,
        figures.late_p99_ns / 1000,
    );
}
