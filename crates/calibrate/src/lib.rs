//! Calibrates the generator: against a server that answers from memory, all measured cost is the generator's own.
//!
//! Its CPU per query gives the maximum number of queries that one CPU can drive; an open loop with spare clients gives the
//! delay of its timers; and a bare round trip over loopback gives the cost of the machine itself.

mod floor;
mod null_server;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use load::{Limit, Offer, Schedule, Stopped};
use model::{
    Arrivals, Calibration, CalibrationPoint, FORMAT, Measured, Phase, Rate, SysbenchOptions,
    SysbenchWorkload, WorkloadSpec,
};

use crate::null_server::NullServer;

/// Connections at which the generator's cost is measured.
const CONNECTIONS: [u32; 3] = [1, 8, 64];
/// Seconds of each measurement, after half a second of warm-up.
const SECONDS: f64 = 3.0;
/// Starts per second that timers are tried with, and clients that wait for them.
const TIMER_PER_S: f64 = 1_000.0;
const TIMER_CLIENTS: u32 = 16;

/// The reason there is no calibration.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// The null server could not be started, or the round trip not be made.
    #[error("the loopback interface cannot be used: {0}")]
    Loopback(#[from] std::io::Error),
    /// The generator could not be started.
    #[error(transparent)]
    Offer(#[from] load::OfferError),
    /// The load on the null server ended early.
    #[error("the load on the null server ended early: {0}")]
    Load(String),
    /// The user cancelled it.
    #[error("interrupted")]
    Interrupted,
}

impl model::Advise for CalibrateError {
    fn advice(&self) -> Vec<model::Advice> {
        if let Self::Offer(error) = self { error.advice() } else { Vec::new() }
    }
}

/// Runs all measurements, which takes about twenty seconds. `step` receives the name of each.
pub fn calibrate(cancel: &AtomicBool, step: &dyn Fn(&str)) -> Result<Calibration, CalibrateError> {
    step("a bare round trip");
    let round_trip_ns = floor::round_trip_ns()?;
    let mut points = Vec::new();
    for connections in CONNECTIONS {
        step(&format!(
            "the generator's cost, {}",
            messages::number::counted(connections.into(), "connection")
        ));
        let measured = offer(connections, Schedule::Closed, None, cancel)?;
        let queries = measured.queries.total() as f64;
        let per_query_us = |seconds: f64| seconds * 1e6 / queries;
        points.push(CalibrationPoint {
            connections,
            queries_per_s: queries / measured.measured_s,
            cpu_us: per_query_us(measured.generator.user_s + measured.generator.system_s),
            user_us: per_query_us(measured.generator.user_s),
        });
    }
    step("the timers");
    let phase = Phase { from_per_s: TIMER_PER_S, to_per_s: TIMER_PER_S, length_s: None };
    let rate = Rate { arrivals: Arrivals::Constant, phases: vec![phase] };
    let open = offer(TIMER_CLIENTS, Schedule::Open(rate), None, cancel)?;
    let timer = open.open_loop.map(|open| open.timer).unwrap_or_default();
    let host = probe::host_facts();
    Ok(Calibration {
        format: FORMAT,
        at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        mydyno_version: host.mydyno_version,
        cpu_model: host.cpu_model,
        cpus: host.cpus,
        kernel: host.kernel,
        round_trip_ns,
        points,
        timer_p50_ns: timer.p50_ns,
        timer_p99_ns: timer.p99_ns,
        timer_max_ns: timer.max_ns,
    })
}

/// Offers point selects to a server that answers from memory, for three seconds. `workers` as in [`Offer`].
pub fn offer(
    clients: u32,
    schedule: Schedule,
    workers: Option<u32>,
    cancel: &AtomicBool,
) -> Result<Measured, CalibrateError> {
    let server = NullServer::start()?;
    let workload = WorkloadSpec::Sysbench(SysbenchOptions {
        workload: SysbenchWorkload::OltpPointSelect,
        ..SysbenchOptions::default()
    });
    let connect = server.connect_options();
    let offer = Offer {
        entries: load::Entries::one(&connect),
        workload: &workload,
        clients,
        schedule,
        limit: Limit {
            warmup: Duration::from_millis(500),
            time: Some(Duration::from_secs_f64(SECONDS)),
            events: None,
        },
        in_flight: None,
        think: Duration::ZERO,
        seed: 1,
        workers,
        cancel,
    };
    let offered = load::offer(&offer, &mut |_| {})?;
    match &offered.stopped {
        Stopped::AtLimit => Ok(offered.measured),
        Stopped::Cancelled => Err(CalibrateError::Interrupted),
        Stopped::Failed(failure) => Err(CalibrateError::Load(failure.message.clone())),
    }
}
