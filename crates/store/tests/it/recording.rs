//! What is written can be read: whole, cut anywhere, taken up again, or refused in words.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::*;
use model::{
    EventKind, Examination, Observation, Outcome, Plans, Snapshot, StatementPlan, Variables, Watched,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use store::{ReadError, Recording, Results, RunWriter, StoreError};

fn results() -> (tempfile::TempDir, Results) {
    let root = tempfile::tempdir().expect("a temporary directory");
    let results = Results::open(root.path().join("results"));
    (root, results)
}

fn trial_dir(run: &Path, name: &str) -> PathBuf {
    run.join("trials").join(name)
}

#[test]
fn a_recording_holds_what_was_written() {
    let (_root, results) = results();
    let run = record_run(&results);
    let path = run.path().to_owned();
    assert_eq!(run.id(), "2026-11-20T19-42-07-oltp_read_write");
    run.close().expect("closed");

    let read = Recording::read(&path).expect("readable");
    assert_eq!(read.id, "2026-11-20T19-42-07-oltp_read_write");
    assert_eq!(read.truncated, None);
    assert_eq!(read.spec_toml, "name = 'x'\n");
    assert_eq!(read.plan, plan("oltp_read_write", &[1, 1024]));
    assert_eq!(read.host, host());
    assert_eq!(read.events.len(), 2);
    let trial = read.trial(0).expect("recorded");
    assert!(trial.dir.ends_with("00-mysql-oltp_read_write-t1-r1"));
    assert_eq!(trial.result, Some(result(&read.plan.trials[0], Outcome::Completed)));
    assert_eq!(trial.intervals.iter().map(|i| i.warmup).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(trial.entry.variables_before.as_ref().expect("kept")["port"], "3306");
    assert_eq!(trial.entry.variables_after.clone(), None);
    assert_eq!(trial.server_log().as_deref(), Some("ready for connections\n"));
}

#[test]
fn what_was_seen_of_a_server_comes_back() {
    let (_root, results) = results();
    let plan = plan("oltp_read_write", &[1]);
    let mut run = results.create("name = 'x'\n", &plan, &host(), started()).expect("a run");
    let seen = Examination {
        flavour: model::Flavour::Mysql,
        variables: Variables::from([("port".to_owned(), "3306".to_owned())]),
        status: Variables::new(),
        plugins: None,
        channels: None,
        accounts: None,
        tables: None,
        oldest_transaction_s: Some(0),
        events: None,
        unseen: Vec::new(),
    };
    run.examination(0, "mysql", 0, &seen).expect("kept");
    let mut trial = run.trial(&plan.trials[0]).expect("a trial directory");
    let snapshot = |at_s| Snapshot { at_s, ..Snapshot::default() };
    let reading = Observation { at_s: 1.0, ..Observation::default() };
    let plans = Plans { before: vec![StatementPlan::default()], after: Vec::new() };
    trial.member(0).observation(&reading).expect("kept");
    trial.member(0).snapshots(&snapshot(1.0), &snapshot(9.0)).expect("kept");
    trial.plans(&plans).expect("kept");
    trial.finish(&result(&plan.trials[0], Outcome::Completed)).expect("kept");
    let read = Recording::read(run.path()).expect("readable");
    assert_eq!(read.truncated, None);
    assert_eq!(read.examinations, [("mysql".to_owned(), seen)].into());
    let (before, after) = (Some(snapshot(1.0)), Some(snapshot(9.0)));
    let watched =
        Watched { readings: vec![reading], before, after, plans: Some(plans), ..Watched::default() };
    assert_eq!(read.trials[0].entry.watched, watched);
}

#[test]
fn a_result_is_safe_before_the_checks_that_follow_it() {
    let (_root, results) = results();
    let plan = plan("oltp_read_write", &[1]);
    let mut run = results.create("name = 'x'\n", &plan, &host(), started()).expect("a run");
    let mut trial = run.trial(&plan.trials[0]).expect("a trial directory");
    let (interval, histogram) = second(1.0, 5_000_000);
    trial.interval(&interval, &[("response:transaction", &histogram)]).expect("an interval");
    let mut measured = result(&plan.trials[0], Outcome::Completed);
    trial.measured(&measured).expect("written");
    let found = || Recording::read(run.path()).expect("readable").trials.remove(0);
    assert_eq!(found().result.as_ref(), Some(&measured));
    measured.measured.reconnects = 7;
    trial.finish(&measured).expect("written again");
    assert_eq!(found().result, Some(measured));
    assert_eq!(found().intervals.len(), 1);
}

#[test]
fn histograms_merge_over_the_measured_window_only() {
    let (_root, results) = results();
    let run = record_run(&results);
    let trial = Recording::read(run.path()).expect("readable").trials.remove(0);
    let merged = trial.histogram("response:transaction").expect("readable").expect("measured");
    assert_eq!(merged.len(), 2);
    assert!(merged.equivalent(merged.min(), 5_000_000) && merged.equivalent(merged.max(), 6_000_000));
    assert!(trial.histogram("response:nothing").expect("readable").is_none());
    let log = trial.load_log().expect("readable");
    assert_eq!(log.tags().into_iter().collect::<Vec<_>>(), ["response:transaction", "service:commit"]);
    let seconds = log.intervals("service:commit").expect("readable");
    assert_eq!(
        seconds.iter().map(|s| (s.start_s, s.warmup)).collect::<Vec<_>>(),
        [(0.0, true), (1.0, false), (2.0, false)]
    );
}

/// The totals are those of the log, whether they were kept, are gone, are torn, or are of a log that has grown since.
#[test]
fn totals_are_what_the_log_adds_up_to() {
    let (_root, results) = results();
    let run = record_run(&results);
    let trial = Recording::read(run.path()).expect("readable").trials.remove(0);
    let (log, kept) = (trial.dir.join("load.hlog"), trial.dir.join("load-totals.hlog"));
    let merged = |tag: &str| trial.histogram(tag).expect("readable").expect("measured");
    let same = || {
        let totals = trial.totals().expect("readable");
        for tag in ["response:transaction", "service:commit"] {
            assert_eq!(totals.get(tag).expect("measured").histogram(), merged(tag), "{tag}");
        }
        assert!(totals.get("response:nothing").is_none());
    };
    let written = fs::read_to_string(&kept).expect("the end of a trial writes them");
    assert_eq!(written.matches("Tag=").count(), 2, "a line for each tag: {written}");
    same();
    fs::write(&kept, &written[..written.len() - 10]).expect("writable");
    same();
    fs::write(&kept, "").expect("writable");
    same();
    // Under another head the same line counts as of another log.
    let text = fs::read_to_string(&log).expect("it is there");
    let last = text.lines().last().expect("it has lines").to_owned();
    fs::write(&kept, &written).expect("writable");
    fs::write(&log, format!("{text}{last}\n")).expect("writable");
    same();
    fs::remove_file(&kept).expect("it is there");
    same();
}

/// Of a long run a line covers ten seconds, and no second is lost: not those before the measured window, not the last.
#[test]
fn histograms_of_long_runs_are_kept_in_stretches() {
    let (_root, results) = results();
    let mut plan = plan("oltp_read_write", &[1]);
    plan.spec.load.time_s = 3_600.0;
    let mut run = results.create("name = 'x'\n", &plan, &host(), started()).expect("a run");
    let mut trial = run.trial(&plan.trials[0]).expect("a trial directory");
    for end_s in 1..=24 {
        let (interval, histogram) = second(f64::from(end_s), 5_000_000);
        trial.interval(&interval, &[("response:transaction", &histogram)]).expect("an interval");
    }
    trial.finish(&result(&plan.trials[0], Outcome::Completed)).expect("a result");
    let trial = Recording::read(run.path()).expect("readable").trials.remove(0);
    assert_eq!(trial.intervals.len(), 24);
    let stretches = trial.load_log().expect("readable").intervals("response:transaction").expect("readable");
    let shape: Vec<_> =
        stretches.iter().map(|s| (s.start_s, s.length_s, s.warmup, s.histogram.len())).collect();
    assert_eq!(
        shape,
        [(0.0, 1.0, true, 1), (1.0, 10.0, false, 10), (11.0, 10.0, false, 10), (21.0, 3.0, false, 3)]
    );
}

#[test]
fn the_load_log_is_an_hdrhistogram_interval_log() {
    let (_root, results) = results();
    let run = record_run(&results);
    let log = fs::read_to_string(trial_dir(run.path(), "00-mysql-oltp_read_write-t1-r1").join("load.hlog"));
    let without_times: Vec<String> = log
        .expect("text")
        .lines()
        .map(|line| match line.split_once("Time: ") {
            Some((head, _)) => format!("{head}Time: ..."),
            None => line.to_owned(),
        })
        .collect();
    insta::assert_snapshot!(without_times.join("\n"));
}

#[test]
fn two_runs_of_one_second_get_two_ids() {
    let (_root, results) = results();
    let (first, second) = (record_run(&results), record_run(&results));
    assert_eq!(second.id(), format!("{}-2", first.id()));
}

#[test]
fn labels_cannot_leave_the_directory() {
    let (_root, results) = results();
    let mut plan = plan("../../etc/passwd", &[1]);
    plan.trials[0].cell.target = "../a b/c".to_owned();
    let mut run = results.create("", &plan, &host(), started()).expect("a run");
    record_trial(&mut run, &plan.trials[0], Outcome::Completed);
    assert_eq!(run.path().parent(), Some(results.root()));
    assert_eq!(run.id(), "2026-11-20T19-42-07-_.._etc_passwd");
    assert_eq!(Recording::read(run.path()).expect("readable").trials.len(), 1);
}

#[test]
fn a_run_is_written_by_one_process_at_a_time() {
    let (_root, results) = results();
    let run = record_run(&results);
    let error = RunWriter::reopen(run.path()).expect_err("locked");
    assert!(matches!(error, StoreError::Locked { .. }), "{error}");
    let path = run.path().to_owned();
    drop(run);
    RunWriter::reopen(&path).expect("free again");
}

#[test]
fn resuming_keeps_what_completed_and_moves_the_rest_aside() {
    let (_root, results) = results();
    let path = record_run(&results).path().to_owned();
    let reopened = RunWriter::reopen(&path).expect("reopened");
    assert_eq!(reopened.finished.into_iter().collect::<Vec<_>>(), [0]);
    let mut run = reopened.writer;
    record_trial(&mut run, &reopened.plan.trials[1], Outcome::Completed);
    run.close().expect("closed");

    let kept = trial_dir(&path, "01-mysql-oltp_read_write-t1024-r1.attempt-1").join("trial.json");
    assert!(fs::read_to_string(kept).expect("kept").contains("too many connections"));
    let read = Recording::read(&path).expect("readable");
    assert_eq!(read.trials.len(), 2);
    assert!(read.trials.iter().all(|t| t.result.as_ref().is_some_and(|r| r.outcome.is_completed())));
}

#[test]
fn a_torn_event_is_cut_away_before_more_are_written() {
    let (_root, results) = results();
    let path = record_run(&results).path().to_owned();
    let events = path.join("events.jsonl");
    let whole = fs::read(&events).expect("events");
    fs::write(&events, &whole[..whole.len() - 5]).expect("cut");
    let mut run = RunWriter::reopen(&path).expect("reopened").writer;
    run.event(&event(EventKind::Interrupted)).expect("an event");
    run.close().expect("closed");
    let read = Recording::read(&path).expect("readable");
    assert_eq!(read.truncated, None);
    assert_eq!(read.events, [run_started(), event(EventKind::Interrupted)]);
}

#[test]
fn events_of_a_kind_not_yet_known_are_left_out() {
    let (_root, results) = results();
    let path = record_run(&results).path().to_owned();
    let events = path.join("events.jsonl");
    let more = fs::read_to_string(&events).expect("events")
        + "{\"at\":\"2030\",\"elapsed_ms\":1,\"kind\":{\"event\":\"comet\"}}\n";
    fs::write(&events, more).expect("written");
    let read = Recording::read(&path).expect("readable");
    assert_eq!((read.events.len(), read.truncated), (2, None));
}

#[test]
fn newer_files_are_refused_in_words() {
    let (_root, results) = results();
    let path = record_run(&results).path().to_owned();
    let trial = trial_dir(&path, "00-mysql-oltp_read_write-t1-r1");
    for file in [path.join("plan.json"), path.join("events.jsonl"), trial.join("trial.json")] {
        let text = fs::read_to_string(&file).expect("text");
        let newer =
            text.replacen("\"format\": 1", "\"format\": 99", 1).replacen("\"format\":1", "\"format\":99", 1);
        fs::write(&file, newer).expect("written");
        let error = Recording::read(&path).expect_err("newer");
        let expected = format!("{} has format 99, this mydyno reads up to 1", file.display());
        assert_eq!(error.to_string(), expected);
        fs::write(&file, text).expect("restored");
    }
    let log = trial.join("load.hlog");
    let text = fs::read_to_string(&log).expect("text");
    fs::write(&log, text.replacen("format 1]", "format 99]", 1)).expect("written");
    let recording = Recording::read(&path).expect("the rest is readable");
    assert!(matches!(recording.trials[0].load_log(), Err(ReadError::Newer { found: 99, .. })));
}

#[test]
fn a_result_that_could_not_be_read_back_is_not_written() {
    let (_root, results) = results();
    let plan = plan("x", &[1]);
    let mut run = results.create("", &plan, &host(), started()).expect("a run");
    let mut result = result(&plan.trials[0], Outcome::Completed);
    result.measured.measured_s = f64::NAN;
    let error = run.trial(&plan.trials[0]).expect("a trial").finish(&result).expect_err("not a number");
    assert!(matches!(error, StoreError::Unreadable { .. }), "{error}");
}

#[test]
fn a_full_disk_is_named_and_loses_nothing_that_was_finished() {
    // A file system of our own to fill would need root: /dev/full answers every write as a full disk does.
    let (_root, results) = results();
    let plan = plan("x", &[1, 2]);
    let mut run = results.create("", &plan, &host(), started()).expect("a run");
    record_trial(&mut run, &plan.trials[0], Outcome::Completed);
    let mut trial = run.trial(&plan.trials[1]).expect("a trial");
    std::os::unix::fs::symlink("/dev/full", trial.path().join("variables-after.tmp")).expect("a link");
    let error = trial.member(0).variables_after(&model::Variables::new()).expect_err("full");
    insta::assert_snapshot!(error.to_string().replace(&results.root().display().to_string(), "results"));
    let (interval, histogram) = second(1.0, 1);
    trial
        .interval(&interval, &[("response:transaction", &histogram)])
        .expect("other files are not concerned");
    let read = Recording::read(run.path()).expect("readable");
    assert!(read.trials[0].result.as_ref().is_some_and(|r| r.outcome.is_completed()));
}

#[test]
fn a_flipped_byte_in_the_load_log_is_an_error_not_a_number() {
    let (_root, results) = results();
    let path = record_run(&results).path().to_owned();
    let log = trial_dir(&path, "00-mysql-oltp_read_write-t1-r1").join("load.hlog");
    let bytes = fs::read(&log).expect("a log");
    let last = bytes.len() - 20;
    for flipped in last..last + 10 {
        let mut damaged = bytes.clone();
        damaged[flipped] = if damaged[flipped] == b'A' { b'B' } else { b'A' };
        fs::write(&log, damaged).expect("written");
        let recording = Recording::read(&path).expect("the rest is readable");
        assert!(matches!(recording.trials[0].histogram("service:commit"), Err(ReadError::Damaged { .. })));
    }
}

/// Every file of a finished run.
fn files_of(run: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![run.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Reads everything there is to read; panics are what this looks for.
fn read_all(path: &Path) -> Result<Recording, ReadError> {
    let recording = Recording::read(path)?;
    for trial in &recording.trials {
        let log = trial.load_log()?;
        for tag in log.tags() {
            log.merged(tag)?;
            log.intervals(tag)?;
        }
    }
    Ok(recording)
}

/// Runs a property over damaged forms of one recorded run. `damage` makes the damaged bytes; the file is put back
/// afterwards, since recording anew for every case would wait for the disk each time.
fn over_damaged_files<S: Strategy>(
    strategy: S,
    damage: impl Fn(S::Value, &[u8]) -> Vec<u8>,
    check: impl Fn(&str, &[u8], &[u8], Result<Recording, ReadError>) -> Result<(), TestCaseError>,
) {
    let (_root, results) = results();
    let path = record_run(&results).path().to_owned();
    let files = files_of(&path);
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 512,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let outcome = runner.run(&(any::<prop::sample::Index>(), strategy), |(file, how)| {
        let file = file.get(&files);
        let bytes = fs::read(file).expect("a file");
        let damaged = damage(how, &bytes);
        fs::write(file, &damaged).expect("written");
        let read = read_all(&path);
        let listed = results.list();
        fs::write(file, &bytes).expect("restored");
        prop_assert!(listed.is_ok(), "a list never fails for one run: {listed:?}");
        check(file.file_name().expect("a name").to_str().expect("text"), &bytes, &damaged, read)
    });
    outcome.expect("the property holds");
}

#[test]
fn a_run_cut_at_any_byte_is_readable_up_to_the_cut() {
    let cut = |at: prop::sample::Index, bytes: &[u8]| bytes[..at.index(bytes.len())].to_vec();
    over_damaged_files(any::<prop::sample::Index>(), cut, |name, whole, kept, read| {
        match read {
            // These are in place, whole, before the run can be seen.
            Err(error) => prop_assert!(["plan.json", "host.json"].contains(&name), "{name}: {error}"),
            Ok(recording) if name.ends_with(".jsonl") => {
                let lines = |bytes: &[u8]| bytes.iter().filter(|&&b| b == b'\n').count();
                // The first line is the header.
                let lost = lines(whole) - lines(kept).max(1);
                let intervals: usize = recording.trials.iter().map(|t| t.intervals.len()).sum();
                prop_assert_eq!(recording.events.len() + intervals, 2 + 3 + 3 - lost);
            }
            Ok(_) => {}
        }
        Ok(())
    });
}

#[test]
fn no_byte_anywhere_can_make_a_reader_panic() {
    let change = |(at, byte): (prop::sample::Index, u8), bytes: &[u8]| {
        let mut changed = bytes.to_vec();
        changed[at.index(bytes.len())] = byte;
        changed
    };
    over_damaged_files((any::<prop::sample::Index>(), any::<u8>()), change, |_, _, _, _| Ok(()));
}
