//! CPU cost of a query to the client, and queries per second, from the same runs.

use model::SysbenchWorkload;

use crate::error::BenchError;
use crate::generators::{self, Load, Sample};
use crate::laboratory::Laboratory;
use crate::rounds::Figures;
use crate::rounds::{Arm, interleave};

const MYDYNO: usize = 0;
const SYSBENCH: usize = 1;
const FLOOR: usize = 2;

/// mydyno and sysbench in turn, and the floor where one query is one round trip of its size.
pub fn measure(
    laboratory: &mut Laboratory,
    workload: SysbenchWorkload,
    clients: u32,
) -> Result<Figures, BenchError> {
    let (seconds, rounds) = (laboratory.seconds, laboratory.rounds);
    let load = Load::sysbench(laboratory.server()?, workload, clients, seconds);
    let stem = workload.name().trim_start_matches("oltp_");
    let has_floor = workload == SysbenchWorkload::OltpPointSelect;
    let mut arms = vec![
        Arm::new("mydyno", || generators::mydyno(&load)),
        Arm::new("sysbench", || generators::sysbench(&load)),
    ];
    if has_floor {
        arms.push(Arm::new("floor", || generators::floor(&load)));
    }
    let measured = interleave(&format!("{stem}, {clients} connections"), rounds, arms)?;

    let both = [MYDYNO, SYSBENCH];
    let mut figures = Figures::from([
        (format!("{stem}_cpu_{clients}"), measured.ratio(both, "us/query", Sample::cpu_us)),
        (format!("{stem}_user_{clients}"), measured.ratio(both, "us/query", |sample| sample.user_us)),
        (
            format!("throughput_{stem}_{clients}"),
            measured.ratio(both, "queries/s", |sample| sample.queries_per_s),
        ),
    ]);
    if has_floor {
        let floor = measured.ratio([MYDYNO, FLOOR], "us/query", Sample::cpu_us);
        figures.insert(format!("{stem}_floor_{clients}"), floor);
    }
    Ok(figures)
}
