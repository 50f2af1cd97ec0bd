//! Recordings described, removed, and passed over: what a name finds, what a list shows.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use crate::common::*;
use model::{Event, EventKind, Failure, FailureCode};
use store::{Results, RunStatus, RunWriter, StoreError};

fn results() -> (tempfile::TempDir, Results) {
    let root = tempfile::tempdir().expect("a temporary directory");
    let results = Results::open(root.path().join("results"));
    (root, results)
}

fn run_failed() -> Event {
    let message = "db1: refused\nmore of it".to_owned();
    event(EventKind::RunFailed {
        failure: Failure { code: FailureCode::Connect, message, hint: None, server_error: None },
    })
}

/// A recording whose run failed before its first trial.
fn failed_early(results: &Results, name: &str, at_s: u64) -> RunWriter {
    let plan = plan(name, &[1]);
    let at = started() + Duration::from_secs(at_s);
    let mut run = results.create("", &plan, &host(), at).expect("a run");
    run.event(&run_started()).expect("an event");
    run.event(&run_failed()).expect("an event");
    run
}

#[test]
fn a_run_that_never_measured_keeps_its_reason_and_is_not_the_latest() {
    let (_root, results) = results();
    let failed = failed_early(&results, "x", 0);
    assert_eq!(results.find("latest").expect("there is no other"), failed.path());
    let entry = store::entry(failed.path());
    assert_eq!((entry.status, entry.problem.as_deref()), (RunStatus::Failed, Some("db1: refused")));
    let measured = record_run(&results);
    failed_early(&results, "y", 60);
    assert_eq!(results.find("latest").expect("found"), measured.path());
    let recording = store::Recording::read(failed.path()).expect("readable");
    assert_eq!(recording.failure().map(|failure| failure.message.as_str()), Some("db1: refused\nmore of it"));
}

#[test]
fn a_run_that_was_taken_up_again_has_no_reason_of_the_earlier_attempt() {
    let (_root, results) = results();
    let mut run = failed_early(&results, "x", 0);
    run.event(&run_started()).expect("an event");
    assert!(store::Recording::read(run.path()).expect("readable").failure().is_none());
}

#[test]
fn the_latest_of_one_second_is_the_one_that_began_last() {
    let (_root, results) = results();
    let begin = |name: &str, at: &str| {
        let mut run = results.create("", &plan(name, &[1]), &host(), started()).expect("a run");
        let kind = EventKind::RunStarted { run: name.to_owned(), trials: 1, done: 0 };
        run.event(&Event { at: at.to_owned(), elapsed_ms: 0, kind }).expect("an event");
        run.path().to_owned()
    };
    let last = begin("aaa", "2026-11-20T19:42:07.219Z");
    begin("zzz", "2026-11-20T19:42:07.195Z");
    assert_eq!(results.find("latest").expect("found"), last);
    assert_eq!(results.list().expect("a list")[0].path, last);
}

#[test]
fn a_note_comes_back_and_can_be_replaced_and_removed() {
    let (_root, results) = results();
    let run = record_run(&results).path().to_owned();
    let note = || results.list().expect("a list")[0].note.clone();
    assert_eq!(note(), None);
    store::write_note(&run, "before the\nupgrade ").expect("written");
    assert_eq!(note().as_deref(), Some("before the upgrade"));
    assert_eq!(store::Recording::read(&run).expect("readable").note, note());
    store::write_note(&run, " ").expect("removed");
    assert_eq!(note(), None);
    store::write_note(&run, "").expect("removed once more");
}

#[test]
fn a_deleted_recording_is_gone_and_one_that_is_written_stays() {
    let (_root, results) = results();
    let run = record_run(&results);
    let path = run.path().to_owned();
    let error = store::remove(&path).expect_err("it is being written");
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    drop(run);
    assert_eq!(results.list().expect("a list").len(), 1);
    store::remove(&path).expect("nobody writes to it");
    assert!(results.list().expect("a list").is_empty());
    assert_eq!(fs::read_dir(results.root()).expect("readable").count(), 0);
    assert!(store::remove(results.root()).is_err(), "it is no recording");
}

#[test]
fn variables_that_were_not_restored_are_found() {
    let (_root, results) = results();
    let run = record_run(&results);
    let originals = BTreeMap::from([("sync_binlog".to_owned(), "1".to_owned())]);
    run.globals(&BTreeMap::from([("mysql".to_owned(), originals)])).expect("written");
    assert!(results.unrestored().is_empty(), "a run under way restores them itself");
    let path = run.path().to_owned();
    drop(run);
    let found = results.unrestored();
    assert_eq!((found.len(), &found[0].path), (1, &path));
    assert_eq!(found[0].originals["mysql"]["sync_binlog"], "1");
    RunWriter::reopen(&path).expect("reopened").writer.globals(&BTreeMap::new()).expect("removed");
    assert!(results.unrestored().is_empty());
}
