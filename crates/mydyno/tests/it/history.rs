//! `mydyno history` on recordings that were written through `store`: what each night measured is made up.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use assert_cmd::cargo::CommandCargoExt;
use model::*;
use serde_json::Value;
use store::Results;
use tempfile::TempDir;

fn output(place: &TempDir, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("mydyno").unwrap();
    command.args(words).env_clear().env("HOME", place.path()).current_dir(place.path()).stdin(Stdio::null());
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

fn history(place: &TempDir, words: &[&str]) -> (i32, String, String) {
    output(place, &[&["history"], words].concat())
}

fn json(place: &TempDir, words: &[&str]) -> (i32, Value) {
    let (code, stdout, stderr) = history(place, &[words, &["--format", "json"]].concat());
    (code, serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}")))
}

/// What a night is made of.
#[derive(Clone, Copy)]
struct Night<'a> {
    day: u64,
    name: &'a str,
    per_s: f64,
    version: &'a str,
    threads: u32,
    end: End,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Finished,
    Interrupted,
    /// The generator took a whole CPU: the figures are its own.
    NotValid,
}

const NIGHT: Night<'static> =
    Night { day: 0, name: "nightly", per_s: 1_000.0, version: "9.7.3", threads: 8, end: End::Finished };

/// Repeats of each cell.
const REPEATS: u32 = 3;

fn plan(night: &Night<'_>) -> Plan {
    let sandbox = SandboxSpec {
        flavour: Flavour::Mysql,
        basedir: Some(format!("/opt/mysql-{}", night.version).into()),
        settings: BTreeMap::new(),
        tcp: false,
        tls: TlsMode::Disabled.into(),
        place: Default::default(),
    };
    let target = Target::single("mysql".to_owned(), ServerKind::Sandbox(sandbox));
    let cell = |repeat| CellKey {
        target: "mysql".to_owned(),
        workload: "oltp_read_write".to_owned(),
        threads: night.threads,
        repeat,
    };
    let trial = |repeat: u32| PlannedTrial {
        index: repeat - 1,
        cell: cell(repeat),
        workload: 0,
        seed: night.day,
        why: Why::AskedFor,
    };
    let spec = Spec {
        format: FORMAT,
        name: night.name.to_owned(),
        about: None,
        threads: vec![night.threads],
        repeats: REPEATS,
        seed: night.day,
        load: LoadShape { warmup_s: 5.0, time_s: 30.0, ..LoadShape::default() },
        prepare: true,
        observe: Observe::Off,
        allow_failing_cells: false,
        design: Default::default(),
        targets: vec![SpecTarget { target, instance: Instance::new(), levels: Default::default() }],
        workloads: vec![WorkloadSpec::Sysbench(SysbenchOptions::default())],
    };
    Plan {
        spec,
        hash: format!("{:064}", night.day),
        imported: None,
        trials: (1..=REPEATS).map(trial).collect(),
    }
}

fn result(planned: &PlannedTrial, night: &Night<'_>) -> TrialResult {
    let per_s = night.per_s * (1.0 + 0.002 * f64::from(planned.cell.repeat));
    let count = (per_s * 30.0) as u64;
    let latency_ns = f64::from(planned.cell.threads) / per_s * 1e9;
    let ns = latency_ns as u64;
    let latency = LatencySummary {
        count,
        sum_ns: count as f64 * latency_ns,
        mean_ns: latency_ns,
        min_ns: ns,
        p50_ns: ns,
        p90_ns: ns,
        p95_ns: ns,
        p99_ns: ns,
        p999_ns: ns,
        p9999_ns: ns,
        max_ns: ns,
        saturated: 0,
    };
    let operation = OperationSummary {
        name: "transaction".to_owned(),
        kind: OperationKind::Transaction,
        response: latency,
        service: latency,
    };
    let busiest_worker = if night.end == End::NotValid { 0.99 } else { 0.2 };
    TrialResult {
        format: FORMAT,
        index: planned.index,
        cell: planned.cell.clone(),
        outcome: Outcome::Completed,
        members: vec![
            ServerFacts {
                flavour: Flavour::Mysql,
                version: night.version.to_owned(),
                version_comment: String::new(),
                tls_cipher: None,
                durability: Durability::Durable,
                durability_because: Vec::new(),
                binlog: false,
                buffer_pool_bytes: 1 << 30,
                max_connections: 151,
                round_trip_ms: None,
            }
            .into(),
        ],
        data_restored: true,
        measured: model::Measured {
            connect_s: 0.1,
            warmup_s: 5.0,
            measured_s: 30.0,
            transactions: count,
            queries: QueryCounts { read: count * 14, write: count * 4, other: count * 2 },
            operations: vec![operation],
            generator: GeneratorUse {
                user_s: 1.0,
                system_s: 2.0,
                workers: 2,
                busiest_worker,
                ..GeneratorUse::default()
            },
            ..Default::default()
        },
        ..TrialResult::default()
    }
}

/// Writes the recording of a night and returns its id.
fn record(place: &TempDir, night: Night<'_>) -> String {
    let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_312_000 + night.day * 86_400);
    let plan = plan(&night);
    let host = HostFacts { format: FORMAT, hostname: "ci".to_owned(), cpus: 2, ..HostFacts::default() };
    let results = Results::open(place.path().join("results"));
    let mut run = results.create("", &plan, &host, start).unwrap();
    let id = run.id();
    let at = format!("{}T{}:00.000Z", &id[..10], id[11..16].replace('-', ":"));
    let event = |run: &mut store::RunWriter, kind| {
        run.event(&Event { at: at.clone(), elapsed_ms: 0, kind }).unwrap();
    };
    event(&mut run, EventKind::RunStarted { run: id.clone(), trials: REPEATS, done: 0 });
    for planned in &plan.trials {
        run.trial(planned).unwrap().finish(&result(planned, &night)).unwrap();
    }
    event(
        &mut run,
        match night.end {
            End::Interrupted => EventKind::Interrupted,
            _ => EventKind::RunFinished { completed: REPEATS, failed: 0 },
        },
    );
    run.close().unwrap();
    id
}

/// Twenty nights; after the twelfth a new version is a tenth slower.
fn twenty(place: &TempDir) -> Vec<String> {
    let wobble = [0.0, 0.006, -0.004, 0.009, -0.008, 0.003, -0.006, 0.001, 0.005, -0.002];
    let night = |day: u64| {
        let (level, version) = if day < 12 { (1_000.0, "9.7.3") } else { (900.0, "9.7.4") };
        Night { day, per_s: level * (1.0 + wobble[day as usize % 10]), version, ..NIGHT }
    };
    (0..20).map(|day| record(place, night(day))).collect()
}

#[test]
fn a_fall_is_found_with_what_changed_there() {
    let place = tempfile::tempdir().unwrap();
    let ids = twenty(&place);
    let (code, answer) = json(&place, &["--fail-on", "throughput<-3%"]);
    assert_eq!(code, 0, "the last night is like those since the fall: {answer}");
    assert_eq!(answer["recordings"].as_array().unwrap().len(), 20);
    let series = &answer["series"][0];
    assert_eq!(series["points"].as_array().unwrap().len(), 20);
    let shifts = series["shifts"].as_array().unwrap();
    assert_eq!((shifts.len(), shifts[0]["recording"].as_u64()), (1, Some(12)), "{series}");
    let there = series["changed"][0]["there"].as_array().unwrap();
    assert_eq!((there[0]["id"].as_str(), there[0]["to"].as_str()), (Some("server_version"), Some("9.7.4")));
    assert_eq!(answer["gates"][0]["standing"], "holds");

    let (_, text, _) = history(&place, &[]);
    assert!(text.contains("20 recordings") && text.contains("mysql version: 9.7.3 -> 9.7.4"), "{text}");
    assert!(text.contains(&format!("from {} on", ids[12])), "{text}");
    let (_, markdown, _) = history(&place, &["nightly", "--format", "markdown"]);
    assert!(
        markdown.contains("| level since |") && markdown.contains("- change point 2026-01-14"),
        "{markdown}"
    );
    let (_, chinese, _) = history(&place, &["--lang", "zh"]);
    assert!(chinese.contains("变点") && chinese.contains("20 次记录"), "{chinese}");
    let (code, page, stderr) = history(&place, &["--format", "html"]);
    if code == 0 {
        let html = std::fs::read_to_string(place.path().join(page.trim())).unwrap();
        assert!(html.contains(r#""kind":"history""#));
    } else {
        assert!(stderr.contains("run `make ui`"), "{stderr}");
    }
    // The first thirteen of them, as on the night after the change.
    let words: Vec<&str> = ids[..13].iter().map(String::as_str).collect();
    let (code, stdout, _) = history(&place, &[&words[..], &["--fail-on", "throughput<-3%"]].concat());
    assert_eq!(code, 3, "{stdout}");
    assert!(stdout.contains("gate throughput<-3%: FAILED, mysql, oltp_read_write, 8 clients: -"), "{stdout}");
    let (code, last) = json(&place, &["--last", "5", "--fail-on", "p99>+10%"]);
    assert_eq!(
        (code, last["recordings"].as_array().unwrap().len(), last["series"].as_array().unwrap().len()),
        (0, 5, 2)
    );
    let too_short = last["series"][0]["too_short"]["en"].as_str().unwrap();
    assert_eq!(too_short, "a change point needs at least 8 recordings; there are 5");
}

#[test]
fn nothing_is_hidden_and_what_nobody_can_tell_is_said() {
    let place = tempfile::tempdir().unwrap();
    let (code, _, stderr) = history(&place, &[]);
    assert!(code == 1 && stderr.contains("no recording in"), "{code} {stderr}");
    let first = record(&place, NIGHT);
    let (code, stdout, _) = history(&place, &["--fail-on", "throughput<-3%"]);
    assert_eq!(code, 4, "{stdout}");
    assert!(
        stdout.contains("undetermined")
            && stdout.contains("needs at least two earlier recordings as a baseline; there are 0"),
        "{stdout}"
    );
    record(&place, Night { day: 1, per_s: 1_004.0, ..NIGHT });
    let stopped = record(&place, Night { day: 2, end: End::Interrupted, ..NIGHT });
    record(&place, Night { day: 3, per_s: 998.0, ..NIGHT });
    let other = record(&place, Night { day: 4, threads: 64, ..NIGHT });
    record(&place, Night { day: 5, per_s: 1_001.0, ..NIGHT });
    let (code, stdout, _) = history(&place, &["--fail-on", "throughput<-3%"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains(&format!("! excluded: {stopped}: interrupted")), "{stdout}");
    assert!(!stdout.contains(&other), "its plan differs: {stdout}");
    let (_, by_name, _) = history(&place, &["nightly"]);
    assert!(by_name.contains(&format!("{other}: its plan differs: its numbers of clients")), "{by_name}");
    // A run stands for all that asked the same.
    let (_, answer) = json(&place, &[&other]);
    assert_eq!(answer["recordings"].as_array().unwrap().len(), 1, "{answer}");
    let (_, answer) = json(&place, &[&first]);
    assert_eq!(answer["recordings"].as_array().unwrap().len(), 5, "{answer}");

    // A night that is not valid says nothing of the server, and nobody can tell how the last one stands.
    let invalid = record(&place, Night { day: 6, per_s: 500.0, end: End::NotValid, ..NIGHT });
    let (code, stdout, _) = history(&place, &["--fail-on", "throughput<-3%"]);
    assert_eq!(code, 4, "{stdout}");
    assert!(stdout.contains(&format!("excluded {invalid}: not valid: the generator")), "{stdout}");

    // Other tools' figures are of a time that nobody knows.
    std::fs::write(place.path().join("table.csv"), "threads,throughput\n8,1000\n").unwrap();
    let table = "threads=threads,throughput=throughput";
    let (code, imported, stderr) = output(&place, &["import", "table.csv", "--map", table]);
    assert_eq!(code, 0, "{stderr}");
    let (code, stdout, _) = history(&place, &["latest", "--fail-on", "throughput<-3%"]);
    assert_eq!(code, 4, "{stdout}");
    assert!(stdout.contains("imported: measured with") && imported.contains("table"), "{stdout}");
    let (code, _, stderr) = history(&place, &["nightl"]);
    assert!(code == 2 && stderr.contains("did you mean the recordings named nightly?"), "{code} {stderr}");
    let (code, _, stderr) = history(&place, &["--metric", "speed"]);
    assert!(code == 2 && stderr.contains("there is no metric 'speed'"), "{code} {stderr}");
}

/// The lines of so many runs of `make bench`, two rows each; `cpu` is what the first row came to in each.
fn benchmarks(cpu: &[f64]) -> String {
    let line = |run: usize, row: &str, better, value: f64| BenchmarkLine {
        at: format!("2026-10-{:02}T03:00:00Z", run + 1),
        commit: format!("c0ffee{run:02}"),
        version: if run < 6 { "0.1.0" } else { "0.2.0" }.to_owned(),
        cpu_model: "Made-up CPU".to_owned(),
        cpus: 2,
        row: row.to_owned(),
        unit: "ratio".to_owned(),
        better,
        value,
        min: Some(value * 0.98),
        max: Some(value * 1.02),
        rounds: 5,
        seconds: 8.0,
    };
    let wobble = [0.99, 1.01, 1.0, 0.995, 1.004];
    let lines = cpu.iter().enumerate().flat_map(|(run, value)| {
        let throughput = 1.2 * wobble[run % wobble.len()];
        [line(run, "cpu", Better::Lower, *value), line(run, "throughput", Better::Higher, throughput)]
    });
    lines.map(|line| serde_json::to_string(&line).unwrap() + "\n").collect()
}

#[test]
fn the_benchmarks_of_mydyno_itself_are_judged_row_by_row() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("history.jsonl");
    let cpu = [0.600, 0.606, 0.597, 0.603, 0.601, 0.598, 0.661, 0.668, 0.657, 0.663, 0.660, 0.664];
    // Another machine's values stand in a series of their own.
    let elsewhere = benchmarks(&[3.0]).replace("Made-up", "Other").replace("2026-10-01", "2026-10-04");
    std::fs::write(&file, benchmarks(&cpu) + &elsewhere).unwrap();
    let (code, found) = json(&place, &["history.jsonl"]);
    let series = |row: &str, machine: &str| {
        let all = found["series"].as_array().unwrap();
        let own = all.iter().find(|series| series["workload"] == row && series["target"] == machine);
        own.unwrap_or_else(|| panic!("{row} on {machine}: {found}")).clone()
    };
    assert_eq!((code, found["series"].as_array().unwrap().len()), (0, 4));

    let own = series("cpu", "2 x Made-up CPU");
    let shifts = own["shifts"].as_array().unwrap();
    assert_eq!((shifts.len(), &shifts[0]["point"]), (1, &Value::from(6)), "{own}");
    let changed: Vec<&str> =
        own["changed"][0]["there"].as_array().unwrap().iter().map(|c| c["to"].as_str().unwrap()).collect();
    assert_eq!(changed, ["0.2.0", "c0ffee06"], "what the new level came with");
    assert_eq!(own["points"].as_array().unwrap().len(), 12);

    let steady = series("throughput", "2 x Made-up CPU");
    assert_eq!(steady["shifts"].as_array().unwrap().len(), 0, "{steady}");
    assert_eq!(series("cpu", "2 x Other CPU")["points"].as_array().unwrap().len(), 1);

    // CPU is a cost: more of it is worse, in the row alone.
    let cpu = [0.600, 0.606, 0.597, 0.603, 0.601, 0.598, 0.604, 0.602, 0.599, 0.75];
    std::fs::write(&file, benchmarks(&cpu)).unwrap();
    let (code, text, _) = history(&place, &["history.jsonl"]);
    assert_eq!(code, 0, "{text}");
    let block = |row: &str| text.split("\n\n").find(|block| block.starts_with(row)).unwrap().to_owned();
    assert!(block("cpu, 2 x Made-up CPU, ratio").contains("worse"), "{text}");
    assert!(!block("throughput, 2 x Made-up CPU, ratio").contains("worse"), "{text}");
    let (_, last) = json(&place, &["history.jsonl", "--last", "3"]);
    assert_eq!(last["recordings"].as_array().unwrap().len(), 3);

    std::fs::write(&file, benchmarks(&[0.6]) + "{\"row\":1}\n").unwrap();
    let (code, _, stderr) = history(&place, &["history.jsonl"]);
    assert!(code == 1 && stderr.contains("history.jsonl, line 3: no benchmark"), "{code} {stderr}");
    let (code, _, stderr) = history(&place, &["history.jsonl", "--fail-on", "throughput<-3%"]);
    assert!(code == 2 && stderr.contains("are for recordings"), "{code} {stderr}");
}
