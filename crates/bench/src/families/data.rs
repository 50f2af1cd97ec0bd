//! Getting data onto a server: mydyno's prepare beside sysbench's, and a kept copy beside loading.

use std::time::Instant;

use model::SysbenchWorkload;
use sandbox::{DATABASE, Home, Purpose, Server, StartOptions};
use wire::{Client, ConnectOptions};

use crate::error::BenchError;
use crate::generators::sysbench_command;
use crate::laboratory::{Laboratory, prepare as prepare_rows, server_name, spec};
use crate::program;
use crate::rounds::Figures;
use crate::rounds::{Arm, interleave};

/// Rows that are loaded.
const ROWS: u64 = 1_000_000;
/// The database that is recreated for every load.
const FRESH: &str = "bench_prepare";

/// Ratio of sysbench's time to create a table of a million rows to mydyno's.
pub fn prepare(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let rounds = laboratory.rounds;
    let server = laboratory.server()?;
    let connect = server.connect_options(Some(FRESH));
    let arms = vec![
        Arm::new("sysbench", || {
            timed_load(&connect, "sysbench", || {
                let mut command =
                    sysbench_command(server, FRESH, SysbenchWorkload::OltpReadWrite.name(), ROWS);
                program::run(command.arg("prepare")).map(drop)
            })
        }),
        Arm::new("mydyno", || timed_load(&connect, "mydyno", || prepare_rows(&connect, ROWS))),
    ];
    let measured = interleave("prepare 1,000,000 rows", rounds, arms)?;
    Ok(Figures::from([("prepare_1m_rows".to_owned(), measured.ratio([0, 1], "s", |seconds| *seconds))]))
}

/// Seconds that a load into a fresh database takes; the rows are counted after it, and dropped.
fn timed_load(
    connect: &ConnectOptions,
    loader: &'static str,
    load: impl FnOnce() -> Result<(), BenchError>,
) -> Result<f64, BenchError> {
    let mut administration = Client::connect(&ConnectOptions { database: None, ..connect.clone() })?;
    administration.execute(&format!("DROP DATABASE IF EXISTS {FRESH}"))?;
    administration.execute(&format!("CREATE DATABASE {FRESH}"))?;
    let begun = Instant::now();
    load()?;
    let seconds = begun.elapsed().as_secs_f64();
    check_rows(connect, loader)?;
    administration.execute(&format!("DROP DATABASE {FRESH}"))?;
    Ok(seconds)
}

fn check_rows(connect: &ConnectOptions, loader: &'static str) -> Result<(), BenchError> {
    let answer = Client::connect(connect)?.query("SELECT COUNT(*) FROM sbtest1")?;
    let rows = answer.first().and_then(|row| row.parse(0)).unwrap_or(0);
    if rows == ROWS { Ok(()) } else { Err(BenchError::Rows { loader, rows, wanted: ROWS }) }
}

/// Ratio of the time to start a server and load a million rows, as mydyno does for a recording, to the time to start one on
/// a dataset snapshot.
pub fn copy(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let home = &laboratory.home;
    // The first start of all also initialises a data directory, which is then kept.
    home.start(&StartOptions::new(&server_name("first"), &spec()))?.stop()?;
    let key = home.copy_key(&spec(), "bench")?;
    let arms = vec![
        Arm::new("load", || timed_start_and_load(home, &key)),
        Arm::new("copy", || timed_start_on_copy(home, &key)),
    ];
    let measured = interleave("a second server with 1,000,000 rows", laboratory.rounds, arms);
    if home.has_copy(&key) {
        home.remove_copy(&key)?;
    }
    Ok(Figures::from([("copy_vs_load".to_owned(), measured?.ratio([0, 1], "s", |seconds| *seconds))]))
}

/// Waits until the writes of the previous arm are on disk; returns that time.
fn quiet_disk() -> Instant {
    rustix::fs::sync();
    Instant::now()
}

fn timed_start_and_load(home: &Home, key: &str) -> Result<f64, BenchError> {
    let (name, spec) = (server_name("source"), spec());
    let begun = quiet_disk();
    let server = home.start(&StartOptions { purpose: Purpose::Load, ..StartOptions::new(&name, &spec) })?;
    prepare_rows(&server.connect_options(Some(DATABASE)), ROWS)?;
    let seconds = begun.elapsed().as_secs_f64();
    server.keep_copy(home, key)?;
    Ok(seconds)
}

fn timed_start_on_copy(home: &Home, key: &str) -> Result<f64, BenchError> {
    let (name, spec) = (server_name("copy"), spec());
    let begun = quiet_disk();
    let server: Server =
        home.start(&StartOptions { from_copy: Some(key), ..StartOptions::new(&name, &spec) })?;
    let seconds = begun.elapsed().as_secs_f64();
    check_rows(&server.connect_options(Some(DATABASE)), "the dataset snapshot")?;
    server.stop()?;
    Ok(seconds)
}
