//! What limits commits over a simulated link.

use crate::common::{cells, plan, recorded, workload};
use analysis::{SerialStage, SerialStanding, serial_stages};
use model::{HostUse, Observation, Plan, SysbenchWorkload, Topology, Watched};

const THREADS: [u32; 3] = [4, 16, 64];

fn at_a_distance(topology: Topology, repeats: u32) -> Plan {
    let mut plan = plan(&["ha"], &THREADS, repeats);
    let target = &mut plan.spec.targets[0].target;
    target.topology = topology;
    target.arrangement.link_delay_us = Some(5_000);
    plan.spec.workloads = vec![workload(SysbenchWorkload::OltpUpdateNonIndex)];
    plan.spec.workloads[0].set_label("oltp_read_only");
    plan
}

/// A machine of which so much of the CPU time is idle.
fn machine(idle: f64) -> Watched {
    let at = |at_s: f64| {
        let host = HostUse {
            cpu_user_s: at_s * (1.0 - idle) * 4.0,
            cpu_idle_s: at_s * idle * 4.0,
            ..HostUse::default()
        };
        let process = Some(model::ProcessUse { cpu_s: at_s, ..Default::default() });
        Observation { at_s, host: Some(host), process, ..Observation::default() }
    };
    Watched { readings: (0..=35).map(|second| at(f64::from(second))).collect(), ..Watched::default() }
}

/// With this throughput at each number of clients.
fn found(topology: Topology, repeats: u32, idle: f64, per_s: [f64; 3]) -> Option<SerialStage> {
    let plan = at_a_distance(topology, repeats);
    let cells = cells(&plan, |planned| {
        let at = THREADS.iter().position(|n| *n == planned.cell.threads)?;
        let wobble = [0.0, 0.01, -0.01, 0.005][planned.cell.repeat as usize % 4];
        let mut recorded = recorded(planned, per_s[at] * (1.0 + wobble));
        recorded.watched = machine(idle);
        Some(recorded)
    });
    serial_stages(&plan, &cells).into_iter().next()
}

#[test]
fn a_plateau_with_idle_cpus_implies_a_time_in_a_serial_stage() {
    let found = found(Topology::Semisync, 4, 0.4, [400.0, 1_250.0, 1_260.0]).expect("it is at a distance");
    assert_eq!((found.standing, found.threads), (SerialStanding::Serial, 16));
    assert_eq!((found.round_trip_ms, found.bound_per_s), (10.0, Some(1_600.0)));
    assert!(found.cpu_busy.is_some_and(|busy| (busy - 0.6).abs() < 0.01), "{found:?}");
    let service = found.service_us.expect("a time");
    assert!((service.mean - 800.0).abs() < 5.0, "{service:?}");
    let (low, high) = service.low.zip(service.high).expect("four repeats");
    assert!(low < service.mean && service.mean < high && high < 830.0, "{service:?}");
}

#[test]
fn nothing_is_implied_where_something_else_may_be_the_limit() {
    let standing = |repeats, idle, per_s| {
        let one = found(Topology::Group, repeats, idle, per_s).expect("it is at a distance");
        assert!(one.service_us.is_none(), "{one:?}");
        (one.standing, one.threads)
    };
    let (level, growing) = ([400.0, 1_250.0, 1_260.0], [400.0, 1_000.0, 1_300.0]);
    assert_eq!(standing(4, 0.02, level), (SerialStanding::Cpus, 16));
    assert_eq!(standing(4, 0.4, growing), (SerialStanding::Grows, 64));
    assert_eq!(standing(1, 0.4, level).0, SerialStanding::SingleTrials);
}

#[test]
fn commits_that_wait_for_no_other_server_have_no_bound() {
    let one = found(Topology::Async, 4, 0.4, [400.0, 1_250.0, 1_260.0]).expect("it is at a distance");
    assert_eq!((one.bound_per_s, one.standing), (None, SerialStanding::Serial));
    assert!(found(Topology::Independent, 4, 0.4, [1.0, 1.0, 1.0]).is_none());
}
