//! What is the user's stays: data, servers, recordings, and the reason of every failure.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use model::{Flavour, SandboxSpec};
use sandbox::{Server, StartOptions};
use tempfile::TempDir;

use crate::common::{self, mydyno, output};
use crate::sabotage::row::{Expect::*, Seen};

/// A home that has the tests' servers and no data yet.
fn empty_home(at: &Path) {
    std::fs::create_dir_all(at).unwrap();
    std::os::unix::fs::symlink(common::home().0.join("installations"), at.join("installations")).unwrap();
}

/// The same run three times at once, on data that are not kept yet; a second round has other data.
fn three_runs_on_new_data() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let home = results.path().join("home");
    empty_home(&home);
    let mut seen = Seen::default();
    let words =
        ["run", "oltp_read_only", "--target", "sandbox:mariadb", "--table-size", "501", "--time", "1"];
    for seed in ["1", "2"] {
        let start = |_| {
            let mut command = mydyno(&results, &words);
            command.args(["--seed", seed]).env("MYDYNO_HOME", &home);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        for run in (0..3).map(start).collect::<Vec<_>>() {
            let ended = run.wait_with_output().unwrap();
            seen.code = seen.code.max(ended.status.code().unwrap_or(-1));
            seen.text.push_str(&String::from_utf8_lossy(&ended.stderr));
        }
    }
    seen
}

/// A server that mydyno knows only by its address.
fn external(name: &str) -> Server {
    let spec = SandboxSpec {
        tcp: true,
        ..SandboxSpec::new(
            Flavour::Mariadb,
            [("innodb_buffer_pool_size".to_owned(), "64M".to_owned())].into(),
        )
    };
    let name = format!("{name}-{}", std::process::id());
    common::home().1.start(&StartOptions::new(&name, &spec)).unwrap()
}

fn url(server: &Server) -> String {
    format!("mysql://{}:{}@127.0.0.1:{}/sbtest", sandbox::USER, server.password().expose(), server.port())
}

fn flush_log(server: &Server) -> String {
    let mut client = wire::Client::connect(&server.connect_options(None)).unwrap();
    let rows = client.query("SELECT @@GLOBAL.innodb_flush_log_at_trx_commit").unwrap();
    rows.first().unwrap().text(0).unwrap().to_owned()
}

/// A run that records elsewhere is killed while a variable of an external server is changed. Says what the next verbs say that
/// are told where, and what the server has once the command that they name was run.
fn killed_with_a_changed_variable() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let server = external("unrestored");
    let url = url(&server);
    let elsewhere = ["--results", "elsewhere"];
    let words = ["--target", &url, "--table-size", "200", "--time", "4", "--threads", "1", "--prepare"];
    let mut run = mydyno(&results, &[&["run", "oltp_write_only"], &elsewhere[..], &words].concat());
    let mut run =
        run.args(["--set", "innodb_flush_log_at_trx_commit=0"]).stderr(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    // Before the trial it is only tried out, which is over at once.
    while !(flush_log(&server) == "0" && {
        std::thread::sleep(Duration::from_millis(400));
        flush_log(&server) == "0"
    }) {
        assert!(Instant::now() < deadline, "the trial never began");
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let mut seen = Seen::default();
    for verb in [&["check"][..], &["doctor"], &["diff", &url], &["prepare"], &["cleanup"]] {
        let size = ["--target", &url, "--table-size", "200"];
        let (_, _, said) = output(&results, &[verb, &size[..], &elsewhere].concat()[..]);
        seen.text.push_str(&format!("{verb:?} {}\n", said.contains("did not restore them")));
    }
    let (_, listed, said) = output(&results, &[&["list"], &elsewhere[..]].concat());
    seen.text.push_str(&format!("{listed}{said}"));
    // The command as it was printed.
    let command = said.lines().find_map(|line| line.trim().strip_prefix("restore them: mydyno ")).unwrap();
    let command: Vec<&str> = command.split(' ').chain(["--target", &url]).collect();
    let named = format!("127.0.0.1={url}");
    let command: Vec<&str> =
        command.iter().map(|word| if *word == url { named.as_str() } else { word }).collect();
    let (code, _, said) = output(&results, &command);
    seen.code = code;
    seen.text.push_str(&format!("{said}\nthe server has {} again", flush_log(&server)));
    server.stop().unwrap();
    seen
}

/// A wrong password: what the recording says afterwards.
fn refused_before_the_first_trial() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let server = external("refused");
    let url = url(&server).replace("Dyn0-", "wrong");
    let (failed, _, said) = output(&results, &["run", "oltp_read_only", "--target", &url]);
    assert_eq!(failed, 1, "{said}");
    let mut text = said;
    for words in
        [&["show"][..], &["list"], &["report", "--format", "markdown"], &["report", "--format", "text"]]
    {
        let (_, stdout, _) = output(&results, words);
        text.push_str(&format!("{words:?} {}\n", stdout.contains("refuses user") || stdout.contains("1045")));
        text.push_str(&stdout);
    }
    server.stop().unwrap();
    let reported = output(&results, &["report", "--format", "text"]);
    Seen { text, ..Seen::of(&results, (reported.0, String::new(), String::new())) }
}

/// A mistyped port after a good run: what `latest` means then.
fn a_typing_error_after_a_good_run() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let good =
        ["run", "oltp_point_select", "--target", "sandbox:mariadb", "--table-size", "1000", "--time", "1"];
    let (code, _, said) = output(&results, &good);
    assert_eq!(code, 0, "{said}");
    let (code, _, said) = output(&results, &["run", "oltp_point_select", "-h127.0.0.1", "-P1", "-ux"]);
    assert_eq!(code, 1, "{said}");
    assert_eq!(common::json(&results)["runs"][0]["trials_done"], 1);
    Seen::of(&results, output(&results, &["show"]))
}

/// A report that cannot be written is asked for.
fn an_output_that_cannot_be_written() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let words = ["run", "oltp_point_select", "--target", "sandbox:mariadb", "--output", "/nonexistent/x.txt"];
    let seen = Seen::of(&results, output(&results, &words));
    assert!(!results.path().join("results").exists(), "something was measured");
    seen
}

/// A threshold that nothing can keep, and one that everything keeps.
fn a_threshold_is_exceeded() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let mut words = vec![
        "run",
        "oltp_point_select",
        "--target",
        "sandbox:mariadb",
        "--table-size",
        "1000",
        "--time",
        "2",
    ];
    words.extend(["--fail-on", "p50>1us", "--fail-on", "throughput<1", "--name", "nightly"]);
    words.extend(["--note", "first"]);
    let mut seen = Seen::of(&results, output(&results, &words));
    // A machine that is busy with other tests makes the cell invalid: then nothing may be said to hold, either.
    let invalid = seen.caveats().iter().any(|(_, severity)| severity == "invalid");
    assert_eq!(seen.code, if invalid { 4 } else { 3 }, "{}", seen.text);
    assert_eq!(seen.text.contains(" FAILED"), !invalid, "{}", seen.text);
    let (_, listed, _) = output(&results, &["list"]);
    seen.text.push_str(&listed);
    seen
}

/// A threshold over a cell that measured hardly anything.
fn a_threshold_without_a_figure() -> Seen {
    let results = tempfile::tempdir().unwrap();
    let words =
        ["run", "oltp_point_select", "--target", "sandbox:mariadb", "--table-size", "1000", "--time", "2"];
    let words = [&words[..], &["--fail-on", "tpmc<1"]].concat();
    Seen::of(&results, output(&results, &words))
}

/// Words that are wrong before anything is started.
fn typed(words: &[&str]) -> Seen {
    let results: TempDir = tempfile::tempdir().unwrap();
    let (code, stdout, stderr) = output(&results, words);
    Seen { code, text: format!("{stdout}{stderr}"), ..Seen::default() }
}

rows! {
    three_runs_on_new_data_all_succeed: "a server started on half a dataset snapshot", three_runs_on_new_data =>
        [Code(0), NeverSays("cannot look at"), NeverSays("ended while starting")];
    a_changed_variable_is_said: "a server that still has what a killed run set", killed_with_a_changed_variable =>
        [Code(0), Says("[\"check\"] true"), Says("[\"doctor\"] true"), Says("[\"prepare\"] true"),
         Says("[\"cleanup\"] true"), Says("--results elsewhere"), Says("did not restore them"),
         Says("were restored"), Says("the server has 1 again")];
    a_refused_password_keeps_its_reason: "nothing was run, and nobody knows why", refused_before_the_first_trial =>
        [Code(1), Says("nothing was measured; the reason is kept: mydyno show"), Says("[\"show\"] true"),
         Says("[\"list\"] true"), Says("\"markdown\"] true"), Says("\"text\"] true"),
         Says("Failed before the first trial"), NeverSays("it never answered"), Validity("red")];
    a_typing_error_is_not_the_latest: "the latest measurement is empty", a_typing_error_after_a_good_run =>
        [Code(0), Says("completed"), NoCaveat("few_transactions")];
    an_output_is_tried_first: "a measurement whose report is lost", an_output_that_cannot_be_written =>
        [Code(2), Says("cannot write /nonexistent/x.txt")];
    an_exceeded_threshold_fails: "p50 is below 1 us", a_threshold_is_exceeded =>
        [Says("p50>1us"), Says("recording nightly: first"), Says("-nightly  mariadb")];
    a_threshold_without_a_figure_cannot_be_told: "a threshold of tpmC holds without TPC-C",
        a_threshold_without_a_figure => [Code(4), Says("the cell has no tpmC")];
    options_of_tpcc_are_refused: "three warehouses were measured",
        || typed(&["run", "oltp_read_write", "--target", "sandbox:mariadb", "--warehouses", "3"]) =>
        [Code(2), Says("--warehouses does not apply to oltp_read_write"), Says("tpcc")];
    options_of_sysbench_are_refused: "TPC-C made three point selects",
        || typed(&["run", "tpcc", "--target", "sandbox:mariadb", "--point-selects", "3"]) =>
        [Code(2), Says("--point-selects does not apply to tpcc")];
}
