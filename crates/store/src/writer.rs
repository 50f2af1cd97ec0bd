//! Writing a run: one directory, one writer, a line at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hdrhistogram::Histogram;
use model::{
    Event, EventKind, Examination, FORMAT, HostFacts, Interval, JournalEntry, Observation, Plan,
    PlannedTrial, Plans, Snapshot, TrialResult, Variables,
};

use crate::files::{self, Header, VariablesFile};
use crate::hlog::{self, LineEncoder, Stretch, Waiting};
use crate::{ReadError, Results, StoreError};
use crate::{checksums, recording, totals};

impl Results {
    /// Makes the directory of a new recording and writes the files known before the first trial. The id is the start in UTC and
    /// the plan's name; a run that began in the same second gets `-2`.
    pub fn create(
        &self,
        spec_toml: &str,
        plan: &Plan,
        host: &HostFacts,
        started: SystemTime,
    ) -> Result<RunWriter, StoreError> {
        fs::create_dir_all(&self.root).map_err(StoreError::at("create", &self.root))?;
        let path = new_directory(&self.root, &run_id(&plan.spec.name, started))?;
        let begun = begin(&path, spec_toml, plan, host);
        if begun.is_err() {
            // Without a plan it is no recording, and nobody would ever remove it.
            let _ = fs::remove_dir_all(&path);
        }
        let events = begun?;
        files::sync_directory(&self.root)?;
        Ok(RunWriter { path, events, plan: plan.clone(), differing: checksums::Written::new() })
    }
}

/// Writes the files known before the first trial. Returns the file of its events, locked.
fn begin(path: &Path, spec_toml: &str, plan: &Plan, host: &HostFacts) -> Result<AppendFile, StoreError> {
    let trials = path.join(files::TRIALS);
    fs::create_dir(&trials).map_err(StoreError::at("create", &trials))?;
    // The lock is taken before plan.json makes this a run that others can see.
    let events_path = path.join(files::EVENTS);
    let mut events = AppendFile::create(&events_path, &files::to_line(&Header { format: FORMAT }))?;
    lock(&events.file, path)?;
    events.sync()?;
    files::write_atomic(&path.join(files::SPEC), spec_toml.as_bytes())?;
    files::write_atomic(&path.join(files::HOST), &files::to_json(host))?;
    files::write_atomic(&path.join(files::PLAN), &files::to_json(plan))?;
    Ok(events)
}

/// `2026-11-20T19-42-07-oltp_read_write`: no colon, so that it is a file name everywhere.
fn run_id(name: &str, started: SystemTime) -> String {
    let timestamp = jiff::Timestamp::try_from(started).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{}-{}", timestamp.strftime("%Y-%m-%dT%H-%M-%S"), files::file_name_part(name))
}

fn new_directory(root: &Path, id: &str) -> Result<PathBuf, StoreError> {
    let mut path = root.join(id);
    let mut suffix = 2;
    loop {
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                path = root.join(format!("{id}-{suffix}"));
                suffix += 1;
            }
            Err(error) => return Err(StoreError::at("create", &path)(error)),
        }
    }
}

/// Takes the lock that keeps a second process from writing to the same recording. It belongs to the open file, so a killed
/// process leaves none behind.
fn lock(events: &File, run: &Path) -> Result<(), StoreError> {
    /// A `mydyno list` holds the lock for an instant to see whether the run is alive.
    const ATTEMPTS: u32 = 5;
    for _ in 0..ATTEMPTS {
        match events.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            // Some network file systems have no locks; that is no reason not to record.
            Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(StoreError::Locked { path: run.to_owned() })
}

/// A run that was taken up again.
#[derive(Debug)]
pub struct Reopened {
    /// The writer, after the last readable event.
    pub writer: RunWriter,
    /// The plan as it was.
    pub plan: Plan,
    /// The spec as it was.
    pub spec_toml: String,
    /// Indexes of the completed trials. The others are to be run again; the files of their earlier attempts are then moved aside.
    pub finished: BTreeSet<u32>,
    /// Their results.
    pub results: Vec<TrialResult>,
}

/// Values of global variables by label of the target and name.
pub type Globals = BTreeMap<String, BTreeMap<String, String>>;

/// The one writer of a run directory.
#[derive(Debug)]
pub struct RunWriter {
    path: PathBuf,
    events: AppendFile,
    plan: Plan,
    /// Files that were damaged when the run was taken up again: they stay so.
    differing: checksums::Written,
}

impl RunWriter {
    /// Reopens the recording of an interrupted run. A torn last event is cut off, nothing else is touched.
    pub fn reopen(path: &Path) -> Result<Reopened, StoreError> {
        let (plan, spec_toml) = (recording::read_plan(path)?, recording::read_spec(path)?);
        let mut events = AppendFile::open(&path.join(files::EVENTS))?;
        lock(&events.file, path)?;
        let readable = recording::read_events(path)?;
        events.cut(readable.length)?;
        if readable.length == 0 {
            events.append(&files::to_line(&Header { format: FORMAT }))?;
        }
        let (mut finished, mut results) = (BTreeSet::new(), Vec::new());
        for (index, directory) in recording::trial_directories(path)? {
            match recording::read_result(&directory) {
                Ok(Some(result)) if result.outcome.is_completed() => {
                    finished.insert(index);
                    results.push(result);
                }
                // What cannot be read has to be measured again; what is newer must not be mixed with ours.
                Ok(_) | Err(ReadError::Damaged { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let differing = checksums::forget(path)?;
        let writer = Self { path: path.to_owned(), events, plan: plan.clone(), differing };
        Ok(Reopened { writer, plan, spec_toml, finished, results })
    }

    /// The run's id: the name of its directory.
    pub fn id(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The run's directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends an event. Seconds of trials and readings of servers are left out, which have files of their own, and so are
    /// progress of loading and waits, which are of no use once they are over.
    pub fn event(&mut self, event: &Event) -> Result<(), StoreError> {
        match event.kind {
            EventKind::Interval { .. }
            | EventKind::Observation { .. }
            | EventKind::DataProgress { .. }
            | EventKind::Waiting { .. } => Ok(()),
            _ => self.events.append(&files::to_line(event)),
        }
    }

    /// Replaces the plan, to which trials were added.
    pub fn plan(&mut self, plan: &Plan) -> Result<(), StoreError> {
        self.plan = plan.clone();
        files::write_atomic(&self.path.join(files::PLAN), &files::to_json(plan))
    }

    /// Keeps the values that servers had before a trial changes them, by label and variable, so that they can be restored
    /// after a kill. Nothing to keep: the file is removed.
    pub fn globals(&self, originals: &Globals) -> Result<(), StoreError> {
        let path = self.path.join(files::GLOBALS);
        if !originals.is_empty() {
            return files::write_atomic(&path, &files::to_json(originals));
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::at("remove", &path)(error))
            }
            _ => Ok(()),
        }
    }

    /// The variables that a killed attempt left changed.
    pub fn globals_left(&self) -> Globals {
        let text = fs::read(self.path.join(files::GLOBALS)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Keeps the examination of a target's server at start-up, by the target's position in the plan and the server's in the
    /// target; that of an earlier attempt is replaced.
    pub fn examination(
        &self,
        index: usize,
        label: &str,
        member: usize,
        seen: &Examination,
    ) -> Result<(), StoreError> {
        let directory = self.path.join(files::SERVERS);
        fs::create_dir_all(&directory).map_err(StoreError::at("create", &directory))?;
        files::write_atomic(
            &directory.join(files::server_file(index, label, member)),
            &files::to_json_with_format(seen),
        )
    }

    /// Begins to record a trial. The files of an earlier attempt are moved aside to `<directory>.attempt-<n>`.
    pub fn trial(&mut self, planned: &PlannedTrial) -> Result<TrialWriter, StoreError> {
        let trials = self.path.join(files::TRIALS);
        let directory = trials.join(files::trial_directory(planned, self.plan.trials.len()));
        if directory.exists() {
            move_aside(&directory)?;
        }
        fs::create_dir_all(&directory).map_err(StoreError::at("create", &directory))?;
        files::sync_directory(&trials)?;
        let intervals = AppendFile::create(
            &directory.join(files::INTERVALS),
            &files::to_line(&Header { format: FORMAT }),
        )?;
        Ok(TrialWriter {
            members: self.member_writers(&directory, &planned.cell.target)?,
            directory,
            intervals,
            load_log: None,
            journal: None,
            encoder: LineEncoder::new(),
            stretch_s: hlog::stretch_s(self.plan.spec.load_of(planned.workload)),
            waiting: None,
        })
    }

    /// A writer for each server of a target.
    fn member_writers(&self, directory: &Path, label: &str) -> Result<Vec<MemberWriter>, StoreError> {
        let target = self.plan.spec.targets.iter().find(|one| one.target.label == label);
        let members = target.map_or(&[][..], |one| one.target.members.as_slice());
        let others = members.iter().enumerate().skip(1).map(|(at, member)| {
            let name = files::member_directory(at, member.role);
            let directory = directory.join(&name);
            fs::create_dir_all(&directory).map_err(StoreError::at("create", &directory))?;
            Ok(MemberWriter { directory, name: format!("{name}/"), observations: None })
        });
        let entry = MemberWriter { directory: directory.to_owned(), name: String::new(), observations: None };
        std::iter::once(Ok(entry)).chain(others).collect()
    }

    /// Makes everything written survive a power cut, writes down its checksums and gives the run free.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.events.sync()?;
        let servers = self.plan.spec.targets.iter().enumerate().flat_map(|(index, one)| {
            let label = &one.target.label;
            let file = move |member| files::server_file(index, label, member);
            (0..one.target.members.len()).map(move |member| format!("{}/{}", files::SERVERS, file(member)))
        });
        let others = [files::EVENTS, files::SPEC, files::HOST, files::PLAN].map(str::to_owned);
        let names: Vec<String> = others.into_iter().chain(servers).collect();
        checksums::write(&self.path, &names, &self.differing)
    }
}

fn move_aside(directory: &Path) -> Result<(), StoreError> {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let mut attempt = 1;
    loop {
        let aside = directory.with_file_name(format!("{name}{}{attempt}", files::ATTEMPT));
        if !aside.exists() {
            return fs::rename(directory, &aside).map_err(StoreError::at("move aside", directory));
        }
        attempt += 1;
    }
}

/// The one writer of a trial's directory.
pub struct TrialWriter {
    directory: PathBuf,
    intervals: AppendFile,
    /// Made with the first interval: only then is it known when the clients started.
    load_log: Option<AppendFile>,
    /// Writers for the servers of its target, beginning with the one that clients connect to.
    members: Vec<MemberWriter>,
    /// Made with its first entry.
    journal: Option<AppendFile>,
    encoder: LineEncoder,
    stretch_s: f64,
    /// Histograms that are not written yet, since a line covers more than a second.
    waiting: Option<Waiting>,
}

impl TrialWriter {
    /// The trial's directory.
    pub fn path(&self) -> &Path {
        &self.directory
    }

    /// Appends one second: the figures, and a histogram per tag (`response:transaction`, `service:point_select`;
    /// nanoseconds). During the warm-up the tags are marked as such here; the caller does nothing special.
    pub fn interval(
        &mut self,
        interval: &Interval,
        histograms: &[(&str, &Histogram<u64>)],
    ) -> Result<(), StoreError> {
        // A line is of the warm-up or of the measured window.
        if self.waiting.as_ref().is_some_and(|waiting| waiting.stretch.warmup != interval.warmup) {
            self.write_waiting()?;
        }
        if self.load_log.is_none() {
            let age = Duration::try_from_secs_f64(interval.end_s).unwrap_or_default();
            let start = SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH);
            let path = self.directory.join(files::LOAD_LOG);
            self.load_log = Some(AppendFile::create(&path, hlog::header(start).as_bytes())?);
        }
        let waiting = self.waiting.get_or_insert_with(|| Waiting::new(interval));
        waiting.add(interval, histograms);
        // An interval is a second or a little less.
        if waiting.stretch.length_s > self.stretch_s - 0.5 || self.stretch_s <= 1.0 {
            self.write_waiting()?;
        }
        self.intervals.append(&files::to_line(interval))
    }

    /// Appends how long the trial's connections took to open. One line for the whole of it, since most of them were opened
    /// before its first second.
    pub fn connections(
        &mut self,
        end_s: f64,
        histograms: &[(&str, &Histogram<u64>)],
    ) -> Result<(), StoreError> {
        self.write_waiting()?;
        let Some(log) = &mut self.load_log else { return Ok(()) };
        let stretch = Stretch { start_s: 0.0, length_s: end_s, warmup: false };
        let mut lines = String::new();
        for (tag, histogram) in histograms {
            self.encoder.append(&mut lines, &stretch, tag, histogram);
        }
        log.append(lines.as_bytes())
    }

    fn write_waiting(&mut self) -> Result<(), StoreError> {
        let (Some(waiting), Some(log)) = (self.waiting.take(), &mut self.load_log) else { return Ok(()) };
        let mut lines = String::new();
        waiting.lines(&mut self.encoder, &mut lines);
        log.append(lines.as_bytes())
    }

    /// The writer for a server of the target, by position.
    pub fn member(&mut self, at: usize) -> &mut MemberWriter {
        &mut self.members[at]
    }

    /// Appends what came of a transaction of a client that keeps a journal.
    pub fn journal(&mut self, entry: &JournalEntry) -> Result<(), StoreError> {
        let file = match &mut self.journal {
            Some(file) => file,
            none => {
                let path = self.directory.join(files::JOURNAL);
                none.insert(AppendFile::create(&path, &files::to_line(&Header { format: FORMAT }))?)
            }
        };
        file.append(&files::to_line(entry))
    }

    /// Keeps how the server executes the workload's statements.
    pub fn plans(&self, plans: &Plans) -> Result<(), StoreError> {
        files::write_atomic(&self.directory.join(files::PLANS), &files::to_json_with_format(plans))
    }

    /// Keeps stacks of the server that were sampled, folded.
    pub fn stacks(&self, folded: &str) -> Result<(), StoreError> {
        files::write_atomic(&self.directory.join(files::STACKS), folded.as_bytes())
    }

    /// Stores the result before it is complete: the following checks may take minutes.
    pub fn measured(&mut self, result: &TrialResult) -> Result<(), StoreError> {
        self.write(result)
    }

    /// Ends the trial. When this returns, the result and all that belongs to it survive a power cut.
    pub fn finish(mut self, result: &TrialResult) -> Result<(), StoreError> {
        self.write(result)?;
        totals::write(&self.directory, &mut self.encoder);
        let others = self.members.iter().filter(|member| !member.name.is_empty());
        let of_members =
            others.flat_map(|member| files::OF_MEMBER.map(|file| format!("{}{file}", member.name)));
        let names: Vec<String> = files::OF_TRIAL.map(str::to_owned).into_iter().chain(of_members).collect();
        checksums::write(&self.directory, &names, &checksums::Written::new())
    }

    fn write(&mut self, result: &TrialResult) -> Result<(), StoreError> {
        self.write_waiting()?;
        if let Some(log) = &mut self.load_log {
            log.sync()?;
        }
        self.intervals.sync()?;
        self.journal.iter_mut().try_for_each(AppendFile::sync)?;
        let mut observations = self.members.iter_mut().filter_map(|member| member.observations.as_mut());
        observations.try_for_each(AppendFile::sync)?;
        let path = self.directory.join(files::TRIAL);
        let json = files::to_json(result);
        // A NaN becomes null in JSON, and a null would make the whole trial unreadable: better to say so now.
        if let Err(source) = serde_json::from_slice::<TrialResult>(&json) {
            return Err(StoreError::Unreadable { path, source });
        }
        files::write_atomic(&path, &json)
    }
}

/// The one writer of what a trial keeps of a server.
pub struct MemberWriter {
    directory: PathBuf,
    /// The directory relative to that of the trial, with a `/` at its end; empty of the server that clients connect to.
    name: String,
    /// Made with the first reading: nothing seen makes no file.
    observations: Option<AppendFile>,
}

impl MemberWriter {
    /// Appends a reading of the server.
    pub fn observation(&mut self, observation: &Observation) -> Result<(), StoreError> {
        let file = match &mut self.observations {
            Some(file) => file,
            none => {
                let path = self.directory.join(files::OBSERVATIONS);
                none.insert(AppendFile::create(&path, &files::to_line(&Header { format: FORMAT }))?)
            }
        };
        file.append(&files::to_line(observation))
    }

    /// Keeps what the server showed at both ends of the measured window.
    pub fn snapshots(&self, before: &Snapshot, after: &Snapshot) -> Result<(), StoreError> {
        files::write_atomic(
            &self.directory.join(files::SNAPSHOT_BEFORE),
            &files::to_json_with_format(before),
        )?;
        files::write_atomic(&self.directory.join(files::SNAPSHOT_AFTER), &files::to_json_with_format(after))
    }

    /// Keeps the server's variables as they were before the trial. Secrets must be masked already.
    pub fn variables_before(&self, variables: &Variables) -> Result<(), StoreError> {
        self.variables(files::VARIABLES_BEFORE, variables)
    }

    /// Keeps the server's variables as they were after the trial. Secrets must be masked already.
    pub fn variables_after(&self, variables: &Variables) -> Result<(), StoreError> {
        self.variables(files::VARIABLES_AFTER, variables)
    }

    fn variables(&self, name: &str, variables: &Variables) -> Result<(), StoreError> {
        let file = VariablesFile { format: FORMAT, variables: variables.clone() };
        files::write_atomic(&self.directory.join(name), &files::to_json(&file))
    }

    /// Keeps the part of the server's log that belongs to the trial.
    pub fn server_log(&self, log: &[u8]) -> Result<(), StoreError> {
        files::write_atomic(&self.directory.join(files::SERVER_LOG), log)
    }
}

/// A file that only grows, whole lines at a time.
#[derive(Debug)]
struct AppendFile {
    path: PathBuf,
    file: File,
    /// Up to the end of the last whole line.
    length: u64,
}

impl AppendFile {
    fn create(path: &Path, head: &[u8]) -> Result<Self, StoreError> {
        let file = File::options()
            .append(true)
            .create_new(true)
            .open(path)
            .map_err(StoreError::at("create", path))?;
        let mut new = Self { path: path.to_owned(), file, length: 0 };
        new.append(head)?;
        Ok(new)
    }

    fn open(path: &Path) -> Result<Self, StoreError> {
        let file =
            OpenOptions::new().append(true).create(true).open(path).map_err(StoreError::at("open", path))?;
        let length = file.metadata().map_err(StoreError::at("open", path))?.len();
        Ok(Self { path: path.to_owned(), file, length })
    }

    /// Straight to the operating system: a kill of this process loses nothing. Lines that did not fit on the device are
    /// removed, so that later lines do not continue a torn one.
    fn append(&mut self, lines: &[u8]) -> Result<(), StoreError> {
        if let Err(error) = self.file.write_all(lines) {
            let _ = self.file.set_len(self.length);
            return Err(StoreError::at("write", &self.path)(error));
        }
        self.length += lines.len() as u64;
        Ok(())
    }

    fn cut(&mut self, length: u64) -> Result<(), StoreError> {
        self.file.set_len(length).map_err(StoreError::at("repair", &self.path))?;
        self.length = length;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.file.sync_all().map_err(StoreError::at("sync", &self.path))
    }
}
