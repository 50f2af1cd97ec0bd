//! Recordings of earlier versions: report, compare and list read them. No server is needed.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt;
use serde_json::Value;

const OF_0_1: &str = "2026-11-21T10-00-00-oltp_write_only";
const OF_0_2: &str = "2026-11-22T10-00-00-oltp_write_only";

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            std::fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

/// What the program prints beside a results directory with both recordings.
fn printed(words: &[&str]) -> String {
    let place = tempfile::tempdir().unwrap();
    let kept = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../report/tests/it/recordings"));
    [OF_0_1, OF_0_2].iter().for_each(|id| copy(&kept.join(id), &place.path().join("results").join(id)));
    let mut command = Command::cargo_bin("mydyno").unwrap();
    command.args(words).current_dir(place.path()).env_clear();
    command.env("HOME", place.path()).env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn reports_have_the_figures_of_recordings_of_earlier_versions() {
    for id in [OF_0_1, OF_0_2] {
        let view: Value = serde_json::from_str(&printed(&["report", id, "--format", "json"])).unwrap();
        let cell = &view["cells"][0];
        assert_eq!((&view["targets"][0]["label"], &cell["threads"]), (&"mysql".into(), &2.into()), "{id}");
        let trials = cell["trials"].as_array().unwrap_or_else(|| panic!("{id}: {cell}"));
        let counts: Vec<_> = trials.iter().map(|trial| trial["transactions"].as_u64().unwrap()).collect();
        assert_eq!(counts, [702, 781], "{id}");
        let text = printed(&["report", id, "--format", "text"]);
        assert!(text.contains("MySQL 9.7.4-2, sandbox"), "{id}: the server is known\n{text}");
        assert!(!text.contains("damaged") && !text.contains("missing"), "{id}: {text}");
        assert!(printed(&["report", id, "--format", "markdown", "--lang", "zh"]).contains("有效"), "{id}");
    }
}

#[test]
fn recordings_of_earlier_versions_are_compared() {
    let text = printed(&["compare", OF_0_1, OF_0_2]);
    assert!(text.contains(&format!("{OF_0_2}:mysql against {OF_0_1}:mysql")), "{text}");
    assert!(text.contains("the versions of mydyno differ: 0.1.0 and 0.2.0"), "{text}");
    assert!(!text.contains("options differ"), "the workload is the same: {text}");
    let chinese = printed(&["compare", OF_0_1, OF_0_2, "--lang", "zh"]);
    assert!(chinese.contains("mydyno 版本不同：0.1.0 与 0.2.0"), "{chinese}");
    assert!(chinese.contains("先后测得，没有交错进行"), "{chinese}");
}

#[test]
fn recordings_of_earlier_versions_are_listed() {
    let list = printed(&["list"]);
    for id in [OF_0_1, OF_0_2] {
        let line = list.lines().find(|line| line.contains(id)).unwrap_or_else(|| panic!("{id}: {list}"));
        assert!(line.contains("complete"), "{line}");
    }
}
