//! A cause that is planted in a real server is among the first three findings of the run that it spoils.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::atomic::{AtomicBool, Ordering};

use sandbox::StartOptions;
use serde_json::Value;

use crate::common::{home, json, output};

/// (id, severity, evidence) of what is said of the only target of a run, in its order.
fn said(report: &Value) -> Vec<(String, String, String)> {
    let text = |one: &Value, key: &str| one["advice"][key].as_str().unwrap().to_owned();
    let items = report["advice"][0]["items"].as_array().unwrap();
    items.iter().map(|one| (text(one, "id"), text(one, "severity"), text(one, "evidence"))).collect()
}

/// A short run, and the report of it. Load from others, which tests are to each other, makes no difference here.
fn run(words: &[&str]) -> Value {
    let results = tempfile::tempdir().unwrap();
    let all = [&["run"], words, &["--time", "4", "--warmup-time", "1"]].concat();
    let (code, stdout, stderr) = output(&results, &all);
    assert_eq!(code, 0, "{words:?}: {stdout}{stderr}");
    json(&results)
}

/// The finding of that id, which must be among the first three.
fn found(report: &Value, id: &str) -> String {
    let said = said(report);
    let found = said.iter().take(3).find(|(one, _, _)| one == id);
    found.unwrap_or_else(|| panic!("{id} is not among the first three: {said:#?}")).2.clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

const SMALL: [&str; 4] = ["--tables", "2", "--table-size", "5000"];

#[test]
fn healthy_servers_cause_no_alarm_and_show_what_they_do() {
    for flavour in ["mysql", "mariadb"] {
        let target = format!("sandbox:{flavour}");
        let report = run(&[&["oltp_read_write", "--target", &target, "--threads", "4"], &SMALL[..]].concat());
        let said = said(&report);
        assert!(said.iter().all(|(_, severity, _)| severity != "high"), "{flavour}: {said:#?}");

        let cell = &report["cells"][0];
        let machine = &cell["machine"];
        assert_eq!(machine["server_is_here"], true, "{machine}");
        assert!(number(&machine["server_cpus"]) > 0.0 && number(&machine["cpu_user"]) > 0.0, "{machine}");
        assert!(number(&machine["round_trip_ms"]) > 0.0 && number(&machine["readings"]) >= 3.0, "{machine}");
        let plans = cell["plans"].as_array().unwrap();
        let range = plans.iter().find(|plan| plan["operation"] == "sum_range").unwrap();
        let step = &range["steps"][0];
        assert_eq!((step["access"].as_str(), step["key"].as_str()), (Some("range"), Some("PRIMARY")));
        // Rows come and go under the load, but the range stays a hundred ids wide.
        assert!((80.0..=110.0).contains(&number(&step["actual_rows"])), "{step}");
        let lines: Vec<&str> = cell["trials"][0]["observed"]["series"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line["id"].as_str().unwrap())
            .collect();
        assert!(
            ["server_cpu", "cpu_user", "fsyncs", "round_trip"].iter().all(|id| lines.contains(id)),
            "{lines:?}"
        );

        let tops = &cell["tops"];
        let threads = tops["threads"].as_array().unwrap();
        assert!(threads.iter().any(|thread| number(&thread["cpus"]) > 0.0), "{tops}");
        if flavour == "mysql" {
            let statements = tops["statements"].as_array().unwrap();
            let point = statements
                .iter()
                .find(|one| one["text"].as_str().unwrap() == "SELECT `c` FROM `sbtest#` WHERE `id` = ?");
            let each = number(&point.unwrap()["per_transaction"]);
            assert!((9.0..=11.0).contains(&each), "ten point selects a transaction, not {each}");
            assert!(
                tops["waits"].as_array().unwrap().iter().any(|one| number(&one["threads"]) > 0.0),
                "{tops}"
            );
            let binlog =
                cell["costs"].as_array().unwrap().iter().find(|cost| cost["id"] == "binlog").unwrap();
            assert!((500.0..5_000.0).contains(&number(&binlog["per_transaction"])), "{binlog}");
        } else {
            let unseen = &tops["unseen"][0];
            assert_eq!(unseen["why"], "performance_schema = OFF", "{unseen}");
        }
    }
}

#[test]
fn small_files_of_the_binary_log_are_seen_to_rotate() {
    let words = ["oltp_write_only", "--target", "sandbox:mysql?max_binlog_size=1M", "--threads", "8"];
    let evidence = found(&run(&[&words, &SMALL[..]].concat()), "binlog_rotations");
    assert!(evidence.contains("max_binlog_size = 1 MiB, a rotation every"), "{evidence}");
}

#[test]
fn a_small_buffer_pool_is_seen_to_miss() {
    for flavour in ["mysql", "mariadb"] {
        let target = format!("sandbox:{flavour}?innodb_buffer_pool_size=8M");
        let words = ["oltp_read_only", "--target", &target, "--threads", "4", "--rand-type", "uniform"];
        let report = run(&[&words, &["--tables", "1", "--table-size", "100000"][..]].concat());
        let evidence = found(&report, "buffer_pool_misses");
        assert!(evidence.contains("pages read from disk per transaction"), "{flavour}: {evidence}");
    }
}

#[test]
fn tables_are_seen_to_be_opened_again() {
    let words = ["oltp_read_only", "--target", "sandbox:mysql?table_open_cache=64", "--threads", "16"];
    let report = run(&[&words, &["--tables", "12", "--table-size", "1000"][..]].concat());
    let evidence = found(&report, "tables_reopened");
    assert!(evidence.contains("table_open_cache = 64"), "{evidence}");
}

#[test]
fn printed_deadlocks_are_seen_to_fill_the_log() {
    for flavour in ["mysql", "mariadb"] {
        let target = format!("sandbox:{flavour}?innodb_print_all_deadlocks=ON");
        let words = ["oltp_write_only", "--target", &target, "--threads", "16", "--rand-type", "uniform"];
        let report = run(&[&words, &["--tables", "1", "--table-size", "50"][..]].concat());
        let evidence = found(&report, "error_log_grows");
        assert!(evidence.contains("innodb_print_all_deadlocks = ON"), "{flavour}: {evidence}");
    }
}

#[test]
fn temporary_tables_on_disk_are_named() {
    for flavour in ["mysql", "mariadb"] {
        let target = format!("sandbox:{flavour}?tmp_table_size=16384");
        let words = ["oltp_read_only", "--target", &target, "--threads", "2"];
        let evidence = found(&run(&[&words, &SMALL[..]].concat()), "tmp_disk_tables");
        assert!(evidence.contains("tmp_table_size = 16 KiB"), "{flavour}: {evidence}");
    }
}

#[test]
fn a_delay_of_commits_and_a_distance_are_named() {
    for (key, id, evidence) in [
        ("binlog_group_commit_sync_delay=20000", "commit_delay", "binlog_group_commit_sync_delay = 20000: "),
        ("client_delay=5ms", "network_round_trips", "round trips: "),
    ] {
        let target = format!("sandbox:mysql?{key}");
        let words = ["oltp_read_write", "--target", &target, "--threads", "2"];
        let said = found(&run(&[&words, &SMALL[..]].concat()), id);
        assert!(said.starts_with(evidence) && said.contains(" ms of a transaction "), "{said}");
    }
}

#[test]
fn a_thread_pool_with_one_group_is_named() {
    let target = "sandbox:mariadb?thread_handling=pool-of-threads&thread_pool_size=1";
    let words = ["oltp_read_only", "--target", target, "--threads", "8"];
    let said = said(&run(&[&words, &SMALL[..]].concat()));
    // Where other programs leave no CPU idle it is not among the first.
    let named = said.iter().find(|(id, _, _)| id == "thread_pool_groups").map(|(_, _, evidence)| evidence);
    assert!(named.is_some_and(|it| it.starts_with("thread_pool_size = 1, CPUs: ")), "{said:#?}");
}

#[test]
fn a_missing_index_is_named_with_its_statement() {
    for flavour in ["mysql", "mariadb"] {
        let target = format!("sandbox:{flavour}");
        let words = ["select_random_points", "--target", &target, "--threads", "2", "--create-secondary=off"];
        let report = run(&[&words, &["--tables", "1", "--table-size", "20000"][..]].concat());
        let evidence = found(&report, "full_scan");
        assert!(
            evidence.contains("random_points reads all of sbtest1") && evidence.contains("WHERE k IN"),
            "{evidence}"
        );
    }
}

#[test]
fn serializable_on_hot_rows_is_named() {
    let words = ["oltp_read_write", "--threads", "16", "--rand-type", "pareto", "--tables", "1"];
    let target = "sandbox:mysql?transaction_isolation=SERIALIZABLE";
    let report = run(&[&words, &["--table-size", "1000", "--target", target][..]].concat());
    let evidence = found(&report, "row_lock_contention");
    assert!(evidence.contains("transaction_isolation = SERIALIZABLE"), "{evidence}");
    // What was measured does not hide the setting that explains it.
    let said = said(&report);
    assert!(said.iter().any(|(id, _, _)| id == "isolation"), "{said:#?}");
}

#[test]
fn loose_durability_is_said_first() {
    let words = ["oltp_write_only", "--target", "sandbox:mysql?innodb_flush_log_at_trx_commit=0"];
    let report = run(&[&words[..], &["--threads", "2"], &SMALL].concat());
    let first = said(&report).remove(0);
    assert_eq!((first.0.as_str(), first.1.as_str()), ("flush_log_at_commit", "high"), "{first:?}");
}

#[test]
fn a_quota_of_a_fifth_of_a_cpu_is_seen_to_throttle() {
    // So little that the server wants more even where other tests take most of the CPUs.
    let fifth = model::Place { cpu_quota: "0.2".parse().ok(), ..model::Place::default() };
    if let Err(error) = home().1.check_place(&fifth) {
        println!("not shown here: {error}");
        return;
    }
    for flavour in ["mysql", "mariadb"] {
        let target = format!("sandbox:{flavour}?cpu-quota=0.2");
        let words = ["oltp_read_only", "--target", &target, "--threads", "8"];
        let report = run(&[&words, &SMALL[..]].concat());
        let evidence = found(&report, "cpu_throttled");
        assert!(evidence.contains("of throttling per second"), "{flavour}: {evidence}");
        assert_eq!(report["targets"][0]["place"], "cpu-quota=0.2", "{flavour}");
    }
}

/// A MySQL server that ends with the test.
fn started(name: &str) -> sandbox::Server {
    started_as(model::Flavour::Mysql, name)
}

fn started_as(flavour: model::Flavour, name: &str) -> sandbox::Server {
    let spec = model::SandboxSpec {
        flavour,
        basedir: None,
        settings: Default::default(),
        tcp: false,
        tls: model::TlsMode::Disabled.into(),
        place: model::Place::default(),
    };
    home().1.start(&StartOptions::new(&format!("{name}-{}", std::process::id()), &spec)).unwrap()
}

/// What another session does to a server under load, again and again, and the finding of that id.
fn found_beside(flavour: model::Flavour, statements: &'static [&'static str], id: &str) -> String {
    let server = started_as(flavour, id);
    let results = tempfile::tempdir().unwrap();
    let file = format!("--defaults-file={}", server.socket().with_file_name("client.cnf").display());
    let ended = |verb: &str, more: &[&str]| {
        let words = [verb, "oltp_read_only", &file, "--tables", "1", "--table-size", "3000"];
        let (code, _, stderr) = output(&results, &[&words[..], more].concat());
        assert_eq!(code, 0, "{verb}: {stderr}");
    };
    ended("prepare", &[]);
    let connect = server.connect_options(Some("sbtest"));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let mut client = wire::Client::connect(&connect).unwrap();
            while !stop.load(Ordering::Relaxed) {
                statements.iter().for_each(|sql| _ = client.execute(sql).unwrap());
            }
        });
        ended("run", &["--threads", "2", "--time", "6", "--warmup-time", "1"]);
        stop.store(true, Ordering::Relaxed);
        other.join().unwrap();
    });
    let evidence = found(&json(&results), id);
    server.stop().unwrap();
    evidence
}

#[test]
fn heavy_statements_of_another_session_are_named() {
    let heavy = &["SELECT COUNT(*) FROM sbtest1 a JOIN sbtest1 b ON a.pad < b.pad"];
    let evidence = found_beside(model::Flavour::Mysql, heavy, "other_statements");
    assert!(evidence.contains("JOIN `sbtest#` `b` ON"), "{evidence}");
}

#[test]
fn a_lock_of_a_table_by_another_session_is_named() {
    let lock = &["LOCK TABLES sbtest1 WRITE", "DO SLEEP(2.5)", "UNLOCK TABLES", "DO SLEEP(0.2)"];
    let timed = found_beside(model::Flavour::Mysql, lock, "metadata_locks");
    assert!(timed.starts_with("waiting for metadata locks: "), "{timed}");
    // Without the performance schema it is seen in the process list.
    let seen = found_beside(model::Flavour::Mariadb, lock, "metadata_locks");
    assert!(seen.contains("in state \"Waiting for table metadata lock\" for up to "), "{seen}");
}

/// An event that computes, beside one client that is mostly idle.
#[test]
fn a_server_thread_that_is_saturated_is_named() {
    let server = started("saturated");
    let mut client = wire::Client::connect(&server.connect_options(None)).unwrap();
    let compute = "DO BENCHMARK(1000000000000, SHA2('a', 512))";
    client
        .execute(&format!("CREATE EVENT sbtest.busy ON SCHEDULE AT CURRENT_TIMESTAMP DO {compute}"))
        .unwrap();
    drop(client);
    let results = tempfile::tempdir().unwrap();
    let file = format!("--defaults-file={}", server.socket().with_file_name("client.cnf").display());
    let ended = |verb: &str, more: &[&str]| {
        let words = [verb, "oltp_point_select", &file, "--tables", "1", "--table-size", "1000"];
        let (code, _, stderr) = output(&results, &[&words[..], more].concat());
        assert_eq!(code, 0, "{verb}: {stderr}");
    };
    ended("prepare", &[]);
    // Where other programs take the CPUs, no thread can have one to itself: then it is tried again.
    let found = (0..5).find_map(|_| {
        ended("run", &["--threads", "1", "--rate", "20", "--time", "5", "--warmup-time", "1"]);
        let caveats = json(&results)["cells"][0]["caveats"].clone();
        let found = |id: &str| caveats.as_array().unwrap().iter().find(|one| one["id"] == id).cloned();
        let disturbed = found("other_processes").is_some();
        assert!(disturbed || found("saturated_thread").is_some(), "{caveats}");
        found("saturated_thread")
    });
    match found {
        Some(found) => {
            let said = found["text"]["en"].as_str().unwrap();
            assert!(said.starts_with("thread evt_wkr of ") && said.contains("executes an event"), "{said}");
            assert_eq!(found["severity"], "note");
        }
        None => println!("not shown here: other programs used the CPUs"),
    }
    server.stop().unwrap();
}

#[test]
fn an_account_that_may_see_little_is_told_what_it_does_not_see() {
    let server = started("poor");
    let mut client = wire::Client::connect(&server.connect_options(None)).unwrap();
    for sql in ["CREATE DATABASE poor", "CREATE USER poor IDENTIFIED BY 'p'", "GRANT ALL ON poor.* TO poor"] {
        client.execute(sql).unwrap();
    }
    drop(client);
    let results = tempfile::tempdir().unwrap();
    let socket = server.socket();
    let account = ["-u", "poor", "-pp", "-S", socket.to_str().unwrap(), "-D", "poor"];
    for (verb, more) in
        [("prepare", &[][..]), ("run", &["--threads", "2", "--time", "2", "--warmup-time", "0"])]
    {
        let (code, _, stderr) =
            output(&results, &[&[verb, "oltp_read_write"], &account[..], &SMALL[..], more].concat());
        assert_eq!(code, 0, "{verb}: {stderr}");
    }
    let cell = &json(&results)["cells"][0];
    let unseen = cell["tops"]["unseen"].as_array().unwrap();
    for what in ["statements", "waits", "binary log", "replication"] {
        let found = unseen.iter().find(|one| one["what"] == what);
        let why = found.unwrap_or_else(|| panic!("{what}: {unseen:?}"))["why"].as_str().unwrap();
        assert!(why.contains("denied"), "{what}: {why}");
    }
    // What anybody may see is there all the same.
    assert!(number(&cell["machine"]["round_trip_ms"]) > 0.0, "{}", cell["machine"]);
    assert!(cell["costs"].as_array().unwrap().iter().any(|cost| cost["id"] == "fsyncs"), "{}", cell["costs"]);
    server.stop().unwrap();
}

/// Parts of an explanation that are named, by their ids.
fn named(parts: &Value) -> Vec<&str> {
    let all = parts.as_array().unwrap().iter().filter(|part| part["named"] == true);
    all.map(|part| part["id"].as_str().unwrap()).collect()
}

#[test]
fn time_is_attributed_where_it_was_planted() {
    let results = tempfile::tempdir().unwrap();
    let words = ["sweep", "oltp_read_write", "--target", "plain=sandbox:mysql", "--threads", "2"];
    let planted = [
        "delayed=sandbox:mysql?binlog_group_commit_sync_delay=20000",
        "far=sandbox:mysql?client_delay=500us",
    ];
    let targets = planted.map(|target| ["--target", target]).concat();
    let times = ["--time", "2", "--warmup-time", "0.5", "--repeats", "3"];
    let (code, stdout, stderr) = output(&results, &[&words[..], &targets, &SMALL, &times].concat());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    let of = |target: &str| {
        let all = report["explanations"].as_array().unwrap();
        all.iter().find(|one| one["other"] == target).unwrap_or_else(|| panic!("{target}: {all:#?}"))
    };
    // The binary log is synced 20 ms later, which is all that makes a transaction longer.
    let delayed = of("delayed");
    let change_ms = number(&delayed["change_ms"]["mean"]);
    assert!((15.0..30.0).contains(&change_ms), "{delayed:#}");
    assert_eq!(
        (named(&delayed["statements"]), named(&delayed["resources"])),
        (vec!["commit"], vec!["commit_wait"])
    );
    // The part leads to its cause, which says by how much the targets differ in it.
    let first = |target: usize, id: &str| {
        let items = report["advice"][target]["items"].as_array().unwrap();
        let found = items.iter().take(3).find(|one| one["advice"]["id"] == id);
        let found = found.unwrap_or_else(|| panic!("{id} is not among the first three: {items:#?}"));
        found["advice"]["evidence"].as_str().unwrap().to_owned()
    };
    for (said, by) in [
        (first(1, "commit_delay"), "binlog_group_commit_sync_delay = 20000: "),
        (first(2, "network_round_trips"), "round trips: "),
    ] {
        assert!(said.starts_with(by) && said.ends_with(" ms more than on plain"), "{said}");
    }
    // Twenty statements go to the server and back, 1 ms each.
    let far = of("far");
    assert!((19.0..27.0).contains(&number(&far["change_ms"]["mean"])), "{far:#}");
    // A busy machine forwards packets late, too, which is not in the round trip of an idle server.
    assert_eq!(named(&far["resources"]).first(), Some(&"network"), "{far:#}");
    for (one, parts) in
        [(delayed, "statements"), (delayed, "resources"), (far, "statements"), (far, "resources")]
    {
        let sum: f64 = one[parts].as_array().unwrap().iter().map(|part| number(&part["other_ms"])).sum();
        let whole = number(&one["other_ms"]);
        assert!((sum - whole).abs() < 0.02 * whole, "{parts} add up to {sum} ms of {whole} ms");
    }
    let first = stdout.lines().find(|line| line.starts_with("A transaction takes")).unwrap_or_default();
    assert!(first.contains(" than on plain at 2 clients ("), "{stdout}");
}
