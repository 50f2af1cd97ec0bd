//! Every experiment of the catalogue runs on sandboxes, in a size of seconds, and its report begins with the question and the
//! answer.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail by panicking and say what they skip"
)]

use crate::common::{home, json, output};
use model::Flavour;

/// Less of everything than `--quick`. What is not known to a workload is left out.
fn seconds(name: &str) -> Vec<&'static str> {
    // Of two instances together there must be twice the clients of one.
    let clients = if name == "colocation" { "1,2" } else { "2" };
    let mut words = vec!["--time", "1", "--warmup-time", "0", "--threads", clients, "--bookend=off"];
    // Intervals and verdicts in some of them.
    let twice = ["durability", "binary-ab"].contains(&name);
    words.extend(["--repeats", if twice { "2" } else { "1" }]);
    if !["durability", "endurance", "group-vs-semisync"].contains(&name) {
        words.extend(["--tables", "1", "--table-size", "1000"]);
    }
    if name == "durability-risk" {
        // The kinds of crash have tests of their own.
        words.extend(["--crash", "kill"]);
    }
    if name == "replica-apply" {
        // It searches; what it finds in seconds is not confirmed.
        words.extend(["--budget", "10", "--max-trials", "4"]);
    }
    words
}

/// Runs an experiment and looks at its report, or at the reason why this machine cannot show it.
fn answers_its_question_or_says_what_it_lacks(name: &str) {
    let results = tempfile::tempdir().unwrap();
    let mut words = vec!["experiment", "run", name, "--quick"];
    if name == "storage-types" {
        words.extend(["--target", "slow=sandbox:mariadb", "--target", "fast=sandbox:mariadb"]);
    }
    if name == "version-upgrade" {
        home().1.install_version(Flavour::Mariadb, "11.8", &mut |_| ()).unwrap();
    }
    words.extend(seconds(name));
    let (code, stdout, stderr) = output(&results, &words);
    if stderr.contains("not reproducible here") {
        assert!(code == 1 && stderr.contains("this machine has"), "{stderr}");
        return;
    }
    let lacks = ["needs the program numactl", "a simulated network needs"];
    if code == 1 && lacks.iter().any(|lack| stderr.contains(lack)) {
        println!("{name} is not shown here: {stderr}");
        return;
    }
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.starts_with("Question: ") && stdout.contains("\nWhat others found\n"), "{stdout}");
    let report = json(&results);
    assert_eq!(report["about"]["experiment"], name);
    // A trial that other tests disturbed is set aside, so that its cell is partly completed.
    let is_measured = |cell: &serde_json::Value| cell["status"] == "completed" || cell["status"] == "partial";
    assert!(report["cells"].as_array().unwrap().iter().all(is_measured), "{stdout}");
    assert!(!report["answer"]["en"].as_str().unwrap().is_empty());
    // Where other tests disturbed every trial there is no S.
    if name == "colocation" && !stdout.contains("not valid") {
        assert!(report["answer"]["en"].as_str().unwrap().starts_with("S = "), "{stdout}");
        let found = &report["colocations"][0];
        assert_eq!((&found["instances"], &found["points"][0]["threads"]), (&2.into(), &1.into()));
        assert_eq!(found["hypotheses"].as_array().unwrap().len(), 7);
    }
}

/// A test for each experiment, and one that none is missing.
macro_rules! experiments {
    ($($test:ident $name:literal),+ $(,)?) => {
        $(#[test] fn $test() { answers_its_question_or_says_what_it_lacks($name); })+

        #[test]
        fn the_catalogue_lists_these_experiments() {
            let results = tempfile::tempdir().unwrap();
            let (_, listed, _) = output(&results, &["experiments"]);
            let names: Vec<&str> = listed
                .lines()
                .filter_map(|line| line.split_whitespace().next())
                .filter(|name| *name != "experiment")
                .collect();
            assert_eq!(names, [$($name),+], "{listed}");
        }
    };
}

experiments! {
    binary_ab "binary-ab",
    cloud_comparison "cloud-comparison",
    colocation "colocation",
    durability "durability",
    durability_risk "durability-risk",
    endurance "endurance",
    group_vs_semisync "group-vs-semisync",
    ha_cost "ha-cost",
    isolation "isolation",
    latch_sharding "latch-sharding",
    numa "numa",
    replica_apply "replica-apply",
    serial_stage "serial-stage",
    skip_trx_duplicates "skip-trx-duplicates",
    storage_types "storage-types",
    thread_pool "thread-pool",
    tls_overhead "tls-overhead",
    version_upgrade "version-upgrade",
}
