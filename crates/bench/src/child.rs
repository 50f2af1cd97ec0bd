//! `bench child-load`: mydyno's engine as a process of its own, so that what it uses can be counted from outside.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use load::{Limit, Offer, Progress, Schedule, Stopped};
use model::{SysbenchOptions, SysbenchWorkload, TpccData, TpccOptions, WorkloadSpec};
use serde::{Deserialize, Serialize};
use wire::{Address, ConnectOptions, Secret, TlsMode, TlsOptions};

use crate::error::BenchError;

/// The word that makes the program a child.
pub const VERB: &str = "child-load";
/// Environment variable that holds the account's password.
pub const PASSWORD: &str = "BENCH_CHILD_PASSWORD";
/// Files open beside the sockets of the clients.
const FILES_OF_OUR_OWN: u64 = 256;

/// What the child prints.
#[derive(Debug, Serialize, Deserialize)]
pub struct Said {
    /// Statements answered.
    pub queries: u64,
    /// Transactions completed.
    pub transactions: u64,
    /// Length of the load, seconds.
    pub seconds: f64,
    /// Clients whose connections were open at the same time.
    pub connected: u32,
    /// Seconds until all were.
    pub connect_s: f64,
    /// Peak resident memory, bytes.
    pub memory_peak_bytes: u64,
}

/// TPC-C as fast as its terminals can, and with the standard's keying and think times.
pub const TPCC: &str = "tpcc";
/// See [`TPCC`].
pub const TPCC_THINKING: &str = "tpcc_thinking";

/// Offers the load that the words ask for: `PORT DATABASE WORKLOAD CLIENTS SIZE SECONDS`. The size is rows of the one table, or
/// warehouses.
pub fn run(words: &[&str]) -> Result<(), BenchError> {
    let [port, database, workload, clients, size, seconds] = words else { return Err(BenchError::Usage) };
    let (Ok(port), Some(workload), Ok(clients), Ok(seconds)) = (
        port.parse(),
        size.parse().ok().and_then(|size| workload_of(workload, size)),
        clients.parse(),
        seconds.parse::<f64>(),
    ) else {
        return Err(BenchError::Usage);
    };
    let said = offer(port, database, &workload, clients, Duration::from_secs_f64(seconds))?;
    println!("{}", serde_json::to_string(&said).expect("it has only plain values"));
    Ok(())
}

fn workload_of(name: &str, size: u64) -> Option<WorkloadSpec> {
    if let Some(workload) = SysbenchWorkload::from_name(name) {
        let options = SysbenchOptions { workload, table_size: size, ..SysbenchOptions::default() };
        return Some(WorkloadSpec::Sysbench(options));
    }
    let think = match name {
        TPCC => 0.0,
        TPCC_THINKING => 1.0,
        _ => return None,
    };
    let data = TpccData { warehouses: u32::try_from(size).ok()?, ..TpccData::default() };
    Some(WorkloadSpec::Tpcc(TpccOptions { data, think, ..TpccOptions::default() }))
}

fn offer(
    port: u16,
    database: &str,
    workload: &WorkloadSpec,
    clients: u32,
    time: Duration,
) -> Result<Said, BenchError> {
    probe::raise_open_files(u64::from(clients) + FILES_OF_OUR_OWN)?;
    let address = Address::Tcp { host: "127.0.0.1".to_owned(), port };
    let connect = ConnectOptions {
        password: std::env::var(PASSWORD).ok().map(Secret::new),
        database: Some(database.to_owned()),
        tls: TlsOptions { mode: TlsMode::Disabled, ..TlsOptions::default() },
        get_server_public_key: true,
        ..ConnectOptions::new(address, sandbox::USER)
    };
    let offer = Offer {
        connect: &connect,
        workload,
        clients,
        schedule: Schedule::Closed,
        limit: Limit { warmup: Duration::ZERO, time: Some(time), events: None },
        seed: 1,
        workers: None,
        cancel: &AtomicBool::new(false),
    };
    let mut connected = 0;
    let measured = load::offer(&offer, &mut |progress| {
        if let Progress::Interval { interval, .. } = progress {
            connected = connected.max(interval.threads);
        }
    })?;
    if let Stopped::Failed(failure) = measured.stopped {
        return Err(BenchError::Load(failure.message));
    }
    Ok(Said {
        queries: measured.queries.total(),
        transactions: measured.transactions,
        seconds: measured.measured_s,
        connected,
        connect_s: measured.connect_s,
        memory_peak_bytes: measured.generator.memory_peak_bytes,
    })
}
