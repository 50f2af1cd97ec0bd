//! Real servers: they start as asked, stop, and leave nothing behind.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail by panicking")]

mod common;

use common::{home_with, spec};
use model::Flavour;
use sandbox::{StartOptions, Stopped};

fn starts_and_stops(flavour: Flavour) {
    let home = home_with(flavour);
    let name = format!("t-starts-{}", flavour.name());
    let spec = spec(flavour, &[]);
    let t = std::time::Instant::now();
    let mut server = home.start(&StartOptions::new(&name, &spec)).unwrap();
    println!("start {:?}", t.elapsed());
    server.alive().unwrap();
    println!("{}", String::from_utf8_lossy(&server.log().unwrap()));
    let dir = server.dir().to_owned();
    let t = std::time::Instant::now();
    assert_eq!(server.stop().unwrap(), Stopped::Cleanly);
    println!("stop {:?}", t.elapsed());
    assert!(!dir.exists());
}

#[test]
fn mysql_starts_and_stops() {
    starts_and_stops(Flavour::Mysql);
}

#[test]
fn mariadb_starts_and_stops() {
    starts_and_stops(Flavour::Mariadb);
}
