//! Every experiment of the catalogue runs on sandboxes, in a size of seconds, and its report begins with the question and the
//! answer.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use common::{json, output};

/// Less of everything than `--quick`. What is not known to a workload is left out.
fn seconds(name: &str) -> Vec<&'static str> {
    let mut words = vec!["--time", "1", "--warmup-time", "0", "--threads", "2", "--bookend=off"];
    // Intervals and verdicts in some of them.
    let twice = ["durability", "isolation", "binary-ab"].contains(&name);
    words.extend(["--repeats", if twice { "2" } else { "1" }]);
    if !["durability", "endurance"].contains(&name) {
        words.extend(["--tables", "1", "--table-size", "1000"]);
    }
    words
}

#[test]
fn every_experiment_answers_its_question_or_says_what_it_lacks() {
    let results = tempfile::tempdir().unwrap();
    let (_, listed, _) = output(&results, &["experiments"]);
    let names: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "experiment")
        .collect();
    assert_eq!(names.len(), 12, "{listed}");
    for name in names {
        let mut words = vec!["experiment", "run", name, "--quick"];
        if name == "storage-types" {
            words.extend(["--target", "slow=sandbox:mariadb", "--target", "fast=sandbox:mariadb"]);
        }
        words.extend(seconds(name));
        let (code, stdout, stderr) = output(&results, &words);
        if stderr.contains("not reproducible here") {
            assert!(code == 1 && stderr.contains("this machine has"), "{name}: {stderr}");
            continue;
        }
        if code == 1 && stderr.contains("needs the program numactl") {
            println!("{name} is not shown here: {stderr}");
            continue;
        }
        assert_eq!(code, 0, "{name}: {stdout}{stderr}");
        assert!(
            stdout.starts_with("Question: ") && stdout.contains("\nWhat others found\n"),
            "{name}: {stdout}"
        );
        let report = json(&results);
        assert_eq!(report["about"]["experiment"], name);
        assert!(
            report["cells"].as_array().unwrap().iter().all(|cell| cell["status"] == "completed"),
            "{name}"
        );
        assert!(!report["answer"]["en"].as_str().unwrap().is_empty(), "{name}");
    }
}
