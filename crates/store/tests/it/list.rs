//! Lists and names: right with summaries, without them, and in spite of them.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::common::*;
use model::{EventKind, Outcome};
use store::{Recording, Results, RunStatus, RunWriter};

fn results() -> (tempfile::TempDir, Results) {
    let root = tempfile::tempdir().expect("a temporary directory");
    let results = Results::open(root.path().join("results"));
    (root, results)
}

#[test]
fn a_list_is_made_from_the_files() {
    let (_root, results) = results();
    assert!(results.list().expect("nothing is a list too").is_empty());
    assert!(!results.root().exists(), "looking does not make anything");
    drop(record_run(&results));
    let entry = results.list().expect("a list").remove(0);
    assert_eq!(entry.id, "2026-11-20T19-42-07-oltp_read_write");
    assert_eq!((entry.planned, entry.completed()), (2, 1));
    assert_eq!((entry.targets, entry.threads), (vec!["mysql".to_owned()], vec![1, 1024]));
    assert_eq!(entry.started, "2026-11-20T19:42:07.000Z");
    assert_eq!(entry.status, RunStatus::WithFailures);
    assert_eq!((entry.trials[0].transactions_per_s, entry.trials[0].p95_ns), (Some(100.0), Some(5_000_000)));
}

#[test]
fn a_summary_can_be_deleted_damaged_or_forbidden() {
    let (_root, results) = results();
    let run = record_run(&results).path().to_owned();
    let expected = results.list().expect("a list");
    let summary = run.join("summary.json");
    assert_eq!(results.list().expect("from the summary"), expected);
    let text = fs::read_to_string(&summary).expect("it was made");

    fs::write(&summary, text.replace("with_failures", "complete")).expect("written");
    assert_eq!(results.list().expect("a list")[0].status, RunStatus::Complete, "it is what is read");

    fs::remove_file(&summary).expect("deleted");
    assert_eq!(results.list().expect("without a summary"), expected);
    assert!(summary.exists());

    for damaged in ["", "no JSON", &text[..text.len() / 2], &text.replace("\"version\": 1", "\"version\": 9")]
    {
        fs::write(&summary, damaged).expect("damaged");
        assert_eq!(results.list().expect("with a damaged summary"), expected);
    }
    assert!(Recording::read(&run).expect("a run").damaged.is_empty(), "it is no part of the recording");

    fs::remove_file(&summary).expect("deleted");
    fs::create_dir(&summary).expect("something else in its place");
    assert_eq!(results.list().expect("where no summary can be written"), expected);
}

#[test]
fn the_index_of_mydyno_0_1_is_removed() {
    let (_root, results) = results();
    drop(record_run(&results));
    let index = results.root().join("index.sqlite");
    fs::write(&index, "SQLite format 3").expect("written");
    assert_eq!(results.list().expect("a list").len(), 1);
    assert!(!index.exists());
}

#[test]
fn a_read_only_directory_is_listed_all_the_same() {
    let (_root, results) = results();
    drop(record_run(&results));
    fs::set_permissions(results.root(), fs::Permissions::from_mode(0o555)).expect("read-only");
    assert_eq!(results.list().expect("a list").len(), 1);
    fs::set_permissions(results.root(), fs::Permissions::from_mode(0o755)).expect("writable");
}

#[test]
fn a_list_follows_the_directories() {
    let (_root, results) = results();
    let first = record_run(&results);
    assert_eq!(results.list().expect("a list").len(), 1);
    let second = record_run(&results).path().to_owned();
    let ids: Vec<_> = results.list().expect("a list").into_iter().map(|e| e.id).collect();
    assert_eq!(ids, [format!("{}-2", first.id()), first.id()], "newest first");

    let reopened = RunWriter::reopen(&second).expect("reopened");
    let mut run = reopened.writer;
    record_trial(&mut run, &reopened.plan.trials[1], Outcome::Completed);
    run.event(&event(EventKind::RunFinished { completed: 2, failed: 0 })).expect("an event");
    assert_eq!(results.list().expect("a list")[0].status, RunStatus::Complete);

    fs::remove_dir_all(&second).expect("deleted");
    assert_eq!(results.list().expect("a list").len(), 1);
}

#[test]
fn a_run_says_how_it_stands() {
    let (_root, results) = results();
    let status = || results.list().expect("a list")[0].status;
    let mut run = results.create("", &plan("x", &[1]), &host(), started()).expect("a run");
    run.event(&run_started()).expect("an event");
    assert_eq!(status(), RunStatus::Running);
    let path = run.path().to_owned();
    drop(run);
    assert_eq!(status(), RunStatus::Broken);
    let mut run = RunWriter::reopen(&path).expect("reopened").writer;
    run.event(&event(EventKind::Interrupted)).expect("an event");
    assert_eq!(status(), RunStatus::Interrupted);
    drop(run);
    fs::write(path.join("plan.json"), "{\"format\": 99}").expect("written");
    let entry = results.list().expect("a list").remove(0);
    assert_eq!(entry.status, RunStatus::Unreadable);
    assert!(entry.problem.expect("said").contains("this mydyno reads up to 1"));
}

#[test]
fn a_run_is_found_by_id_prefix_path_and_latest() {
    let (_root, results) = results();
    let plain = |text: String| text.replace(&results.root().display().to_string(), "results");
    let error = results.find("latest").expect_err("none yet");
    let mut sentences = vec![plain(error.to_string())];
    let (first, second) = (record_run(&results), record_run(&results));
    let other = results.create("", &plan("oltp_insert", &[1]), &host(), started()).expect("a run");
    assert_eq!(results.find("latest").expect("found"), second.path());
    assert_eq!(results.find(&first.id()).expect("an id wins over its prefix"), first.path());
    assert_eq!(results.find("2026-11-20T19-42-07-oltp_i").expect("unique prefix"), other.path());
    assert_eq!(results.find(&second.path().display().to_string()).expect("a path"), second.path());
    for query in ["2026", "oltp_insert", "2026-11-21T19-42-07-oltp_inser", "nothing like it"] {
        sentences.push(plain(results.find(query).expect_err("not one run").to_string()));
    }
    insta::assert_snapshot!(sentences.join("\n"));
}
