//! Links do what they were asked to.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::io::{ErrorKind, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use network::{HOST, Link, Links};

use crate::common::{
    address, connect, datagrams, delayed, echo, listener, ms, needs_network, network, round_trip, round_trips,
};

/// How much longer than asked for the faster round trips may take: client and server wait for CPUs as well, where the machine
/// does other things.
const BUSY: Duration = ms(10);

#[test]
fn a_round_trip_takes_what_was_asked_for() {
    needs_network!();
    let network = delayed(ms(10));
    for (from, to) in [("a", "b"), (HOST, "a"), ("b", HOST)] {
        let trips = round_trips(&mut connect(&network, from, echo(&network, to)), 30);
        assert!(trips[0] >= ms(20), "{from} to {to}: {trips:?}");
        assert!(trips[7] <= ms(20) + BUSY, "{from} to {to}: {trips:?}");
    }
    let figures = network.stop();
    assert!(figures.packets > 180 && figures.bytes > 180 * 41, "{figures:?}");
    assert!(figures.late_p50_ns <= figures.late_p99_ns && figures.late_p99_ns <= figures.late_max_ns);
    assert!(figures.cpu_s.is_none_or(|seconds| seconds > 0.0), "{figures:?}");
}

#[test]
fn each_direction_has_its_own_delay_and_it_can_be_changed() {
    needs_network!();
    let links = Links::default().one_way("a", "b", Link::delayed(ms(30)));
    let network = network(&links);
    let mut stream = connect(&network, "a", echo(&network, "b"));
    let trips = round_trips(&mut stream, 9);
    assert!(trips[0] >= ms(30) && trips[2] <= ms(30) + BUSY, "{trips:?}");
    let other = round_trips(&mut connect(&network, HOST, echo(&network, "b")), 9);
    assert!(other[2] <= BUSY, "{other:?}");
    network.set_link("b", "a", Link::delayed(ms(15))).unwrap();
    let trips = round_trips(&mut stream, 9);
    assert!(trips[0] >= ms(45) && trips[2] <= ms(45) + BUSY, "{trips:?}");
}

#[test]
fn jitter_spreads_round_trips() {
    needs_network!();
    let jittery = Link { jitter: ms(10), ..Link::delayed(ms(10)) };
    let network = network(&Links::all(jittery).seed(3));
    let trips = round_trips(&mut connect(&network, "a", echo(&network, "b")), 60);
    // Two draws from 0 to 20 ms: a third of the sums is below 17 ms, and a third above 24.
    assert!(trips[3] < ms(17) && trips[54] > ms(24), "{trips:?}");
}

#[test]
fn a_cut_link_carries_nothing_until_it_is_healed() {
    needs_network!();
    let network = delayed(ms(1));
    let mut stream = connect(&network, "a", echo(&network, "b"));
    round_trip(&mut stream).unwrap();
    network.cut("b", "a").unwrap();
    stream.set_read_timeout(Some(ms(300))).unwrap();
    let error = round_trip(&mut stream).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
    // The others are not concerned.
    round_trip(&mut connect(&network, HOST, echo(&network, "b"))).unwrap();
    network.heal("a", "b").unwrap();
    // TCP sends the byte again.
    stream.set_read_timeout(Some(ms(30_000))).unwrap();
    stream.read_exact(&mut [0]).unwrap();
    round_trip(&mut stream).unwrap();
    assert!(network.figures().cut > 0);
}

#[test]
fn the_share_asked_for_is_lost() {
    needs_network!();
    let lossy = Link { loss: 0.2, ..Link::DIRECT };
    let network = network(&Links::default().one_way("a", "b", lossy).seed(5));
    let ((sender, _), (receiver, to)) = (datagrams(&network, "a"), datagrams(&network, "b"));
    receiver.set_read_timeout(Some(ms(1_000))).unwrap();
    let mut arrived = 0;
    for _ in 0..40 {
        (0..50).for_each(|_| assert_eq!(sender.send_to(b"?", to).unwrap(), 1));
        // Fewer at a time than a socket holds.
        thread::sleep(ms(5));
        receiver.set_nonblocking(true).unwrap();
        arrived += std::iter::from_fn(|| receiver.recv(&mut [0]).ok()).count();
        receiver.set_nonblocking(false).unwrap();
    }
    while arrived + usize::try_from(network.figures().lost).unwrap() < 2_000 {
        receiver.recv(&mut [0]).expect("what is not lost arrives");
        arrived += 1;
    }
    assert!((1_500..1_700).contains(&arrived), "{arrived} of 2000");
}

#[test]
fn a_bandwidth_bounds_throughput() {
    needs_network!();
    const BYTES: usize = 1_000_000;
    let narrow = Link { bandwidth_bytes_per_s: Some(2e6), ..Link::DIRECT };
    let network = network(&Links::default().both_ways("a", "b", narrow));
    let (listener, to) = listener(&network, "b");
    let mut stream = connect(&network, "a", to);
    let start = Instant::now();
    let sender = thread::spawn(move || stream.write_all(&vec![7; BYTES]));
    let mut received = Vec::new();
    listener.accept().unwrap().0.read_to_end(&mut received).unwrap();
    sender.join().unwrap().unwrap();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(received.len(), BYTES);
    // Half a second, and headers; much more only if queues overflowed for ever.
    assert!((0.5..10.0).contains(&seconds), "{seconds} s");
}

#[test]
fn what_waits_for_a_bandwidth_is_sent_at_the_new_one() {
    needs_network!();
    // 128 bytes with headers: more than a minute.
    let slow = Link { bandwidth_bytes_per_s: Some(2.0), ..Link::DIRECT };
    let network = network(&Links::default().one_way("a", "b", slow));
    let ((sender, _), (receiver, to)) = (datagrams(&network, "a"), datagrams(&network, "b"));
    sender.send_to(&[7; 100], to).unwrap();
    receiver.set_read_timeout(Some(ms(200))).unwrap();
    assert!(receiver.recv(&mut [0; 100]).is_err());
    network.set_link("a", "b", Link::DIRECT).unwrap();
    receiver.set_read_timeout(Some(ms(20_000))).unwrap();
    assert_eq!(receiver.recv(&mut [0; 100]).unwrap(), 100);
}

#[test]
fn a_link_has_two_ends_and_figures_that_mean_something() {
    needs_network!();
    let network = delayed(ms(1));
    let said = |outcome: Result<(), network::NetworkError>| outcome.unwrap_err().to_string();
    assert_eq!(said(network.cut("a", "c")), "the simulated network has no node 'c'");
    assert_eq!(said(network.heal("a", "a")), "there is no link from node 'a' to itself");
    let odd = Link { loss: 2.0, ..Link::DIRECT };
    assert!(said(network.set_link("a", "b", odd)).contains("its loss is a share"));
    assert_eq!(network.address("c"), None);
    assert_eq!(network.address(HOST), Some(network.host_address()));
    assert_ne!(address(&network, "a"), address(&network, "b"));
    assert!(network.namespace(HOST).is_none() && network.namespace("c").is_none());
}
