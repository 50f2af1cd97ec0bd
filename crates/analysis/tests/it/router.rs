//! What MySQL Router between clients and servers cost, and whether it was the limit.

use analysis::{CellSummary, Severity};
use model::*;

use crate::common::*;

/// A cell whose trials had a router with these figures; the machine was half idle.
fn cell_of(each: Vec<RouterUse>) -> CellSummary {
    let plan = plan(&["ha"], &[16], each.len() as u32);
    let reading = |at_s: f64| {
        let host = HostUse { cpu_user_s: at_s, cpu_idle_s: at_s, ..HostUse::default() };
        Observation { at_s, host: Some(host), ..Observation::default() }
    };
    let watched =
        Watched { readings: (1..=35).map(|at_s| reading(f64::from(at_s))).collect(), ..Watched::default() };
    let cell = |planned: &PlannedTrial| {
        let mut trial = recorded(planned, 800.0);
        trial.result.measured.warmup_s = 5.0;
        trial.result.router = Some(each[planned.cell.repeat as usize - 1].clone());
        Some(Recorded { watched: watched.clone(), ..trial })
    };
    cells(&plan, cell).remove(0)
}

/// One that adds so much to a round trip of 20 us, and uses so many CPUs, of which one thread uses this share.
fn used(added_us: u64, cpus: f64, busiest: f64) -> RouterUse {
    RouterUse {
        version: "9.7.4-2".to_owned(),
        round_trip: Some(RouterRoundTrip {
            requests: 400,
            direct_p50_ns: 20_000,
            direct_p99_ns: 46_000,
            through_p50_ns: 20_000 + added_us * 1000,
            through_p99_ns: 152_000,
        }),
        cpu: Some(RouterCpu { window_s: 30.0, cpu_s: 30.0 * cpus, busiest_thread_s: 30.0 * busiest }),
        memory_bytes: Some(30 << 20),
    }
}

#[test]
fn what_a_router_costs_is_said_with_its_figures() {
    let cell = cell_of(vec![used(30, 0.25, 0.2), used(32, 0.24, 0.2), used(90, 0.26, 0.2)]);
    let router = cell.router.expect("there is one");
    assert_eq!(router.round_trip.expect("measured").added_p50_us, 32.0);
    assert_eq!((router.cpus, router.memory_bytes), (Some(0.25), Some(30 << 20)));
    assert_eq!(
        router.says.en,
        "Clients connected through MySQL Router 9.7.4-2. Before the load, the router added 32.0 us to a small \
         request: 52.0 us instead of 20.0 us (median; p99 152 us instead of 46.0 us). The router used 0.25 CPUs, 313 us of CPU per transaction, and \
         30 MiB of memory."
    );
    assert!(cell.caveats.iter().all(|caveat| caveat.id != "saturated_router"));
}

#[test]
fn what_could_not_be_measured_is_left_out() {
    let bare = RouterUse { version: "9.7.4-2".to_owned(), ..RouterUse::default() };
    let says = cell_of(vec![bare]).router.expect("there is one").says;
    assert_eq!(says.en, "Clients connected through MySQL Router 9.7.4-2.");
}

#[test]
fn a_busy_thread_of_a_router_on_an_idle_machine_is_the_limit() {
    let cell = cell_of(vec![used(30, 1.2, 0.97)]);
    let found = cell.caveats.iter().find(|caveat| caveat.id == "saturated_router").expect("it is full");
    assert_eq!(found.severity, Severity::Note);
    assert_eq!(
        found.text.en,
        "a thread of MySQL Router used 97 % of one CPU while 50 % of the machine's CPU time was idle; the router may limit \
         the throughput"
    );
}
