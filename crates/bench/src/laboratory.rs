//! Servers and settings that all benchmarks share: one sandboxed MySQL with the server's default durability.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use model::{DataSet, Flavour, SandboxSpec, SysbenchData, SysbenchOptions};
use sandbox::{DATABASE, Home, Server, StartOptions};
use wire::ConnectOptions;

use crate::error::BenchError;

/// Rows of the one table that load is offered to.
pub const TABLE_SIZE: u64 = 100_000;
/// Connections that load data, as in `mydyno prepare`.
pub const LOAD_CONNECTIONS: u32 = 4;
/// Limit of connections: 10,000 clients, and some for observation.
const MAX_CONNECTIONS: u32 = 10_200;
/// Limit of open files for a server with this many clients, and for its clients.
const OPEN_FILES: u64 = 20_000;

/// TLS settings with which every encrypting client does so in the same way.
const TLS: [(&str, &str); 2] = [("tls_version", "TLSv1.3"), ("tls_ciphersuites", "TLS_AES_128_GCM_SHA256")];

/// Resources shared by the benchmarks.
pub struct Laboratory {
    /// Directory of the servers.
    pub home: Home,
    /// Length of one run, seconds.
    pub seconds: f64,
    /// Number of runs of every arm.
    pub rounds: usize,
    server: Option<Server>,
}

impl Laboratory {
    /// Opens the home for servers and gets a MySQL if there is none. Nothing is started yet.
    pub fn open() -> Result<Self, BenchError> {
        let seconds = number("BENCH_SECONDS", 8.0)?;
        let rounds = number("BENCH_ROUNDS", 5)?;
        let root = std::env::var_os("MYDYNO_DEV_HOME")
            .map_or_else(|| PathBuf::from("target/servers"), PathBuf::from);
        let home = Home::open(&root)?;
        home.install(Flavour::Mysql, &mut |line| eprintln!("{line}"))?;
        // What the system does not allow shows where it is needed.
        let _ = probe::raise_open_files(OPEN_FILES.min(probe::own_limits().open_files_max));
        Ok(Self { home, seconds, rounds, server: None })
    }

    /// The conditions of the measurement, for the head of the table.
    pub fn conditions(&self) -> String {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = load.split(' ').next().unwrap_or_default().to_owned();
        format!(
            "{} rounds, {} s per run, {cpus} CPUs, load average at the start {load}",
            self.rounds, self.seconds
        )
    }

    /// The server under load, with its table; started on first use.
    pub fn server(&mut self) -> Result<&Server, BenchError> {
        let server = match self.server.take() {
            Some(server) => server,
            None => {
                eprintln!("starting a server and loading {TABLE_SIZE} rows");
                let name = server_name("load");
                let settings = [("max_connections", MAX_CONNECTIONS.to_string().as_str()), TLS[0], TLS[1]]
                    .map(|(name, value)| (name.to_owned(), value.to_owned()));
                let spec = SandboxSpec { settings: BTreeMap::from(settings), ..spec() };
                let server = self.home.start(&StartOptions::new(&name, &spec))?;
                prepare(&server.connect_options(Some(DATABASE)), TABLE_SIZE)?;
                server
            }
        };
        Ok(self.server.insert(server))
    }

    /// Stops what was started.
    pub fn close(&mut self) -> Result<(), BenchError> {
        if let Some(server) = self.server.take() {
            server.stop()?;
        }
        Ok(())
    }
}

/// Every server of the benchmarks: durability and all else as the sandbox has it; its own connections over TCP without TLS.
pub fn spec() -> SandboxSpec {
    SandboxSpec { tcp: true, ..SandboxSpec::new(Flavour::Mysql, BTreeMap::new()) }
}

/// A name that no server of another bench has.
pub fn server_name(role: &str) -> String {
    format!("bench-{role}-{}", std::process::id())
}

/// Loads one table of this number of rows into the database of `connect`, like `mydyno prepare`.
pub fn prepare(connect: &ConnectOptions, rows: u64) -> Result<(), BenchError> {
    let defaults = SysbenchOptions::default();
    let data = DataSet::Sysbench(SysbenchData {
        tables: 1,
        table_size: rows,
        auto_inc: defaults.auto_inc,
        secondary: defaults.secondary,
        create_secondary: defaults.create_secondary,
        engine: defaults.mysql_storage_engine,
        table_options: defaults.create_table_options,
        bulk: false,
    });
    load_data(connect, &data)
}

/// Loads data into the database of `connect`, like `mydyno prepare`.
pub fn load_data(connect: &ConnectOptions, data: &DataSet) -> Result<(), BenchError> {
    let cancel = AtomicBool::new(false);
    let job = data::Job { connect, data, seed: 1, threads: LOAD_CONNECTIONS, cancel: &cancel };
    data::prepare(&job, &|_| {})?;
    Ok(())
}

/// A number above 0 from the environment.
fn number<T: FromStr + PartialOrd + Default>(name: &'static str, default: T) -> Result<T, BenchError> {
    let Ok(value) = std::env::var(name) else { return Ok(default) };
    match value.parse() {
        Ok(number) if number > T::default() => Ok(number),
        _ => Err(BenchError::Environment { name, value }),
    }
}
