//! `mydyno diff` on real servers: planted differences are found, recordings compare with servers, and the table of
//! defaults is what the servers say of themselves.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;

use knowledge::variables::{VariableDefault, entries, same};
use model::{Flavour, SandboxSpec};
use sandbox::StartOptions;
use serde_json::Value;
use tempfile::TempDir;
use wire::Client;

use crate::common::{home, output};

fn diff(results: &TempDir, words: &[&str]) -> Value {
    let (code, stdout, stderr) = output(results, &[&["diff", "--format", "json"], words].concat());
    assert_eq!(code, 0, "differences are no failure: {stderr}");
    serde_json::from_str(&stdout).unwrap()
}

fn names(found: &Value) -> Vec<&str> {
    found["differences"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

fn one<'a>(found: &'a Value, name: &str) -> &'a Value {
    let all = found["differences"].as_array().unwrap();
    all.iter()
        .find(|one| one["name"] == name)
        .unwrap_or_else(|| panic!("{name} is not in {:?}", names(found)))
}

#[test]
fn a_planted_difference_is_all_that_differs_between_two_sandboxes() {
    let results = tempfile::tempdir().unwrap();
    let planted = "fast=sandbox:mysql?innodb_flush_log_at_trx_commit=2&innodb_buffer_pool_size=256M";
    let found = diff(&results, &["sandbox:mysql", planted]);
    assert_eq!(names(&found), ["innodb_flush_log_at_trx_commit", "innodb_buffer_pool_size"]);
    let pool = one(&found, "innodb_buffer_pool_size");
    assert_eq!(
        (&pool["unit"], &pool["values"][1]["shown"], &pool["values"][1]["default"]),
        (&"bytes".into(), &"256 MiB".into(), &"128 MiB".into())
    );
    assert_eq!(found["warnings"][0]["id"], "durability");
    let (code, text, stderr) = output(&results, &["diff", "sandbox:mysql", planted]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        text.starts_with("! durability differs: mysql durable ("),
        "the warning is the first thing: {text}"
    );
    assert!(text.contains("set innodb_flush_log_at_trx_commit=1 for fast"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn two_servers_that_are_alike_are_said_to_be() {
    let results = tempfile::tempdir().unwrap();
    let (code, text, stderr) = output(&results, &["diff", "sandbox:mariadb", "sandbox:mariadb"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(text.contains("No variable that matters differs") && !text.contains("! "), "{text}");
}

#[test]
fn mysql_and_mariadb_are_matched_where_names_mean_the_same() {
    let results = tempfile::tempdir().unwrap();
    let found = diff(&results, &["sandbox:mysql", "sandbox:mariadb", "--workload", "oltp_read_only"]);
    let shown: Vec<&str> = names(&found);
    assert!(
        !shown.contains(&"transaction_isolation") && !shown.contains(&"innodb_redo_log_capacity"),
        "{shown:?}"
    );
    let workers = one(&found, "replica_parallel_workers");
    assert_eq!(workers["values"][1]["name"], "slave_parallel_threads");
    let capacity = one(&found, "innodb_io_capacity");
    assert_eq!(
        (&capacity["values"][0]["is_default"], &capacity["values"][1]["is_default"], &capacity["is_idle"]),
        (&true.into(), &true.into(), &true.into())
    );
    assert_eq!(found["warnings"][0]["id"], "binary_log");
    let words = ["diff", "sandbox:mysql", "sandbox:mariadb", "--workload", "oltp_read_only"];
    let (_, text, _) = output(&results, &words);
    assert!(text.contains("no effect on this read-only workload"), "{text}");
}

#[test]
fn a_recording_compares_with_a_server_and_a_mistyped_one_is_told() {
    let results = tempfile::tempdir().unwrap();
    let run = [
        "run",
        "oltp_read_only",
        "--target",
        "sandbox:mysql",
        "--time",
        "1",
        "--warmup-time",
        "0",
        "--threads",
        "1",
    ];
    assert_eq!(output(&results, &run).0, 0);
    let found = diff(&results, &["latest", "sandbox:mysql?sort_buffer_size=1M"]);
    assert_eq!(names(&found), ["sort_buffer_size"]);
    assert_eq!(found["load"]["workloads"][0], "oltp_read_only");
    let columns = found["columns"].as_array().unwrap();
    assert!(columns[0]["run"].is_string() && columns[1]["run"].is_null(), "{columns:?}");
    assert_ne!(columns[0]["label"], columns[1]["label"]);
    let wrong = |words: &[&str], message: &str| {
        let (code, stdout, stderr) = output(&results, &[&["diff"], words].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.starts_with(&format!("mydyno: {message}")) && stderr.lines().count() <= 3, "{stderr}");
    };
    wrong(&["lates", "sandbox:mysql"], "no recording 'lates' in results");
    wrong(&["latest:mysq", "sandbox:mysql"], "recording ");
    wrong(&["latest"], "diff needs a second server or recording");
}

/// What each server says its defaults are.
const MYSQL: &str = "SELECT variable_name, variable_value FROM performance_schema.global_variables \
                     JOIN performance_schema.variables_info USING (variable_name) WHERE variable_source = 'COMPILED'";
const MARIADB: &str = "SELECT LOWER(variable_name), default_value FROM information_schema.system_variables WHERE default_value IS NOT NULL";
/// What a server shows as its default although it starts with something else.
const NOT_SO: [(Flavour, &str, &str); 2] = [
    // The package's build; MariaDB's own is latin1, which `mariadbd --no-defaults --help` says.
    (Flavour::Mariadb, "character_set_server", "utf8mb4"),
    (Flavour::Mariadb, "collation_server", "utf8mb4_general_ci"),
];

#[test]
fn the_defaults_in_the_table_are_those_of_the_servers() {
    let (_, home) = home();
    for (flavour, sql) in [(Flavour::Mysql, MYSQL), (Flavour::Mariadb, MARIADB)] {
        let spec = SandboxSpec {
            flavour,
            basedir: None,
            settings: BTreeMap::new(),
            tcp: false,
            tls: model::TlsMode::Disabled.into(),
            place: model::Place::default(),
        };
        let name = format!("defaults-{}-{}", flavour.name(), std::process::id());
        let server = home.start(&StartOptions::new(&name, &spec)).unwrap();
        let mut client = Client::connect(&server.connect_options(None)).unwrap();
        let found = client.query(sql).unwrap();
        let version = client.query("SELECT VERSION()").unwrap().first().unwrap().text(0).unwrap().to_owned();
        let said: BTreeMap<String, String> = found
            .rows
            .iter()
            .map(|row| {
                (same::name(row.text(0).unwrap()).to_owned(), row.text(1).unwrap_or_default().to_owned())
            })
            .collect();
        server.stop().unwrap();
        let version = knowledge::version(&version);
        let mut checked = 0;
        let mut wrong = Vec::new();
        for (_, entry) in entries() {
            let (Some(VariableDefault::Is(table)), Some(real)) =
                (entry.default(flavour, version), said.get(&entry.name))
            else {
                continue;
            };
            checked += 1;
            let equal = same::value(&entry.name, table) == same::value(&entry.name, real);
            if !equal && !NOT_SO.contains(&(flavour, entry.name.as_str(), real)) {
                wrong.push(format!("{}: {table} in the table, {real} in the server", entry.name));
            }
        }
        assert!(wrong.is_empty(), "{flavour:?} {version:?}: {wrong:#?}");
        assert!(checked > 100, "{flavour:?}: only {checked}");
        println!("{flavour:?} {version:?}: {checked} defaults");
    }
}
