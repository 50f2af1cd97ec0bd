//! Scripts for sysbench, on real servers.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

use model::{Flavour, SandboxSpec};
use rustix::process::{Pid, Signal, kill_process};
use sandbox::StartOptions;
use serde_json::Value;
use tempfile::TempDir;
use wire::Client;

use crate::common::{home, json, mydyno, output};

/// A shop: its own options, its own tables, prepared statements and text, rows that are read.
const SHOP: &str = include_str!("scripts/shop.lua");

fn run(results: &TempDir, words: &str) -> (i32, String, String) {
    output(results, &words.split_whitespace().collect::<Vec<_>>())
}

fn write(results: &TempDir, name: &str, text: &str) {
    fs::write(results.path().join(name), text).unwrap();
}

fn count(cell: &Value, name: &str) -> u64 {
    let all = cell["operations"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).map_or(0, |one| one["count"].as_u64().unwrap())
}

/// A user's way: a script of their own compares two servers, and the recording can be repeated without its file.
#[test]
fn a_script_compares_two_servers_and_the_recording_has_it_with_it() {
    let results = tempfile::tempdir().unwrap();
    write(&results, "shop.lua", SHOP);
    write(&results, "names.lua", "function name(n) return 'item-' .. n end");
    let (code, stdout, stderr) = run(&results, "workload check shop.lua");
    assert_eq!(code, 0, "{stdout}{stderr}");
    for part in [
        "commands: cleanup, count, prepare, run",
        "it loads: names",
        "--share=N           Share of events that write [0.25]",
    ] {
        assert!(stdout.contains(part), "{part}\n{stdout}");
    }
    let words = "sweep shop.lua --target sandbox:mysql --target sandbox:mariadb --items=200 --share 0.5 --threads 4 --time 2 \
                 --warmup-time 0.5 --repeats 2 --drift-check=off";
    let (code, stdout, stderr) = run(&results, &words.replace("--share 0.5", "--share=0.5"));
    assert_eq!(code, 0, "{stdout}{stderr}");
    let report = json(&results);
    assert_eq!(report["workloads"][0]["name"], "shop.lua");
    assert_eq!(report["workloads"][0]["options"]["script-options"], "items=200;share=0.5");
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    for cell in cells {
        let (events, selects, updates) =
            (count(cell, "transaction"), count(cell, "select"), count(cell, "update"));
        // Two statements read in each event, and half of the events write.
        assert!(events > 100 && selects.abs_diff(2 * events) <= 16, "{events} {selects}");
        assert!(updates > events * 4 / 10 && updates < events * 6 / 10, "{events} {updates}");
        assert!(cell["errors"].as_array().is_none_or(Vec::is_empty), "{}", cell["errors"]);
    }
    for file in ["shop.lua", "names.lua"] {
        fs::remove_file(results.path().join(file)).unwrap();
    }
    let recording = fs::read_dir(results.path().join("results")).unwrap().next().unwrap().unwrap();
    let (code, stdout, stderr) = run(&results, &format!("run {}/spec.toml", recording.path().display()));
    assert_eq!(code, 0, "{stdout}{stderr}");
}

/// On a server of the user's own: prepare, a command of the script, errors that begin an event anew, cleanup.
#[test]
fn commands_of_a_script_work_on_a_server_of_the_users_own() {
    let results = tempfile::tempdir().unwrap();
    write(&results, "shop.lua", SHOP);
    write(&results, "names.lua", "function name(n) return 'item-' .. n end");
    let (_, home) = home();
    let name = format!("t-scripts-{}", std::process::id());
    let server =
        home.start(&StartOptions::new(&name, &SandboxSpec::new(Flavour::Mariadb, BTreeMap::new()))).unwrap();
    let options = format!("--defaults-file={} --database=shop", server.dir().join("client.cnf").display());
    let with = |words: &str| run(&results, &format!("{words} --items=50 {options}"));
    let (code, stdout, stderr) = with("prepare shop.lua");
    assert!(code == 0 && stdout.contains("shop.lua prepared its tables"), "{stdout}{stderr}");
    let (code, stdout, stderr) = with("prepare shop.lua");
    assert!(
        code == 0 && stdout.contains("has prepared its tables with these options before"),
        "{stdout}{stderr}"
    );
    let (code, stdout, stderr) = with("workload call count shop.lua --threads 3");
    assert!(code == 0 && stdout.contains("shop.lua finished its command count"), "{stdout}{stderr}");
    assert_eq!(stderr.matches("50 items, first item-1").count(), 3, "{stderr}");
    let (code, _, stderr) = with("workload call nothing shop.lua");
    assert!(code == 2 && stderr.contains("shop.lua has no command nothing"), "{code} {stderr}");

    let (code, stdout, stderr) =
        with("run shop.lua --share=1 --deadlock=on --threads 4 --events 200 --time 0");
    assert_eq!(code, 0, "{stdout}{stderr}");
    let cell = &json(&results)["cells"][0];
    let errors = cell["errors"].as_array().unwrap();
    assert!(errors.iter().all(|error| error["forgiven"] == true && error["code"] == 1213), "{errors:?}");
    assert!(errors[0]["count"].as_u64().unwrap() >= 10, "{errors:?}");
    assert_eq!(cell["totals"]["transactions"], 200);

    let (code, stdout, stderr) = with("cleanup shop.lua");
    assert!(code == 0 && stdout.contains("dropped the tables of shop.lua"), "{stdout}{stderr}");
    let mut client = Client::connect(&server.connect_options(Some("shop"))).unwrap();
    assert_eq!(client.query("SHOW TABLES").unwrap().rows.len(), 0);
    server.stop().unwrap();
}

#[test]
fn what_is_wrong_with_a_script_is_said_before_a_server_is_started() {
    let results = tempfile::tempdir().unwrap();
    write(&results, "shop.lua", SHOP);
    write(&results, "names.lua", "function name(n) return n end");
    write(&results, "broken.lua", "function event() if end");
    let refused = |words: &str, why: &str| {
        let (code, stdout, stderr) = run(&results, &format!("{words} --target sandbox:mysql"));
        assert!(code == 2 && stderr.contains(why), "{words}: {code} {stdout}{stderr}");
    };
    refused("run shop.lua --itmes=3", "shop.lua: invalid option: --itmes=3");
    refused("sweep shop.lua --items=many", "shop.lua: invalid option: --items=many");
    refused("run broken.lua", "broken.lua:1: unexpected symbol near 'end'");
    refused("run names.lua", "names.lua has no function event()");
    refused("run nowhere.lua --rows=1", "the workload nowhere.lua cannot be read");
}

fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

/// An endless loop is ended by Ctrl-C, and by the end of the load; a client that sleeps holds nobody else up.
#[test]
fn a_script_that_never_ends_is_ended_and_one_that_sleeps_sleeps_alone() {
    let results = tempfile::tempdir().unwrap();
    write(&results, "endless.lua", "function event() while true do end end");
    let sleepy = "ffi.cdef[[int usleep(unsigned int);]]
        function thread_init(id) con = sysbench.sql.driver():connect() for i = 1, 50 do con:query('DO 1') end end
        function event(id) if id == 0 then ffi.C.usleep(1000000) end con:query('SELECT 1') end";
    write(&results, "sleepy.lua", sleepy);
    let words = [
        "run",
        "sleepy.lua",
        "--target",
        "sandbox:mariadb",
        "--threads",
        "8",
        "--time",
        "3",
        "--warmup-time",
        "0",
    ];
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let cell = &json(&results)["cells"][0];
    // Seven clients are busy all the time; if they waited for the eighth there would be three events each.
    assert!(count(cell, "select") > 1_000, "{}", count(cell, "select"));
    // What the clients asked before the load is not measured.
    assert_eq!(count(cell, "other"), 0);

    let words = ["run", "endless.lua", "--target", "sandbox:mariadb", "--threads", "2", "--time", "600"];
    let mut command = mydyno(&results, &words);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    let events = || {
        let newest =
            fs::read_dir(results.path().join("results")).ok()?.filter_map(Result::ok).map(|one| one.path());
        let newest = newest.filter(|path| path.to_string_lossy().contains("endless")).max()?;
        fs::read_to_string(newest.join("events.jsonl")).ok()
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while !events().is_some_and(|text| text.contains("trial_connected")) {
        assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "the load does not begin");
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    assert!(!child.wait().unwrap().success());
}
