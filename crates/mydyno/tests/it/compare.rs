//! `mydyno compare` on recordings of real servers.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::Value;

use crate::common::output;

#[test]
fn two_targets_of_a_sweep_and_two_runs_are_compared() {
    let results = tempfile::tempdir().unwrap();
    let small = ["--tables", "1", "--table-size", "2000", "--time", "2", "--warmup-time", "0"];
    // Committing to disk each time is slower by far than never doing it.
    let safe = "safe=sandbox:mariadb?log_bin=bin&sync_binlog=1";
    let loose = "loose=sandbox:mariadb?log_bin=bin&sync_binlog=0&innodb_flush_log_at_trx_commit=0";
    let targets = ["sweep", "oltp_update_index", "--target", safe, "--target", loose];
    let all = [&targets[..], &["--threads", "1", "--repeats", "3"], &small].concat();
    let (code, _, stderr) = output(&results, &all);
    assert_eq!(code, 0, "{stderr}");
    let compare = |words: &[&str]| output(&results, &[&["compare"], words].concat());

    let (code, stdout, stderr) = compare(&["latest:safe", "latest:loose", "--fail-on", "throughput<-3%"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("gate throughput<-3%: holds"), "{stdout}");
    let (code, stdout, _) =
        compare(&["latest:loose", "latest:safe", "--format", "json", "--fail-on", "throughput<-3%"]);
    let answer: Value = serde_json::from_str(&stdout).unwrap();
    let point = &answer["pairs"][0]["points"][0];
    let expected = match point["verdict"].as_str().unwrap() {
        "worse" => 3,
        // On a machine that is busy with other tests three runs may not decide.
        "inconclusive" => 4,
        other => panic!("{other}: {point}"),
    };
    assert_eq!(code, expected, "{stdout}");
    let (_, markdown, _) = compare(&["latest:safe", "latest:loose", "--format", "markdown"]);
    assert!(markdown.contains("| oltp_update_index | transactions/s | 1 |"), "{markdown}");

    // A single run has no interval: a gate over it cannot be told, and says so.
    let single = ["run", "oltp_update_index", "--target", safe, "--threads", "1"];
    let (code, _, stderr) = output(&results, &[&single[..], &small].concat());
    assert_eq!(code, 0, "{stderr}");
    let runs: Vec<String> = std::fs::read_dir(results.path().join("results"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter(|name| name.starts_with("20"))
        .collect();
    let (older, newer) = (runs.iter().min().unwrap(), runs.iter().max().unwrap());
    let (code, stdout, stderr) = compare(&[&format!("{older}:safe"), newer, "--fail-on", "throughput<-99%"]);
    assert_eq!(code, 4, "{stdout}{stderr}");
    assert!(stdout.contains("single trial: no interval") && stdout.contains("undetermined"), "{stdout}");
    assert!(stdout.contains("taken one after the other, not interleaved"), "{stdout}");

    for (words, part) in [
        (&["latest", "latest"][..], "both sides are the same"),
        (&["latest:saef", "latest"], "did you mean safe?"),
        (&["latest", "nothing"], "no recording"),
        (&[older.as_str(), newer.as_str(), "--metrics", "speed"], "there is no metric 'speed'"),
    ] {
        let (code, _, stderr) = compare(words);
        assert!(code == 2 || code == 1, "{words:?}: {code} {stderr}");
        assert!(stderr.contains(part), "{words:?}: {stderr}");
    }
}
