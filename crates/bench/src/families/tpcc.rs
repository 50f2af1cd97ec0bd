//! TPC-C: what a transaction costs the client, how long loading and checking take, and how many terminals fit a process.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use model::{DataSet, SysbenchWorkload, TpccData};
use sandbox::{Purpose, StartOptions};
use wire::{Client, ConnectOptions};

use crate::child::{self, How};
use crate::error::BenchError;
use crate::families::{bare_load, tpcc_mysql};
use crate::generators::{self, Load};
use crate::laboratory::{LOAD_CONNECTIONS, Laboratory, load_data, server_name, spec};
use crate::program::Ran;
use crate::rounds::Figures;
use crate::rounds::{Arm, interleave};

/// Warehouses that load is offered to.
const WAREHOUSES: u32 = 4;
/// Terminals of the comparison.
const TERMINALS: u32 = 8;
/// Warehouses that are checked.
const CHECKED_WAREHOUSES: u32 = 10;
/// Terminals with keying and think times in one process; ten to a warehouse would want a thousand warehouses.
const THINKING_TERMINALS: u32 = 10_000;
/// Longer than the longest keying time, so that every terminal has been at work.
const THINKING_SECONDS: f64 = 30.0;
/// The database of the measured load.
const DATABASE: &str = "bench_tpcc";
/// tpcc-mysql's database.
const PEER: &str = "bench_tpcc_mysql";
/// The row that needs tpcc-mysql.
pub const TPCC_MYSQL_ROW: &str = "tpcc_cpu_tpcc_mysql";
/// The database that is recreated for every timed load.
const FRESH: &str = "bench_tpcc_fresh";

fn data(warehouses: u32) -> TpccData {
    TpccData { warehouses, ..TpccData::default() }
}

/// Makes an empty database and loads it; the seconds that the loading took.
fn timed_load(connect: &ConnectOptions, database: &str, warehouses: u32) -> Result<f64, BenchError> {
    let mut administration = Client::connect(&ConnectOptions { database: None, ..connect.clone() })?;
    administration.execute(&format!("DROP DATABASE IF EXISTS {database}"))?;
    administration.execute(&format!("CREATE DATABASE {database}"))?;
    let connect = ConnectOptions { database: Some(database.to_owned()), ..connect.clone() };
    let begun = Instant::now();
    load_data(&connect, &DataSet::Tpcc(data(warehouses)))?;
    Ok(begun.elapsed().as_secs_f64())
}

/// CPU of the client per transaction, also beside tpcc-mysql's if that is there, and per statement beside sysbench's
/// oltp_read_write.
pub fn cpu(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let (seconds, rounds) = (laboratory.seconds, laboratory.rounds);
    let server = laboratory.server()?;
    timed_load(&server.connect_options(None), DATABASE, WAREHOUSES)?;
    let peer = tpcc_mysql::directory();
    if let Some(directory) = &peer {
        tpcc_mysql::fill(&server.connect_options(None), directory, PEER, DATABASE)?;
    }
    let (clients, size) = (TERMINALS, u64::from(WAREHOUSES));
    let (workload, how) = (child::TPCC, How::default());
    let load = Load { server, database: DATABASE, workload, size, clients, seconds, how };
    let beside = Load::sysbench(server, SysbenchWorkload::OltpReadWrite, clients, seconds);
    let mut arms = vec![
        Arm::new("mydyno", || {
            let (ran, said) = generators::mydyno_process(&load)?;
            Ok(Cost::of(&ran, said.transactions, said.queries))
        }),
        Arm::new("sysbench", || {
            let sample = generators::sysbench(&beside)?;
            Ok(Cost { transaction_us: f64::NAN, statement_us: sample.cpu_us() })
        }),
    ];
    if let Some(directory) = &peer {
        arms.push(Arm::new("tpcc-mysql", || {
            let (ran, transactions) =
                tpcc_mysql::run(server, directory, PEER, [WAREHOUSES, TERMINALS], seconds)?;
            Ok(Cost::of(&ran, transactions, 0))
        }));
    }
    let measured = interleave("TPC-C, 8 terminals", rounds, arms)?;
    let mut figures = Figures::from([
        ("tpcc_cpu_statement".to_owned(), measured.ratio([0, 1], "us/statement", |cost| cost.statement_us)),
        ("tpcc_cpu_transaction".to_owned(), measured.value(0, "us", |cost| cost.transaction_us)),
    ]);
    if peer.is_some() {
        let ratio = measured.ratio([0, 2], "us/transaction", |cost| cost.transaction_us);
        figures.insert(TPCC_MYSQL_ROW.to_owned(), ratio);
    }
    Ok(figures)
}

/// CPU of a client.
struct Cost {
    transaction_us: f64,
    statement_us: f64,
}

impl Cost {
    fn of(ran: &Ran, transactions: u64, statements: u64) -> Self {
        let cpu_us = ran.cpu_s() * 1e6;
        Self { transaction_us: cpu_us / transactions as f64, statement_us: cpu_us / statements as f64 }
    }
}

/// Seconds to load four warehouses: with the server's default durability, beside bare LOAD DATA of the same rows over the
/// same number of connections, and on a sandbox that exists only for loading.
pub fn load(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let rounds = laboratory.rounds;
    let connect = laboratory.server()?.connect_options(None);
    let home = &laboratory.home;
    timed_load(&connect, DATABASE, WAREHOUSES)?;
    let loaded = ConnectOptions { database: Some(DATABASE.to_owned()), ..connect.clone() };
    let parts = bare_load::read(&loaded, WAREHOUSES)?;
    let arms = vec![
        Arm::new("durable", || {
            come_to_rest(&connect)?;
            timed_load(&connect, FRESH, WAREHOUSES)
        }),
        Arm::new("LOAD DATA", || {
            come_to_rest(&connect)?;
            bare_load::load(&connect, DATABASE, FRESH, &parts, LOAD_CONNECTIONS)
        }),
        Arm::new("sandbox", || {
            come_to_rest(&connect)?;
            let (name, spec) = (server_name("tpcc"), spec());
            let server =
                home.start(&StartOptions { purpose: Purpose::Load, ..StartOptions::new(&name, &spec) })?;
            let loaded_s = timed_load(&server.connect_options(None), FRESH, WAREHOUSES)?;
            let begun = Instant::now();
            server.put_back_redo_log()?;
            let seconds = loaded_s + begun.elapsed().as_secs_f64();
            server.stop()?;
            Ok(seconds)
        }),
    ];
    let measured = interleave("TPC-C, loading 4 warehouses", rounds, arms)?;
    Ok(Figures::from([
        ("tpcc_load".to_owned(), measured.value(0, "s", |seconds| *seconds)),
        // The same rows in both, so that rows/s to rows/s is seconds to seconds the other way round.
        ("tpcc_load_data".to_owned(), measured.ratio([1, 0], "s", |seconds| *seconds)),
        ("tpcc_load_sandbox".to_owned(), measured.value(2, "s", |seconds| *seconds)),
    ]))
}

/// Waits until the server has written what the arm before left in memory: it would go on doing so beside the next one.
fn come_to_rest(connect: &ConnectOptions) -> Result<(), BenchError> {
    const LIMIT: Duration = Duration::from_secs(30);
    let mut client = Client::connect(connect)?;
    client.execute(&format!("DROP DATABASE IF EXISTS {FRESH}"))?;
    client.execute("SET GLOBAL innodb_max_dirty_pages_pct = 0")?;
    let begun = Instant::now();
    while begun.elapsed() < LIMIT {
        let dirty = client.query("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'")?;
        if dirty.first().and_then(|row| row.parse::<u64>(1)).is_some_and(|pages| pages < 200) {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    client.execute("SET GLOBAL innodb_max_dirty_pages_pct = DEFAULT")?;
    rustix::fs::sync();
    Ok(())
}

/// Seconds to check the consistency of ten warehouses.
pub fn check(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let rounds = laboratory.rounds;
    let connect = laboratory.server()?.connect_options(None);
    timed_load(&connect, FRESH, CHECKED_WAREHOUSES)?;
    let connect = ConnectOptions { database: Some(FRESH.to_owned()), ..connect };
    let arms = vec![Arm::new("mydyno", || {
        let found = data::consistency(
            &connect,
            &DataSet::Tpcc(data(CHECKED_WAREHOUSES)),
            LOAD_CONNECTIONS,
            &AtomicBool::new(false),
        )?;
        match found {
            Some(found) if found.holds() => Ok(found.seconds),
            _ => Err(BenchError::Inconsistent),
        }
    })];
    let measured = interleave("TPC-C, checking 10 warehouses", rounds, arms)?;
    Client::connect(&connect)?.execute(&format!("DROP DATABASE {FRESH}"))?;
    Ok(Figures::from([("tpcc_check".to_owned(), measured.value(0, "s", |seconds| *seconds))]))
}

/// Ten thousand terminals with keying and think times, in one process.
pub fn thinking(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let server = laboratory.server()?;
    timed_load(&server.connect_options(None), DATABASE, WAREHOUSES)?;
    let load = Load {
        server,
        database: DATABASE,
        workload: child::TPCC_THINKING,
        size: u64::from(WAREHOUSES),
        clients: THINKING_TERMINALS,
        seconds: THINKING_SECONDS,
        how: How::default(),
    };
    let arms = vec![Arm::new("mydyno", || generators::mydyno_process(&load))];
    let measured = interleave("TPC-C, 10,000 terminals that think", 1, arms)?;
    let figure = measured.value(0, "terminals", |(_, said)| f64::from(said.connected)).beside([
        measured.value(0, "MB", |(_, said)| said.memory_peak_bytes as f64 / 1e6),
        measured.value(0, "transactions/s", |(_, said)| said.transactions as f64 / said.seconds),
    ]);
    Ok(Figures::from([("tpcc_terminals".to_owned(), figure)]))
}
