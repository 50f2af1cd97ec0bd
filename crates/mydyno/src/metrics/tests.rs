//! The text that Prometheus reads.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Arrivals, CellKey, EventKind, HostUse, Interval, LatencySummary, LoadShape, Observation, Phase,
    ProcessUse, QueryCounts, Rate, Spec,
};

use super::*;

fn plan() -> Plan {
    let phases = vec![Phase { from_per_s: 500.0, to_per_s: 500.0, length_s: None }];
    let rate = Some(Rate { arrivals: Arrivals::Poisson, phases });
    let spec = Spec {
        format: model::FORMAT,
        name: "oltp_read_write".to_owned(),
        about: None,
        threads: Vec::new(),
        repeats: 0,
        seed: 1,
        load: LoadShape { warmup_s: 1.0, time_s: 2.0, rate, ..LoadShape::default() },
        prepare: true,
        observe: model::Observe::Light,
        allow_failing_cells: false,
        design: Default::default(),
        targets: Vec::new(),
        workloads: Vec::new(),
    };
    Plan { spec, hash: String::new(), imported: None, trials: Vec::new() }
}

fn cell(target: &str) -> CellKey {
    CellKey { target: target.to_owned(), workload: "oltp_read_write".to_owned(), threads: 16, repeat: 1 }
}

fn second(end_s: f64) -> Interval {
    Interval {
        end_s,
        length_s: 1.0,
        warmup: end_s < 1.5,
        threads: 16,
        transactions: 4,
        queries: QueryCounts { read: 56, write: 16, other: 8 },
        response: LatencySummary { sum_ns: 7e9, ..LatencySummary::default() },
        // One at a bound, which belongs below it, and one beyond the last.
        response_counts: vec![(1_000_000, 3), (90_000_000_000, 1)],
        errors: BTreeMap::from([(1213, 2)]),
        reconnects: 0,
        traffic: model::Traffic::default(),
        generator_cpu_s: 0.1,
        backlog: Some(7),
    }
}

fn told(snapshot: &mut Snapshot, kinds: Vec<EventKind>) {
    for kind in kinds {
        snapshot.event(&Event { at: String::new(), elapsed_ms: 0, kind });
    }
}

fn full() -> Snapshot {
    let mut snapshot = Snapshot::new(&plan());
    let observation = Observation {
        status: BTreeMap::from([("innodb_rows_read".to_owned(), u64::MAX)]),
        host: Some(HostUse { pressure_cpu_s: Some(1.0), ..HostUse::default() }),
        process: Some(ProcessUse {
            cpu_s: 1.5,
            context_switches: Some(9),
            throttled_s: Some(0.0),
            ..ProcessUse::default()
        }),
        round_trip_s: Some(4e-5),
        ..Observation::default()
    };
    told(
        &mut snapshot,
        vec![
            EventKind::TrialStarted { index: 0, cell: cell("a \"b\" \\ c") },
            EventKind::Interval { index: 0, interval: second(1.0) },
            EventKind::Interval { index: 0, interval: second(2.0) },
            EventKind::Observation { index: 0, member: 0, observation: Box::new(observation) },
        ],
    );
    snapshot
}

fn text_of(snapshot: &Snapshot) -> String {
    text::exposition(snapshot.clone()).expect("writing into memory does not fail")
}

/// Holds a text against the rules of OpenMetrics 1.0, and gives its samples.
fn samples(text: &str) -> BTreeMap<String, f64> {
    let body = text.strip_suffix("# EOF\n").expect("the end is marked");
    let (mut family, mut kind) = (String::new(), String::new());
    let (mut families, mut helped, mut found) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
    for line in body.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').expect("a help has words");
            assert!(help.ends_with('.') && helped.insert(name.to_owned()), "{line}");
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, its) = rest.split_once(' ').expect("a type has a name");
            (family, kind) = (name.to_owned(), its.to_owned());
            assert!(name.starts_with("mydyno_") && helped.contains(name), "{line}");
            assert!(families.insert(name.to_owned()), "{name} appears once");
        } else if let Some(rest) = line.strip_prefix("# UNIT ") {
            let (name, unit) = rest.split_once(' ').expect("a unit has a name");
            assert!(name == family && name.ends_with(unit), "{line}");
        } else {
            let (series, value) = line.rsplit_once(' ').expect("a sample has a value");
            let name = series.split('{').next().unwrap_or_default();
            let suffix =
                name.strip_prefix(family.as_str()).unwrap_or_else(|| panic!("{line} is of {family}"));
            let suffixes: &[&str] = match kind.as_str() {
                "counter" => &["_total"],
                "info" => &["_info"],
                "histogram" => &["_bucket", "_sum", "_count"],
                "gauge" | "unknown" => &[""],
                other => panic!("type {other}"),
            };
            assert!(suffixes.contains(&suffix), "{line}");
            let value: f64 = value.parse().expect("a value is a number");
            assert!(found.insert(series.to_owned(), value).is_none(), "{series} appears once");
        }
    }
    assert_eq!(families, helped, "each family has type and help");
    found
}

const LABELS: &str = r#"target="a \"b\" \\ c",workload="oltp_read_write",threads="16",repeat="1""#;

#[test]
fn the_text_keeps_the_rules_of_open_metrics() {
    let found = samples(&text_of(&full()));
    let of_trial = |name: &str, more: &str| found.get(&format!("{name}{{{LABELS}{more}}}")).copied();
    assert_eq!(of_trial("mydyno_transactions_total", ""), Some(8.0));
    assert_eq!(of_trial("mydyno_queries_total", r#",kind="write""#), Some(32.0));
    assert_eq!(of_trial("mydyno_errors_total", r#",code="1213""#), Some(4.0));
    assert_eq!(of_trial("mydyno_offered_transactions_per_second", ""), Some(500.0));
    assert_eq!(of_trial("mydyno_backlog_transactions", ""), Some(7.0));
    assert_eq!(of_trial("mydyno_trial_warmup", ""), Some(0.0));
    assert_eq!(of_trial("mydyno_trial_elapsed_seconds", ""), Some(2.0));
    assert_eq!(of_trial("mydyno_server_process_cpu_seconds_total", ""), Some(1.5));
    // More than a float holds exactly is no reason for no text at all.
    assert_eq!(of_trial("mydyno_server_status", r#",name="innodb_rows_read""#), Some(u64::MAX as f64));
    assert_eq!(found.get(r#"mydyno_host_cpu_seconds_total{mode="steal"}"#), Some(&0.0));
    assert_eq!(found.get("mydyno_cells"), Some(&0.0));
}

#[test]
fn a_histogram_counts_up_to_its_bounds_and_beyond() {
    let found = samples(&text_of(&full()));
    let bucket = |le: &str| found[&format!("mydyno_response_time_seconds_bucket{{le=\"{le}\",{LABELS}}}")];
    assert_eq!([bucket("0.00063"), bucket("0.001"), bucket("60.0"), bucket("+Inf")], [0.0, 6.0, 6.0, 8.0]);
    assert_eq!(found[&format!("mydyno_response_time_seconds_count{{{LABELS}}}")], 8.0);
    assert_eq!(found[&format!("mydyno_response_time_seconds_sum{{{LABELS}}}")], 14.0);
}

#[test]
fn before_the_first_trial_there_are_no_series_of_one() {
    let snapshot = Snapshot::new(&plan());
    let text = text_of(&snapshot);
    assert_eq!(samples(&text).len(), 3, "{text}");
    assert!(text.contains("mydyno_build_info{version=\""), "{text}");
}

#[test]
fn a_trial_stays_until_the_next_one_begins() {
    let mut snapshot = full();
    let running =
        |snapshot: &Snapshot| snapshot.trial.as_ref().map(|trial| (trial.running, trial.transactions));
    assert_eq!(running(&snapshot), Some((true, 8)));
    told(&mut snapshot, vec![EventKind::TrialStarted { index: 1, cell: cell("next") }]);
    assert_eq!(running(&snapshot), Some((true, 0)));
    let found = samples(&text_of(&snapshot));
    assert!(found.keys().all(|series| !series.contains("a \\\"b")), "{found:?}");
    // What belongs to the machine goes on.
    assert!(found.contains_key("mydyno_host_cpu_seconds_total{mode=\"user\"}"));
}

#[test]
fn an_address_in_use_is_said_in_one_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("it is bound").port();
    let listen: Listen = format!("127.0.0.1:{port}").parse().expect("an address");
    let error = Endpoint::open(&listen, &plan()).err().expect("it is taken");
    assert_eq!(error.exit, crate::exit::Exit::Failed);
    assert_eq!(error.message, format!("--metrics-listen 127.0.0.1:{port}: something listens there already"));
}

fn asked(endpoint: &Endpoint, request: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(endpoint.address).expect("it listens");
    stream.set_read_timeout(Some(std::time::Duration::from_secs(10))).expect("a timeout");
    stream.write_all(request.as_bytes()).expect("it is taken");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer and its end");
    answer
}

#[test]
fn no_request_ends_or_holds_up_the_endpoint() {
    let endpoint = Endpoint::open(&"127.0.0.1:0".parse().expect("an address"), &plan()).expect("a free port");
    let huge = "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000000000\r\n\r\n";
    assert!(asked(&endpoint, huge).starts_with("HTTP/1.1 405 "));
    // One that never ends its header, while others are answered.
    let held = std::net::TcpStream::connect(endpoint.address).expect("it listens");
    std::io::Write::write_all(&mut &held, b"GET /metrics HTTP/1.1\r\nHost: x\r\n").expect("it is taken");
    let body_missing = "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n";
    assert!(asked(&endpoint, body_missing).starts_with("HTTP/1.1 405 "));
    let long = format!("GET /metrics HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(10_000));
    for (request, status) in [
        ("GET / HTTP/1.1\r\n\r\n", "404"),
        ("\u{16}\u{3}\u{1} \r\n\r\n", "400"),
        (long.as_str(), "400"),
        ("GET /metrics?a=b HTTP/1.0\r\n\r\n", "200"),
    ] {
        assert!(asked(&endpoint, request).starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}");
    }
    let got = asked(&endpoint, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    let (header, body) = got.split_once("\r\n\r\n").expect("a header ends");
    assert!(header.starts_with("HTTP/1.1 200 OK\r\nContent-Type: application/openmetrics-text"), "{header}");
    assert!(header.contains(&format!("Content-Length: {}\r\n", body.len())), "{header}");
    assert_eq!(samples(body).len(), 3);
    let head = asked(&endpoint, "HEAD /metrics HTTP/1.1\r\n\r\n");
    assert_eq!(head.split_once("\r\n\r\n"), Some((header, "")));
}
