//! Two versions of one server on one machine: installed side by side, named, labelled and compared.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::common::{home, json, output};
use assert_cmd::cargo::CommandCargoExt;
use model::Flavour;

const OTHER: &str = "11.8";

/// The experiment that asks whether an upgrade costs anything, on the version before and the one after.
#[test]
fn an_upgrade_is_measured_on_the_two_versions_themselves() {
    let (_, servers) = home();
    let other = servers.install_version(Flavour::Mariadb, OTHER, &mut |_| ()).unwrap();
    assert!(other.is_own && other.is_version(OTHER), "{other:?}");
    let system = servers.resolve(Flavour::Mariadb, None).unwrap();
    assert!(!system.is_own, "without a version it is the system's, as ever: {system:?}");

    let place = tempfile::tempdir().unwrap();
    let (code, list, stderr) = output(&place, &["server", "list"]);
    assert!(code == 0 && list.contains(&other.version) && list.contains(&system.version), "{list}{stderr}");

    let quick = ["experiment", "run", "version-upgrade", "--quick"];
    let small =
        ["--threads", "2", "--time", "1", "--warmup-time", "0", "--repeats", "2", "--table-size", "1000"];
    let (code, stdout, stderr) = output(&place, &[&quick[..], &small].concat());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let view = json(&place);
    let of = |key: &str| -> Vec<String> {
        let targets = view["targets"].as_array().unwrap().iter();
        targets.map(|target| target[key].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(of("label"), ["mariadb-10.11", "mariadb-11.8"]);
    let says = view["targets"].as_array().unwrap().iter().map(|one| one["summary"]["en"].as_str().unwrap());
    for (says, version) in says.zip(["MariaDB 10.11.", "MariaDB 11.8."]) {
        assert!(says.contains(version), "{says}");
    }
    assert_eq!(view["comparisons"].as_array().unwrap().len(), 2, "reads and read-write");
}

#[test]
fn a_version_that_is_not_there_is_named_with_what_gets_it() {
    let place = tempfile::tempdir().unwrap();
    let (code, _, stderr) =
        output(&place, &["run", "oltp_read_only", "--target", "sandbox:mariadb@9.1", "--time", "1"]);
    assert!(code == 1 && stderr.contains("no mariadb 9.1 is installed"), "{code} {stderr}");
    assert!(stderr.contains("mydyno server install mariadb@9.1"), "{stderr}");
    let (code, _, stderr) = output(&place, &["server", "install", "mariadb@new"]);
    assert!(code == 2 && stderr.contains("'new' is not a version"), "{code} {stderr}");
}

/// `apt-get` as it would be on a slow network: it says when it begins and when it ends.
const SLOW_APT: &str = r#"#!/bin/sh
echo "begin $$" >>"$HOME/apt.log"
touch "$HOME/began"
i=0; while [ ! -e "$HOME/go" ] && [ $i -lt 1200 ]; do sleep 0.05; i=$((i + 1)); done
echo "end $$" >>"$HOME/apt.log"
exit 1
"#;

/// Killing mydyno leaves its apt-get behind; the next installation must not run into that one's locks.
#[test]
fn an_installation_waits_for_the_apt_of_one_that_was_killed() {
    let place = tempfile::tempdir().unwrap();
    let programs = place.path().join("bin");
    fs::create_dir(&programs).unwrap();
    let apt = programs.join("apt-get");
    fs::write(&apt, SLOW_APT).unwrap();
    fs::set_permissions(&apt, fs::Permissions::from_mode(0o755)).unwrap();
    let install = || {
        let mut command = Command::cargo_bin("mydyno").unwrap();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        command.args(["server", "install", "mysql"]).env_clear().env("PATH", path);
        command.env("HOME", place.path()).env("MYDYNO_HOME", place.path().join("home"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let until = |holds: &dyn Fn() -> bool| {
        while !holds() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    let began = place.path().join("began");
    let mut first = install();
    until(&|| began.exists());
    first.kill().unwrap();
    first.wait().unwrap();

    let mut second = install();
    let mut said = String::new();
    let mut stderr = std::io::BufReader::new(second.stderr.take().unwrap());
    while !said.contains("another installation is under way: waiting for it to end") {
        let read = std::io::BufRead::read_line(&mut stderr, &mut said).unwrap();
        assert!(read > 0, "it did not wait: {said}");
    }
    fs::write(place.path().join("go"), "").unwrap();
    second.wait().unwrap();
    let log = fs::read_to_string(place.path().join("apt.log")).unwrap();
    let words: Vec<&str> = log.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(words, ["begin", "end", "begin", "end"], "one after the other: {log}");
}
