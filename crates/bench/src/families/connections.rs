//! Many connections: their cost to the client process, and whether they work at all.

use model::SysbenchWorkload;

use crate::child::Said;
use crate::error::BenchError;
use crate::generators::{self, Load};
use crate::laboratory::Laboratory;
use crate::program::Ran;
use crate::rounds::Figures;
use crate::rounds::{Arm, Rounds, interleave};

/// Length of a run, seconds; memory is at its peak soon.
const SECONDS: f64 = 5.0;

/// 1,000 connections that run point selects.
pub fn thousand(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let rounds = laboratory.rounds;
    let measured = connect(laboratory, 1_000, rounds)?;
    let memory = measured.value(0, "MB", |(_, said)| said.memory_peak_bytes as f64 / 1e6);
    let threads = measured.value(0, "threads", |(ran, _)| ran.threads_max as f64);
    Ok(Figures::from([
        ("connections_1000_memory".to_owned(), memory),
        ("connections_1000_threads".to_owned(), threads),
    ]))
}

/// 10,000 connections that run point selects, once; each of them a thread of the server.
pub fn ten_thousand(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let measured = connect(laboratory, 10_000, 1)?;
    let figure = measured.value(0, "clients", |(_, said)| f64::from(said.connected)).beside([
        measured.value(0, "s to connect", |(_, said)| said.connect_s),
        measured.value(0, "MB", |(_, said)| said.memory_peak_bytes as f64 / 1e6),
        measured.value(0, "queries/s", |(_, said)| said.queries as f64 / said.seconds),
    ]);
    Ok(Figures::from([("connections_10000".to_owned(), figure)]))
}

fn connect(
    laboratory: &mut Laboratory,
    clients: u32,
    rounds: usize,
) -> Result<Rounds<(Ran, Said)>, BenchError> {
    let load = Load::sysbench(laboratory.server()?, SysbenchWorkload::OltpPointSelect, clients, SECONDS);
    let arms = vec![Arm::new("mydyno", || generators::mydyno_process(&load))];
    interleave(&format!("{clients} connections"), rounds, arms)
}
