//! Names and primitive operations of the files in a run: atomic replacement, lines that survive a cut, versions.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use model::{FORMAT, PlannedTrial, Role};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{ReadError, StoreError};

pub const SPEC: &str = "spec.toml";
pub const PLAN: &str = "plan.json";
pub const HOST: &str = "host.json";
pub const EVENTS: &str = "events.jsonl";
pub const TRIALS: &str = "trials";
pub const TRIAL: &str = "trial.json";
pub const INTERVALS: &str = "intervals.jsonl";
pub const OBSERVATIONS: &str = "observations.jsonl";
pub const SNAPSHOT_BEFORE: &str = "snapshot-before.json";
pub const SNAPSHOT_AFTER: &str = "snapshot-after.json";
pub const PLANS: &str = "plans.json";
/// The directory of the examinations of each target's server at start-up.
pub const SERVERS: &str = "servers";
pub const LOAD_LOG: &str = "load.hlog";
/// The measured window of it, made from it.
pub const LOAD_TOTALS: &str = "load-totals.hlog";
pub const VARIABLES_BEFORE: &str = "variables-before.json";
pub const VARIABLES_AFTER: &str = "variables-after.json";
pub const SERVER_LOG: &str = "server.log";
/// Length and checksum of the files beside it, as they were written.
pub const CHECKSUMS: &str = "checksums.json";
/// The entries of the journal's clients in a crash or a failover, a transaction on each line.
pub const JOURNAL: &str = "journal.jsonl";
/// Stacks of the server that were sampled, a kind on each line with the number of its samples.
pub const STACKS: &str = "stacks.folded";
/// The files of a trial.
pub const OF_TRIAL: [&str; 13] = [
    TRIAL,
    INTERVALS,
    OBSERVATIONS,
    SNAPSHOT_BEFORE,
    SNAPSHOT_AFTER,
    PLANS,
    LOAD_LOG,
    LOAD_TOTALS,
    VARIABLES_BEFORE,
    VARIABLES_AFTER,
    SERVER_LOG,
    JOURNAL,
    STACKS,
];
/// The files that a trial keeps of each server of its target: those of the server that clients connect to in its own
/// directory, those of the others in [`member_directory`].
pub const OF_MEMBER: [&str; 6] =
    [OBSERVATIONS, SNAPSHOT_BEFORE, SNAPSHOT_AFTER, VARIABLES_BEFORE, VARIABLES_AFTER, SERVER_LOG];
/// The values of variables before a trial changed them; it exists while they are changed.
pub const GLOBALS: &str = "globals.json";
/// The user's note on the recording, one line.
pub const NOTE: &str = "note.txt";
/// The list's summary of a recording, made from its other files.
pub const SUMMARY: &str = "summary.json";

/// Every file of a recording with its content, for the reference page. `TRIAL/` is the directory of a trial.
pub const LISTED: &[(&str, &str, &str)] = &[
    ("", SPEC, "what was asked for: targets, workloads, load, repeats; without passwords"),
    (
        "",
        PLAN,
        "every trial, resolved, ordered and seeded, with the hash by which recordings of the same plan are known",
    ),
    ("", HOST, "machine of the generator: CPUs, NUMA nodes, memory, kernel, cgroup limits, calibration"),
    ("", EVENTS, "what happened, one JSON object per line with its time: trials, waits, failures, warnings"),
    ("", NOTE, "note of the user, one line (`mydyno note`)"),
    ("", SUMMARY, "what `mydyno list` shows; made from the other files, may be deleted"),
    (
        "",
        GLOBALS,
        "original values of server variables that a trial changed; exists only until they are restored",
    ),
    (
        "servers/",
        "NN-LABEL.json",
        "what `mydyno doctor` reads of a server: version, plugins, accounts, replication, tables; of the second one of a topology: `NN-LABEL-2.json`",
    ),
    (
        "trials/TRIAL/",
        TRIAL,
        "outcome and figures of the trial: transactions, latencies by operation, errors by code, cost of the generator",
    ),
    (
        "trials/TRIAL/",
        INTERVALS,
        "one line per second: transactions, statements, errors, backlog, percentiles",
    ),
    (
        "trials/TRIAL/",
        LOAD_LOG,
        "histograms: an HdrHistogram interval log (V2), values in nanoseconds, one tag per operation (`response:transaction`, `service:point_select`; warm-up: `warmup:...`)",
    ),
    ("trials/TRIAL/", LOAD_TOTALS, "the same summed over the measured window; may be deleted"),
    ("trials/TRIAL/", OBSERVATIONS, "one line per reading of server and machine"),
    (
        "trials/TRIAL/",
        SNAPSHOT_BEFORE,
        "status, InnoDB metrics, statement digests, waits, memory, threads at the start of the measured window",
    ),
    ("trials/TRIAL/", SNAPSHOT_AFTER, "the same at its end"),
    ("trials/TRIAL/", PLANS, "execution plan of every statement, before and after the load"),
    (
        "trials/TRIAL/",
        JOURNAL,
        "of a crash or failover: what each transaction of the journal did, when it was sent and when acknowledged",
    ),
    (
        "trials/TRIAL/",
        STACKS,
        "of a trial that sampled the server with perf: stacks by thread name, folded: `thread;function;function COUNT`, as flame graph tools read them",
    ),
    ("trials/TRIAL/", VARIABLES_BEFORE, "global variables of the server before the trial"),
    ("trials/TRIAL/", VARIABLES_AFTER, "the same after the trial"),
    ("trials/TRIAL/", SERVER_LOG, "end of the error log of a sandbox"),
    (
        "trials/TRIAL/",
        "members/N-ROLE/",
        "the same files of each further server of a topology: observations, snapshots, variables, log (`members/2-replica/`)",
    ),
];

/// Marks a trial directory that a later attempt replaced; readers leave it out.
pub const ATTEMPT: &str = ".attempt-";

/// The first line of every `.jsonl` file, and the frame of the variables files.
#[derive(Debug, Serialize, Deserialize)]
pub struct Header {
    /// Format version.
    pub format: u32,
}

/// Server variables with a format version around them.
#[derive(Debug, Serialize, Deserialize)]
pub struct VariablesFile {
    /// Format version.
    pub format: u32,
    /// All global variables.
    pub variables: model::Variables,
}

/// Writes a whole file so that a reader sees the old one or the new one, never a part, even after a power cut.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let temporary = path.with_extension("tmp");
    let attempt = || -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    if let Err(error) = attempt() {
        // The leftover would only puzzle; that it cannot be removed changes nothing for the caller.
        let _ = fs::remove_file(&temporary);
        return Err(StoreError::at("write", path)(error));
    }
    sync_directory(path.parent().unwrap_or(Path::new(".")))
}

/// Makes the names in a directory survive a power cut.
pub fn sync_directory(directory: &Path) -> Result<(), StoreError> {
    File::open(directory).and_then(|d| d.sync_all()).map_err(StoreError::at("sync", directory))
}

/// Pretty-printed JSON with a newline at its end.
pub fn to_json<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes =
        serde_json::to_vec_pretty(value).expect("the model has only string keys and plain values");
    bytes.push(b'\n');
    bytes
}

/// Like [`to_json`], for a value without a version of its own: the version comes first.
pub fn to_json_with_format<T: Serialize>(value: &T) -> Vec<u8> {
    #[derive(Serialize)]
    struct Framed<'a, T> {
        format: u32,
        #[serde(flatten)]
        value: &'a T,
    }
    to_json(&Framed { format: FORMAT, value })
}

/// One line of JSON with its newline.
pub fn to_line<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(value).expect("the model has only string keys and plain values");
    bytes.push(b'\n');
    bytes
}

/// Reads a whole JSON file whose version this build knows.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ReadError> {
    let bytes = fs::read(path).map_err(ReadError::at(path))?;
    check_version(path, &bytes)?;
    serde_json::from_slice(&bytes).map_err(|e| ReadError::damaged(path, e))
}

/// Like [`read_json`]; a missing file gives none.
pub fn read_json_if_there<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ReadError> {
    match read_json(path) {
        Ok(value) => Ok(Some(value)),
        Err(ReadError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Checks the version before anything else: the rest of a newer file may have any shape.
fn check_version(path: &Path, json: &[u8]) -> Result<(), ReadError> {
    // It stands first in all that we write; to read the whole for it would be to read everything twice.
    let first = json.trim_ascii_start().strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    let number = first.and_then(|json| json.strip_prefix(b"\"format\": "));
    let digits = number.map(|number| &number[..number.iter().take_while(|b| b.is_ascii_digit()).count()]);
    if let Some(format) = digits.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok()) {
        return check_format(path, format);
    }
    let header: Header = serde_json::from_slice(json).map_err(|e| ReadError::damaged(path, e))?;
    check_format(path, header.format)
}

pub fn check_format(path: &Path, found: u32) -> Result<(), ReadError> {
    if found > FORMAT {
        return Err(ReadError::Newer { path: path.to_owned(), found, supported: FORMAT });
    }
    Ok(())
}

/// The readable part of a file that grows line by line.
#[derive(Debug)]
pub struct Lines<T> {
    /// The lines before the cut.
    pub items: Vec<T>,
    /// Bytes that they take.
    pub length: u64,
    /// The place and reason at which reading stopped early.
    pub cut: Option<String>,
}

/// Reads a `.jsonl` file up to its end or its first unreadable line. `parse` may leave a line out with `Ok(None)`.
/// A missing file has no lines.
pub fn read_lines<T>(
    path: &Path,
    mut parse: impl FnMut(&[u8]) -> Result<Option<T>, String>,
) -> Result<Lines<T>, ReadError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(ReadError::at(path)(error)),
    };
    let mut lines = Lines { items: Vec::new(), length: 0, cut: None };
    for (number, line) in bytes.split_inclusive(|&b| b == b'\n').enumerate() {
        let Some(content) = line.strip_suffix(b"\n") else {
            lines.cut = Some(format!("the last line of {} was cut off", display_name(path)));
            break;
        };
        let parsed = if number == 0 {
            match serde_json::from_slice::<Header>(content) {
                Ok(header) => check_format(path, header.format).map(|()| Ok(None))?,
                Err(error) => Err(error.to_string()),
            }
        } else {
            parse(content)
        };
        match parsed {
            Ok(item) => lines.items.extend(item),
            Err(error) => {
                let name = display_name(path);
                lines.cut = Some(format!("{name} is unreadable from line {} on ({error})", number + 1));
                break;
            }
        }
        lines.length += line.len() as u64;
    }
    Ok(lines)
}

/// The last two parts of a path, or four for a further server of a topology: enough to identify the trial of the file.
pub fn display_name(path: &Path) -> String {
    let parts = path.iter().collect::<Vec<_>>();
    let of_member = parts.iter().rev().nth(2).is_some_and(|part| *part == "members");
    let shown = if of_member { 4 } else { 2 };
    parts[parts.len().saturating_sub(shown)..].iter().collect::<PathBuf>().display().to_string()
}

/// `07-mysql-oltp_read_write-t16-r2`: sorts in the order of the plan and can be read.
pub fn trial_directory(planned: &PlannedTrial, trials: usize) -> String {
    let width = trials.saturating_sub(1).to_string().len().max(2);
    let cell = &planned.cell;
    format!(
        "{:0width$}-{}-{}-t{}-r{}",
        planned.index,
        file_name_part(&cell.target),
        file_name_part(&cell.workload),
        cell.threads,
        cell.repeat
    )
}

/// A label as part of a file name: anything a shell or a file system could take amiss becomes `_`.
pub fn file_name_part(label: &str) -> String {
    const LENGTH_MAX: usize = 60;
    let safe = |c: char| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    let name: String = label.trim_start_matches('.').chars().map(safe).take(LENGTH_MAX).collect();
    if name.is_empty() { "run".to_owned() } else { name }
}

/// The file with the examination of a target's server. Different labels may be reduced to the same characters.
pub fn server_file(index: usize, label: &str, member: usize) -> String {
    let number = if member == 0 { String::new() } else { format!("-{}", member + 1) };
    format!("{index:02}-{}{number}.json", file_name_part(label))
}

/// The directory in a trial's for another server than the one that clients connect to, by position.
pub fn member_directory(member: usize, role: Role) -> String {
    format!("members/{}-{}", member + 1, role.name())
}

/// The plan index that a trial directory's name begins with; none for replaced attempts and strangers.
pub fn trial_index(directory: &str) -> Option<u32> {
    if directory.contains(ATTEMPT) {
        return None;
    }
    directory.split_once('-')?.0.parse().ok()
}
