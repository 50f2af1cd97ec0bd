//! MySQL Router between the clients and the servers of a target: it carries the load, and what it costs is said.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::process::Stdio;

use crate::common::{home, json, mydyno, output};
use crate::topologies::{entry, found, signal};

fn words<'a>(target: &'a str, time: &'a str) -> Vec<&'a str> {
    let mut words = vec!["run", "oltp_read_write", "--target", target, "--time", time];
    words.extend(["--threads", "4", "--tables", "2", "--table-size", "10000"]);
    words
}

#[test]
fn a_group_behind_a_router_carries_the_load_and_its_cost_is_said() {
    let (_, home) = home();
    home.install_router(&mut |_| {}).unwrap();
    let results = tempfile::tempdir().unwrap();
    let target = "sandbox:mysql?topology=group&via=router&innodb_buffer_pool_size=128M";
    let (code, stdout, stderr) = output(&results, &words(target, "4"));
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("Clients connected through MySQL Router "), "{stdout}");
    let report = json(&results);
    let cell = &report["cells"][0];
    assert_eq!(cell["together"]["compared"], 2, "{cell}");
    let router = &cell["router"];
    let figure = |value: &serde_json::Value| value.as_f64().unwrap_or_default();
    let trip = &router["round_trip"];
    assert!(figure(&trip["direct_p50_us"]) > 1.0, "{router}");
    assert!(figure(&trip["added_p50_us"]) > 0.0, "{router}");
    assert!(figure(&trip["through_p99_us"]) >= figure(&trip["through_p50_us"]), "{router}");
    assert!(figure(&router["cpus"]) > 0.0 && figure(&router["cpu_us_per_transaction"]) > 1.0, "{router}");
    assert!(figure(&router["memory_bytes"]) > 1e6, "{router}");
    let (_, markdown, _) = output(&results, &["report", "latest", "--format", "markdown", "--lang", "zh"]);
    assert!(markdown.contains("客户端经由 MySQL Router "), "{markdown}");
}

#[test]
fn clients_of_a_router_are_spread_over_several_primaries() {
    let (_, home) = home();
    home.install_router(&mut |_| {}).unwrap();
    let target = "sandbox:mysql?topology=group&multi_primary=on&via=router&innodb_buffer_pool_size=128M";
    let commits = crate::topologies::commits(target);
    assert_eq!(commits.len(), 3);
    assert!(commits.iter().all(|count| *count > 10), "{commits:?}");
}

/// The trial fails with a reason, and neither the router nor its servers stay behind.
#[test]
fn a_router_that_dies_fails_the_trial() {
    let (_, home) = home();
    home.install_router(&mut |_| {}).unwrap();
    let results = tempfile::tempdir().unwrap();
    let target = "router=sandbox:mysql?via=router&innodb_buffer_pool_size=128M";
    let mut run = mydyno(&results, &words(target, "60"));
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let server = found(|| entry(&home.root().join("servers"), "run-router-", &format!("-{}", run.id())));
    found(|| {
        let trials = entry(&results.path().join("results"), "2", "")?.join("trials");
        entry(&trials, "", "")?.join("observations.jsonl").exists().then_some(())
    });
    let process = std::fs::read_to_string(server.join("router/process.json")).unwrap();
    let process: serde_json::Value = serde_json::from_str(&process).unwrap();
    signal("KILL", &process["pid"].to_string());
    assert_eq!(run.wait().unwrap().code(), Some(1));
    let (_, text, _) = output(&results, &["report", "latest", "--format", "text"]);
    assert!(text.contains("Not valid") && text.contains("MySQL Router died: killed by signal 9"), "{text}");
    assert!(!server.exists());
}

/// A target with a router is compared with one without it.
#[test]
fn a_router_is_a_level_of_a_factor() {
    let (_, home) = home();
    home.install_router(&mut |_| {}).unwrap();
    let results = tempfile::tempdir().unwrap();
    let text = "workload = \"oltp_point_select\"\ntarget = \"sandbox:mysql?innodb_buffer_pool_size=128M\"\n\
                [load]\nclients = [2]\ntime = 1\nwarmup_time = 0\n[design]\nrepeats = 1\n\
                [defaults]\ntables = 1\ntable_size = 1000\n\
                [[factor]]\npath = \"target.via\"\nlevels = [\"direct\", \"router\"]\n";
    std::fs::write(results.path().join("via.toml"), text).unwrap();
    let (code, stdout, stderr) = output(&results, &["run", "via.toml"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    let cells = report["cells"].as_array().unwrap();
    let through: Vec<bool> = cells.iter().map(|cell| !cell["router"].is_null()).collect();
    assert_eq!(through, [false, true], "{stdout}");
    assert!(stdout.contains("Clients connected through MySQL Router "), "{stdout}");
}
