//! The program, run in a directory of its own, with the tests' home of servers.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

#[allow(dead_code, reason = "not every test uses all of this")]
pub mod busy;
pub mod comparisons;
mod sums;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::CommandCargoExt;
use model::Flavour;
use sandbox::Home;
use serde_json::Value;
use tempfile::TempDir;

/// The tests' home, into which servers are installed once: MYDYNO_TEST_HOME, or `test-home` in the target directory.
pub fn home() -> (PathBuf, Home) {
    let path = std::env::var_os("MYDYNO_TEST_HOME").map(PathBuf::from);
    let path =
        path.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/test-home"));
    // As the program does: a process that a test has killed may have left its disk.
    disk::unmount_remains(&path);
    let home = Home::open(&path).unwrap();
    for flavour in [Flavour::Mysql, Flavour::Mariadb] {
        home.install(flavour, &mut |_| {}).unwrap();
    }
    (path.canonicalize().unwrap(), home)
}

/// A command with a home of servers, a results directory of its own, and nobody's option files.
pub fn mydyno(results: &TempDir, words: &[&str]) -> Command {
    let mut command = Command::cargo_bin("mydyno").unwrap();
    command.args(words).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    command.env("HOME", results.path()).env("MYDYNO_HOME", home().0).current_dir(results.path());
    command.stdin(Stdio::null());
    command
}

/// Exit code, standard output and standard error.
pub fn output(results: &TempDir, words: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = mydyno(results, words).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

/// Asserts of every recording that its seconds and counts add up.
pub fn add_up(results: &TempDir) {
    sums::check(&results.path().join("results"));
}

/// The latest run as JSON, whose comparisons follow from its trials.
#[allow(dead_code, reason = "not every test uses all of this")]
pub fn json(results: &TempDir) -> Value {
    add_up(results);
    let (code, stdout, stderr) = output(results, &["report", "latest", "--format", "json"]);
    assert_eq!(code, 0, "{stderr}");
    let view = serde_json::from_str(&stdout).unwrap();
    comparisons::check(&view);
    view
}
