//! A recording of two real servers, made once; each row plants its damage in a copy.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{add_up, output};
use crate::sabotage::row::Seen;

/// Two targets of which one never waits for the disk, two numbers of clients, three repeats.
pub const TARGETS: [&str; 2] = ["safe", "loose"];

/// The results directory with the recording, below the target directory. Every row is a process of its own: the first makes
/// it, under a lock, and makes it anew when the program is another.
static MADE: LazyLock<PathBuf> = LazyLock::new(|| {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sabotaged-recording");
    let lock = File::create(place.with_extension("lock")).unwrap();
    lock.lock().unwrap();
    let program = fs::metadata(assert_cmd::cargo::cargo_bin("mydyno")).unwrap().modified().unwrap();
    let made_by = place.with_extension("program");
    let of_now = format!("{program:?}");
    if fs::read_to_string(&made_by).is_ok_and(|made_by| made_by == of_now) {
        return place;
    }
    let _ = fs::remove_dir_all(&place);
    make(&place);
    fs::write(made_by, of_now).unwrap();
    place
});

fn make(place: &Path) {
    let results = tempfile::tempdir().unwrap();
    let safe = "safe=sandbox:mariadb?log_bin=bin&sync_binlog=1";
    let loose = "loose=sandbox:mariadb?log_bin=bin&sync_binlog=0&innodb_flush_log_at_trx_commit=0";
    let command = [
        &["sweep", "oltp_update_index", "--target", safe, "--target", loose, "--threads", "1,2"][..],
        &["--repeats", "3", "--time", "2", "--warmup-time", "0", "--tables", "1", "--table-size", "1000"],
    ]
    .concat();
    let (code, stdout, stderr) = output(&results, &command);
    assert_eq!(code, 0, "{stdout}{stderr}");
    add_up(&results);
    copy(&results.path().join("results"), place);
    quiet(place);
}

/// The machine of the tests is busy with other tests: what that did to the recording is taken out of it.
fn quiet(results: &Path) {
    for trial in trials(results) {
        edit(&trial.join("trial.json"), |trial| {
            trial["surroundings"] = Value::Null;
            trial["generator"]["run_queue_wait_s"] = 0.0.into();
            trial["generator"]["busiest_worker"] = 0.2.into();
            // Absent fields are those of an undisturbed trial.
            let fields = trial.as_object_mut().unwrap();
            ["stalls", "stood_still"].iter().for_each(|name| drop(fields.remove(*name)));
        });
        level(&trial.join("intervals.jsonl"));
    }
}

/// Shares the transactions of the measured seconds out evenly: none of them stalled.
fn level(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut measured: Vec<&mut Value> = lines.iter_mut().filter(|line| line["warmup"] == false).collect();
    let all: u64 = measured.iter().map(|line| line["transactions"].as_u64().unwrap()).sum();
    let (each, last) = (all / measured.len() as u64, measured.len() - 1);
    for (at, line) in measured.iter_mut().enumerate() {
        line["transactions"] = (if at == last { all - each * last as u64 } else { each }).into();
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(path, text).unwrap();
    relist(path);
}

/// Writes down the length and checksum that a file has now: what is planted in it is not that it changed.
fn relist(path: &Path) {
    let list = path.with_file_name("checksums.json");
    let (name, bytes) = (path.file_name().unwrap().to_str().unwrap(), fs::read(path).unwrap());
    let mut json: Value = serde_json::from_slice(&fs::read(&list).unwrap()).unwrap();
    let crc32 = format!("{:08x}", crc32fast::hash(&bytes));
    json["files"][name] = serde_json::json!({"bytes": bytes.len(), "crc32": crc32});
    fs::write(list, json.to_string()).unwrap();
}

/// A copy of the recording, with the file `results` where commands look for it.
pub fn copied() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    copy(&MADE, &directory.path().join("results"));
    directory
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copy(&entry.path(), &target),
            kind if kind.is_file() => drop(fs::copy(entry.path(), &target).unwrap()),
            _ => {}
        }
    }
}

/// The directory of the only recording.
pub fn run(results: &Path) -> PathBuf {
    let all = fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.join("plan.json").exists()).max().unwrap()
}

/// The directories of its trials, in the order of the plan.
pub fn trials(results: &Path) -> Vec<PathBuf> {
    let trials = fs::read_dir(run(results).join("trials")).unwrap();
    let mut all: Vec<PathBuf> = trials.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// Those of one cell.
pub fn of_cell(results: &Path, target: &str, clients: u32) -> Vec<PathBuf> {
    let part = format!("-{target}-oltp_update_index-t{clients}-");
    trials(results).into_iter().filter(|path| path.to_string_lossy().contains(&part)).collect()
}

/// Changes a JSON file, as if it had been written so.
pub fn edit(path: &Path, change: impl Fn(&mut Value)) {
    let mut json: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut json);
    fs::write(path, serde_json::to_vec_pretty(&json).unwrap()).unwrap();
    relist(path);
}

/// What a report says of a recording after `plant` changed it.
pub fn reported(plant: impl Fn(&Path)) -> Seen {
    let directory = copied();
    plant(&directory.path().join("results"));
    Seen::planted(&directory, output(&directory, &["report", "latest", "--format", "text"]))
}

/// What another command says of it; RUN stands for its id.
pub fn commanded(plant: impl Fn(&Path), words: &[&str]) -> Seen {
    let directory = copied();
    let results = directory.path().join("results");
    plant(&results);
    let id = run(&results).file_name().unwrap().to_string_lossy().into_owned();
    let words: Vec<String> = words.iter().map(|word| word.replace("RUN", &id)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Seen::planted(&directory, output(&directory, &words))
}
