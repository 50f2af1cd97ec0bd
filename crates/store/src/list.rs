//! The summaries that `list` shows without opening every file of every recording: `summary.json` in each of them.
//!
//! They are only a cache. A recording whose files changed since is read again; a summary that is missing, damaged or of
//! another version is made anew; one that cannot be written is left out.

use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use model::{CellKey, Event, EventKind, FORMAT, Outcome, Plan, TrialResult};
use serde::{Deserialize, Serialize};

use crate::{ReadError, Results, files, in_parallel, note, recording};

/// Changes with the form of an entry and with the format of recordings: a newer build may read more than an older one did.
const VERSION: u32 = 1000 + FORMAT;

/// File in which mydyno 0.1 kept its index, before the summaries.
const OLD_INDEX: &str = "index.sqlite";

/// `summary.json`.
#[derive(Serialize, Deserialize)]
struct Summary<E> {
    version: u32,
    /// Fingerprint of the files that the entry was made from, hexadecimal.
    fingerprint: String,
    entry: E,
}

/// One run, as a list shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunEntry {
    /// The name of its directory.
    pub id: String,
    /// Its directory.
    #[serde(skip)]
    pub path: PathBuf,
    /// Name of the plan.
    pub name: String,
    /// Wall clock of its start, RFC 3339 in UTC; empty if unknown.
    pub started: String,
    /// Labels of its targets, in the order of the plan.
    pub targets: Vec<String>,
    /// Its workloads, in the order of the plan.
    pub workloads: Vec<String>,
    /// Its numbers of clients, ascending.
    pub threads: Vec<u32>,
    /// Trials planned.
    pub planned: u32,
    /// Its status.
    pub status: RunStatus,
    /// The reason it cannot be read, or could not continue.
    pub problem: Option<String>,
    /// The user's note on it.
    pub note: Option<String>,
    /// The trials that have a result, in the order of the plan.
    pub trials: Vec<TrialEntry>,
}

/// One trial, as a list shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialEntry {
    /// Index in the plan.
    pub index: u32,
    /// The cell.
    pub cell: CellKey,
    /// `completed`, `failed` or `interrupted`.
    pub status: String,
    /// Transactions per second; none without a measured window.
    pub transactions_per_s: Option<f64>,
    /// 95th percentile of the response time of transactions, nanoseconds; none without a transaction.
    pub p95_ns: Option<u64>,
}

/// The status of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Every planned trial completed.
    Complete,
    /// It went to its end, but trials failed.
    WithFailures,
    /// The user stopped it.
    Interrupted,
    /// It could not continue.
    Failed,
    /// It was killed, or the machine went down.
    Broken,
    /// A process is writing to it now.
    Running,
    /// Its files cannot be read.
    Unreadable,
}

impl RunStatus {
    /// The name in a list.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::WithFailures => "with failures",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
            Self::Broken => "aborted",
            Self::Running => "running",
            Self::Unreadable => "unreadable",
        }
    }
}

impl RunEntry {
    /// Trials that completed.
    pub fn completed(&self) -> usize {
        self.trials.iter().filter(|t| t.status == "completed").count()
    }
}

/// A run that may lie anywhere, as a list shows it.
pub fn entry(path: &Path) -> RunEntry {
    let mut entry = scan(path, recording::run_name(path));
    if entry.status == RunStatus::Broken && is_being_written(path) {
        entry.status = RunStatus::Running;
    }
    entry
}

/// The plan of a run, without anything else of it.
///
/// # Errors
/// It is missing, damaged, or of a newer version.
pub fn plan(path: &Path) -> Result<Plan, ReadError> {
    recording::read_plan(path)
}

impl Results {
    /// All recordings, newest first. A directory without a plan is no recording and is left out.
    pub fn list(&self) -> Result<Vec<RunEntry>, ReadError> {
        let directories = self.run_directories()?;
        let mut entries = in_parallel(&directories, |path| summed_up(path));
        let _ = fs::remove_file(self.root.join(OLD_INDEX));
        entries.sort_by(|a, b| (&b.started, &b.id).cmp(&(&a.started, &a.id)));
        Ok(entries)
    }

    /// Directories that hold a plan.
    pub(crate) fn run_directories(&self) -> Result<Vec<PathBuf>, ReadError> {
        let entries = match fs::read_dir(&self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(ReadError::at(&self.root)(error)),
        };
        let mut runs = Vec::new();
        for entry in entries {
            let path = entry.map_err(ReadError::at(&self.root))?.path();
            // One that is being deleted has a name that begins with a dot.
            let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if !is_hidden && path.join(files::PLAN).is_file() {
                runs.push(path);
            }
        }
        Ok(runs)
    }
}

/// The entry of a recording: from its summary, if that matches its current files.
fn summed_up(path: &Path) -> RunEntry {
    let (file, fingerprint) = (path.join(files::SUMMARY), fingerprint(path));
    let known = fs::read(&file).ok().and_then(|text| serde_json::from_slice::<Summary<RunEntry>>(&text).ok());
    let known = known.filter(|known| known.version == VERSION && known.fingerprint == fingerprint);
    let mut entry = match known {
        Some(Summary { entry, .. }) => {
            RunEntry { path: path.to_owned(), id: recording::run_name(path), ..entry }
        }
        None => {
            let entry = scan(path, recording::run_name(path));
            let summary = Summary { version: VERSION, fingerprint, entry: &entry };
            // A summary that cannot be written (read-only directory, full disk) only makes the next list slower.
            // A torn one cannot be read, and is made anew.
            let _ = fs::write(&file, files::to_json(&summary));
            entry
        }
    };
    if entry.status == RunStatus::Broken && is_being_written(path) {
        entry.status = RunStatus::Running;
    }
    entry
}

/// Sizes and times of the files that an entry is made from.
fn fingerprint(run: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    let mut add = |path: &Path| {
        if let Ok(metadata) = fs::metadata(path) {
            (path.file_name(), metadata.len(), metadata.modified().ok()).hash(&mut hasher);
        }
    };
    add(&run.join(files::PLAN));
    add(&run.join(files::EVENTS));
    add(&run.join(files::NOTE));
    for (_, directory) in recording::trial_directories(run).unwrap_or_default() {
        add(&directory.join(files::TRIAL));
    }
    format!("{:016x}", hasher.finish())
}

/// Reads what a list shows from the run's own files.
fn scan(path: &Path, id: String) -> RunEntry {
    match try_scan(path, id.clone()) {
        Ok(entry) => entry,
        Err(error) => RunEntry {
            path: path.to_owned(),
            name: id.clone(),
            id,
            started: String::new(),
            targets: Vec::new(),
            workloads: Vec::new(),
            threads: Vec::new(),
            planned: 0,
            status: RunStatus::Unreadable,
            problem: Some(error.to_string()),
            note: None,
            trials: Vec::new(),
        },
    }
}

fn try_scan(path: &Path, id: String) -> Result<RunEntry, ReadError> {
    let plan = recording::read_plan(path)?;
    let events = recording::read_events(path)?.items;
    let mut trials = Vec::new();
    for (_, directory) in recording::trial_directories(path)? {
        match recording::read_result(&directory) {
            Ok(result) => trials.extend(result.map(trial_entry)),
            Err(ReadError::Damaged { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let mut threads: Vec<u32> = plan.trials.iter().map(|t| t.cell.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    Ok(RunEntry {
        id,
        path: path.to_owned(),
        started: events.first().map(|e| e.at.clone()).unwrap_or_default(),
        targets: in_order(plan.spec.targets.iter().map(|t| t.target.label.clone())),
        workloads: in_order(plan.trials.iter().map(|t| t.cell.workload.clone())),
        threads,
        planned: plan.trials.len() as u32,
        status: status(&plan, &events, &trials),
        problem: recording::failure(&events).map(|failure| first_line(&failure.message)),
        note: note::read_note(path),
        trials,
        name: plan.spec.name,
    })
}

/// The reason itself: below it may be the end of a server's log.
fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

/// The labels without duplicates, in the order of first appearance.
fn in_order(labels: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = Vec::new();
    for label in labels {
        if !seen.contains(&label) {
            seen.push(label);
        }
    }
    seen
}

fn trial_entry(result: TrialResult) -> TrialEntry {
    let status = match result.outcome {
        Outcome::Completed => "completed",
        Outcome::Failed(_) => "failed",
        Outcome::Interrupted => "interrupted",
    };
    let response = result.measured.operations.first().map(|o| o.response).filter(|r| r.count > 0);
    let own = (result.measured.measured_s > 0.0)
        .then(|| result.measured.transactions as f64 / result.measured.measured_s);
    let stated = result.stated.as_ref();
    TrialEntry {
        index: result.index,
        cell: result.cell,
        status: status.to_owned(),
        transactions_per_s: stated.map_or(own, |s| s.throughput_per_s),
        p95_ns: response.map(|r| r.p95_ns).or_else(|| Some(stated?.response.p95_ns? as u64)),
    }
}

/// The last word of the latest attempt decides.
fn status(plan: &Plan, events: &[Event], trials: &[TrialEntry]) -> RunStatus {
    let last = events.iter().rev().find_map(|event| match &event.kind {
        EventKind::RunFinished { .. } => Some(RunStatus::WithFailures),
        EventKind::Interrupted => Some(RunStatus::Interrupted),
        EventKind::RunFailed { .. } => Some(RunStatus::Failed),
        EventKind::RunStarted { .. } => Some(RunStatus::Broken),
        _ => None,
    });
    let completed = trials.iter().filter(|t| t.status == "completed").count();
    match last {
        Some(RunStatus::WithFailures) if completed == plan.trials.len() => RunStatus::Complete,
        Some(other) => other,
        None => RunStatus::Broken,
    }
}

/// True while a writer holds the run's lock.
pub(crate) fn is_being_written(run: &Path) -> bool {
    File::open(run.join(files::EVENTS))
        .is_ok_and(|events| matches!(events.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
