//! Load on a server that behaves exactly as it is told.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "tests fail by panicking, and not every one uses all of this"
)]

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use hdrhistogram::Histogram;
use load::{Limit, Offer, Progress, Schedule, Stopped, offer};
use model::{Interval, Measured, PsMode, SysbenchOptions, SysbenchWorkload, WorkloadSpec};
use testkit::FakeServer;

/// What came of it.
pub struct Found {
    pub measured: Measured,
    pub intervals: Vec<Interval>,
    pub response: Histogram<u64>,
}

impl Found {
    /// Transactions whose response took longer.
    pub fn longer_than_ms(&self, ms: u64) -> u64 {
        self.response.len() - self.response.count_between(0, ms * 1_000_000)
    }
}

pub fn run(server: &FakeServer, clients: u32, schedule: Schedule, seconds: f64) -> Found {
    let limit = Limit { warmup: Duration::ZERO, time: Some(Duration::from_secs_f64(seconds)), events: None };
    run_until(server, clients, schedule, limit)
}

/// Point selects as text, with the default policy for errors.
pub fn run_until(server: &FakeServer, clients: u32, schedule: Schedule, limit: Limit) -> Found {
    let workload = WorkloadSpec::Sysbench(SysbenchOptions {
        workload: SysbenchWorkload::OltpPointSelect,
        db_ps_mode: PsMode::Disable,
        ..SysbenchOptions::default()
    });
    let connect = server.connect_options();
    let wanted = Offer {
        entries: load::Entries::one(&connect),
        workload: &workload,
        clients,
        schedule,
        limit,
        in_flight: None,
        think: Duration::ZERO,
        seed: 1,
        workers: None,
        cancel: &AtomicBool::new(false),
    };
    let mut intervals = Vec::new();
    let mut response = load::new_histogram();
    let offered = offer(&wanted, &mut |progress| {
        if let Progress::Interval { interval, histograms } = progress {
            intervals.push(interval.clone());
            let of = histograms.iter().find(|histogram| histogram.tag == "response:transaction");
            of.into_iter().for_each(|of| response.add(&of.histogram).unwrap());
        }
    })
    .unwrap();
    assert_eq!(offered.stopped, Stopped::AtLimit, "{:?}", offered.measured.errors);
    Found { measured: offered.measured, intervals, response }
}
