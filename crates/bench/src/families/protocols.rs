//! Cost of a query to the client over each way to the server: TCP and Unix sockets, text and prepared statements, with and
//! without TLS, from one connection to a thousand. Sysbench runs beside it, and the floor of the same kind of socket.
//!
//! Each way differs from prepared statements over TCP in one thing, so that the cost of that thing can be read off. A run
//! is short, and a thousand connections take as long to open, so what a process costs that only connects is measured once
//! for each arm, and taken off.

use model::{PsMode, SysbenchWorkload};
use wire::Client;

use crate::child::{How, Transport};
use crate::error::BenchError;
use crate::generators::{self, Load};
use crate::laboratory::Laboratory;
use crate::program::Ran;
use crate::rounds::Figures;
use crate::rounds::{Arm, Figure, GridRow, Rounds, Series, Spread, interleave};

/// Length of a run, seconds, and rounds: at most, for there are ten arms to each number of connections.
const SECONDS_MAX: f64 = 2.0;
const ROUNDS_MAX: usize = 3;

/// A way to the server.
struct Way {
    /// Its row in the catalog.
    row: &'static str,
    /// The names of its arms: mydyno's, sysbench's.
    arms: [&'static str; 2],
    transport: Transport,
    statements: PsMode,
}

const WAYS: [Way; 4] = [
    Way {
        row: "protocols_tcp_text",
        arms: ["mydyno, TCP, text", "sysbench, TCP, text"],
        transport: Transport::Tcp,
        statements: PsMode::Disable,
    },
    Way {
        row: "protocols_tcp_prepared",
        arms: ["mydyno, TCP", "sysbench, TCP"],
        transport: Transport::Tcp,
        statements: PsMode::Auto,
    },
    Way {
        row: "protocols_tls_prepared",
        arms: ["mydyno, TLS", "sysbench, TLS"],
        transport: Transport::Tls,
        statements: PsMode::Auto,
    },
    Way {
        row: "protocols_unix_prepared",
        arms: ["mydyno, Unix socket", "sysbench, Unix socket"],
        transport: Transport::Unix,
        statements: PsMode::Auto,
    },
];

/// Positions of the floors among the arms, after those of the ways.
const FLOOR_TCP: usize = 2 * WAYS.len();
const FLOOR_UNIX: usize = FLOOR_TCP + 1;

/// The columns: connections, and their names in the table. The first has no target: the cost of a query over one connection
/// depends on whether client and server share a CPU, which the scheduler decides anew in each run.
const CONNECTIONS: [(u32, &str); 4] = [(1, "1"), (8, "8"), (64, "64"), (1_000, "1000")];

const TITLE: &str =
    "client CPU per query, us: mydyno / sysbench / floor, by connections (at most 3 rounds of 2 s)";

/// All ways with all numbers of connections.
pub fn measure(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let (seconds, rounds) = (laboratory.seconds.min(SECONDS_MAX), laboratory.rounds.min(ROUNDS_MAX));
    let server = laboratory.server()?;
    let load = |clients| Load::sysbench(server, SysbenchWorkload::OltpPointSelect, clients, seconds);
    let unencrypted = why_sysbench_does_not_encrypt(&load(8))?;
    if let Some(why) = &unencrypted {
        eprintln!("sysbench is left out where TLS is used: {why}");
    }
    let mut columns = Vec::new();
    for (clients, _) in CONNECTIONS {
        let load = load(clients);
        let mut arms: Vec<Arm<'_, f64>> =
            WAYS.iter().flat_map(|way| arms(way, load, unencrypted.is_none())).collect();
        arms.push(Arm::new("floor, TCP", move || floor(load, Transport::Tcp)));
        arms.push(Arm::new("floor, Unix socket", move || floor(load, Transport::Unix)));
        columns.push(interleave(&format!("protocols, connections: {clients}"), rounds, arms)?);
    }
    let figures = WAYS.iter().enumerate().map(|(index, way)| {
        let remark = unencrypted.clone().filter(|_| way.transport == Transport::Tls);
        (way.row.to_owned(), figure(index, &columns, remark))
    });
    Ok(figures.collect())
}

/// mydyno and sysbench.
fn arms<'a>(way: &Way, load: Load<'a>, sysbench_encrypts: bool) -> [Arm<'a, f64>; 2] {
    let how = How { transport: way.transport, statements: way.statements, rate_per_s: None };
    let load = Load { how, ..load };
    let mydyno = without_connecting(load, |load| {
        generators::mydyno_process(load).map(|(ran, said)| (ran, said.queries))
    });
    let mut sysbench = without_connecting(load, |load| {
        generators::sysbench_process(load).map(|(ran, queries, _)| (ran, queries))
    });
    let runs = way.transport != Transport::Tls || sysbench_encrypts;
    [
        Arm::new(way.arms[0], mydyno),
        Arm::new(way.arms[1], move || if runs { sysbench() } else { Ok(f64::NAN) }),
    ]
}

fn floor(load: Load<'_>, transport: Transport) -> Result<f64, BenchError> {
    let how = How { transport, ..How::default() };
    generators::floor(&Load { how, ..load }).map(|sample| sample.cpu_us())
}

/// CPU per query, microseconds, of a generator that is run for a load, less that of a run which only connects.
fn without_connecting<'a>(
    load: Load<'a>,
    run: impl Fn(&Load<'_>) -> Result<(Ran, u64), BenchError> + 'a,
) -> impl FnMut() -> Result<f64, BenchError> + 'a {
    let mut connecting_s = None;
    move || {
        let connecting_s = match connecting_s {
            Some(seconds) => seconds,
            None => *connecting_s.insert(run(&Load { seconds: 0.0, ..load })?.0.cpu_s()),
        };
        let (ran, queries) = run(&load)?;
        Ok((ran.cpu_s() - connecting_s) * 1e6 / queries as f64)
    }
}

/// The reason sysbench does not encrypt; none if it does: the server, which accepts TLS 1.3 alone, then counts as many
/// handshakes as there were connections.
fn why_sysbench_does_not_encrypt(load: &Load<'_>) -> Result<Option<String>, BenchError> {
    let mut client = Client::connect(&load.server.connect_options(None))?;
    let mut handshakes = || -> Result<u64, BenchError> {
        let answer = client.query("SHOW GLOBAL STATUS LIKE 'Ssl_finished_accepts'")?;
        Ok(answer.first().and_then(|row| row.parse(1)).unwrap_or_default())
    };
    let how = How { transport: Transport::Tls, ..How::default() };
    let before = handshakes()?;
    let ran = generators::sysbench_process(&Load { seconds: 0.0, how, ..*load });
    let made = handshakes()?.saturating_sub(before);
    let clients = u64::from(load.clients);
    Ok(match ran {
        Err(error) => Some(error.to_string()),
        Ok(_) if made < clients => Some(format!(
            "the server counted {made} TLS handshakes while it made {clients} connections that were to be encrypted"
        )),
        Ok(_) => None,
    })
}

/// The line of a way. Its value is the ratio to sysbench where that is greatest, from the second column on.
fn figure(way: usize, columns: &[Rounds<f64>], remark: Option<String>) -> Figure {
    // The floor does not encrypt: TLS is to be seen beside that of TCP.
    let floor = if WAYS[way].transport == Transport::Unix { FLOOR_UNIX } else { FLOOR_TCP };
    let [mydyno, sysbench] = [2 * way, 2 * way + 1];
    let ratios = columns.iter().zip(CONNECTIONS).map(|(column, (_, name))| Series {
        name,
        unit: "",
        values: column.ratios([mydyno, sysbench], |us| *us),
    });
    let ratios: Vec<Series> = ratios.collect();
    let median = |series: &&Series| Spread::of(&series.values).median;
    let worst = ratios[1..]
        .iter()
        .filter(|series| !median(series).is_nan())
        .max_by(|a, b| median(a).total_cmp(&median(b)));
    let (value, rounds) =
        worst.map_or((f64::NAN, Vec::new()), |worst| (median(&worst), worst.values.clone()));
    let cells = columns.iter().zip(CONNECTIONS).map(|(column, (_, name))| {
        let medians = [mydyno, sysbench, floor].map(|arm| column.value(arm, "us", |us| *us).value);
        (name, medians.to_vec())
    });
    let grid = GridRow { title: TITLE, cells: cells.collect(), remark };
    Figure { value, rounds, arms: ratios, grid: Some(grid) }
}
