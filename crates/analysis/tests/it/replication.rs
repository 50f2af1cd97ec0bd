//! What waits between the servers of a topology, and which thread or server is the limit.

use std::collections::BTreeMap;

use analysis::{CellSummary, Severity};
use model::*;

use crate::common::*;

/// A cell of one trial, whose window goes from 5 to 35 s; seen of two servers.
fn cell_of(primary: Watched, replica: Watched) -> CellSummary {
    let plan = plan(&["ha"], &[16], 1);
    let cell = |planned: &PlannedTrial| {
        let mut trial = recorded(planned, 800.0);
        trial.result.measured.warmup_s = 5.0;
        trial.result.together = Some(Together { caught_up_s: Some(0.1), ..Together::default() });
        Some(Recorded { watched: primary.clone(), others: vec![replica.clone()], ..trial })
    };
    cells(&plan, cell).remove(0)
}

/// Readings once a second on a machine of two CPUs that is idle to that share.
fn readings(idle: f64, reading: impl Fn(f64) -> Observation) -> Vec<Observation> {
    let host = |at_s: f64| HostUse {
        cpu_user_s: 2.0 * at_s * (1.0 - idle),
        cpu_idle_s: 2.0 * at_s * idle,
        ..HostUse::default()
    };
    (1..=35)
        .map(f64::from)
        .map(|at_s| Observation { at_s, host: Some(host(at_s)), ..reading(at_s) })
        .collect()
}

/// A server whose threads use so much of a CPU each.
fn server(idle: f64, threads: &[(&str, f64)]) -> Watched {
    let snapshot = |at_s: f64| {
        let one = |(id, (name, share)): (u32, &(&str, f64))| {
            (id, ThreadUse { name: (*name).to_owned(), told: false, cpu_s: at_s * share, cpu_wait_s: None })
        };
        Snapshot { at_s, threads: (10..).zip(threads).map(one).collect(), ..Snapshot::default() }
    };
    Watched {
        readings: readings(idle, |_| Observation::default()),
        before: Some(snapshot(5.0)),
        after: Some(snapshot(35.0)),
        ..Watched::default()
    }
}

fn caveat<'a>(cell: &'a CellSummary, id: &str) -> Option<&'a analysis::Caveat> {
    cell.caveats.iter().find(|caveat| caveat.id == id)
}

#[test]
fn a_replica_that_applies_with_one_busy_thread_is_limited_by_it() {
    let primary = server(0.35, &[("connection", 0.99), ("ib_log_writer", 0.3)]);
    let replica = server(0.35, &[("rpl_rca_sql-0", 0.97), ("rpl_rca_io-0", 0.2)]);
    let cell = cell_of(primary.clone(), replica);
    let found = caveat(&cell, "saturated_thread").expect("one thread is the limit");
    assert_eq!(found.severity, Severity::Note);
    assert_eq!(
        found.text.en,
        "thread rpl_rca_sql of ha:2 used 97 % of one CPU while 35 % of the machine's CPU time was idle: it reads the relay \
         log and hands transactions to the applier workers, or applies them itself if there are none; one thread cannot use \
         a second CPU"
    );
    let threads = cell.tops.expect("both were seen").threads;
    let busiest: Vec<_> =
        threads.iter().map(|one| (one.server.as_deref(), one.name.as_str())).take(2).collect();
    assert_eq!(busiest, [(Some("ha"), "connection"), (Some("ha:2"), "rpl_rca_sql")]);
    // A client at work on all of a CPU, a thread without a name, and one that nobody knows.
    let nameless = server(0.35, &[("mariadbd", 0.99), ("connection", 0.99)]);
    assert!(caveat(&cell_of(primary.clone(), nameless), "saturated_thread").is_none());
    let unknown = cell_of(primary, server(0.35, &[("own_plugin", 0.93), ("gr_apply", 0.92)]));
    let said = &caveat(&unknown, "saturated_thread").expect("it is busy, whatever it does").text.en;
    assert!(said.starts_with("thread own_plugin of ha:2 used 93 % of one CPU"), "{said}");
    assert!(said.ends_with("one thread cannot use a second CPU, and one more thread was as busy"), "{said}");
}

#[test]
fn where_no_cpu_is_left_no_thread_is_the_limit() {
    let full = |idle| cell_of(server(idle, &[]), server(idle, &[("rpl_rca_sql-0", 0.97)]));
    assert!(caveat(&full(0.05), "saturated_thread").is_none());
    assert!(caveat(&full(0.15), "saturated_thread").is_some());
}

fn counted(counters: impl Fn(f64) -> Vec<(&'static str, u64)>) -> Watched {
    let status = |at_s| -> BTreeMap<String, u64> {
        counters(at_s).into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    };
    let readings = readings(0.5, |at_s| Observation { status: status(at_s), ..Observation::default() });
    Watched { readings, ..Watched::default() }
}

#[test]
fn flow_control_of_galera_names_the_node_that_asked_for_it() {
    let node = |paused: f64, sent: u64, queued: u64| {
        counted(move |at_s| {
            vec![
                ("wsrep_flow_control_paused_ns", (at_s * paused * 1e9) as u64),
                ("wsrep_flow_control_sent", (at_s as u64) * sent),
                ("wsrep_local_recv_queue", queued),
                ("wsrep_local_cert_failures", at_s as u64),
                ("wsrep_local_bf_aborts", 0),
            ]
        })
    };
    let cell = cell_of(node(0.25, 0, 0), node(0.25, 3, 40));
    let found = caveat(&cell, "flow_control").expect("a quarter of the time");
    assert_eq!(found.severity, Severity::Warn);
    let said = &found.text.en;
    assert!(
        said.starts_with(
            "flow control held commits back for 25 % of the window, from 5 s of the load on, because ha:2"
        ),
        "{said}"
    );
    let queues = cell.together.and_then(|together| together.queues).expect("a cluster has queues");
    assert_eq!(
        queues.en,
        "At most 40 transactions were waiting on one server to be applied (read once a second). Flow control held \
         commits back for 25 % of the window. Certification rolled back 60 conflicting transactions."
    );
    assert!(caveat(&cell_of(node(0.005, 1, 0), node(0.005, 0, 0)), "flow_control").is_none());
}

#[test]
fn flow_control_of_a_group_is_seen_by_the_length_of_its_queues() {
    let member = |throttles: fn(f64) -> bool| Watched {
        readings: readings(0.5, |at_s| {
            let group = GroupUse { throttles: throttles(at_s), conflicts: 2, ..GroupUse::default() };
            Observation { group: Some(group), ..Observation::default() }
        }),
        ..Watched::default()
    };
    let cell = cell_of(member(|_| false), member(|at_s| at_s > 25.0));
    let said = &caveat(&cell, "flow_control").expect("ten of 31 readings").text.en;
    assert!(
        said.starts_with(
            "flow control held commits back for 32 % of the window, from 26 s of the load on, because ha:2"
        ),
        "{said}"
    );
    let queues = cell.together.and_then(|together| together.queues).expect("a group has queues");
    assert!(queues.en.ends_with("Certification found no conflicts."), "{}", queues.en);
}

#[test]
fn a_commit_is_said_to_wait_for_its_acknowledgement() {
    for word in ["source", "master"] {
        let names: Vec<&'static str> = match word {
            "source" => vec!["rpl_semi_sync_source_tx_waits", "rpl_semi_sync_source_tx_wait_time"],
            _ => vec!["rpl_semi_sync_master_tx_waits", "rpl_semi_sync_master_tx_wait_time"],
        };
        let primary =
            counted(move |at_s| vec![(names[0], at_s as u64 * 100), (names[1], at_s as u64 * 120_000)]);
        let queues = cell_of(primary, Watched::default()).together.and_then(|together| together.queues);
        let said = queues.expect("it waits").en;
        assert_eq!(said, "A commit waited 1.20 ms for an acknowledgement on average.");
    }
}
