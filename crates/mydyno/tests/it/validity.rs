//! What a figure is worth, on real servers: a rate beyond what the server can do, a machine that is busy with something
//! else, and encrypted connections that are seen to be so.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::Value;

use crate::common::busy::Busy;
use crate::common::{json, output};

const POINT_SELECT: [&str; 8] = [
    "run",
    "oltp_point_select",
    "--tables",
    "1",
    "--table-size",
    "2000",
    "--set",
    "innodb_buffer_pool_size=64M",
];

fn run(more: &[&str]) -> (i32, String, Value) {
    let results = tempfile::tempdir().unwrap();
    let (code, stdout, stderr) = output(&results, &[&POINT_SELECT[..], more].concat());
    assert!(code == 0 || code == 4, "{stdout}{stderr}");
    let mut view = json(&results);
    (code, format!("{stdout}{stderr}"), view["cells"][0].take())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Twice of what four clients get: the run ends in time, and everything that was due is accounted for.
#[test]
fn twice_the_capacity_is_said_to_be_too_much() {
    let place = ["--target", "sandbox:mysql", "--threads", "4"];
    let (_, _, closed) = run(&[&place[..], &["--time", "3"]].concat());
    let capacity = number(&closed["throughput_per_s"]["mean"]);
    let rate = format!("{:.0}", capacity * 2.0);
    let (_, text, open) = run(&[&place[..], &["--time", "3", "--rate", &rate]].concat());
    let achieved = number(&open["throughput_per_s"]["mean"]);
    assert!(achieved < capacity * 1.6, "{capacity}/s, then {achieved}/s");
    let of = &open["open_loop"];
    let (offered, unstarted) = (number(&of["offered"]), number(&of["unstarted"]));
    assert!((offered / 3.0 / capacity - 2.0).abs() < 0.1, "{of}");
    assert!((unstarted + achieved * 3.0 - offered).abs() < 0.05 * offered, "{of} {achieved}");
    assert!(text.contains("the offered rate exceeded the capacity"), "{text}");
    let (response, service) = (&open["operations"][0]["response"], &open["operations"][0]["service"]);
    assert!(number(&response["p95_ms"]) > 20.0 * number(&service["p95_ms"]), "{response} {service}");
}

#[test]
fn a_machine_that_is_busy_with_something_else_is_told_of_and_fails_a_strict_run() {
    let place = ["--target", "sandbox:mariadb", "--threads", "2", "--time", "2"];
    // The server is started and loaded first, so that only the run is disturbed.
    run(&place);
    let busy = Busy::start(8);
    let (relaxed, text, cell) = run(&place);
    let (strict, _, _) = run(&[&place[..], &["--strict"]].concat());
    drop(busy);
    let caveat = cell["caveats"].as_array().unwrap().iter().find(|caveat| caveat["id"] == "other_processes");
    let caveat = caveat.unwrap_or_else(|| panic!("{text}"));
    assert_eq!(caveat["severity"], "invalid", "{caveat}");
    assert!(text.contains("other processes used") && text.contains("most of all sh"), "{text}");
    assert_eq!((relaxed, strict), (0, 4), "{text}");
}

#[test]
fn encrypted_connections_show_their_version_their_handshakes_and_their_bytes() {
    for flavour in ["mysql", "mariadb"] {
        let of = |tls: &str| {
            let target = format!("sandbox:{flavour}?protocol=tcp&{tls}");
            let (_, text, cell) = run(&[
                "--target",
                &target,
                "--threads",
                "2",
                "--events",
                "300",
                "--time",
                "0",
                "--reconnect",
                "5",
            ]);
            let bytes = number(&cell["network"]["sent_bytes"]) + number(&cell["network"]["received_bytes"]);
            (cell["network"]["tls"].clone(), bytes, text)
        };
        let (none, plain_bytes, text) = of("ssl-mode=DISABLED");
        assert!(none.is_null() && text.contains("B sent and"), "{text}");
        let mut handshake_bytes = Vec::new();
        for (tls, version, resumed) in [
            ("ssl-mode=REQUIRED&tls-version=TLSv1.2", "TLSv1.2", 0.0),
            ("ssl-mode=REQUIRED&tls-version=TLSv1.3", "TLSv1.3", 0.0),
            ("ssl-mode=REQUIRED&tls-version=TLSv1.3&ssl-resumption=on", "TLSv1.3", 0.9),
        ] {
            let (tls, bytes, text) = of(tls);
            assert_eq!(tls["version"], version, "{text}");
            // One connection for each client, and a new one after every five transactions.
            let handshakes = number(&tls["handshakes"]);
            assert!((60.0..=64.0).contains(&handshakes), "{tls}");
            assert!(number(&tls["resumed"]) >= resumed * handshakes, "{tls}");
            assert!(text.contains(version) && text.contains("tls_handshake"), "{text}");
            assert!(bytes > plain_bytes + 200.0, "{bytes} B with {version}, {plain_bytes} B without TLS");
            handshake_bytes.push(bytes);
        }
        assert!(
            handshake_bytes[2] < handshake_bytes[1] - 50.0,
            "resuming spares the certificates: {handshake_bytes:?}"
        );
    }
}

/// One client, durable: every transaction is flushed to the redo log, and reads nothing from disk.
#[test]
fn what_a_transaction_costs_the_server_is_counted_beside_the_load() {
    let words = ["--target", "sandbox:mysql", "--threads", "1", "--time", "4", "--warmup-time", "1"];
    let results = tempfile::tempdir().unwrap();
    let write_only = |more: &[&str]| {
        let table = ["run", "oltp_write_only", "--tables", "1", "--table-size", "2000"];
        let (code, stdout, stderr) = output(&results, &[&table[..], &words, more].concat());
        assert_eq!(code, 0, "{stdout}{stderr}");
        (json(&results)["cells"][0]["costs"].clone(), stdout)
    };
    let (costs, text) = write_only(&[]);
    let cost = |id: &str| {
        let found = costs.as_array().unwrap().iter().find(|cost| cost["id"] == id);
        found.map(|cost| number(&cost["per_transaction"])).unwrap_or_else(|| panic!("no {id} in {costs}"))
    };
    assert!((0.8..6.0).contains(&cost("fsyncs")), "{costs}");
    assert!((50.0..20_000.0).contains(&cost("server_cpu")), "{costs}");
    assert!(cost("redo") > 300.0 && cost("disk_written") > 300.0, "{costs}");
    assert!(text.contains("per transaction  server CPU"), "{text}");
    let (none, text) = write_only(&["--observe", "off"]);
    assert!(none.is_null() && !text.contains("server CPU"), "{text}");
}
