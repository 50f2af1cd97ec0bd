//! A sandboxed server with a general log, and the two generators that are let loose on it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use load::{Limit, Offer, Offered, Schedule, Stopped};
use model::{Flavour, SandboxSpec, WorkloadSpec};
use sandbox::{DATABASE, Home, Server, StartOptions};
use wire::{Client, ConnectOptions};

use crate::parity::cases::Case;
use crate::parity::log::{Logged, read};

/// Of everything random, so that a failure can be seen again.
const SEED: u64 = 42;

/// A server for one test.
pub struct Laboratory {
    server: Server,
    administrator: Client,
}

impl Laboratory {
    pub fn start(name: &str, flavour: Flavour) -> Self {
        let home = std::env::var_os("MYDYNO_TEST_HOME").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-home"),
            PathBuf::from,
        );
        let home = Home::open(&home).expect("the home of the tests can be made");
        home.install(flavour, &mut |_| ()).expect("a server can be installed");
        let settings = [
            ("innodb_buffer_pool_size", "128M"),
            // The log of statements is all that counts: nothing is made durable, and nothing else is written.
            ("innodb_flush_log_at_trx_commit", "0"),
            ("innodb_flush_method", "nosync"),
            ("innodb_doublewrite", "OFF"),
            ("skip_log_bin", ""),
            ("performance_schema", "OFF"),
            ("max_connections", "100"),
            ("log_output", "TABLE"),
        ];
        let settings: BTreeMap<String, String> =
            settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let spec = SandboxSpec { tcp: true, ..SandboxSpec::new(flavour, settings) };
        let server = home.start(&StartOptions::new(name, &spec)).expect("the server starts");
        let administrator = Client::connect(&server.connect_options(Some(DATABASE)));
        Self { server, administrator: administrator.expect("the sandbox's own account may log in") }
    }

    pub fn stop(self) {
        self.server.stop().expect("the server stops");
    }

    fn tell(&mut self, sql: &str) {
        self.administrator.execute(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    pub fn create_database(&mut self, case: &Case) {
        self.tell(&format!("CREATE DATABASE {}", case.database()));
    }

    pub fn drop_database(&mut self, case: &Case) {
        self.tell(&format!("DROP DATABASE {}", case.database()));
    }

    /// How to reach a case's database.
    pub fn connect(&self, case: &Case) -> ConnectOptions {
        self.server.connect_options(Some(case.database()))
    }

    /// Makes a case's tables, with mydyno.
    pub fn prepare(&self, case: &Case) {
        let job = data::Job {
            connect: &self.connect(case),
            data: &case.data(),
            seed: SEED,
            threads: 1,
            cancel: &AtomicBool::new(false),
        };
        data::prepare(&job, &|_| ()).unwrap_or_else(|error| panic!("{case}: prepare: {error}"));
    }

    /// Runs a client on fresh tables and tells what the server saw of it.
    pub fn witness(&mut self, case: &Case, run: impl FnOnce(&Self)) -> Logged {
        self.prepare(case);
        self.tell("TRUNCATE TABLE mysql.general_log");
        self.tell("SET GLOBAL general_log = ON");
        run(self);
        self.tell("SET GLOBAL general_log = OFF");
        let logged = read(&mut self.administrator, case);
        self.drop_database(case);
        logged
    }

    /// Runs sysbench with one client.
    pub fn sysbench(&self, case: &Case, verb: &str) -> Said {
        let output = Command::new("sysbench")
            .arg(case.options.workload.name())
            .args([
                "--mysql-host=127.0.0.1",
                &format!("--mysql-port={}", self.server.port()),
                &format!("--mysql-user={}", sandbox::USER),
                &format!("--mysql-password={}", self.server.password().expose()),
                &format!("--mysql-db={}", case.database()),
                "--threads=1",
                "--time=0",
                "--rand-type=uniform",
                &format!("--rand-seed={SEED}"),
                &format!("--events={}", case.events),
            ])
            .args(case.sysbench_options())
            .arg(verb)
            .output()
            .expect("sysbench is installed: apt-get install sysbench");
        Said { what: format!("sysbench {case} {verb}"), output }
    }

    /// Runs mydyno with one client; nothing may go wrong.
    pub fn mydyno(&self, case: &Case) {
        self.mydyno_as(case, &WorkloadSpec::Sysbench(case.options.clone()));
    }

    /// Runs another workload on a case's tables with one client; nothing may go wrong.
    pub fn mydyno_as(&self, case: &Case, workload: &WorkloadSpec) {
        let limit = Limit { warmup: std::time::Duration::ZERO, time: None, events: Some(case.events) };
        let offered = self.offer_as(case, workload, 1, limit);
        assert_eq!(offered.stopped, Stopped::AtLimit, "{case}");
        assert_eq!(offered.measured.errors, [], "{case}");
        assert_eq!(offered.measured.transactions, case.events, "{case}");
    }

    /// Runs mydyno.
    pub fn offer(&self, case: &Case, clients: u32, limit: Limit) -> Offered {
        self.offer_as(case, &WorkloadSpec::Sysbench(case.options.clone()), clients, limit)
    }

    fn offer_as(&self, case: &Case, workload: &WorkloadSpec, clients: u32, limit: Limit) -> Offered {
        let connect = self.connect(case);
        let offer = Offer {
            entries: load::Entries::one(&connect),
            workload,
            clients,
            schedule: Schedule::Closed,
            limit,
            in_flight: None,
            think: Duration::ZERO,
            seed: SEED,
            workers: None,
            cancel: &AtomicBool::new(false),
        };
        load::offer(&offer, &mut |_| ()).unwrap_or_else(|error| panic!("{case}: {error}"))
    }
}

/// What sysbench said.
pub struct Said {
    what: String,
    output: Output,
}

impl Said {
    /// It must have ended well.
    pub fn succeeded(&self) -> String {
        let said = String::from_utf8_lossy(&self.output.stdout).into_owned();
        let complaints = String::from_utf8_lossy(&self.output.stderr);
        assert!(self.output.status.success(), "{}:\n{said}\n{complaints}", self.what);
        said
    }

    /// It must have run so many transactions, none of them twice.
    pub fn ran(&self, events: u64) {
        let said = self.succeeded();
        let count = |name: &str| -> Option<u64> {
            let line = said.lines().find_map(|line| line.trim().strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        assert_eq!(count("total number of events:"), Some(events), "{}:\n{said}", self.what);
        assert_eq!(count("ignored errors:"), Some(0), "{}:\n{said}", self.what);
    }
}
