//! `bench child-load`: mydyno's engine as a process of its own, so that its resource use can be counted from outside.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use load::{Limit, Offer, Progress, Schedule, Stopped};
use model::{
    Arrivals, Phase, PsMode, Rate, SysbenchOptions, SysbenchWorkload, TpccData, TpccOptions, WorkloadSpec,
};
use serde::{Deserialize, Serialize};
use wire::{ConnectOptions, Secret, ServerAddress, TlsOptions, TlsPolicy, TlsProtocol};

use crate::error::BenchError;

/// The word that makes the program a child.
pub const VERB: &str = "child-load";
/// Environment variable that holds the account's password.
pub const PASSWORD: &str = "BENCH_CHILD_PASSWORD";
/// Files open beside the sockets of the clients.
const FILES_OF_OUR_OWN: u64 = 256;

/// The instructions for the child.
#[derive(Debug, Serialize, Deserialize)]
pub struct Order {
    /// Address of the server.
    pub address: LocalAddress,
    /// Name of the database.
    pub database: String,
    /// Name of the workload: one of sysbench's, or [`TPCC`], or [`TPCC_THINKING`].
    pub workload: String,
    /// Connections.
    pub clients: u32,
    /// Rows of the one table, or warehouses.
    pub size: u64,
    /// Length of the load, seconds; 0: until one transaction has completed, which is connecting and little else.
    pub seconds: f64,
    /// Over which connections, and when.
    pub how: How,
}

/// The address of a server.
#[derive(Debug, Serialize, Deserialize)]
pub enum LocalAddress {
    /// A port of this machine.
    Tcp(u16),
    /// A Unix socket.
    Unix(PathBuf),
}

/// The load shape, where there is a choice.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct How {
    /// The kind of socket.
    pub transport: Transport,
    /// Prepared, or as text.
    pub statements: PsMode,
    /// Transactions per second, at equal distances, of an open loop; none: as fast as the clients can.
    pub rate_per_s: Option<f64>,
}

/// The way to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Transport {
    /// TCP over loopback.
    Tcp,
    /// TCP with TLS 1.3.
    Tls,
    /// A Unix socket.
    Unix,
}

impl Default for How {
    fn default() -> Self {
        Self { transport: Transport::Tcp, statements: PsMode::Auto, rate_per_s: None }
    }
}

/// The output of the child.
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

/// Offers the load that the one word asks for: an [`Order`] in JSON.
pub fn run(words: &[&str]) -> Result<(), BenchError> {
    let [word] = words else { return Err(BenchError::Usage) };
    let order: Order = serde_json::from_str(word).map_err(|_| BenchError::Usage)?;
    let workload = workload_of(&order).ok_or(BenchError::Usage)?;
    let said = offer(&order, &workload)?;
    println!("{}", serde_json::to_string(&said).expect("it has only plain values"));
    Ok(())
}

fn workload_of(order: &Order) -> Option<WorkloadSpec> {
    if let Some(workload) = SysbenchWorkload::from_name(&order.workload) {
        let (table_size, db_ps_mode) = (order.size, order.how.statements);
        let options = SysbenchOptions { workload, table_size, db_ps_mode, ..SysbenchOptions::default() };
        return Some(WorkloadSpec::Sysbench(options));
    }
    let think = match order.workload.as_str() {
        TPCC => 0.0,
        TPCC_THINKING => 1.0,
        _ => return None,
    };
    let data = TpccData { warehouses: u32::try_from(order.size).ok()?, ..TpccData::default() };
    Some(WorkloadSpec::Tpcc(TpccOptions { data, think, ..TpccOptions::default() }))
}

/// An open loop whose transactions are due at equal distances.
pub fn constant(per_s: f64) -> Schedule {
    let phase = Phase { from_per_s: per_s, to_per_s: per_s, length_s: None };
    Schedule::Open(Rate { arrivals: Arrivals::Constant, phases: vec![phase] })
}

fn offer(order: &Order, workload: &WorkloadSpec) -> Result<Said, BenchError> {
    probe::raise_open_files(u64::from(order.clients) + FILES_OF_OUR_OWN)?;
    let address = match &order.address {
        LocalAddress::Tcp(port) => ServerAddress::Tcp { host: "127.0.0.1".to_owned(), port: *port },
        LocalAddress::Unix(path) => ServerAddress::Unix(path.clone()),
    };
    let tls = match order.how.transport {
        Transport::Tls => TlsOptions {
            mode: TlsPolicy::Required,
            versions: vec![TlsProtocol::V13],
            ..TlsOptions::default()
        },
        Transport::Tcp | Transport::Unix => TlsOptions { mode: TlsPolicy::Disabled, ..TlsOptions::default() },
    };
    let connect = ConnectOptions {
        password: std::env::var(PASSWORD).ok().map(Secret::new),
        database: Some(order.database.clone()),
        tls,
        get_server_public_key: true,
        ..ConnectOptions::new(address, sandbox::USER)
    };
    let (time, events) = match order.seconds {
        0.0 => (None, Some(1)),
        seconds => (Some(Duration::from_secs_f64(seconds)), None),
    };
    let offer = Offer {
        entries: load::Entries::one(&connect),
        workload,
        clients: order.clients,
        schedule: order.how.rate_per_s.map_or(Schedule::Closed, constant),
        limit: Limit { warmup: Duration::ZERO, time, events },
        in_flight: None,
        think: Duration::ZERO,
        seed: 1,
        workers: None,
        cancel: &AtomicBool::new(false),
    };
    let mut connected = 0;
    let offered = load::offer(&offer, &mut |progress| {
        if let Progress::Interval { interval, .. } = progress {
            connected = connected.max(interval.threads);
        }
    })?;
    if let Stopped::Failed(failure) = offered.stopped {
        return Err(BenchError::Load(failure.message));
    }
    Ok(Said {
        queries: offered.measured.queries.total(),
        transactions: offered.measured.transactions,
        seconds: offered.measured.measured_s,
        connected,
        connect_s: offered.measured.connect_s,
        memory_peak_bytes: offered.measured.generator.memory_peak_bytes,
    })
}
