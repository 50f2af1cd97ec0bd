//! Cost of an open loop to the client, compared with a closed one.

use std::cell::Cell;

use model::SysbenchWorkload;

use crate::child::How;
use crate::error::BenchError;
use crate::generators::{self, Load, Sample};
use crate::laboratory::Laboratory;
use crate::rounds::Figures;
use crate::rounds::{Arm, interleave};

/// The open loop's rate to what the closed loop before it reached. Near saturation, so that both find the server, and
/// the kernel, about equally busy: at a low rate a query costs more in any loop, for a worker is woken for each answer.
const SHARE: f64 = 0.95;

/// Ratio of the CPU per query in an open loop to that of a closed loop at full load in the same round.
pub fn cpu(laboratory: &mut Laboratory, clients: u32) -> Result<Figures, BenchError> {
    let (seconds, rounds) = (laboratory.seconds, laboratory.rounds);
    let load = Load::sysbench(laboratory.server()?, SysbenchWorkload::OltpPointSelect, clients, seconds);
    let reached = Cell::new(0.0);
    let arms = vec![
        Arm::new("closed", || {
            let sample = generators::mydyno(&load)?;
            reached.set(sample.queries_per_s);
            Ok(sample)
        }),
        Arm::new("open", || {
            let how = How { rate_per_s: Some(SHARE * reached.get()), ..How::default() };
            generators::mydyno(&Load { how, ..load })
        }),
    ];
    let measured = interleave(&format!("open loop, {clients} clients"), rounds, arms)?;
    let figure = measured.ratio([1, 0], "us/query", Sample::cpu_us);
    let beside = measured.ratio([1, 0], "queries/s", |sample| sample.queries_per_s);
    Ok(Figures::from([(format!("open_loop_cpu_{clients}"), figure.beside([beside]))]))
}
