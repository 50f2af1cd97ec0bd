//! Client memory per connection.

use model::SysbenchWorkload;

use crate::child::{How, Transport};
use crate::error::BenchError;
use crate::generators::{self, Load};
use crate::laboratory::Laboratory;
use crate::rounds::Figures;
use crate::rounds::{Arm, Figure, interleave};

/// Connections of the two runs whose difference is taken.
const MANY: u32 = 10_000;
const FEW: u32 = 100;
/// Length of a run, seconds; memory is at its peak soon.
const SECONDS: f64 = 5.0;
/// Transactions per second, so few that nearly all connections wait.
const RATE_PER_S: f64 = 100.0;

/// Peak memory with many connections less that with few, for each of the connections between. Once: it hardly varies.
pub fn per_connection(laboratory: &mut Laboratory, transport: Transport) -> Result<Figures, BenchError> {
    let server = laboratory.server()?;
    let run = |clients| {
        let load = Load::sysbench(server, SysbenchWorkload::OltpPointSelect, clients, SECONDS);
        let how = How { transport, rate_per_s: Some(RATE_PER_S), ..How::default() };
        generators::mydyno_process(&Load { how, ..load }).map(|(_, said)| said)
    };
    let arms = vec![Arm::new("few", || run(FEW)), Arm::new("many", || run(MANY))];
    let measured = interleave("memory per connection", 1, arms)?;
    let megabytes = |arm| measured.value(arm, "MB", |said| said.memory_peak_bytes as f64 / 1e6);
    let (few, many) = (megabytes(0), megabytes(1));
    let kibibytes = (many.value - few.value) * 1e6 / 1024.0 / f64::from(MANY - FEW);
    let (row, name) = match transport {
        Transport::Tls => ("memory_per_connection_tls", "TLS"),
        Transport::Tcp | Transport::Unix => ("memory_per_connection", "plain"),
    };
    let connected = measured.value(1, "clients", |said| f64::from(said.connected));
    let figure = Figure::of(name, "KiB", vec![kibibytes]).beside([few, many, connected]);
    Ok(Figures::from([(row.to_owned(), figure)]))
}
