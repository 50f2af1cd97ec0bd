//! Files of a finished recording that are not as they were written.

use std::fs;
use std::path::Path;

use crate::sabotage::recording::{commanded, edit, of_cell, reported, run};
use crate::sabotage::row::{Expect::*, Seen};

/// Half of a file of the first trial of `safe` with one client.
fn cut(name: &'static str) -> Seen {
    reported(|results| {
        let path = of_cell(results, "safe", 1)[0].join(name);
        let bytes = fs::read(&path).unwrap();
        // Within a line.
        let half = bytes.len() / 2;
        let end = if bytes[half - 1] == b'\n' { half - 3 } else { half };
        fs::write(&path, &bytes[..end]).unwrap();
    })
}

/// Something else in its place.
fn replaced(name: &'static str) -> Seen {
    reported(|results| {
        let noise: Vec<u8> = (0..5_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        fs::write(of_cell(results, "safe", 1)[0].join(name), noise).unwrap();
    })
}

/// Whole lines are missing at the end of a file of the first trial of `safe` with one client.
fn lines_missing(name: &'static str) -> Seen {
    reported(|results| line_lost(&of_cell(results, "safe", 1)[0].join(name)))
}

/// Without its last line.
fn line_lost(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(path, lines[..lines.len() - 1].concat()).unwrap();
}

/// Forty bytes of letters in the middle of the latencies: the length stays, and what the report needs is in the totals.
fn noise_in_the_log(results: &Path) {
    let path = of_cell(results, "safe", 1)[0].join("load.hlog");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 40].copy_from_slice(b"Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFy");
    fs::write(&path, bytes).unwrap();
}

/// One more digit in the result itself.
fn a_result_that_was_edited(results: &Path) {
    let path = of_cell(results, "safe", 1)[0].join("trial.json");
    let text = fs::read_to_string(&path).unwrap();
    let changed = text.replacen("\"reconnects\": 0", "\"reconnects\": 10", 1);
    assert_ne!(changed, text);
    fs::write(&path, changed).unwrap();
}

/// The tail of a trial that was interrupted: what a kill leaves.
fn torn_tail_of_an_interrupted_trial() -> Seen {
    reported(|results| {
        let trial = &of_cell(results, "safe", 1)[0];
        edit(&trial.join("trial.json"), |trial| {
            trial["outcome"] = serde_json::json!({"outcome": "interrupted"})
        });
        let path = trial.join("intervals.jsonl");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    })
}

fn of_run(name: &str, results: &Path) {
    fs::write(run(results).join(name), "x").unwrap();
}

fn a_recording_of_a_newer_format() -> Seen {
    commanded(
        |results| {
            let whole = run(results);
            let newer = results.join("20991231-235959-newer");
            copy(&whole, &newer);
            edit(&newer.join("host.json"), |host| host["format"] = 99.into());
        },
        &["history", "RUN"],
    )
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

rows! {
    a_cut_log_is_named: "half of the latencies pass for all", || cut("load.hlog") =>
        [Code(0), Caveat("damaged_file", "warn"), Says("load.hlog"), Validity("amber")];
    a_random_log_is_named: "noise in place of latencies", || replaced("load.hlog") =>
        [Code(0), Caveat("damaged_file", "warn"), Says("load.hlog")];
    cut_seconds_are_named: "half of the seconds pass for all", || cut("intervals.jsonl") =>
        [Code(0), Caveat("damaged_file", "warn"), Says("intervals.jsonl")];
    random_seconds_are_named: "noise in place of seconds", || replaced("intervals.jsonl") =>
        [Code(0), Caveat("damaged_file", "warn"), Says("intervals.jsonl")];
    whole_seconds_that_are_missing_are_named: "a file cut between two lines looks whole",
        || lines_missing("intervals.jsonl") =>
        [Code(0), Caveat("damaged_file", "warn"), Says("intervals.jsonl")];
    whole_readings_that_are_missing_are_named: "costs from a server that was watched for half of the window",
        || lines_missing("observations.jsonl") =>
        [Code(0), Caveat("damaged_file", "warn"), Says("observations.jsonl has "), Says(" bytes that were written"),
         Validity("amber")];
    noise_of_unchanged_length_is_named: "the log is whole, since it has its length", || reported(noise_in_the_log) =>
        [Code(0), Caveat("damaged_file", "warn"), Says("load.hlog has changed since it was written"),
         Validity("amber")];
    noise_of_unchanged_length_is_shown: "the log is whole, since it has its length",
        || commanded(noise_in_the_log, &["show", "RUN"]) =>
        [Code(0), Says("load.hlog has changed since it was written")];
    a_result_that_was_edited_is_named: "figures that nobody measured", || reported(a_result_that_was_edited) =>
        [Code(0), Caveat("damaged_file", "warn"), Says("trial.json has ")];
    whole_events_that_are_missing_are_named: "what happened at the end is lost without a word",
        || reported(|results| line_lost(&run(results).join("events.jsonl"))) =>
        [Code(0), Validity("amber"), Says("events.jsonl has "), Says(" bytes that were written")];
    cut_observations_are_named: "half of the readings pass for all", || cut("observations.jsonl") =>
        [Code(0), Caveat("damaged_file", "warn"), Says("observations.jsonl")];
    cut_snapshots_are_named: "costs from half a snapshot", || cut("snapshot-after.json") =>
        [Code(0), Caveat("damaged_file", "warn"), Says("snapshot-after.json")];
    random_plans_are_named: "noise in place of plans", || replaced("plans.json") =>
        [Code(0), Caveat("damaged_file", "warn"), Says("plans.json")];
    a_torn_tail_of_an_interrupted_trial_is_no_damage: "a kill looks like damage", torn_tail_of_an_interrupted_trial =>
        [Code(0), NoCaveat("damaged_file"), Caveat("interrupted", "warn")];
    damaged_host_facts_are_named: "one damaged file ends the report",
        || reported(|results| of_run("host.json", results)) =>
        [Code(0), Validity("amber"), Says("host.json is damaged")];
    damaged_events_are_named: "what happened is lost without a word",
        || reported(|results| of_run("events.jsonl", results)) =>
        [Code(0), Validity("amber"), Says("events.jsonl")];
    one_unreadable_recording_does_not_end_history: "one damaged recording ends the history of twelve",
        a_recording_of_a_newer_format => [Code(0), Says("newer: unreadable"), Says("format 99")];
}
