//! What a run shows of itself while it goes on: metrics for Prometheus, and the lines of a terminal.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{json, mydyno, output};

const SMALL: [&str; 10] = [
    "--tables",
    "1",
    "--table-size",
    "1000",
    "--time",
    "6",
    "--warmup-time",
    "1",
    "--set",
    "innodb_buffer_pool_size=128M",
];

/// Status, headers in lower case, body.
fn get(address: &str, path: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), head.to_lowercase(), body.to_owned())
}

/// The sum of a family's samples.
fn total(text: &str, name: &str) -> f64 {
    let samples = text.lines().filter(|line| line.split(['{', ' ']).next() == Some(name));
    samples.map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap()).sum()
}

#[test]
fn prometheus_reads_a_run_that_goes_on() {
    let results = tempfile::tempdir().unwrap();
    let words = ["run", "oltp_read_write", "--target", "sandbox:mariadb", "--threads", "2"];
    let more = ["--metrics-listen", ":0"];
    let mut command = mydyno(&results, &[&words[..], &SMALL, &more].concat());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let line = said.find(|line| line.starts_with("metrics")).unwrap();
    assert!(line.contains("this machine only"), "{line}");
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{line}");

    let (status, _, body) = get(&address, "/");
    assert!(status == 404 && body.contains("/metrics") && body.lines().count() == 1, "{status} {body}");
    // From the first second on, and a second of it later.
    let patience = Instant::now() + Duration::from_secs(300);
    let scrape = |beyond: f64| loop {
        let (status, head, body) = get(&address, "/metrics?x=y");
        assert!(status == 200 && body.ends_with("# EOF\n"), "{head}");
        let kind = "content-type: application/openmetrics-text; version=1.0.0; charset=utf-8";
        assert!(head.contains(kind), "{head}");
        if total(&body, "mydyno_trial_elapsed_seconds") > beyond {
            return body;
        }
        assert!(Instant::now() < patience, "{body}");
        std::thread::sleep(Duration::from_millis(100));
    };
    let first = scrape(1.5);
    let second = scrape(total(&first, "mydyno_trial_elapsed_seconds") + 1.5);
    for name in [
        "mydyno_transactions_total",
        "mydyno_queries_total",
        "mydyno_response_time_seconds_count",
        "mydyno_generator_cpu_seconds_total",
        "mydyno_server_process_cpu_seconds_total",
        "mydyno_host_cpu_seconds_total",
        "mydyno_received_bytes_total",
    ] {
        let (before, after) = (total(&first, name), total(&second, name));
        assert!(0.0 < before && before < after, "{name}: {before}, {after}");
    }
    assert!(total(&second, "mydyno_server_status") > 0.0);
    assert_eq!(total(&second, "mydyno_clients"), 2.0);
    let labels = r#"{target="mariadb",workload="oltp_read_write",threads="2",repeat="1"}"#;
    assert!(second.contains(&format!("mydyno_trial_running{labels} 1")), "{second}");
    said.for_each(drop);
    assert!(child.wait().unwrap().success());
    assert_eq!(json(&results)["cells"][0]["status"], "completed");
    assert!(TcpStream::connect(&address).is_err(), "it listens no more");
}

#[test]
fn an_address_that_cannot_be_had_stops_before_anything_is_started() {
    let results = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let words =
        |address| ["run", "oltp_read_write", "--target", "sandbox:mariadb", "--metrics-listen", address];
    let (code, stdout, stderr) = output(&results, &words(&address));
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.contains(&format!("{address}: something listens there already")), "{stderr}");
    let (code, _, stderr) = output(&results, &words("http://here"));
    assert!(code == 2 && stderr.contains("HOST:PORT"), "{stderr}");
    assert!(!results.path().join("results").exists(), "nothing was started");
}
