//! What is not as it was written is named, whatever it still looks like.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::*;
use model::{EventKind, Observation, Outcome, Variables};
use store::{Recording, Results, RunWriter};

/// A finished recording of one completed trial in which every kind of file is, and its directory.
fn finished() -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().expect("a temporary directory");
    let results = Results::open(root.path().join("results"));
    let plan = plan("oltp_read_write", &[1]);
    let mut run = results.create("name = 'x'\n", &plan, &host(), started()).expect("a run");
    run.event(&run_started()).expect("an event");
    let mut trial = run.trial(&plan.trials[0]).expect("a trial directory");
    trial
        .member(0)
        .variables_before(&Variables::from([("port".to_owned(), "3306".to_owned())]))
        .expect("variables");
    for (end_s, ns) in [(1.0, 9_000_000), (2.0, 5_000_000), (3.0, 6_000_000)] {
        let (interval, histogram) = second(end_s, ns);
        let histograms = [("response:transaction", &histogram), ("service:commit", &histogram)];
        trial.interval(&interval, &histograms).expect("an interval");
        trial
            .member(0)
            .observation(&Observation { at_s: end_s, ..Observation::default() })
            .expect("a reading");
    }
    trial.member(0).server_log(b"ready for connections\nready again\n").expect("a server log");
    trial.finish(&result(&plan.trials[0], Outcome::Completed)).expect("a result");
    run.event(&event(EventKind::RunFinished { completed: 1, failed: 0 })).expect("an event");
    let path = run.path().to_owned();
    run.close().expect("closed");
    (root, path)
}

fn trial_file(run: &Path, name: &str) -> PathBuf {
    run.join("trials/00-mysql-oltp_read_write-t1-r1").join(name)
}

/// What is said of the trial, and of the files beside it.
fn damaged(run: &Path) -> (Vec<String>, Vec<String>) {
    let recording = Recording::read(run).expect("readable");
    let told = recording.truncated.clone().unwrap_or_default();
    for sentence in recording.damaged.iter().chain(&recording.trials[0].damaged) {
        assert!(told.contains(sentence), "{sentence} is not in {told}");
    }
    (recording.trials[0].damaged.clone(), recording.damaged)
}

/// Without its last line.
fn line_lost(path: &Path) {
    let text = fs::read_to_string(path).expect("text");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(path, lines[..lines.len() - 1].concat()).expect("written");
}

#[test]
fn what_is_as_it_was_written_is_not_named() {
    let (_root, run) = finished();
    assert_eq!(damaged(&run), (Vec::new(), Vec::new()));
    let listed = fs::read_to_string(trial_file(&run, "checksums.json")).expect("it is there");
    // As of `crc32 server.log`.
    assert!(
        listed.contains("\"server.log\": {\n      \"bytes\": 34,\n      \"crc32\": \"9b825bc2\""),
        "{listed}"
    );
}

#[test]
fn a_file_that_lost_whole_lines_is_named() {
    for name in ["intervals.jsonl", "observations.jsonl", "load.hlog", "server.log"] {
        let (_root, run) = finished();
        let path = trial_file(&run, name);
        let before = path.metadata().expect("it is there").len();
        line_lost(&path);
        let after = path.metadata().expect("it is there").len();
        let trial = "00-mysql-oltp_read_write-t1-r1";
        let expected = format!("{trial}/{name} has {after} of the {before} bytes that were written");
        assert_eq!(damaged(&run), (vec![expected], Vec::new()));
    }
}

#[test]
fn a_file_with_other_bytes_is_named() {
    // The same length, and still what it was: lines of a log, a number, text.
    let changes = [
        ("load.hlog", "Tag=service:commit,2", "Tag=service:commit,3"),
        ("trial.json", "\"transactions\": 200", "\"transactions\": 900"),
        ("observations.jsonl", "\"at_s\":2.0", "\"at_s\":2.5"),
        ("variables-before.json", "3306", "3307"),
    ];
    for (name, from, to) in changes {
        let (_root, run) = finished();
        let path = trial_file(&run, name);
        let text = fs::read_to_string(&path).expect("text");
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replacen(from, to, 1)).expect("written");
        let (trial, _) = damaged(&run);
        assert_eq!(trial.len(), 1, "{trial:?}");
        assert!(trial[0].ends_with(&format!("{name} has changed since it was written")), "{trial:?}");
    }
}

#[test]
fn a_file_that_is_gone_or_grew_is_named() {
    let (_root, run) = finished();
    fs::remove_file(trial_file(&run, "observations.jsonl")).expect("removed");
    let log = trial_file(&run, "server.log");
    fs::write(&log, fs::read_to_string(&log).expect("text") + "more\n").expect("written");
    let (trial, _) = damaged(&run);
    assert_eq!(trial.len(), 2, "{trial:?}");
    assert!(trial[0].ends_with("/observations.jsonl is missing"), "{trial:?}");
    assert!(trial[1].ends_with("/server.log has 39 bytes, and 34 were written"), "{trial:?}");
}

/// A file that cannot be parsed is named once.
#[test]
fn a_torn_file_is_named_once() {
    let (_root, run) = finished();
    fs::write(run.join("checksums.json"), "{").expect("written");
    let (trial, beside) = damaged(&run);
    assert!(trial.is_empty() && beside.len() == 1 && beside[0].contains("checksums.json"), "{beside:?}");
    for name in ["intervals.jsonl", "variables-before.json", "checksums.json"] {
        let (_root, run) = finished();
        let path = trial_file(&run, name);
        let bytes = fs::read(&path).expect("bytes");
        fs::write(&path, &bytes[..bytes.len() - 5]).expect("written");
        let (trial, _) = damaged(&run);
        assert_eq!(trial.len(), 1, "{trial:?}");
        assert!(trial[0].contains(name), "{trial:?}");
    }
}

#[test]
fn noise_in_the_log_takes_its_latencies_away_and_noise_in_its_totals_nothing() {
    let (_root, run) = finished();
    let totals = trial_file(&run, "load-totals.hlog");
    line_lost(&totals);
    let trial = Recording::read(&run).expect("readable").trials.remove(0);
    assert_eq!(trial.damaged, Vec::<String>::new());
    let of_log = trial.totals().expect("readable");
    assert_eq!(of_log.truncated(), None);
    assert_eq!(of_log.get("service:commit").expect("from the log").histogram().len(), 2);
    fs::remove_file(totals).expect("removed");
    assert_eq!(damaged(&run), (Vec::new(), Vec::new()), "it may be deleted");

    let log = trial_file(&run, "load.hlog");
    let mut bytes = fs::read(&log).expect("bytes");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 40].fill(b'z');
    fs::write(&log, bytes).expect("written");
    let trial = Recording::read(&run).expect("readable").trials.remove(0);
    assert!(trial.damaged[0].ends_with("load.hlog has changed since it was written"), "{:?}", trial.damaged);
}

#[test]
fn a_file_beside_the_trials_is_named() {
    let (_root, run) = finished();
    line_lost(&run.join("events.jsonl"));
    let plan = run.join("plan.json");
    let text = fs::read_to_string(&plan).expect("text");
    fs::write(&plan, text.replace("\"seed\": 7", "\"seed\": 8")).expect("written");
    let (trial, beside) = damaged(&run);
    assert_eq!(trial, Vec::<String>::new());
    assert_eq!(beside.len(), 2, "{beside:?}");
    assert!(
        beside[0].contains("/events.jsonl has ") && beside[0].contains(" bytes that were written"),
        "{beside:?}"
    );
    assert!(beside[1].ends_with("/plan.json has changed since it was written"), "{beside:?}");
}

/// More events follow when a run is taken up again; a kill then leaves nothing to compare with.
#[test]
fn a_run_that_is_taken_up_again_is_not_damaged() {
    let (_root, run) = finished();
    let mut again = RunWriter::reopen(&run).expect("reopened").writer;
    again.event(&event(EventKind::Interrupted)).expect("an event");
    assert_eq!(damaged(&run), (Vec::new(), Vec::new()), "while it goes on, or after a kill");
    again.close().expect("closed");
    assert_eq!(damaged(&run), (Vec::new(), Vec::new()));
    line_lost(&run.join("events.jsonl"));
    let (_, beside) = damaged(&run);
    assert!(beside[0].contains("events.jsonl"), "{beside:?}");
}

#[test]
fn what_was_damaged_stays_so_when_a_run_is_taken_up_again() {
    let (_root, run) = finished();
    line_lost(&run.join("events.jsonl"));
    let mut again = RunWriter::reopen(&run).expect("reopened").writer;
    again.event(&event(EventKind::Interrupted)).expect("an event");
    again.close().expect("closed");
    let (_, beside) = damaged(&run);
    assert!(beside.len() == 1 && beside[0].contains("events.jsonl"), "{beside:?}");
}

/// Of an earlier version, or of a killed run: it is read as ever.
#[test]
fn a_recording_without_checksums_is_not_checked() {
    let (_root, run) = finished();
    fs::remove_file(run.join("checksums.json")).expect("removed");
    fs::remove_file(trial_file(&run, "checksums.json")).expect("removed");
    line_lost(&trial_file(&run, "observations.jsonl"));
    line_lost(&run.join("events.jsonl"));
    assert_eq!(damaged(&run), (Vec::new(), Vec::new()));
}
