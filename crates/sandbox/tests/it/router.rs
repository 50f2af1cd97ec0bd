//! MySQL Router in front of real servers: clients get through, wherever its directory is, and it goes without a trace.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use model::{Flavour, SandboxSpec};
use sandbox::{Home, InstallError, MysqlRouter, RouterError, RouterStart, Server, StartOptions};

use crate::common::{home_at, home_with, lives, spec};

fn router(home: &Home, server: &Server) -> Result<MysqlRouter, RouterError> {
    let cancel = AtomicBool::new(false);
    home.start_router(&RouterStart { server, others: &[], limit: Duration::from_secs(60), cancel: &cancel })
}

/// What the server says of a client that came through the router.
fn ask(router: &MysqlRouter, sql: &str) -> String {
    let mut client = wire::Client::connect(router.connect_options()).unwrap();
    client.query(sql).unwrap().first().and_then(|row| row.text(0)).unwrap_or("NULL").to_owned()
}

#[test]
fn clients_get_through_a_router_and_it_goes_without_a_trace() {
    let home = home_with(Flavour::Mysql);
    home.install_router(&mut |_| {}).unwrap();
    for tcp in [false, true] {
        let spec = SandboxSpec { tcp, ..spec(Flavour::Mysql, &[]) };
        let server = home.start(&StartOptions::new(&format!("t-router-{tcp}"), &spec)).unwrap();
        let mut router = router(&home, &server).unwrap();
        router.alive().unwrap();
        assert_ne!(router.connect_options().address, server.connect_options(None).address);
        assert_eq!(ask(&router, "SELECT @@port"), server.port().to_string());
        assert!(router.version().starts_with(|c: char| c.is_ascii_digit()), "{}", router.version());
        let (pid, dir) = (router.pid(), server.dir().join("router"));
        assert!(lives(pid) && dir.exists());
        drop(router);
        assert!(!lives(pid) && !dir.exists());
        server.stop().unwrap();
    }
}

#[test]
fn a_router_deep_down_is_reached_too() {
    let top = tempfile::tempdir().unwrap();
    home_with(Flavour::Mysql).install_router(&mut |_| {}).unwrap();
    let home = home_at(&top.path().join("d".repeat(100)), Flavour::Mysql);
    let server = home.start(&StartOptions::new("t-deep-router", &spec(Flavour::Mysql, &[]))).unwrap();
    let router = router(&home, &server).unwrap();
    assert_eq!(ask(&router, "SELECT @@port"), server.port().to_string());
    drop(router);
    server.stop().unwrap();
}

#[test]
fn a_router_that_was_killed_says_how_and_shows_its_log() {
    let home = home_with(Flavour::Mysql);
    home.install_router(&mut |_| {}).unwrap();
    let server = home.start(&StartOptions::new("t-killed-router", &spec(Flavour::Mysql, &[]))).unwrap();
    let mut router = router(&home, &server).unwrap();
    let pid = rustix::process::Pid::from_raw(router.pid() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    let begun = Instant::now();
    let crash = loop {
        match router.alive() {
            Err(crash) => break crash,
            Ok(()) => assert!(begun.elapsed() < Duration::from_secs(20), "it lives on"),
        }
    };
    assert_eq!(crash.status, "killed by signal 9");
    assert!(crash.log_tail.contains("MySQL Router"), "{}", crash.log_tail);
    server.stop().unwrap();
}

#[test]
fn without_a_router_it_is_said_how_to_get_one() {
    let top = tempfile::tempdir().unwrap();
    let home = Home::open(top.path()).unwrap();
    let server = home_with(Flavour::Mysql).resolve(Flavour::Mysql, None).unwrap();
    match home.router_for(&server) {
        Err(error @ InstallError::NoRouter) => assert_eq!(error.to_string(), "MySQL Router is not installed"),
        // The machine has its own.
        found => assert_eq!(found.unwrap().plugin_dir, None),
    }
}
