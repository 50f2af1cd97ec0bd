//! Workloads in files, on real servers.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::fs;

use model::{Flavour, SandboxSpec};
use sandbox::StartOptions;
use serde_json::Value;
use tempfile::TempDir;
use wire::Client;

use crate::common::{home, json, output};

fn run(results: &TempDir, words: &str) -> (i32, String, String) {
    output(results, &words.split_whitespace().collect::<Vec<_>>())
}

/// Calls of each operation of a cell.
fn counts(cell: &Value) -> Vec<(String, u64)> {
    let all = cell["operations"].as_array().unwrap().iter();
    all.map(|one| (one["name"].as_str().unwrap().to_owned(), one["count"].as_u64().unwrap())).collect()
}

fn count(cell: &Value, name: &str) -> u64 {
    counts(cell).into_iter().find(|(known, _)| known == name).map_or(0, |(_, count)| count)
}

/// A user's way: a file to start from, a look at it, a comparison of two servers with a report.
#[test]
fn a_new_file_is_checked_and_compares_two_servers() {
    let results = tempfile::tempdir().unwrap();
    let (code, stdout, stderr) = run(&results, "workload new shop.toml");
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (code, _, stderr) = run(&results, "workload new shop.toml");
    assert!(code == 1 && stderr.contains("shop.toml cannot be written"), "{code} {stderr}");

    let (code, stdout, stderr) =
        run(&results, "workload check shop.toml --scale 0.05 --target sandbox:mysql");
    assert_eq!(code, 0, "{stdout}{stderr}");
    for part in [
        "shop: 3 transactions, 4 statements, 1 table with 5,000 rows",
        "values of pay",
        "4 statements prepared",
    ] {
        assert!(stdout.contains(part), "{part}\n{stdout}");
    }
    assert!(!stderr.contains("! "), "{stderr}");

    let words = "sweep shop.toml --target sandbox:mysql --target sandbox:mariadb --threads 4 --time 2 --warmup-time 1 \
                 --repeats 2 --scale 0.05 --drift-check=off";
    let (code, stdout, stderr) = run(&results, words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    assert_eq!(report["workloads"][0]["name"], "shop");
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    for cell in cells {
        for name in ["look", "pay", "order", "look_1", "find", "mark", "order_1", "begin", "commit"] {
            assert!(count(cell, name) > 0, "{name}: {:?}", counts(cell));
        }
        // A tenth of the orders is new, so that most of those found are not to be paid.
        assert!(count(cell, "mark") < count(cell, "find"), "{:?}", counts(cell));
        assert!(cell["errors"].as_array().is_none_or(Vec::is_empty), "{}", cell["errors"]);
    }
    // The recording has the file with it.
    fs::remove_file(results.path().join("shop.toml")).unwrap();
    let spec = fs::read_dir(results.path().join("results"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path()
        .join("spec.toml");
    let (code, stdout, stderr) = run(&results, &format!("plan {}", spec.display()));
    assert!(code == 0 && stdout.contains("4 trials"), "{stdout}{stderr}");
}

/// Those that come along run (YCSB B and C are parts of A) on both servers without an error.
#[test]
fn the_workloads_that_come_along_run_on_both_servers() {
    let results = tempfile::tempdir().unwrap();
    let words = "sweep documents,queue,time_series,transfers,wide_rows,ycsb_a,ycsb_d,ycsb_e,ycsb_f \
                 --target sandbox:mysql?innodb_flush_log_at_trx_commit=0 \
                 --target sandbox:mariadb?innodb_flush_log_at_trx_commit=0 \
                 --threads 4 --time 0.5 --warmup-time 0.1 --repeats 1 --scale 0.02 --drift-check=off --observe off";
    let (code, stdout, stderr) = run(&results, words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 18);
    for cell in cells {
        assert!(cell["totals"]["transactions"].as_u64().unwrap() > 0, "{cell}");
        let errors = cell["errors"].as_array();
        let fatal = errors.is_some_and(|all| all.iter().any(|error| error["forgiven"] == false));
        assert!(!fatal, "{}", cell["errors"]);
    }
}

/// An exact mix in statements, and values that hold across the statements of a transaction.
#[test]
fn a_mix_is_exact_and_money_is_neither_made_nor_lost() {
    let results = tempfile::tempdir().unwrap();
    let file = r#"
        mix = "exact"
        [[table]]
        name = "accounts"
        rows = 100
        column = [
            { name = "id", type = "INT NOT NULL", value = { sequence = 1 } },
            { name = "balance", type = "DECIMAL(14, 2) NOT NULL", value = "1000.00" },
        ]
        primary_key = "id"
        [[table]]
        name = "ledger"
        rows = 0
        column = [
            { name = "id", type = "BIGINT NOT NULL AUTO_INCREMENT" },
            { name = "payer", type = "INT NOT NULL" },
            { name = "before_it", type = "DECIMAL(14, 2) NULL" },
            { name = "note", type = "VARCHAR(20) NULL" },
            { name = "proof", type = "BLOB NULL" },
        ]
        primary_key = "id"
        [[transaction]]
        name = "transfer"
        weight = 3
        statement = [
            { name = "find", sql = "SELECT balance FROM accounts WHERE id = :payer FOR UPDATE", keep = "balance" },
            { name = "take", sql = "UPDATE accounts SET balance = balance - :amount WHERE id = :payer", if = "find" },
            { name = "give", sql = "UPDATE accounts SET balance = balance + :amount WHERE id = :payee", if = "take" },
            { name = "note", sql = "INSERT INTO ledger (payer, before_it, note, proof) VALUES (:payer, :balance, :note, :proof)" },
            { name = "missing", sql = "UPDATE accounts SET balance = 0 WHERE id = -1" },
            { name = "never", sql = "UPDATE accounts SET balance = 0 WHERE id = :payer", if = "missing" },
            { name = "always", sql = "SELECT COUNT(*) FROM ledger WHERE payer = :payer", unless = "missing" },
        ]
        values.payer = { uniform = [1, 50] }
        values.payee = { uniform = [51, 100] }
        values.amount = { decimal = ["0.01", "9.99"] }
        values.note = { letters = [1, 20], null = 0.5 }
        values.proof = { bytes = [0, 40], null = 0.2 }
        [[transaction]]
        name = "sum"
        weight = 1
        statement = [
            { name = "total", sql = "SELECT total FROM (SELECT SUM(balance) AS total FROM accounts) AS t WHERE total <> 100000.00", repeat = 2 },
            { name = "lost", sql = "SELECT 1", if = "total" },
        ]
        autocommit = true
    "#;
    fs::write(results.path().join("bank.toml"), file).unwrap();
    for (flavour, prepared) in [("mysql", true), ("mariadb", true), ("mysql", false)] {
        let text = if prepared { file.to_owned() } else { format!("prepared = false\n{file}") };
        fs::write(results.path().join("bank.toml"), text).unwrap();
        let words = format!(
            "run bank.toml --target sandbox:{flavour} --threads 4 --events 400 --time 0 --allow-failing-cells=off"
        );
        let words = words.replace(" --allow-failing-cells=off", "");
        let (code, stdout, stderr) = run(&results, &words);
        assert_eq!(code, 0, "{stdout}{stderr}");
        let report = json(&results);
        let cell = &report["cells"][0];
        let transfers = count(cell, "transfer");
        // Four clients have a deck each, of which the last may be begun.
        assert!(
            (296..=304).contains(&transfers) && count(cell, "sum") == 400 - transfers,
            "{:?}",
            counts(cell)
        );
        assert_eq!((count(cell, "total"), count(cell, "lost")), (2 * count(cell, "sum"), 0));
        assert_eq!(
            (count(cell, "never"), count(cell, "missing")),
            (0, count(cell, "always")),
            "{:?}",
            counts(cell)
        );
        assert!(
            count(cell, "give") == count(cell, "take") && count(cell, "note") >= transfers,
            "{:?}",
            counts(cell)
        );
    }
}

/// On a server of the user's own nothing is restored: new rows begin after those that the run before has left.
#[test]
fn a_second_run_on_a_server_adds_its_rows_after_those_of_the_first() {
    let results = tempfile::tempdir().unwrap();
    let file = r#"
        [[table]]
        name = "log"
        rows = 10
        column = [{ name = "id", type = "INT UNSIGNED NOT NULL", value = { sequence = 1 } }]
        primary_key = "id"
        [[transaction]]
        name = "add"
        statement = "INSERT INTO log VALUES (:id)"
        values.id = { new_row_of = "log" }
    "#;
    fs::write(results.path().join("log.toml"), file).unwrap();
    let (_, home) = home();
    let name = format!("t-files-{}", std::process::id());
    let server =
        home.start(&StartOptions::new(&name, &SandboxSpec::new(Flavour::Mysql, BTreeMap::new()))).unwrap();
    let options = server.dir().join("client.cnf");
    let with = |words: &str| format!("{words} --defaults-file={} --database=files", options.display());
    let (code, stdout, stderr) = run(&results, &with("prepare log.toml"));
    assert!(code == 0 && stdout.contains("10 rows loaded"), "{stdout}{stderr}");
    for _ in 0..2 {
        let (code, stdout, stderr) = run(&results, &with("run log.toml --threads 3 --events 50 --time 0"));
        assert_eq!(code, 0, "{stdout}{stderr}");
        assert_eq!(count(&json(&results)["cells"][0], "add_1"), 50);
    }
    let mut client = Client::connect(&server.connect_options(Some("files"))).unwrap();
    let rows = client.query("SELECT COUNT(*), MAX(id) FROM log").unwrap();
    assert_eq!((rows.rows[0].text(0), rows.rows[0].text(1)), (Some("110"), Some("110")));
    let (code, stdout, stderr) = run(&results, &with("cleanup log.toml"));
    assert!(code == 0 && stdout.contains("dropped log"), "{stdout}{stderr}");
    client.execute("CREATE TABLE log (id INT)").unwrap();
    let (code, stdout, stderr) = run(&results, &with("cleanup log.toml"));
    assert!(code == 0 && stderr.contains("log is left alone: mydyno did not create it"), "{stdout}{stderr}");
    server.stop().unwrap();
}

#[test]
fn what_is_wrong_with_a_file_is_said_before_a_server_is_asked() {
    let results = tempfile::tempdir().unwrap();
    let write = |text: &str| fs::write(results.path().join("w.toml"), text).unwrap();
    let (code, _, stderr) = run(&results, "sweep w.toml --target sandbox:mysql");
    assert!(code == 2 && stderr.contains("w.toml cannot be read"), "{code} {stderr}");
    write("[[transaction]]\nname = \"a\"\nstatement = \"SELECT :x\"\n");
    let (code, _, stderr) = run(&results, "sweep w.toml --target sandbox:mysql");
    assert!(code == 2 && stderr.contains("statement a_1: :x has no value"), "{code} {stderr}");
    write("[[transaction]]\nname = \"a\"\nstatment = \"SELECT 1\"\n");
    let (code, _, stderr) = run(&results, "workload check w.toml");
    assert!(code == 2 && stderr.contains("line 3") && stderr.contains("statment"), "{code} {stderr}");
    write("[[transaction]]\nname = \"a\"\nstatement = \"SELECT nothing FROM nowhere\"\n");
    let (code, stdout, stderr) = run(&results, "workload check w.toml --target sandbox:mysql");
    assert!(
        code == 3 && stderr.contains("nowhere") && stderr.contains("1 statement cannot be prepared"),
        "{code} {stdout}{stderr}"
    );
    let (code, _, stderr) = run(&results, "workload check oltp_read_write");
    assert!(code == 2 && stderr.contains("built in"), "{code} {stderr}");
    let (code, stdout, _) = run(&results, "workload show ycsb-a");
    assert!(code == 0 && stdout.contains("usertable"), "{stdout}");
    let (code, stdout, _) = run(&results, "workload list");
    assert!(code == 0 && stdout.contains("oltp_read_write") && stdout.contains("queue"), "{stdout}");
}
