//! What people read first: the help of the program and of its verbs, as golden files.

use std::process::Command;

use assert_cmd::cargo::CommandCargoExt;

fn help(words: &[&str]) -> String {
    let mut command = Command::cargo_bin("mydyno").expect("the program is built for its tests");
    let output =
        command.args(words).arg("--help").env("COLUMNS", "120").output().expect("the program starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_program() {
    insta::assert_snapshot!(help(&[]));
}

#[test]
fn sweep() {
    insta::assert_snapshot!(help(&["sweep"]));
}

#[test]
fn run() {
    insta::assert_snapshot!(help(&["run"]));
}

#[test]
fn prepare() {
    insta::assert_snapshot!(help(&["prepare"]));
}

#[test]
fn report() {
    insta::assert_snapshot!(help(&["report"]));
}

#[test]
fn doctor() {
    insta::assert_snapshot!(help(&["doctor"]));
}

#[test]
fn diff() {
    insta::assert_snapshot!(help(&["diff"]));
}

#[test]
fn import() {
    insta::assert_snapshot!(help(&["import"]));
}

#[test]
fn compare() {
    insta::assert_snapshot!(help(&["compare"]));
}

#[test]
fn history() {
    insta::assert_snapshot!(help(&["history"]));
}
