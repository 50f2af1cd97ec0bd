//! Where a server spends CPU: what perf sees of a real one, or why it sees nothing.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{self, output};

const LOAD: [&str; 12] = [
    "--tables",
    "1",
    "--table-size",
    "1000",
    "--threads",
    "2",
    "--time",
    "3",
    "--warmup-time",
    "1",
    "--repeats",
    "1",
];

#[test]
fn the_trial_that_is_sampled_counts_for_nothing_but_its_cost() {
    let results = tempfile::tempdir().unwrap();
    let mut words = vec!["sweep", "oltp_read_only", "--perf"];
    words.extend([
        "--target",
        "a=sandbox:mariadb",
        "--target",
        "b=sandbox:mariadb?innodb_adaptive_hash_index=ON",
    ]);
    words.extend(LOAD);
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let view = common::json(&results);
    assert_eq!(view["cells"].as_array().unwrap().len(), 2);
    assert!(
        view["cells"].as_array().unwrap().iter().all(|cell| cell["trials"].as_array().unwrap().len() == 1)
    );
    let profiles = view["profiles"].as_array().unwrap();
    assert_eq!(profiles.len(), 2, "{profiles:?}");
    for profile in profiles {
        let says = profile["says"][0]["en"].as_str().unwrap();
        if profile["samples"].is_null() {
            // Where perf is missing or forbidden, the report says which, and nothing else fails.
            assert_eq!(profile["says"][0]["id"], "profile-not-sampled", "{says}");
            continue;
        }
        sampled(&results, profile);
        assert!(stdout.contains(says), "{stdout}");
    }
    if profiles.iter().any(|profile| profile["samples"].is_null()) {
        return;
    }
    let change = &view["profile_changes"][0];
    assert_eq!((change["base"].as_u64(), change["other"].as_u64()), (Some(0), Some(1)));
    let (_, markdown, _) = output(&results, &["report", "latest", "--format", "markdown"]);
    assert!(markdown.contains("### Where a spends CPU: "), "{markdown}");
    let (_, chinese, _) = output(&results, &["report", "latest", "--format", "text", "--lang", "zh"]);
    assert!(chinese.contains("a 的 CPU 用在哪里"), "{chinese}");
}

fn sampled(results: &TempDir, profile: &Value) {
    assert!(profile["samples"].as_u64().unwrap() > 20, "{profile}");
    assert!(profile["throughput_ratio"].as_f64().unwrap() > 0.0, "{profile}");
    let functions = profile["functions"].as_array().unwrap();
    assert!(!functions.is_empty() && functions.len() <= 10, "{profile}");
    let file = results.path().join(profile["file"].as_str().unwrap());
    let folded = std::fs::read_to_string(&file).unwrap();
    let counted: u64 =
        folded.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!(Some(counted), profile["samples"].as_u64());
    // What perf wrote itself is large, and gone.
    assert!(!file.with_file_name("perf.data").exists());
}

#[test]
fn a_search_adds_no_trial_that_is_sampled() {
    let results = tempfile::tempdir().unwrap();
    let words = ["capacity", "oltp_read_only", "--perf", "--target", "sandbox:mariadb"];
    let (code, _, stderr) = output(&results, &words);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("a search chooses its trials itself"), "{stderr}");
}

#[test]
fn a_plan_names_the_trials_that_are_sampled() {
    let results = tempfile::tempdir().unwrap();
    let words =
        ["plan", "sweep", "oltp_read_only", "--perf", "--target", "sandbox:mariadb", "--threads", "1,4"];
    let (code, stdout, stderr) = output(&results, &words);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout.matches("sampled by perf").count(), 1, "{stdout}");
}
