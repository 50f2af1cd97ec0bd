//! Executes a plan and records it: brings the targets up, runs what is left to run, and takes down what it brought up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use model::{Calibration, Event, EventKind, Failover, Failure, FailureCode, Outcome, Plan, TrialResult};
use store::{Results, RunWriter};
use wire::Secret;

use crate::conductor::Conductor;
use crate::dispatch::Dispatcher;
use crate::error::RunError;
use crate::targets::{Proof, TargetEnvironment, TargetError};

/// The inputs for conducting a plan.
pub struct Conduct<'a> {
    /// The plan; for an interrupted run, the one in the recording.
    pub plan: Plan,
    /// The Spec it came from, in stored form.
    pub spec_toml: &'a str,
    /// The results directory.
    pub results: &'a Path,
    /// The directory of a broken run of this plan to be finished.
    pub resume: Option<&'a Path>,
    /// Home of the sandboxes.
    pub home: Option<&'a sandbox::Home>,
    /// Passwords of endpoints by name of the server.
    pub passwords: &'a BTreeMap<String, Secret>,
    /// The generator's calibration that is kept, whatever machine it is about.
    pub calibration: Option<Calibration>,
    /// Set from outside to stop.
    pub cancel: &'a AtomicBool,
    /// Told of everything that happens.
    pub events: &'a mut dyn FnMut(&Event),
}

/// The result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conducted {
    /// The run's directory.
    pub run_dir: PathBuf,
    /// Trials completed, earlier attempts included.
    pub completed: u32,
    /// Trials failed.
    pub failed: u32,
    /// Trials after which the data were found inconsistent, or not the same on all servers of a topology, or after whose crash
    /// something was missing that the settings promise to keep; earlier attempts included.
    pub inconsistent: u32,
    /// Stopped by the user.
    pub interrupted: bool,
    /// The failure to stop a sandbox.
    pub trouble: Option<String>,
}

/// Conducts a plan from its first trial that is not done yet to its last.
///
/// A trial that fails is recorded with its reason and the next one is run. After each trial its result is safe on disk.
///
/// # Errors
/// The store fails, a target cannot be brought up, or the pre-flight finds that clients would be refused. Servers of
/// ours are stopped in every case.
pub fn conduct(what: Conduct<'_>) -> Result<Conducted, RunError> {
    let (writer, done) = open(&what)?;
    let earlier = Tally::of(&done);
    let run_dir = writer.path().to_owned();
    let mut to = Dispatcher::new(writer, what.events);
    let run = to.writer.id();
    let trials = what.plan.trials.len() as u32;
    to.emit(EventKind::RunStarted { run, trials, done: done.len() as u32 })?;
    let environment = TargetEnvironment {
        home: what.home,
        passwords: what.passwords,
        cancel: what.cancel,
        prepare: what.plan.spec.prepare,
        seed: what.plan.spec.seed,
        proof: Proof::Counted,
    };
    let mut conductor = Conductor::new(what.plan, environment, done);
    let result = conductor.run(&mut to);
    let stopped = conductor.stop_targets(&mut to);
    let tally = match (result, what.cancel.load(Ordering::Relaxed)) {
        (Ok(()), _) => Tally::of(&conductor.results),
        // What failed because the user stopped it did not fail.
        (Err(RunError::Target { .. }), true) => earlier,
        (Err(error), _) => {
            let failure =
                Failure { code: code_of(&error), message: error.to_string(), hint: None, server_error: None };
            to.emit(EventKind::RunFailed { failure })?;
            // The error is what is told: where the disk is full, checksums have no room either.
            let _ = to.writer.close();
            return Err(error);
        }
    };
    // A server that stays does not take the results with it.
    let trouble = match stopped {
        Ok(()) => None,
        Err(RunError::Store(error)) => return Err(error.into()),
        Err(error) => Some(error.to_string()),
    };
    if let Some(text) = &trouble {
        to.emit(EventKind::Caution { target: None, text: text.clone() })?;
    }
    let interrupted = what.cancel.load(Ordering::Relaxed);
    to.emit(if interrupted {
        EventKind::Interrupted
    } else {
        EventKind::RunFinished { completed: tally.completed, failed: tally.failed }
    })?;
    to.writer.close()?;
    Ok(Conducted {
        run_dir,
        completed: tally.completed,
        failed: tally.failed,
        inconsistent: tally.inconsistent,
        interrupted,
        trouble,
    })
}

/// The writer, and what earlier attempts completed.
fn open(what: &Conduct<'_>) -> Result<(RunWriter, Vec<TrialResult>), RunError> {
    let Some(run) = what.resume else {
        let mut host = probe::host_facts();
        host.calibration = what.calibration.clone().filter(|calibration| calibration.fits(&host));
        let results = Results::open(what.results);
        return Ok((results.create(what.spec_toml, &what.plan, &host, SystemTime::now())?, Vec::new()));
    };
    let reopened = RunWriter::reopen(run)?;
    Ok((reopened.writer, reopened.results))
}

fn code_of(error: &RunError) -> FailureCode {
    match error {
        RunError::Target { source, .. } => code_of_target(source),
        RunError::Preflight { .. } => FailureCode::Connect,
        _ => FailureCode::Other,
    }
}

fn code_of_target(error: &TargetError) -> FailureCode {
    match error {
        TargetError::Start(_) | TargetError::Topology(_) | TargetError::Stop(_) | TargetError::Copy(_) => {
            FailureCode::Sandbox
        }
        TargetError::Connect(_) | TargetError::Probe(_) => FailureCode::Connect,
        TargetError::Data(_) => FailureCode::Data,
        TargetError::Member { source, .. } => code_of_target(source),
        _ => FailureCode::Other,
    }
}

/// Trials by how they ended.
#[derive(Clone, Default)]
struct Tally {
    completed: u32,
    failed: u32,
    inconsistent: u32,
}

impl Tally {
    fn of(results: &[TrialResult]) -> Self {
        let mut tally = Self::default();
        results.iter().for_each(|result| tally.add(result));
        tally
    }

    fn add(&mut self, result: &TrialResult) {
        let consistency = result.measured.tpcc.as_ref().and_then(|tpcc| tpcc.consistency.as_ref());
        let differs = result.together.as_ref().is_some_and(|together| !together.differing.is_empty());
        let breaks_promise = result.crash.as_ref().is_some_and(|crash| {
            let class = result.server().map(|server| server.durability);
            crash.is_harmful() && class.is_some_and(|class| class.keeps_commits(crash.kind))
        });
        let failover = result.failover.as_ref();
        let breaks_promise = breaks_promise || failover.is_some_and(Failover::breaks_promise);
        self.inconsistent +=
            u32::from(breaks_promise || differs || consistency.is_some_and(|found| !found.holds()));
        match result.outcome {
            Outcome::Completed => self.completed += 1,
            Outcome::Failed(_) => self.failed += 1,
            Outcome::Interrupted => {}
        }
    }
}
