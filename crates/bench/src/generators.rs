//! The load generators that are compared: mydyno, sysbench, and the floor. Each runs once and reports the cost of a query.

use std::path::{Path, PathBuf};
use std::process::Command;

use model::{PsMode, SysbenchWorkload};
use sandbox::Server;
use serde::Deserialize;

use crate::child::{self, How, LocalAddress, Order, Said, Transport};
use crate::error::BenchError;
use crate::laboratory::TABLE_SIZE;
use crate::program;

/// The floor's program, compiled from bench/pingpong.c by scripts/bench.
const FLOOR: &str = "target/bench/pingpong";
/// Directory in which sysbench finds its certificates.
const SYSBENCH_TLS: &str = "target/bench/sysbench-tls";

/// A load, the same for every generator.
#[derive(Debug, Clone, Copy)]
pub struct Load<'a> {
    /// The server.
    pub server: &'a Server,
    /// Name of the database with the data.
    pub database: &'a str,
    /// Name of the workload.
    pub workload: &'a str,
    /// Rows of its table, or warehouses.
    pub size: u64,
    /// Connections.
    pub clients: u32,
    /// Length of the load, seconds; 0: until one transaction has completed, which is connecting and little else.
    pub seconds: f64,
    /// Over which connections, and when.
    pub how: How,
}

impl<'a> Load<'a> {
    /// One of sysbench's workloads on the table that all share.
    pub fn sysbench(server: &'a Server, workload: SysbenchWorkload, clients: u32, seconds: f64) -> Self {
        let (database, workload) = (sandbox::DATABASE, workload.name());
        Self { server, database, workload, size: TABLE_SIZE, clients, seconds, how: How::default() }
    }

    fn order(&self) -> Order {
        let address = match self.how.transport {
            Transport::Tcp | Transport::Tls => LocalAddress::Tcp(self.server.port()),
            Transport::Unix => LocalAddress::Unix(socket_for_children(self.server)),
        };
        Order {
            address,
            database: self.database.to_owned(),
            workload: self.workload.to_owned(),
            clients: self.clients,
            size: self.size,
            seconds: self.seconds,
            how: self.how,
        }
    }
}

/// Throughput of a generator, and its cost.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// User CPU per query, microseconds.
    pub user_us: f64,
    /// System CPU per query, microseconds.
    pub system_us: f64,
    /// Queries per second.
    pub queries_per_s: f64,
}

impl Sample {
    /// CPU per query, microseconds.
    pub fn cpu_us(&self) -> f64 {
        self.user_us + self.system_us
    }

    fn of(ran: &program::Ran, queries: u64, queries_per_s: f64) -> Self {
        let per_query = |seconds: f64| seconds * 1e6 / queries as f64;
        Self { user_us: per_query(ran.user_s), system_us: per_query(ran.system_s), queries_per_s }
    }
}

/// mydyno's engine, with everything from connecting to the last figure.
pub fn mydyno(load: &Load<'_>) -> Result<Sample, BenchError> {
    let (ran, said) = mydyno_process(load)?;
    Ok(sample(&ran, &said))
}

/// Cost of one of mydyno's processes.
pub fn sample(ran: &program::Ran, said: &Said) -> Sample {
    Sample::of(ran, said.queries, said.queries as f64 / said.seconds)
}

/// Runs mydyno; returns its resource use and its output.
pub fn mydyno_process(load: &Load<'_>) -> Result<(program::Ran, Said), BenchError> {
    let me = std::env::current_exe()
        .map_err(|source| BenchError::Spawn { program: "bench".to_owned(), source })?;
    let mut command = Command::new(me);
    let order = serde_json::to_string(&load.order()).expect("it has only plain values");
    command.args([child::VERB, &order]);
    command.env(child::PASSWORD, load.server.password().expose());
    let ran = program::run(&mut command)?;
    let said = serde_json::from_str(&ran.output).map_err(|_| BenchError::Output {
        program: child::VERB.to_owned(),
        what: "its result",
        said: ran.output.clone(),
    })?;
    Ok((ran, said))
}

/// The server's socket as a child sees it: a path through a descriptor is one of this process.
fn socket_for_children(server: &Server) -> PathBuf {
    let path = server.socket();
    match path.strip_prefix("/proc/self") {
        Ok(rest) => Path::new("/proc").join(std::process::id().to_string()).join(rest),
        Err(_) => path,
    }
}

/// sysbench, with its defaults for everything else. It has no open loop like mydyno's.
pub fn sysbench(load: &Load<'_>) -> Result<Sample, BenchError> {
    let (ran, queries, queries_per_s) = sysbench_process(load)?;
    Ok(Sample::of(&ran, queries, queries_per_s))
}

/// Runs sysbench; returns its resource use, its queries, and queries per second.
pub fn sysbench_process(load: &Load<'_>) -> Result<(program::Ran, u64, f64), BenchError> {
    let mut command = sysbench_command(load.server, load.database, load.workload, load.size);
    match load.how.transport {
        Transport::Tcp => {}
        Transport::Tls => sysbench_tls(&mut command, load.server)?,
        // It goes before host and port.
        Transport::Unix => {
            command.arg(format!("--mysql-socket={}", socket_for_children(load.server).display()));
        }
    }
    if load.how.statements == PsMode::Disable {
        command.arg("--db-ps-mode=disable");
    }
    match load.seconds {
        0.0 => command.args(["--time=0", "--events=1"]),
        seconds => command.arg(format!("--time={seconds}")),
    };
    command.args([&format!("--threads={}", load.clients), "run"]);
    let ran = program::run(&mut command)?;
    let missing =
        |what| BenchError::Output { program: "sysbench".to_owned(), what, said: ran.output.clone() };
    let (queries, queries_per_s) =
        queries_of(&ran.output).ok_or_else(|| missing("how many queries it ran"))?;
    Ok((ran, queries, queries_per_s))
}

/// Makes sysbench encrypt. Version 1.0 has a switch, and needs a certificate of its own and an authority under fixed names
/// in its working directory; 1.1 has the modes of the mysql client.
fn sysbench_tls(command: &mut Command, server: &Server) -> Result<(), BenchError> {
    const FILES: [(&str, &str); 3] = [
        ("client-cert.pem", "client-cert.pem"),
        ("client-key.pem", "client-key.pem"),
        ("ca.pem", "cacert.pem"),
    ];
    let help = program::run(Command::new("sysbench").arg("--help"))?.output;
    if !help.contains("--mysql-ssl[=on|off]") {
        command.arg("--mysql-ssl=REQUIRED");
        return Ok(());
    }
    let fail = |source| BenchError::File { path: SYSBENCH_TLS.to_owned(), source };
    std::fs::create_dir_all(SYSBENCH_TLS).map_err(fail)?;
    for (name, wanted) in FILES {
        std::fs::copy(server.dir().join("data").join(name), Path::new(SYSBENCH_TLS).join(wanted))
            .map_err(fail)?;
    }
    command.arg("--mysql-ssl=on").current_dir(SYSBENCH_TLS);
    Ok(())
}

/// sysbench for one of its workloads on one table, up to its own options and the verb.
pub fn sysbench_command(server: &Server, database: &str, workload: &str, table_size: u64) -> Command {
    let mut command = Command::new("sysbench");
    command.args([
        workload,
        "--mysql-host=127.0.0.1",
        &format!("--mysql-port={}", server.port()),
        &format!("--mysql-user={}", sandbox::USER),
        &format!("--mysql-password={}", server.password().expose()),
        &format!("--mysql-db={database}"),
        "--tables=1",
        &format!("--table-size={table_size}"),
    ]);
    command
}

/// Number of queries and queries per second from a line like `queries:   12345  (6172.50 per sec.)`.
fn queries_of(report: &str) -> Option<(u64, f64)> {
    let line = report.lines().find_map(|line| line.trim().strip_prefix("queries:"))?;
    let (count, rate) = line.split_once('(')?;
    Some((count.trim().parse().ok()?, rate.split_whitespace().next()?.parse().ok()?))
}

/// The floor: a bare epoll client that sends 23 bytes and gets 190, with the same number of connections; it does not encrypt.
pub fn floor(load: &Load<'_>) -> Result<Sample, BenchError> {
    #[derive(Deserialize)]
    struct Said {
        user_us: f64,
        system_us: f64,
        round_trips_per_s: f64,
    }
    let mut command = Command::new(FLOOR);
    let socket = if load.how.transport == Transport::Unix { "unix" } else { "tcp" };
    command.args([&load.clients.to_string(), &load.seconds.to_string(), socket]);
    let ran = program::run(&mut command)?;
    let said: Said = serde_json::from_str(&ran.output).map_err(|_| BenchError::Output {
        program: "pingpong".to_owned(),
        what: "its result",
        said: ran.output.clone(),
    })?;
    // Its own figures leave out connecting, of which it has hardly any.
    Ok(Sample { user_us: said.user_us, system_us: said.system_us, queries_per_s: said.round_trips_per_s })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sysbench_reports_its_queries() {
        let report = "SQL statistics:\n    transactions:      6172   (771.25 per sec.)\n    \
                      queries:                             123456 (15432.10 per sec.)\n";
        assert_eq!(queries_of(report), Some((123_456, 15_432.10)));
        assert_eq!(queries_of("FATAL: no luck"), None);
    }
}
