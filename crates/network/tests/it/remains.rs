//! Nothing remains of a network, however it ends. Each is made on the node of another one, where nobody else has devices.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use network::{Links, SimulatedNetwork};

use crate::common::{devices, ms, needs_network, network, on};

/// Marks processes that descend from a holder: its value is that of nobody else.
const MARK: &str = "MYDYNO_NETWORK_HOLDER";

/// For the test below: makes networks until it is killed.
#[test]
#[ignore = "run by another test"]
fn holder() {
    if std::env::var_os(MARK).is_none() {
        return;
    }
    let kept = SimulatedNetwork::start(&["x", "y", "z"], &Links::default()).unwrap();
    println!("ready");
    loop {
        drop(SimulatedNetwork::start(&["x"], &Links::default()).unwrap());
        assert_eq!(kept.figures().refused, 0);
    }
}

fn start_holder(mark: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "remains::holder", "--ignored", "--nocapture"]).env(MARK, mark);
    command.stdin(Stdio::null()).stdout(Stdio::null()).process_group(0).spawn().unwrap()
}

/// Processes with this mark in their environment, by their command line.
fn marked(mark: &str) -> Vec<String> {
    let wanted = format!("{MARK}={mark}");
    let is_marked = |pid: &String| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
    };
    let names = fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let line = |pid: String| fs::read_to_string(format!("/proc/{pid}/cmdline")).ok();
    names.filter(|name| name.parse::<u32>().is_ok()).filter(is_marked).filter_map(line).collect()
}

fn within(limit: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    loop {
        if is_so() {
            return true;
        }
        if Instant::now() > deadline {
            return false;
        }
        thread::sleep(ms(20));
    }
}

#[test]
fn a_dropped_network_leaves_nothing() {
    needs_network!();
    let outer = network(&Links::default());
    on(&outer, "a", || {
        let inner = network(&Links::default());
        assert_eq!(devices().len(), 3, "{:?}", devices());
        assert_ne!(
            inner.host_address().octets()[..3],
            outer.host_address().octets()[..3],
            "a route of the host"
        );
        drop(inner);
        assert_eq!(devices(), ["lo", "net0"]);
    });
}

#[test]
fn a_killed_process_leaves_nothing() {
    needs_network!();
    let outer = network(&Links::default());
    for (round, wait) in [0, 2, 5, 10, 20, 40, 80, 160, 320, 640].into_iter().enumerate() {
        let mark = format!("{}-{round}", std::process::id());
        let mut holder = on(&outer, "a", || start_holder(&mark));
        thread::sleep(ms(wait));
        if wait > 100 {
            let has_devices = within(ms(20_000), || on(&outer, "a", devices).len() > 2);
            assert!(has_devices, "a holder makes a network");
        }
        holder.kill().unwrap();
        holder.wait().unwrap();
        assert!(within(ms(10_000), || marked(&mark).is_empty()), "after {wait} ms: {:?}", marked(&mark));
        let is_clean = within(ms(10_000), || on(&outer, "a", devices) == ["lo", "net0"]);
        assert!(is_clean, "after {wait} ms: {:?}", on(&outer, "a", devices));
    }
}
