//! What people type who come from other tools, and what is wrong with what they type: each is told what to type instead.

use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt;
use tempfile::TempDir;

/// Exit code, standard output, standard error; in a directory of its own.
fn said_in(place: &TempDir, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("mydyno").expect("the program is built for its tests");
    command.args(words).current_dir(place.path()).env_clear();
    command.env("HOME", place.path()).env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn said(words: &str) -> (i32, String, String) {
    let place = tempfile::tempdir().expect("a temporary directory");
    said_in(&place, &words.split(' ').collect::<Vec<_>>())
}

/// Each line of words is a usage error that says this.
fn refused(cases: &[(&str, &str)]) {
    for (words, wanted) in cases {
        let (code, stdout, stderr) = said(words);
        assert_eq!((code, stdout.as_str()), (2, ""), "{words}: {stderr}");
        assert!(stderr.contains(wanted), "{words}: {stderr}");
    }
}

#[test]
fn options_of_other_tools_are_named_as_they_are_called_here() {
    refused(&[
        ("run oltp_read_write --duration 10", "did you mean --time?"),
        ("run oltp_read_write --repeats 3", "it is an option of sweep, capacity, "),
        ("list --threads 3", "it is an option of sweep, run"),
        ("--threads 4 run oltp_read_write", "it is an option of"),
        ("run oltp_read_write --theads 3", "did you mean --threads?"),
    ]);
    let (_, _, stderr) = said("run oltp_read_write --quux 3");
    assert!(!stderr.contains("did you mean"), "{stderr}");
}

#[test]
fn verbs_of_other_tools_are_named_as_they_are_called_here() {
    refused(&[
        ("rm latest", "did you mean delete?"),
        ("bench", "did you mean run?"),
        ("experiment", "mydyno experiment run durability --quick"),
        ("experiment", "mydyno experiments"),
        ("server", "mydyno server install mysql"),
    ]);
}

#[test]
fn verbs_that_users_try_work() {
    let (code, help, _) = said("help run");
    assert_eq!((code, help), (0, said("run --help").1));
    assert_eq!(said("version").1, said("--version").1);
    assert_eq!(said("experiment list").1, said("experiments").1);
    let (code, _, stderr) = said("--results elsewhere list");
    assert_eq!(code, 0);
    assert!(stderr.contains("no recordings in elsewhere"), "{stderr}");
}

#[test]
fn values_that_cannot_be_are_explained() {
    refused(&[
        ("run oltp_read_write --threads -1", "--threads cannot be '-1': it is a list such as 16"),
        ("run oltp_read_write --time -1", "--time cannot be '-1'"),
        ("run oltp_read_write --threads 2 --threads 4", "the number of clients is given twice"),
        ("run oltp_read_write --threads 2 --terminals=4", "the number of clients is given twice"),
        ("run oltp_read_write --in-flight 0", "--in-flight cannot be '0': it must be at least 1"),
        ("run oltp_read_write --workers 0", "it must be between 1 and 1024"),
        ("run oltp_read_write -h db1 -D=", "the name of the database is empty"),
        ("run oltp_read_write --fail-on p99>20", "a time with its unit"),
        ("run oltp_read_write --name latest", "choose another name"),
    ]);
    let (_, _, stderr) = said(&format!("run oltp_read_write --threads {}x", "1,".repeat(3_000)));
    assert!(stderr.len() < 400, "{stderr}");
}

#[test]
fn a_mistake_in_an_experiment_names_its_file() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str, text: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, text).expect("a writable directory");
        path.display().to_string()
    };
    let option = file(
        "option.toml",
        "question = \"x\"\ntarget = \"sandbox:mysql\"\noptions = \"--tim 3\"\n[[workload]]\nlabel = \"a\"\nrun = \"oltp_read_only\"\n",
    );
    let (code, _, stderr) = said_in(&place, &["plan", &option]);
    assert_eq!(code, 2);
    assert!(stderr.contains("option.toml: unknown option '--tim'"), "{stderr}");
    let factor = file(
        "factor.toml",
        "question = \"x\"\ntarget = \"sandbox:mysql\"\n[[factor]]\npath = \"load.threads\"\nlevels = [1, 2]\n",
    );
    let (code, _, stderr) = said_in(&place, &["plan", &factor]);
    assert_eq!(code, 2);
    assert!(stderr.contains("path = \"workload\""), "{stderr}");
}

#[test]
fn a_socket_that_is_not_used_is_said() {
    let place = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(place.path().join(".my.cnf"), "[client]\nhost=127.0.0.1\nport=1\n").expect("written");
    let (code, _, stderr) = said_in(&place, &["check", "-S", "/nope.sock", "-u", "x"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("the socket is not used: the host 127.0.0.1 means TCP"), "{stderr}");
}

#[test]
fn what_is_not_there_cannot_be_deleted_or_pruned() {
    refused(&[("delete nothing", "no recordings in results"), ("prune", "--keep")]);
    let (code, _, stderr) = said("prune --keep 3");
    assert_eq!(code, 0);
    assert!(stderr.contains("nothing to delete"), "{stderr}");
}

#[test]
fn recordings_are_noted_pruned_and_deleted() {
    let place = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(place.path().join("t.csv"), "clients,tps\n1,100\n4,300\n").expect("written");
    let mut ids = Vec::new();
    for name in ["one", "two", "three"] {
        let map = ["--map", "threads=clients,throughput=tps", "--target", "x", "--workload", "y"];
        let (code, path, stderr) =
            said_in(&place, &[&["import", "t.csv", "--format", "csv", "--name", name][..], &map].concat());
        assert_eq!(code, 0, "{stderr}");
        ids.push(path.trim().rsplit('/').next().expect("a name").to_owned());
    }
    assert_eq!(said_in(&place, &["note", &ids[0], "before", "the upgrade"]).0, 0);
    let listed = said_in(&place, &["list"]).1;
    assert!(listed.contains("NOTE") && listed.contains("before the upgrade"), "{listed}");
    assert!(said_in(&place, &["show", &ids[0]]).1.contains("note      before the upgrade"));
    for format in ["text", "markdown", "json"] {
        let reported = said_in(&place, &["report", &ids[0], "--format", format]).1;
        assert!(reported.contains("before the upgrade"), "{format}: {reported}");
    }
    let (code, would, _) = said_in(&place, &["prune", "--keep", "2", "--dry-run"]);
    assert_eq!((code, would), (0, format!("would delete {}\n", ids[0])));
    assert_eq!(said_in(&place, &["list"]).1.lines().count(), 1 + 3, "nothing was deleted");
    assert_eq!(said_in(&place, &["prune", "--keep", "2"]).1, format!("deleted {}\n", ids[0]));
    // One that is not there keeps the others.
    let (code, _, _) = said_in(&place, &["delete", &ids[1], "nothing-like-it"]);
    assert_eq!(code, 2);
    assert_eq!(said_in(&place, &["delete", &ids[1], &ids[2]]).0, 0);
    assert_eq!(said_in(&place, &["list"]).1, "");
    assert_eq!(said_in(&place, &["prune", "--older", "30d"]).0, 0);
}
