//! `mydyno import`: what another tool measured is reported and compared like what mydyno measured.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::CommandCargoExt;
use serde_json::Value;
use tempfile::TempDir;

/// No server is needed, so there is no home of servers either.
fn output(place: &TempDir, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("mydyno").unwrap();
    command.args(words).env_clear().env("HOME", place.path()).current_dir(place.path()).stdin(Stdio::null());
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

fn data(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../import/tests/data").join(file);
    path.canonicalize().unwrap().display().to_string()
}

/// The directory that an import made.
fn import(place: &TempDir, words: &[&str]) -> String {
    let (code, stdout, stderr) = output(place, &[&["import"], words].concat());
    assert_eq!(code, 0, "{stderr}");
    stdout.trim().to_owned()
}

fn report(place: &TempDir, run: &str, format: &str) -> String {
    let (code, stdout, stderr) = output(place, &["report", run, "--format", format]);
    assert_eq!(code, 0, "{stderr}");
    stdout
}

#[test]
fn a_log_of_sysbench_is_a_recording() {
    let place = tempfile::tempdir().unwrap();
    let run = import(&place, &[&data("sysbench-1.0.20-oltp_read_write.log"), "--target", "db1"]);
    let view: Value = serde_json::from_str(&report(&place, "latest", "json")).unwrap();
    assert_eq!(view["runs"][0]["imported"]["tool"], "sysbench");
    assert_eq!(view["runs"][0]["imported"]["version"], "1.0.20");
    assert_eq!(view["targets"][0]["label"], "db1");
    assert!(
        view["targets"][0]["summary"]["en"]
            .as_str()
            .unwrap()
            .starts_with("imported: measured with sysbench 1.0.20")
    );
    assert_eq!(view["workloads"][0]["label"], "oltp_read_write", "from the name of the file");
    let cell = &view["cells"][0];
    assert_eq!((cell["threads"].as_u64(), cell["totals"]["queries"].as_u64()), (Some(2), Some(86029)));
    assert_eq!(
        (cell["response_p95_ms"]["mean"].as_f64(), cell["response_p99_ms"].is_null()),
        (Some(5.18), true)
    );
    assert_eq!(cell["trials"][0]["series"]["throughput_per_s"].as_array().unwrap().len(), 3);
    assert!(cell["generator"].is_null() && view["generator_share"].is_null());
    let caveats: Vec<&str> =
        cell["caveats"].as_array().unwrap().iter().map(|c| c["id"].as_str().unwrap()).collect();
    assert!(caveats.contains(&"imported") && caveats.contains(&"few_runs"), "{caveats:?}");
    let answer = view["answer"]["en"].as_str().unwrap();
    assert!(answer.contains("(a single trial, no interval), p95 5.18 ms, at 2 clients"), "{answer}");
    assert!(view["runs"][0]["command"].as_str().unwrap().starts_with("mydyno import "));

    for format in ["text", "markdown", "csv", "sysbench", "html"] {
        report(&place, "latest", format);
    }
    let (_, list, _) = output(&place, &["list"]);
    assert!(list.contains("db1") && list.contains("complete"), "{list}");
    let (code, show, stderr) = output(&place, &["show", "latest"]);
    assert!(code == 0 && show.contains("imported"), "{show}{stderr}");
    let (code, _, stderr) = output(&place, &["resume", &run]);
    assert!(code == 2 && stderr.contains("was imported: there is nothing to resume"), "{code} {stderr}");
}

#[test]
fn repeats_make_intervals_and_gates() {
    let place = tempfile::tempdir().unwrap();
    let rows = |factor: f64| {
        let row = |(repeat, tps): (u32, f64)| format!("{repeat},4,{}\n", tps * factor);
        let runs = [(1, 100.0), (2, 101.0), (3, 99.5)].map(row).concat();
        format!("run,clients,tps\n{runs}")
    };
    for (name, factor) in [("old", 1.0), ("new", 0.8)] {
        std::fs::write(place.path().join(format!("{name}.csv")), rows(factor)).unwrap();
    }
    let map = ["--map", "threads=clients,throughput=tps,repeat=run", "--workload", "shop"];
    let old = import(&place, &[&["old.csv"], &map[..]].concat());
    let new = import(&place, &[&["new.csv"], &map[..]].concat());
    let (code, stdout, stderr) = output(&place, &["compare", &old, &new, "--fail-on", "throughput<-3%"]);
    assert_eq!(code, 3, "{stdout}{stderr}");
    assert!(stdout.contains("was imported: measured with a table"), "{stdout}");

    // A gate does not hold for want of something to hold it against.
    let (code, stdout, stderr) = output(&place, &["compare", &old, &new, "--fail-on", "p99>+10%"]);
    assert_eq!(code, 4, "{stdout}{stderr}");
    assert!(stdout.contains("gate p99>+10%: undetermined: no cell has it on both sides"), "{stdout}");
    std::fs::write(place.path().join("more.csv"), rows(1.0) + "1,64,150\n2,64,151\n3,64,149\n").unwrap();
    let more = import(&place, &[&["more.csv"], &map[..]].concat());
    let (code, stdout, stderr) = output(&place, &["compare", &more, &old, "--fail-on", "throughput<-3%"]);
    assert_eq!(code, 4, "{stdout}{stderr}");
    assert!(stdout.contains("undetermined: shop at 64 clients: "), "{stdout}");

    // Two files about one cell are repeats; a label before a file is its target.
    let both = import(&place, &["old=old.csv", "new=new.csv", "--map", map[1], "--name", "both"]);
    let view: Value = serde_json::from_str(&report(&place, &both, "json")).unwrap();
    assert_eq!(view["comparisons"][0]["verdict"], "worse");
}

#[test]
fn single_runs_are_told_apart_only_as_far_as_they_can_be() {
    let place = tempfile::tempdir().unwrap();
    let run = import(&place, &[&data("oci_sysbench_oltp_read_write.csv")]);
    let compare = |base: &str, other: &str| {
        let (base, other) = (format!("{run}:{base}"), format!("{run}:{other}"));
        let (code, stdout, stderr) = output(&place, &["compare", &base, &other, "--metrics", "throughput"]);
        assert_eq!(code, 0, "{stderr}");
        stdout
    };
    let ha = compare("standalone", "ha-same-zone");
    assert!(
        ha.contains("higher at 0 and lower at 10") && ha.contains("the direction is significant"),
        "{ha}"
    );
    let zones = compare("ha-same-zone", "ha-cross-zone");
    assert!(zones.contains("not significant"), "{zones}");
    assert!(zones.contains("single trial: no interval"), "{zones}");
    let (base, other) = (format!("{run}:standalone"), format!("{run}:ha-same-zone"));
    let (code, _, _) = output(&place, &["compare", &base, &other, "--fail-on", "throughput<-1%"]);
    assert_eq!(code, 4, "a gate over single runs cannot be told");
}

#[test]
fn prices_turn_a_comparison_into_what_money_buys() {
    let place = tempfile::tempdir().unwrap();
    let table = |label: &str, per_s: [u32; 3]| {
        let rows: String = per_s.iter().map(|per_s| format!("8,{per_s}\n")).collect();
        std::fs::write(place.path().join(format!("{label}.csv")), format!("n,tps\n{rows}")).unwrap();
        import(
            &place,
            &[&format!("{label}={label}.csv"), "--map", "threads=n,throughput=tps", "--name", label],
        )
    };
    let (small, large) = (table("small", [1_000, 1_010, 990]), table("large", [1_500, 1_520, 1_490]));
    let compare = |words: &[&str]| {
        let (code, stdout, stderr) = output(&place, &[&["compare", &small, &large], words].concat());
        (code, stdout, stderr)
    };
    let (_, plain, _) = compare(&[]);
    assert!(!plain.contains("per USD") && !plain.contains("has no price"), "{plain}");
    // Half as fast again for twice the money is three quarters of the transactions.
    let (code, stdout, stderr) = compare(&["--price", "base=0.5", "--price", "other=1", "--format", "json"]);
    assert_eq!(code, 0, "{stderr}");
    let answer: Value = serde_json::from_str(&stdout).unwrap();
    let (pair, worth) = (&answer["pairs"][0], &answer["pairs"][0]["worth"]);
    assert_eq!(worth["currency"], "usd");
    let number = |value: &Value| value.as_f64().unwrap();
    let (point, at) = (&pair["points"][0], &worth["points"][0]);
    assert!((number(&at["base_per_unit"]) - 7_200_000.0).abs() < 1.0, "{at}");
    for end in ["ratio", "low", "high"] {
        assert!((number(&at[end]) - number(&point[end]) / 2.0).abs() < 1e-9, "{end}: {at} {point}");
    }
    let (_, text, _) = compare(&["--price", "base=0.5eur", "--price", "other=1eur"]);
    assert!(text.contains("transactions per EUR: base at 0.5 EUR/h, other at 1 EUR/h"), "{text}");
    let (_, markdown, _) = compare(&["--price", "base=0.5", "--price", "other=1", "--format", "markdown"]);
    assert!(markdown.contains("| 8 | 7,200,000 |"), "{markdown}");
    let (_, missing, _) = compare(&["--price", "base=0.5"]);
    assert!(missing.contains("large (other) has no price"), "{missing}");
    let (_, mixed, _) = compare(&["--price", "base=0.5eur", "--price", "other=1"]);
    assert!(mixed.contains("is in eur") && mixed.contains("in usd"), "{mixed}");
    let (code, _, stderr) = compare(&["--price", "third=1"]);
    assert!(code == 2 && stderr.contains("base=PRICE or other=PRICE"), "{code} {stderr}");
}

#[test]
fn what_cannot_be_read_leaves_nothing_behind() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("bad.csv"), "n,tps\n1,2\n2,x\n").unwrap();
    let (good, go_tpc) = (data("sysbench-0.5.log"), data("go-tpc.log"));
    for (words, part) in [
        (
            &[good.as_str(), "bad.csv", "--map", "threads=n,throughput=tps", "--format", "csv"][..],
            "sysbench-0.5.log",
        ),
        (
            &["bad.csv", "--map", "threads=n,throughput=tps"][..],
            "bad.csv, line 3: 'x' in column tps is not a number",
        ),
        (&["bad.csv"][..], "--map"),
        (&["missing.log"][..], "cannot read missing.log"),
        (&["bad.csv", "--map", "speed=tps"][..], "no known key"),
        (&[go_tpc.as_str()][..], "say how many:  --threads N"),
    ] {
        let (code, _, stderr) = output(&place, &[&["import"], words].concat());
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(part), "{stderr}");
    }
    assert!(!place.path().join("results").exists());
}
