//! `doctor --prove` and `like=` on real servers.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;

use model::{Flavour, SandboxSpec};
use sandbox::StartOptions;
use serde_json::Value;

use crate::common::{home, json, mydyno, output};

/// Ids and effects of what was tried.
fn effects(proof: &Value) -> BTreeMap<String, String> {
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    proof["tried"].as_array().unwrap().iter().map(|one| (text(one, "id"), text(one, "effect"))).collect()
}

const SHORT: [&str; 10] = [
    "--threads=4",
    "--time=1",
    "--warmup=0.5",
    "--max-repeats=3",
    "--budget=2m",
    "--tables=1",
    "--table-size=1000",
    "--format=json",
    "--prove",
    "oltp_update_index",
];

#[test]
fn recommendations_are_tried_and_durability_has_its_price() {
    let results = tempfile::tempdir().unwrap();
    let target =
        "sandbox:mariadb?innodb_flush_log_at_trx_commit=0&general_log=ON&innodb_print_all_deadlocks=ON";
    let (code, stdout, stderr) = output(&results, &[&["doctor", target], &SHORT[..]].concat());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    let proof = &report["proofs"][0];
    let found = effects(proof);
    for id in ["flush_log_at_commit", "general_log", "print_all_deadlocks"] {
        assert!(found.contains_key(id), "{found:?}");
    }
    // A flush per commit costs more than any noise of a test machine.
    let flush =
        proof["tried"].as_array().unwrap().iter().find(|one| one["id"] == "flush_log_at_commit").unwrap();
    assert!(flush["ratio"].as_f64().unwrap() < 1.0, "{flush}");
    assert_eq!(flush["raises_durability"], true);
    assert_eq!(flush["set"][0], "innodb_flush_log_at_trx_commit = 1");
    assert!(proof["together"]["ratio"].is_f64(), "{proof}");
    // It is an experiment whose file runs on its own.
    let question = report["about"]["question"].as_str().unwrap();
    assert_eq!(question, "Which recommendations of doctor help oltp_update_index on mariadb?");
    assert!(stderr.contains("recommendations on sandboxes with the settings of this server"), "{stderr}");
}

#[test]
fn a_sandbox_has_the_settings_of_a_server_that_is_only_read() {
    let (_, home) = home();
    let settings = [
        ("innodb_flush_log_at_trx_commit", "2"),
        ("innodb_io_capacity", "1234"),
        ("innodb_buffer_pool_size", "128M"),
        ("max_connections", "77"),
        ("read_only", "ON"),
    ];
    let spec = SandboxSpec {
        tcp: true,
        ..SandboxSpec::new(
            Flavour::Mariadb,
            settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        )
    };
    let name = format!("like-{}", std::process::id());
    let server = home.start(&StartOptions::new(&name, &spec)).unwrap();
    let results = tempfile::tempdir().unwrap();
    let output = |words: &[&str]| {
        let ran = mydyno(&results, words).env("MYSQL_PWD", server.password().expose()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (ran.status.code().unwrap(), text(ran.stdout), text(ran.stderr))
    };
    let url = format!("mysql://{}@127.0.0.1:{}", sandbox::USER, server.port());
    let target = format!("sandbox:mariadb?like={url}&max_connections=88");
    let (code, stdout, stderr) = output(&["doctor", &target, "--format=json"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("flush_log_at_commit"), "{stdout}");
    let said = stderr.lines().find(|line| line.contains("taken over")).unwrap();
    assert!(said.contains("not taken over:") && said.contains("read_only"), "{said}");
    // What is said of the sandbox itself wins.
    let note: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(note["servers"][0]["server"]["connections_max"], 88, "{note}");

    let other = format!("sandbox:mysql?like={url}");
    let (code, _, stderr) = output(&["doctor", &other]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("it is mariadb, and the sandbox that is to be like it is mysql"), "{stderr}");
    let (code, _, stderr) = output(&["doctor", "sandbox:mariadb?like=mysql://nobody@127.0.0.1:1"]);
    assert_ne!(code, 0, "{stderr}");
    assert!(stderr.contains("127.0.0.1:1"), "{stderr}");
}

#[test]
fn what_cannot_be_proved_is_refused_before_anything_starts() {
    let results = tempfile::tempdir().unwrap();
    let refused = |words: &[&str]| {
        let (code, _, stderr) = output(&results, words);
        assert_eq!(code, 2, "{words:?}: {stderr}");
        stderr
    };
    let external = refused(&["doctor", "mysql://root@127.0.0.1:1", "--prove", "oltp_read_only"]);
    assert!(external.contains("never on an external server"), "{external}");
    let two = refused(&["doctor", "sandbox:mysql", "sandbox:mariadb", "--prove", "oltp_read_only"]);
    assert!(two.contains("one server, and 2 are named"), "{two}");
    let clients = refused(&["doctor", "sandbox:mysql", "--prove", "oltp_read_only", "--threads", "1,8"]);
    assert!(clients.contains("one number of clients"), "{clients}");
    let like = refused(&["doctor", "sandbox:mysql?like=sandbox:mysql"]);
    assert!(like.contains("like= names one server"), "{like}");
}
