//! The program as a user meets it, on real servers: sweeps, interruption, resuming, failing cells, remote servers.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use model::{Flavour, SandboxSpec};
use sandbox::{Home, Server, StartOptions};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{home, json, mydyno, output};

const SMALL: [&str; 10] = [
    "--tables",
    "2",
    "--table-size",
    "2000",
    "--time",
    "2",
    "--warmup-time",
    "0.5",
    "--set",
    "innodb_buffer_pool_size=128M",
];

fn sweep<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["sweep", "oltp_read_write"], &SMALL[..], more].concat()
}

/// (target, clients, status) of every cell.
fn cells(view: &Value) -> Vec<(u64, u64, String)> {
    let cells = view["cells"].as_array().unwrap().iter();
    let figure = |cell: &Value, key: &str| cell[key].as_u64().unwrap();
    cells
        .map(|c| (figure(c, "target"), figure(c, "threads"), c["status"].as_str().unwrap().to_owned()))
        .collect()
}

#[test]
fn two_servers_are_swept_reported_and_stopped() {
    let results = tempfile::tempdir().unwrap();
    let words = sweep(&[
        "--target",
        "sandbox:mysql",
        "--target",
        "sandbox:mariadb",
        "--threads",
        "1,4",
        "--repeats",
        "2",
        "--set",
        "mysql:innodb_flush_log_at_trx_commit=2",
    ]);
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(
        stdout.contains("mysql") && stdout.contains("mariadb") && stdout.contains("transactions/s"),
        "{stdout}"
    );
    // Settings that make the comparison unequal are said before anybody looks at a curve.
    assert!(stderr.contains("binary log") && stderr.contains("urable"), "{stderr}");

    let view = json(&results);
    let done = |target, threads| (target, threads, "completed".to_owned());
    let mut seen = cells(&view);
    seen.sort();
    assert_eq!(seen, [done(0, 1), done(0, 4), done(1, 1), done(1, 4)]);
    for cell in view["cells"].as_array().unwrap() {
        assert!(cell["throughput_per_s"]["mean"].as_f64().unwrap() > 1.0);
        assert_eq!(cell["throughput_per_s"]["n"], 2);
        // sysbench's oltp_read_write: 20 statements a transaction.
        let ratio = cell["queries_per_s"]["mean"].as_f64().unwrap()
            / cell["throughput_per_s"]["mean"].as_f64().unwrap();
        assert!((19.0..21.0).contains(&ratio), "{ratio} statements per transaction");
    }
    for format in ["text", "sysbench", "csv", "markdown"] {
        let (code, stdout, stderr) = output(&results, &["report", "latest", "--format", format]);
        assert!(code == 0 && stdout.lines().count() > 4, "{format}: {stdout}{stderr}");
    }
    keep_page(&results);
    assert_nothing_runs(&stderr);
}

/// Keeps the page of a real sweep for the test in a browser.
fn keep_page(results: &TempDir) {
    let page = results.path().join("report.html");
    let words = ["report", "latest", "--format", "html", "--output", page.to_str().unwrap()];
    let (code, _, stderr) = output(results, &words);
    assert_eq!(code, 0, "{stderr}");
    let kept = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/e2e");
    std::fs::create_dir_all(&kept).unwrap();
    std::fs::copy(page, kept.join("real.html")).unwrap();
}

/// No server of a run of ours is left: each run names its servers after its process.
fn assert_nothing_runs(context: &str) {
    let servers = home().0.join("servers");
    let mine = std::fs::read_dir(servers).into_iter().flatten().flatten();
    let mine: Vec<_> = mine
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.strip_prefix("run-").is_some_and(|rest| !lives(rest.rsplit('-').next().unwrap())))
        .collect();
    assert!(mine.is_empty(), "{mine:?} is left behind by a run that has ended\n{context}");
}

fn lives(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

/// Starts a sweep and waits for the first trial to be done.
fn begun(results: &TempDir, words: &[&str]) -> (Child, String) {
    let mut child = mydyno(results, words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut heard = String::new();
    for line in lines.by_ref() {
        let line = line.unwrap();
        heard.push_str(&line);
        heard.push('\n');
        if line.starts_with("1 of ") {
            break;
        }
    }
    // Nobody blocks on a full pipe while the test goes on.
    std::thread::spawn(move || lines.for_each(drop));
    (child, heard)
}

fn interrupt(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn an_interrupted_sweep_keeps_what_it_has_and_is_resumed() {
    let results = tempfile::tempdir().unwrap();
    let words = sweep(&["--target", "sandbox:mariadb", "--threads", "1,2,4,8", "--repeats", "2"]);
    let (mut child, heard) = begun(&results, &words);
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130), "{heard}");
    assert_nothing_runs(&heard);
    let completed = |view: &Value| {
        let trials = view["cells"].as_array().unwrap().iter().map(|c| c["runs_completed"].as_u64().unwrap());
        trials.sum::<u64>()
    };
    let before = completed(&json(&results));
    assert!((1..8).contains(&before), "{before} of 8 trials were done");
    let (_, list, _) = output(&results, &["list"]);
    assert!(list.contains("interrupted"), "{list}");

    let (code, stdout, stderr) = output(&results, &["resume"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert_eq!(completed(&json(&results)), 8);
    let run =
        results.path().join("results").read_dir().unwrap().flatten().find(|e| e.path().is_dir()).unwrap();
    let finished = run.path().join("trials").read_dir().unwrap().flatten();
    let results_of_trials = finished.filter(|t| t.path().join("trial.json").exists()).count();
    assert!((8..=9).contains(&results_of_trials), "done trials are not run again");
}

fn server(home: &Home, name: &str, settings: &[(&str, &str)]) -> Server {
    let settings: BTreeMap<String, String> =
        settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let spec = SandboxSpec { tcp: true, ..SandboxSpec::new(Flavour::Mysql, settings) };
    home.start(&StartOptions::new(name, &spec)).unwrap()
}

#[test]
fn a_remote_server_is_prepared_measured_checked_and_cleaned() {
    let results = tempfile::tempdir().unwrap();
    let (_, home) = home();
    let name = format!("remote-{}", std::process::id());
    let server = server(&home, &name, &[("max_connections", "20"), ("innodb_buffer_pool_size", "128M")]);
    let port = server.port().to_string();
    let connect = ["-h", "127.0.0.1", "-P", &port, "-u", sandbox::USER, "--get-server-public-key"];
    let on = |verb: &str, more: &[&str]| {
        let words =
            [&[verb, "oltp_read_write"], &connect[..], &["--tables", "2", "--table-size", "1000"], more]
                .concat();
        let mut command = mydyno(&results, &words);
        let out = command.env("MYSQL_PWD", server.password().expose()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (out.status.code().unwrap_or(-1), text(&out.stdout) + &text(&out.stderr))
    };
    let (code, said) = on("run", &["--time", "1"]);
    assert!(code != 0 && said.contains("mydyno prepare"), "missing tables: {code} {said}");
    let (code, said) = on("prepare", &[]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = on("check", &[]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = on("run", &["--time", "1", "--rate", "0", "--threads", "4", "--format", "sysbench"]);
    assert!(code == 0, "{code} {said}");
    for part in ["queries performed:", "95th percentile:", "--rate=0 is no rate"] {
        assert!(said.contains(part), "{part}: {said}");
    }

    // An open loop: what was due is accounted for, and the report says from when times are counted.
    let (code, said) = on("run", &["--rate", "50:1,200:1", "--threads", "16", "--percentile", "99.9"]);
    assert!(code == 0 && said.contains("transactions were due (125/s)"), "{code} {said}");
    assert!(said.contains("too few samples for that percentile"), "{said}");
    let cell = &json(&results)["cells"][0];
    let open = &cell["open_loop"];
    let due = open["offered"].as_u64().unwrap();
    assert!((170..=330).contains(&due), "{open}");
    // How many are left depends on the machine; those that were started and not done are at most one for each client.
    let accounted = open["unstarted"].as_u64().unwrap() + cell["totals"]["transactions"].as_u64().unwrap();
    assert!(accounted <= due && due <= accounted + 16, "{accounted} of {open}");

    let (code, said) = on("sweep", &["--time", "1", "--threads", "2,64"]);
    assert!(code != 0 && said.contains("max_connections") && said.contains("allows 20"), "{code} {said}");
    let (code, said) =
        on("sweep", &["--time", "1", "--threads", "2,64", "--repeats", "1", "--allow-failing-cells"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("too many connections") || said.contains("Too many connections"), "{said}");
    let statuses: Vec<String> = cells(&json(&results)).into_iter().map(|(_, _, status)| status).collect();
    assert_eq!(statuses, ["completed", "failed"]);

    let (code, said) = on("cleanup", &[]);
    assert_eq!(code, 0, "{said}");
    let (code, _) = on("check", &[]);
    assert_eq!(code, 3, "a check that finds no tables is a failed gate");

    let wrong = [&["run", "oltp_read_write"], &connect[..]].concat();
    let out = mydyno(&results, &wrong).env("MYSQL_PWD", "not-the-password").output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(
        said.contains("1045") && said.lines().count() <= 4 && !said.contains("not-the-password"),
        "{said}"
    );
    server.stop().unwrap();
}

#[test]
fn a_server_that_dies_fails_its_cell_and_the_sweep_goes_on() {
    let results = tempfile::tempdir().unwrap();
    let words =
        sweep(&["--target", "sandbox:mariadb", "--threads", "1,2,3", "--repeats", "1", "--time", "3"]);
    let (mut child, heard) = begun(&results, &words);
    let pid = child.id();
    let servers = home().0.join("servers");
    let state = || {
        let mut all = std::fs::read_dir(&servers).unwrap().flatten();
        let ours = all.find(|e| e.file_name().to_string_lossy().ends_with(&format!("-{pid}")))?;
        let state: Value =
            serde_json::from_str(&std::fs::read_to_string(ours.path().join("state.json")).ok()?).ok()?;
        find_pid(&state)
    };
    // Between trials it is started anew.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let server = loop {
        match state() {
            Some(pid) => break pid,
            None => assert!(std::time::Instant::now() < deadline, "no server: {heard}"),
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    // Into the second trial, which lasts three seconds and a half.
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(Command::new("kill").args(["-KILL", &server.to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(1), "{heard}");
    let view = json(&results);
    let mut statuses: Vec<String> = cells(&view).into_iter().map(|(_, _, status)| status).collect();
    let failed = statuses.iter().position(|status| status == "failed").unwrap();
    let reason = view["cells"][failed]["failure"].to_string();
    statuses.sort();
    assert_eq!(statuses, ["completed", "completed", "failed"]);
    assert!(reason.contains("died"), "{reason}");
    assert_nothing_runs(&heard);
}

/// The server's process id, wherever the state keeps it.
fn find_pid(state: &Value) -> Option<u64> {
    match state {
        Value::Object(fields) => fields
            .iter()
            .find_map(|(name, value)| if name == "pid" { value.as_u64() } else { find_pid(value) }),
        _ => None,
    }
}
