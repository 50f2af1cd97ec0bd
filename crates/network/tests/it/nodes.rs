//! Nodes are apart from each other and from the host.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;

use network::{HOST, Links};

use crate::common::{
    address, connect, delayed, devices, echo, ms, needs_network, network, on, round_trip, round_trips,
};

#[test]
fn a_node_reaches_itself_without_the_router() {
    needs_network!();
    let network = delayed(ms(500));
    for to in [address(&network, "a"), Ipv4Addr::LOCALHOST] {
        on(&network, "a", || {
            let listener = TcpListener::bind((to, 0)).unwrap();
            TcpStream::connect_timeout(&listener.local_addr().unwrap(), ms(400)).unwrap();
        });
    }
    let own = TcpListener::bind((network.host_address(), 0)).unwrap();
    TcpStream::connect_timeout(&own.local_addr().unwrap(), ms(400)).unwrap();
}

#[test]
fn a_port_belongs_to_its_node() {
    needs_network!();
    let network = network(&Links::default());
    let bind = || TcpListener::bind((Ipv4Addr::UNSPECIFIED, 3306)).map(drop);
    let held = on(&network, "a", || TcpListener::bind((Ipv4Addr::UNSPECIFIED, 3306))).unwrap();
    on(&network, "b", bind).unwrap();
    assert!(on(&network, "a", bind).is_err());
    drop(held);
}

#[test]
fn a_process_that_is_started_there_is_there() {
    needs_network!();
    let network = network(&Links::default());
    let namespace = network.namespace("a").unwrap();
    let mut command = Command::new("readlink");
    command.arg("/proc/self/ns/net");
    let output = namespace.enter_and(|| command.output()).unwrap().unwrap();
    let there = String::from_utf8(output.stdout).unwrap();
    assert_eq!(there.trim(), format!("net:[{}]", namespace.number().unwrap()));
    assert_eq!(on(&network, "a", devices), ["lo", "net0"]);
}

#[test]
fn two_networks_at_once_are_two() {
    needs_network!();
    let (first, second) = (delayed(ms(1)), delayed(ms(20)));
    assert_ne!(first.host_address(), second.host_address());
    for (network, delay) in [(&first, 1), (&second, 20)] {
        let trips = round_trips(&mut connect(network, HOST, echo(network, "a")), 9);
        assert!(trips[0] >= ms(2 * delay) && trips[2] <= ms(2 * delay + 10), "{trips:?}");
    }
    drop(first);
    round_trip(&mut connect(&second, "a", echo(&second, "b"))).unwrap();
}

#[test]
fn a_panic_on_a_node_is_that_of_the_caller() {
    needs_network!();
    let network = network(&Links::default());
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        on(&network, "a", || panic!("on purpose"));
    }));
    assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"on purpose"));
}

#[test]
fn a_device_that_somebody_removes_does_not_keep_the_router_busy() {
    needs_network!();
    let network = network(&Links::default());
    let remove = || Command::new("ip").args(["link", "delete", "net0"]).status();
    // Where there is no such program, nobody removes a device either.
    let Ok(status) = on(&network, "a", remove) else { return };
    assert!(status.success());
    let cpu = || network.figures().cpu_s.unwrap_or_default();
    let before = cpu();
    std::thread::sleep(ms(500));
    assert!(cpu() - before < 0.1, "{} s of CPU", cpu() - before);
    round_trip(&mut connect(&network, HOST, echo(&network, "b"))).unwrap();
}
