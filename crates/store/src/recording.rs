//! Reads a recording: everything before a cut counts, and the cut is reported.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hdrhistogram::Histogram;
use model::{
    ChangedVariable, Event, EventKind, Examination, Failure, HostFacts, Interval, Member, Plan, PlannedTrial,
    TrialResult, Variables, Watched,
};

use crate::files::{self, Lines, VariablesFile};
use crate::totals::Source;
use crate::{LoadLog, ReadError, Totals, checksums, in_parallel, note};

/// A recording on disk.
#[derive(Debug)]
pub struct Recording {
    /// The run's id: the name of its directory.
    pub id: String,
    /// Its directory.
    pub path: PathBuf,
    /// The user's specification, as written.
    pub spec_toml: String,
    /// The plan.
    pub plan: Plan,
    /// The machine that offered the load.
    pub host: HostFacts,
    /// The events, without the kinds that this build does not know.
    pub events: Vec<Event>,
    /// The examination of each server at start-up, by its name (`model::member_name`).
    pub examinations: BTreeMap<String, Examination>,
    /// The trials that were begun, by their index, which is the order of the plan. Those of the plan that are not here were never begun.
    pub trials: Vec<RecordedTrial>,
    /// The loss by a cut, if there was one.
    pub truncated: Option<String>,
    /// The user's note on it.
    pub note: Option<String>,
    /// Damage outside the trials that a kill cannot explain, a sentence each that names the file.
    pub damaged: Vec<String>,
}

/// A recorded trial.
#[derive(Debug)]
pub struct RecordedTrial {
    /// The planned trial.
    pub planned: PlannedTrial,
    /// Its result; none if it was killed, or is still running.
    pub result: Option<TrialResult>,
    /// Second by second, warm-up included.
    pub intervals: Vec<Interval>,
    /// The files of the server that clients connect to.
    pub entry: RecordedMember,
    /// The files of the other servers of a topology, in their order.
    pub others: Vec<RecordedMember>,
    /// Damage although it completed, or although the file was whole when the trial ended, a sentence each that names the file.
    pub damaged: Vec<String>,
    /// Its files that are not as they were written: a sentence by name.
    differing: BTreeMap<String, String>,
    /// Its directory.
    pub dir: PathBuf,
}

/// The files of a server during a trial.
#[derive(Debug, Clone, Default)]
pub struct RecordedMember {
    /// The observations meanwhile.
    pub watched: Watched,
    /// Its variables before the trial.
    pub variables_before: Option<Arc<Variables>>,
    /// Its variables after it, if those before it are missing: both are never needed, and they are long.
    pub variables_after: Option<Arc<Variables>>,
}

impl Recording {
    /// Reads a recording's directory. Histograms stay on disk until they are needed.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let plan = read_plan(path)?;
        let spec_toml = read_spec(path)?;
        let mut damaged = Vec::new();
        let host =
            or_cut(files::read_json(&path.join(files::HOST)).map(Some), &mut damaged)?.unwrap_or_default();
        let events = read_events(path)?;
        let mut cuts = damaged.clone();
        let mut trials: Vec<RecordedTrial> = Vec::new();
        let planned: BTreeMap<u32, &PlannedTrial> = plan.trials.iter().map(|t| (t.index, t)).collect();
        let read = in_parallel(&trial_directories(path)?, |(index, dir)| {
            let mut cuts = Vec::new();
            let Some(planned) = planned.get(index) else {
                cuts.push(format!("{} is not in the plan and was left out", files::display_name(dir)));
                return Ok((None, cuts));
            };
            let target = plan.spec.targets.iter().find(|one| one.target.label == planned.cell.target);
            let members = target.map_or(&[][..], |one| &one.target.members);
            RecordedTrial::read((*planned).clone(), members, dir.clone(), &mut cuts)
                .map(|trial| (Some(trial), cuts))
        });
        for one in read {
            let (trial, cut): (Option<RecordedTrial>, Vec<String>) = one?;
            // A result is written whole or not at all: without it nobody knows that the trial completed.
            let lost = trial.as_ref().is_some_and(|trial| trial.result.is_none());
            let is_result = |cut: &&String| lost && cut.contains(files::TRIAL);
            damaged.extend(cut.iter().filter(is_result).cloned());
            trials.extend(trial);
            cuts.extend(cut);
        }
        let mut examinations = BTreeMap::new();
        for (index, target) in plan.spec.targets.iter().enumerate() {
            for (at, (name, _)) in target.target.named().enumerate() {
                let file = files::server_file(index, &target.target.label, at);
                let before = damaged.len();
                let read = files::read_json_if_there(&path.join(files::SERVERS).join(file));
                if let Some(seen) = or_cut(read, &mut damaged)? {
                    examinations.insert(name, seen);
                }
                cuts.extend_from_slice(&damaged[before..]);
            }
        }
        // A kill cuts the last line off; what ended by itself has none that is cut.
        let is_over = trials.iter().filter(|trial| trial.result.is_some()).count() == plan.trials.len();
        damaged.extend(events.cut.clone().filter(|_| is_over));
        cuts.splice(0..0, events.cut.clone());
        let mut unreadable = Vec::new();
        let differing = differing(path, &mut unreadable)?;
        for told in [&mut damaged, &mut cuts] {
            told.extend(unreadable.clone());
            told.extend(unnamed(&differing, path, told));
        }
        let truncated = (!cuts.is_empty()).then(|| cuts.join("; "));
        let id = run_name(path);
        let note = note::read_note(path);
        let (path, events) = (path.to_owned(), events.items);
        Ok(Self { id, path, spec_toml, plan, host, events, examinations, trials, truncated, note, damaged })
    }

    /// The reason it could not continue, if its latest attempt ended so.
    pub fn failure(&self) -> Option<&Failure> {
        failure(&self.events)
    }

    /// The recorded trial of that index in the plan, if it was begun.
    pub fn trial(&self, index: u32) -> Option<&RecordedTrial> {
        let at = self.trials.binary_search_by_key(&index, |t| t.planned.index).ok()?;
        self.trials.get(at)
    }
}

impl RecordedTrial {
    fn read(
        planned: PlannedTrial,
        members: &[Member],
        dir: PathBuf,
        all_cuts: &mut Vec<String>,
    ) -> Result<Self, ReadError> {
        let cuts = &mut Vec::new();
        let intervals = files::read_lines(&dir.join(files::INTERVALS), |line| {
            serde_json::from_slice(line).map(Some).map_err(|e| e.to_string())
        })?;
        cuts.extend(intervals.cut);
        // These are replaced atomically: damage is not a cut, but it must not hide the other trials either.
        let result = or_cut(read_result(&dir), cuts)?;
        let mut entry = RecordedMember::read(&dir, cuts)?;
        entry.watched.plans = or_cut(files::read_json_if_there(&dir.join(files::PLANS)), cuts)?;
        let others = members.iter().enumerate().skip(1);
        let others = others
            .map(|(at, member)| {
                RecordedMember::read(&dir.join(files::member_directory(at, member.role)), cuts)
            })
            .collect::<Result<_, _>>()?;
        let intervals = intervals.items;
        let differing = differing(&dir, cuts)?;
        // It is made from the log and may be deleted: without it the log is added up.
        let told = differing.iter().filter(|(name, _)| *name != files::LOAD_TOTALS);
        let told: BTreeMap<String, String> = told.map(|(name, what)| (name.clone(), what.clone())).collect();
        let completed = result.as_ref().is_some_and(|result| result.outcome.is_completed());
        let mut damaged = if completed { cuts.clone() } else { Vec::new() };
        damaged.extend(unnamed(&told, &dir, &damaged));
        cuts.extend(unnamed(&told, &dir, cuts));
        all_cuts.append(cuts);
        Ok(Self { planned, result, intervals, entry, others, damaged, differing, dir })
    }

    /// The trial's histograms. Reads the file again at each call.
    pub fn load_log(&self) -> Result<LoadLog, ReadError> {
        LoadLog::read(&self.dir.join(files::LOAD_LOG))
    }

    /// Latencies of the measured window under every tag. Reads the files again at each call.
    pub fn totals(&self) -> Result<Totals, ReadError> {
        let from = if self.differing.contains_key(files::LOAD_TOTALS) { Source::Log } else { Source::Kept };
        Totals::read(&self.dir, from, self.differing.get(files::LOAD_LOG).cloned())
    }

    /// Latencies of the measured window under one tag (`response:transaction`, `service:point_select`), nanoseconds;
    /// none if nothing was measured under it. For several tags take [`RecordedTrial::load_log`].
    pub fn histogram(&self, tag: &str) -> Result<Option<Histogram<u64>>, ReadError> {
        self.load_log()?.merged(tag)
    }

    /// The stacks of the server that were sampled, folded, and their file; none of a trial that sampled nothing.
    pub fn stacks(&self) -> Option<(PathBuf, String)> {
        let path = self.dir.join(files::STACKS);
        let bytes = fs::read(&path).ok()?;
        Some((path, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// The part of the server's log that belongs to the trial, if it was kept.
    pub fn server_log(&self) -> Option<String> {
        let bytes = fs::read(self.dir.join(files::SERVER_LOG)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl RecordedMember {
    fn read(dir: &Path, cuts: &mut Vec<String>) -> Result<Self, ReadError> {
        let observations = files::read_lines(&dir.join(files::OBSERVATIONS), |line| {
            serde_json::from_slice(line).map(Some).map_err(|e| e.to_string())
        })?;
        cuts.extend(observations.cut);
        let variables_before = or_cut(read_variables(&dir.join(files::VARIABLES_BEFORE)), cuts)?;
        let variables_after = or_cut(read_variables(&dir.join(files::VARIABLES_AFTER)), cuts)?;
        let watched = Watched {
            readings: observations.items,
            before: or_cut(files::read_json_if_there(&dir.join(files::SNAPSHOT_BEFORE)), cuts)?,
            after: or_cut(files::read_json_if_there(&dir.join(files::SNAPSHOT_AFTER)), cuts)?,
            plans: None,
            changed_variables: changed(variables_before.as_deref(), variables_after.as_deref()),
        };
        // Kept only where there is nothing else to show.
        let variables_after = variables_after.filter(|_| variables_before.is_none());
        Ok(Self { watched, variables_before, variables_after })
    }
}

/// Variables that both readings have with different values.
fn changed(before: Option<&Variables>, after: Option<&Variables>) -> Vec<ChangedVariable> {
    let (Some(before), Some(after)) = (before, after) else { return Vec::new() };
    before
        .iter()
        .filter_map(|(name, was)| {
            let now = after.get(name).filter(|now| *now != was)?;
            Some(ChangedVariable { name: name.clone(), before: was.clone(), after: now.clone() })
        })
        .collect()
}

/// A damaged file is left out and named; a newer one, or one the system refuses to read, is an error.
fn or_cut<T>(read: Result<Option<T>, ReadError>, cuts: &mut Vec<String>) -> Result<Option<T>, ReadError> {
    match read {
        Err(ReadError::Damaged { path, what }) => {
            cuts.push(format!("{} is damaged and was left out ({what})", files::display_name(&path)));
            Ok(None)
        }
        other => other,
    }
}

/// The files of a directory that differ from what was written: a sentence by name.
fn differing(directory: &Path, cuts: &mut Vec<String>) -> Result<BTreeMap<String, String>, ReadError> {
    let found = or_cut(checksums::differing(directory).map(Some), cuts)?.unwrap_or_default();
    Ok(found.into_iter().map(|(name, difference)| (name, difference.what)).collect())
}

/// The differences of files that no other sentence names.
fn unnamed(differing: &BTreeMap<String, String>, directory: &Path, said: &[String]) -> Vec<String> {
    let is_new = |name: &str| {
        let name = files::display_name(&directory.join(name));
        !said.iter().any(|sentence| sentence.contains(&name))
    };
    differing.iter().filter(|(name, _)| is_new(name)).map(|(_, what)| what.clone()).collect()
}

/// The reason the latest attempt could not continue; none if it did, or ended otherwise.
pub fn failure(events: &[Event]) -> Option<&Failure> {
    let last = events.iter().rev().find(|event| {
        matches!(
            event.kind,
            EventKind::RunStarted { .. }
                | EventKind::RunFinished { .. }
                | EventKind::RunFailed { .. }
                | EventKind::Interrupted
        )
    });
    match &last?.kind {
        EventKind::RunFailed { failure } => Some(failure),
        _ => None,
    }
}

/// The name of a run's directory.
pub(crate) fn run_name(path: &Path) -> String {
    let resolved = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    resolved.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub(crate) fn read_plan(path: &Path) -> Result<Plan, ReadError> {
    files::read_json_if_there(&path.join(files::PLAN))?
        .ok_or_else(|| ReadError::NotARun { path: path.to_owned() })
}

pub(crate) fn read_spec(path: &Path) -> Result<String, ReadError> {
    let path = path.join(files::SPEC);
    let bytes = fs::read(&path).map_err(ReadError::at(&path))?;
    String::from_utf8(bytes).map_err(|e| ReadError::damaged(&path, e))
}

/// Start of a run, in a form that can be compared: from its first event, or else from its name.
pub(crate) fn started(path: &Path) -> String {
    /// The header and the first event.
    const LONGEST: u64 = 4096;
    let mut head = String::new();
    let read = fs::File::open(path.join(files::EVENTS))
        .and_then(|file| file.take(LONGEST).read_to_string(&mut head));
    let first = head.lines().nth(1).filter(|_| read.is_ok());
    let first = first.and_then(|line| serde_json::from_str::<Event>(line).ok());
    first.map_or_else(|| run_name(path).chars().take(19).collect(), |event| event.at.replace(':', "-"))
}

/// True if the latest attempt could not go on and no attempt began a trial.
pub(crate) fn failed_before_its_first_trial(path: &Path) -> bool {
    let has_trial = || trial_directories(path).is_ok_and(|trials| !trials.is_empty());
    let failed = || read_events(path).is_ok_and(|events| failure(&events.items).is_some());
    !has_trial() && failed()
}

/// Events up to the cut. Kinds that this build does not know are left out: a newer mydyno may have written them.
pub(crate) fn read_events(path: &Path) -> Result<Lines<Event>, ReadError> {
    files::read_lines(&path.join(files::EVENTS), |line| match serde_json::from_slice::<Event>(line) {
        Ok(event) => Ok(Some(event)),
        Err(_) if serde_json::from_slice::<serde_json::Value>(line).is_ok_and(|v| v.is_object()) => Ok(None),
        Err(error) => Err(error.to_string()),
    })
}

/// Directories of trials with their index in the plan, in its order. Replaced attempts are not among them.
pub(crate) fn trial_directories(path: &Path) -> Result<Vec<(u32, PathBuf)>, ReadError> {
    let trials = path.join(files::TRIALS);
    let entries = match fs::read_dir(&trials) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(ReadError::at(&trials)(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(ReadError::at(&trials))?;
        if let Some(index) = entry.file_name().to_str().and_then(files::trial_index) {
            found.push((index, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

pub(crate) fn read_result(directory: &Path) -> Result<Option<TrialResult>, ReadError> {
    files::read_json_if_there(&directory.join(files::TRIAL))
}

fn read_variables(path: &Path) -> Result<Option<Arc<Variables>>, ReadError> {
    Ok(files::read_json_if_there::<VariablesFile>(path)?.map(|f| Arc::new(f.variables)))
}
