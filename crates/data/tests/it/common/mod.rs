//! What the tests on real servers share: sandboxed servers, data sets, and sysbench beside them.

#![allow(dead_code, reason = "every test program uses its own part of this")]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail by panicking and say what they do")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;

use data::{Checked, Cleaned, DataError, Depth, Job, Prepared};
use model::{DataSet, Flavour, SandboxSpec, SysbenchData};
use sandbox::{Home, Purpose, Server, StartOptions};
use wire::{Client, ConnectOptions, ServerAddress};

/// Both of them.
pub const FLAVOURS: [Flavour; 2] = [Flavour::Mysql, Flavour::Mariadb];

/// Where the tests' home is: MYDYNO_TEST_HOME, or `test-home` in the target directory of the workspace.
fn home() -> Home {
    let path = match std::env::var_os("MYDYNO_TEST_HOME") {
        Some(path) => path.into(),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/test-home"),
    };
    Home::open(&path).unwrap()
}

/// A running server for one test.
pub struct Lab {
    pub server: Server,
    pub flavour: Flavour,
}

impl Lab {
    /// Starts a server under a name that no other test uses.
    pub fn new(name: &str, flavour: Flavour, settings: &[(&str, &str)]) -> Self {
        Self::start(name, flavour, settings, Purpose::Measure)
    }

    /// Starts one as mydyno does to load data: without a binary log, and with nothing made durable. A load of many rows costs
    /// it half as much.
    pub fn for_loads(name: &str, flavour: Flavour, settings: &[(&str, &str)]) -> Self {
        let all: Vec<_> = [("innodb_buffer_pool_size", "1G")].iter().chain(settings).copied().collect();
        Self::start(name, flavour, &all, Purpose::Load)
    }

    fn start(name: &str, flavour: Flavour, settings: &[(&str, &str)], purpose: Purpose) -> Self {
        let home = home();
        home.install(flavour, &mut |line| println!("{line}")).unwrap();
        let small =
            [("innodb_buffer_pool_size", "128M"), ("performance_schema", "OFF"), ("max_connections", "50")];
        let settings: BTreeMap<String, String> =
            small.iter().chain(settings).map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let spec = SandboxSpec::new(flavour, settings);
        let name = format!("t-data-{name}-{}", flavour.name());
        let server = home.start(&StartOptions { purpose, ..StartOptions::new(&name, &spec) }).unwrap();
        Self { server, flavour }
    }

    /// How to reach a database, which need not exist.
    pub fn connect(&self, database: &str) -> ConnectOptions {
        self.server.connect_options(Some(database))
    }

    /// A connection without a database.
    pub fn client(&self) -> Client {
        Client::connect(&self.server.connect_options(None)).unwrap()
    }

    /// Runs statements.
    pub fn tell(&self, statements: &[&str]) {
        let mut client = self.client();
        for statement in statements {
            client.execute(statement).unwrap();
        }
    }

    /// The last column of the first row of the answer.
    pub fn ask(&self, sql: &str) -> String {
        let answer = self.client().query(sql).unwrap();
        answer.first().and_then(|row| row.text(row.len() - 1)).unwrap_or("NULL").to_owned()
    }

    /// Names of the tables of a database.
    pub fn tables(&self, database: &str) -> Vec<String> {
        let answer = self.client().query(&format!("SHOW TABLES FROM {database}")).unwrap();
        answer.rows.iter().map(|row| row.text(0).unwrap().to_owned()).collect()
    }

    /// True if there is such a table.
    pub fn exists(&self, database: &str, table: &str) -> bool {
        self.client().query(&format!("SELECT 1 FROM {database}.{table}")).is_ok()
    }

    /// A number that changes with any value of any row of the tables `sbtest1..tables`, whatever the rows' order.
    pub fn checksum(&self, database: &str, tables: u32) -> Vec<String> {
        (1..=tables)
            .map(|n| {
                self.ask(&format!(
                    "SELECT CONCAT(COUNT(*), ' ', SUM(CRC32(CONCAT_WS(',', id, k, c, pad)))) FROM {database}.sbtest{n}"
                ))
            })
            .collect()
    }

    /// Runs sysbench, which must succeed.
    pub fn sysbench(&self, database: &str, arguments: &[&str]) {
        let ServerAddress::Unix(socket) = self.connect(database).address else {
            panic!("the sandbox has a socket")
        };
        let output = Command::new("sysbench")
            .args(arguments)
            .arg(format!("--mysql-socket={}", socket.display()))
            .arg(format!("--mysql-user={}", self.connect(database).user))
            .arg(format!("--mysql-password={}", self.server.password().expose()))
            .arg(format!("--mysql-db={database}"))
            .output()
            .expect("sysbench is installed");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{arguments:?}: {text} {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// sysbench's default tables.
pub fn tables(tables: u32, table_size: u64) -> SysbenchData {
    SysbenchData {
        tables,
        table_size,
        auto_inc: true,
        secondary: false,
        create_secondary: true,
        engine: "innodb".to_owned(),
        table_options: String::new(),
        bulk: false,
    }
}

/// As one of the data sets there are.
pub fn set(data: &SysbenchData) -> DataSet {
    DataSet::Sysbench(data.clone())
}

/// Prepares without interruption, with seed 1.
pub fn prepare(connect: &ConnectOptions, data: &SysbenchData, threads: u32) -> Result<Prepared, DataError> {
    load(connect, &set(data), threads)
}

/// The same for any data set.
pub fn load(connect: &ConnectOptions, data: &DataSet, threads: u32) -> Result<Prepared, DataError> {
    let cancel = AtomicBool::new(false);
    data::prepare(&Job { connect, data, seed: 1, threads, cancel: &cancel }, &|_| {})
}

/// Checks sysbench's tables.
pub fn check(connect: &ConnectOptions, data: &SysbenchData, depth: Depth) -> Result<Checked, DataError> {
    data::check(connect, &set(data), depth)
}

/// Removes sysbench's tables.
pub fn cleanup(connect: &ConnectOptions, tables: Option<u32>) -> Result<Cleaned, DataError> {
    data::cleanup(connect, &set(&self::tables(1, 1)), tables)
}
