//! Reads on replicas: which server is asked what, and whether it shows what was committed.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::Value;

use crate::common::{json, output};

/// What the servers of a cell were asked: the name of each with its count.
fn by_server(cell: &Value) -> Vec<(String, u64)> {
    let all = cell["operations"].as_array().unwrap().iter().filter(|one| one["kind"] == "server");
    all.map(|one| (one["name"].as_str().unwrap().to_owned(), one["count"].as_u64().unwrap())).collect()
}

/// The workload decides what goes to the replicas: whole transactions, some types of them, or single statements.
#[test]
fn what_only_reads_goes_to_the_replicas_and_what_writes_to_the_primary() {
    let results = tempfile::tempdir().unwrap();
    let words: Vec<&str> =
        "sweep oltp_read_only oltp_read_write tpcc --skip-trx --target \
                ha=sandbox:mysql?topology=async&members=3&reads=replicas&innodb_buffer_pool_size=128M --threads \
                4 --time 3 --warmup-time 1 --repeats 1 --tables 2 --table-size 1000 --warehouses 1 \
                --bookend=off --rand-seed 7"
            .split_whitespace()
            .collect();
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    let of = |workload: &str| {
        let at = report["workloads"].as_array().unwrap().iter().position(|one| one["name"] == workload);
        report["cells"].as_array().unwrap().iter().find(|cell| cell["workload"] == at.unwrap()).unwrap()
    };
    let cells = [of("oltp_read_only"), of("oltp_read_write"), of("tpcc")];
    let names = |cell: &Value| by_server(cell).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names(cells[0]), ["transaction@ha:2", "transaction@ha:3"], "{stdout}");
    assert_eq!(names(cells[1]), ["statement@ha", "statement@ha:2", "statement@ha:3"], "{stdout}");
    assert_eq!(names(cells[2]), ["transaction@ha", "transaction@ha:2", "transaction@ha:3"], "{stdout}");
    for cell in cells {
        let counts = by_server(cell);
        assert!(counts.iter().all(|(_, count)| *count > 0), "{counts:?}");
        let says = cell["by_server"]["en"].as_str().unwrap();
        assert!(says.contains("ha:2 ") && says.contains("/s, p50 "), "{says}");
        let stale = cell["together"]["reads"]["en"].as_str().unwrap();
        assert!(
            stale.contains(" on ha:2 and ") && stale.contains(" on ha:3). On the slowest replica"),
            "{stale}"
        );
    }
    // Every transaction ran on one server, and every statement.
    let sum = |cell: &Value| by_server(cell).into_iter().map(|(_, count)| count).sum::<u64>();
    assert_eq!(sum(cells[0]), cells[0]["totals"]["transactions"].as_u64().unwrap());
    assert_eq!(sum(cells[1]), cells[1]["totals"]["queries"].as_u64().unwrap());
    assert_eq!(sum(cells[2]), cells[2]["totals"]["transactions"].as_u64().unwrap());
    // 14 of 18 statements of a transaction of sysbench's only read.
    let statements = by_server(cells[1]);
    let on_replicas = (statements[1].1 + statements[2].1) as f64 / sum(cells[1]) as f64;
    assert!((on_replicas - 14.0 / 18.0).abs() < 0.01, "{statements:?}");
    // Order-Status and Stock-Level are 8.7 % of TPC-C's deck.
    let types = by_server(cells[2]);
    let on_replicas = (types[1].1 + types[2].1) as f64 / sum(cells[2]) as f64;
    assert!((0.01..0.25).contains(&on_replicas), "{types:?}");
    assert_eq!(cells[2]["together"]["compared"], 9, "{stdout}");
    assert!(stdout.contains("Transactions by server: ha "), "{stdout}");
}

#[test]
fn a_workload_without_reads_of_its_own_is_refused() {
    let results = tempfile::tempdir().unwrap();
    let target = "ha=sandbox:mysql?topology=async&reads=replicas";
    let (code, _, stderr) = output(&results, &["run", "oltp_read_write", "--target", target]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("to the replicas of 'ha', and oltp_read_write has none"), "{stderr}");
    assert!(stderr.contains("skip_trx"), "{stderr}");
}
