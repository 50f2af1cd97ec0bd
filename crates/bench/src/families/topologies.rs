//! Time until topologies are ready.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use model::{Arrangement, Topology};
use sandbox::Life;
use topology::{MemberStart, TopologyStart};

use crate::error::BenchError;
use crate::laboratory::{Laboratory, server_name, spec};
use crate::rounds::{Arm, Figures, interleave};

const MEMBERS: usize = 3;
/// Longer is no start any more.
const LIMIT: Duration = Duration::from_secs(300);

/// Time from nothing to three members of a group that are online and have the same transactions.
pub fn group(laboratory: &mut Laboratory) -> Result<Figures, BenchError> {
    let home = &laboratory.home;
    let start = || -> Result<f64, BenchError> {
        let spec = spec();
        let names: Vec<String> = (1..=MEMBERS).map(|n| server_name(&format!("group-{n}"))).collect();
        let members: Vec<MemberStart<'_>> = names
            .iter()
            .map(|name| MemberStart { name, directory: name, spec: &spec, on_data: None })
            .collect();
        let begun = Instant::now();
        let mut started = topology::start(
            home,
            &TopologyStart {
                topology: Topology::Group,
                arrangement: Arrangement::default(),
                members: &members,
                from_copy: None,
                life: Life::Scoped,
                uuid: None,
                password: None,
                port: None,
                limit: LIMIT,
                cancel: &AtomicBool::new(false),
            },
        )?;
        let seconds = begun.elapsed().as_secs_f64();
        while let Some(server) = started.servers.pop() {
            server.stop()?;
        }
        Ok(seconds)
    };
    let measured =
        interleave("group of three", laboratory.rounds, vec![Arm::new("until it is ready", start)])?;
    Ok(Figures::from([("group_of_three_ready".to_owned(), measured.value(0, "s", |seconds| *seconds))]))
}
