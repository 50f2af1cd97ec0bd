//! `index.sqlite`: what `list` shows, without opening every file of every run.
//!
//! Only a cache. A run whose files changed since they were indexed is read again; an index that is missing, damaged or of
//! another version is made anew; one that cannot be written is done without. So no error of SQLite reaches a user.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use model::{CellKey, Event, EventKind, FORMAT, Outcome, Plan, TrialResult};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, Row, params};

use crate::{ReadError, Results, files, note, recording};

const FILE: &str = "index.sqlite";

/// Changes with the tables below and with the format of recordings: a newer build may read more than an older one did.
const VERSION: u32 = 2000 + FORMAT;

const SCHEMA: &str = "
    DROP TABLE IF EXISTS trials;
    DROP TABLE IF EXISTS runs;
    CREATE TABLE runs (
        id TEXT PRIMARY KEY, fingerprint INTEGER NOT NULL, name TEXT NOT NULL, started TEXT NOT NULL,
        targets TEXT NOT NULL, workloads TEXT NOT NULL, threads TEXT NOT NULL,
        planned INTEGER NOT NULL, status TEXT NOT NULL, problem TEXT, note TEXT
    ) WITHOUT ROWID;
    CREATE TABLE trials (
        run TEXT NOT NULL REFERENCES runs(id), trial INTEGER NOT NULL,
        target TEXT NOT NULL, workload TEXT NOT NULL, threads INTEGER NOT NULL, repeat INTEGER NOT NULL,
        status TEXT NOT NULL, transactions_per_s REAL, p95_ns INTEGER,
        PRIMARY KEY (run, trial)
    ) WITHOUT ROWID;";

/// One run, as a list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEntry {
    /// The name of its directory.
    pub id: String,
    /// Its directory.
    pub path: PathBuf,
    /// Name of the plan.
    pub name: String,
    /// Wall clock of its start, RFC 3339 in UTC; empty if nothing tells.
    pub started: String,
    /// Labels of its targets, in the order of the plan.
    pub targets: Vec<String>,
    /// Its workloads, in the order of the plan.
    pub workloads: Vec<String>,
    /// Its numbers of clients, ascending.
    pub threads: Vec<u32>,
    /// Trials planned.
    pub planned: u32,
    /// How it stands.
    pub status: RunStatus,
    /// Why it cannot be read, or why it could not go on.
    pub problem: Option<String>,
    /// What the user says of it.
    pub note: Option<String>,
    /// The trials that have a result, in the order of the plan.
    pub trials: Vec<TrialEntry>,
}

/// One trial, as a list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialEntry {
    /// Index in the plan.
    pub index: u32,
    /// What was varied.
    pub cell: CellKey,
    /// `completed`, `failed` or `interrupted`.
    pub status: String,
    /// Transactions per second; none without a measured window.
    pub transactions_per_s: Option<f64>,
    /// 95th percentile of the response time of transactions, nanoseconds; none without a transaction.
    pub p95_ns: Option<u64>,
}

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStatus {
    /// Every planned trial completed.
    Complete,
    /// It went to its end, but trials failed.
    WithFailures,
    /// The user stopped it.
    Interrupted,
    /// It could not go on.
    Failed,
    /// It was killed, or the machine went down.
    Broken,
    /// A process is writing to it now.
    Running,
    /// Its files cannot be read.
    Unreadable,
}

impl RunStatus {
    const ALL: [Self; 7] = [
        Self::Complete,
        Self::WithFailures,
        Self::Interrupted,
        Self::Failed,
        Self::Broken,
        Self::Running,
        Self::Unreadable,
    ];

    /// As a list shows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::WithFailures => "with failures",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
            Self::Broken => "broken off",
            Self::Running => "running",
            Self::Unreadable => "unreadable",
        }
    }
}

impl FromSql for RunStatus {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        Self::ALL.into_iter().find(|s| s.name() == name).ok_or(FromSqlError::InvalidType)
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
    /// All runs, newest first. A directory without a plan is no run and is left out.
    pub fn list(&self) -> Result<Vec<RunEntry>, ReadError> {
        let directories = self.run_directories()?;
        if directories.is_empty() {
            return Ok(Vec::new());
        }
        let (mut cache, mut known) = Cache::open(&self.root.join(FILE));
        let mut entries = Vec::with_capacity(directories.len());
        let mut changed = Vec::new();
        for path in directories {
            let fingerprint = fingerprint(&path);
            let id = recording::run_name(&path);
            let mut entry = match known.remove(&id) {
                Some((indexed, entry)) if indexed == fingerprint => RunEntry { path, ..entry },
                _ => {
                    let entry = scan(&path, id);
                    changed.push((fingerprint, entry.clone()));
                    entry
                }
            };
            if entry.status == RunStatus::Broken && is_being_written(&entry.path) {
                entry.status = RunStatus::Running;
            }
            entries.push(entry);
        }
        if let Some(cache) = &mut cache
            && !(changed.is_empty() && known.is_empty())
        {
            // A cache that cannot be written (read-only directory, full disk) is only slower.
            let _ = cache.save(&changed, known.keys());
        }
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

/// Sizes and times of the files that an entry is made from.
fn fingerprint(run: &Path) -> i64 {
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
    i64::from_ne_bytes(hasher.finish().to_ne_bytes())
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
        targets: in_order(plan.targets.iter().map(|t| t.target.label.clone())),
        workloads: in_order(plan.trials.iter().map(|t| t.cell.workload.clone())),
        threads,
        planned: plan.trials.len() as u32,
        status: status(&plan, &events, &trials),
        problem: recording::failure(&events).map(|failure| first_line(&failure.message)),
        note: note::read_note(path),
        trials,
        name: plan.name,
    })
}

/// The reason itself: below it may be the end of a server's log.
fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

/// Without repetitions, in the order of first appearance.
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
    let response = result.operations.first().map(|o| o.response).filter(|r| r.count > 0);
    let own = (result.measured_s > 0.0).then(|| result.transactions as f64 / result.measured_s);
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

struct Cache {
    connection: Connection,
}

type Known = HashMap<String, (i64, RunEntry)>;

impl Cache {
    /// The cache and what it knows; neither if it can be neither read nor made.
    fn open(path: &Path) -> (Option<Self>, Known) {
        match Self::try_open(path) {
            Ok((cache, known)) => (Some(cache), known),
            Err(error) if is_busy(&error) => (None, Known::new()),
            Err(_) => {
                // Damaged, or not a database at all: whatever it was, it was only a cache of ours.
                let _ = fs::remove_file(path);
                match Self::try_open(path) {
                    Ok((cache, known)) => (Some(cache), known),
                    Err(_) => (None, Known::new()),
                }
            }
        }
    }

    fn try_open(path: &Path) -> rusqlite::Result<(Self, Known)> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(2))?;
        let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version != VERSION {
            connection.execute_batch(&format!("BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;"))?;
        }
        let cache = Self { connection };
        let known = cache.load()?;
        Ok((cache, known))
    }

    fn load(&self) -> rusqlite::Result<Known> {
        let mut known = Known::new();
        let mut runs = self.connection.prepare("SELECT * FROM runs")?;
        let mut rows = runs.query([])?;
        while let Some(row) = rows.next()? {
            let entry = run_from_row(row)?;
            known.insert(entry.id.clone(), (row.get("fingerprint")?, entry));
        }
        let mut trials = self.connection.prepare("SELECT * FROM trials ORDER BY run, trial")?;
        let mut rows = trials.query([])?;
        while let Some(row) = rows.next()? {
            if let Some((_, run)) = known.get_mut(row.get_ref("run")?.as_str()?) {
                run.trials.push(trial_from_row(row)?);
            }
        }
        Ok(known)
    }

    fn save<'a>(
        &mut self,
        changed: &'a [(i64, RunEntry)],
        gone: impl Iterator<Item = &'a String>,
    ) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        for id in gone.chain(changed.iter().map(|(_, run)| &run.id)) {
            transaction.execute("DELETE FROM trials WHERE run = ?1", [id])?;
            transaction.execute("DELETE FROM runs WHERE id = ?1", [id])?;
        }
        for (fingerprint, run) in changed {
            transaction.execute(
                "INSERT INTO runs (id, fingerprint, name, started, targets, workloads, threads, planned, status, \
                 problem, note) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                params![
                    run.id,
                    fingerprint,
                    run.name,
                    run.started,
                    to_text(&run.targets),
                    to_text(&run.workloads),
                    to_text(&run.threads),
                    run.planned,
                    run.status.name(),
                    run.problem,
                    run.note,
                ],
            )?;
            for trial in &run.trials {
                transaction.execute(
                    "INSERT INTO trials (run, trial, target, workload, threads, repeat, status, \
                     transactions_per_s, p95_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                    params![
                        run.id,
                        trial.index,
                        trial.cell.target,
                        trial.cell.workload,
                        trial.cell.threads,
                        trial.cell.repeat,
                        trial.status,
                        trial.transactions_per_s,
                        trial.p95_ns.and_then(|ns| i64::try_from(ns).ok()),
                    ],
                )?;
            }
        }
        transaction.commit()
    }
}

fn run_from_row(row: &Row<'_>) -> rusqlite::Result<RunEntry> {
    Ok(RunEntry {
        id: row.get("id")?,
        path: PathBuf::new(),
        name: row.get("name")?,
        started: row.get("started")?,
        targets: from_text(row, "targets")?,
        workloads: from_text(row, "workloads")?,
        threads: from_text(row, "threads")?,
        planned: row.get("planned")?,
        status: row.get("status")?,
        problem: row.get("problem")?,
        note: row.get("note")?,
        trials: Vec::new(),
    })
}

fn trial_from_row(row: &Row<'_>) -> rusqlite::Result<TrialEntry> {
    Ok(TrialEntry {
        index: row.get("trial")?,
        cell: CellKey {
            target: row.get("target")?,
            workload: row.get("workload")?,
            threads: row.get("threads")?,
            repeat: row.get("repeat")?,
        },
        status: row.get("status")?,
        transactions_per_s: row.get("transactions_per_s")?,
        p95_ns: row.get::<_, Option<i64>>("p95_ns")?.and_then(|ns| u64::try_from(ns).ok()),
    })
}

/// Lists are kept as JSON text, which SQLite's own functions can take apart.
fn to_text<T: serde::Serialize>(values: &[T]) -> String {
    serde_json::to_string(values).expect("a list of names or numbers always has a JSON form")
}

fn from_text<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<Vec<T>> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|_| rusqlite::Error::InvalidQuery)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
}
