//! From Plan to Recording: brings the targets up, runs what is left to run, and takes down what it brought up.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use model::{
    Calibration, DataSet, Event, EventKind, Failure, FailureCode, Outcome, Plan, PlannedTrial, Restore,
    TrialResult, WorkloadSpec,
};
use store::{Results, RunWriter, StoreError};
use wire::Secret;

use crate::dispatch::Dispatcher;
use crate::globals;
use crate::grow::{Growth, grow};
use crate::plan::data_set;
use crate::targets::{Bench, Proof, Site, TargetError, bring_up};
use crate::trial::{self, Trial};

/// What conducting a plan needs.
pub struct Conduct<'a> {
    /// The plan; of a broken run as it stands in the recording.
    pub plan: Plan,
    /// The Spec it came from, as it is to be stored.
    pub spec_toml: &'a str,
    /// The results directory.
    pub results: &'a Path,
    /// The directory of a broken run of this plan to be finished.
    pub resume: Option<&'a Path>,
    /// Where sandboxes live.
    pub home: Option<&'a sandbox::Home>,
    /// Passwords of endpoints by label of the target.
    pub passwords: &'a BTreeMap<String, Secret>,
    /// The generator's calibration that is kept, whatever machine it is about.
    pub calibration: Option<Calibration>,
    /// Set from outside to stop.
    pub cancel: &'a AtomicBool,
    /// Told of everything that happens.
    pub events: &'a mut dyn FnMut(&Event),
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conducted {
    /// The run's directory.
    pub run_dir: PathBuf,
    /// Trials completed, earlier attempts included.
    pub completed: u32,
    /// Trials failed.
    pub failed: u32,
    /// Trials after which the data were found inconsistent, earlier attempts included.
    pub inconsistent: u32,
    /// Stopped by the user.
    pub interrupted: bool,
    /// A server of ours that could not be stopped.
    pub trouble: Option<String>,
}

/// Why a run could not be conducted.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The recording cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A target cannot be used.
    #[error("{label}: {source}")]
    Target {
        /// The target's label.
        label: String,
        /// Why.
        source: TargetError,
    },
    /// Clients would be refused.
    #[error("{}", sentences(findings))]
    Preflight {
        /// What would fail.
        findings: Vec<probe::Finding>,
    },
    /// What a run changed on a server that somebody else runs could not be put back.
    #[error("{label}: {sentence}")]
    Globals {
        /// The target's label.
        label: String,
        /// What is left to be done by hand.
        sentence: String,
    },
}

fn sentences(findings: &[probe::Finding]) -> String {
    findings.iter().map(|finding| finding.sentence.as_str()).collect::<Vec<_>>().join("\n")
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
    let site = Site {
        home: what.home,
        passwords: what.passwords,
        cancel: what.cancel,
        prepare: what.plan.prepare,
        seed: what.plan.seed,
        proof: Proof::Counted,
    };
    let mut house = House {
        datas: data_sets(&what.plan),
        plan: what.plan,
        site,
        benches: BTreeMap::new(),
        results: done,
        begun: Instant::now(),
    };
    let result = house.run(&mut to);
    let stopped = house.take_down(&mut to);
    let tally = match (result, what.cancel.load(Ordering::Relaxed)) {
        (Ok(()), _) => Tally::of(&house.results),
        // What failed because the user stopped it did not fail.
        (Err(RunError::Target { .. }), true) => earlier,
        (Err(error), _) => {
            let failure =
                Failure { code: code_of(&error), message: error.to_string(), hint: None, server_error: None };
            to.emit(EventKind::RunFailed { failure })?;
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
        RunError::Target {
            source: TargetError::Start(_) | TargetError::Stop(_) | TargetError::Copy(_),
            ..
        } => FailureCode::Sandbox,
        RunError::Target { source: TargetError::Connect(_) | TargetError::Probe(_), .. }
        | RunError::Preflight { .. } => FailureCode::Connect,
        RunError::Target { source: TargetError::Data(_), .. } => FailureCode::Data,
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
        let consistency = result.tpcc.as_ref().and_then(|tpcc| tpcc.consistency.as_ref());
        self.inconsistent += u32::from(consistency.is_some_and(|found| !found.holds()));
        match result.outcome {
            Outcome::Completed => self.completed += 1,
            Outcome::Failed(_) => self.failed += 1,
            Outcome::Interrupted => {}
        }
    }
}

/// The plan and the targets it runs on.
struct House<'a> {
    plan: Plan,
    /// The data sets of the workloads, each once.
    datas: Vec<DataSet>,
    site: Site<'a>,
    benches: BTreeMap<String, Bench>,
    /// Of earlier attempts, and of this one.
    results: Vec<TrialResult>,
    begun: Instant,
}

impl House<'_> {
    fn run(&mut self, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        let done: BTreeSet<u32> = self.results.iter().map(|result| result.index).collect();
        let (mut next, mut ready) = (0, false);
        loop {
            if self.site.cancel.load(Ordering::Relaxed) {
                return Ok(());
            }
            let Some(planned) = self.plan.trials.get(next).cloned() else {
                match grow(&self.plan, &self.results, self.spent_s()) {
                    Some(growth) => self.grown(growth, to)?,
                    None => return Ok(()),
                }
                continue;
            };
            next += 1;
            if done.contains(&planned.index) {
                continue;
            }
            match ready {
                true => self.rest(),
                false => self.open_doors(to)?,
            }
            ready = true;
            let Some(result) = self.trial(&planned, to)? else { return Ok(()) };
            let interrupted = result.outcome == Outcome::Interrupted;
            self.results.push(result);
            if interrupted {
                return Ok(());
            }
        }
    }

    /// Lets disks and kernel come to rest before the next trial, unless the user has stopped it.
    fn rest(&self) {
        let until = Instant::now() + Duration::from_secs_f64(self.plan.design.cool_down_s);
        while Instant::now() < until && !self.site.cancel.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(50).min(until.saturating_duration_since(Instant::now())));
        }
    }

    /// What the trials so far took, earlier attempts included.
    fn spent_s(&self) -> f64 {
        let measured =
            self.results.iter().map(|result| result.connect_s + result.warmup_s + result.measured_s);
        self.begun.elapsed().as_secs_f64().max(measured.sum())
    }

    fn grown(&mut self, growth: Growth, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        self.plan.trials.extend(growth.trials.iter().cloned());
        to.writer.plan(&self.plan)?;
        Ok(to.emit(EventKind::PlanGrown { trials: growth.trials, text: growth.text })?)
    }

    /// Brings all targets up, looks at them, and says what stands against running the plan on them.
    fn open_doors(&mut self, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        globals::put_back_left_over(&self.plan, &self.site, to)?;
        for (index, target) in self.plan.targets.iter().enumerate() {
            let label = target.target.label.clone();
            let bench = bring_up(&self.site, &target.target, &self.datas, &mut |kind| to.emit(kind));
            let mut bench = bench.map_err(|source| RunError::Target { label: label.clone(), source })?;
            // What cannot be seen now is not worth the run.
            if !self.plan.observe.is_off()
                && let Ok(mut client) = bench.ask()
                && let Ok(seen) = probe::examine(&mut client)
            {
                to.writer.examination(index, &label, &seen)?;
            }
            globals::try_out(&target.target, &mut bench, to, &self.plan)?;
            self.benches.insert(label, bench);
        }
        self.caution(to)?;
        self.preflight(to)?;
        // The next trial starts the one it needs.
        if self.plan.design.restore != Restore::Changed && self.benches.len() > 1 {
            self.benches.values_mut().for_each(Bench::park);
        }
        Ok(())
    }

    /// Runs a trial on data that are put back first where that is due; none if the user stopped it meanwhile.
    fn trial(
        &mut self,
        planned: &PlannedTrial,
        to: &mut Dispatcher<'_>,
    ) -> Result<Option<TrialResult>, RunError> {
        let workload = &self.plan.workloads[planned.workload as usize];
        let data = self.datas.iter().position(|data| *data == data_of(&self.plan, workload)).unwrap_or(0);
        let Some(bench) = self.benches.get_mut(&planned.cell.target) else { return Ok(None) };
        let restored = bench.make_ready(&self.site, &self.datas, data, self.plan.design.restore);
        let trial = Trial { plan: &self.plan, planned, cancel: self.site.cancel, restored: bench.is_fresh() };
        let why = match restored {
            Ok(()) => match globals::apply(&self.plan, bench, to)? {
                Ok(guard) => {
                    let result = trial::run(&trial, bench, to);
                    guard.put_back(bench, to)?;
                    let result = result?;
                    // A server that has been written to is not left to write on beside the next trial.
                    if self.plan.design.restore != Restore::Changed && bench.used && self.benches.len() > 1 {
                        self.benches.values_mut().for_each(|bench| {
                            if bench.used {
                                bench.park();
                            }
                        });
                    }
                    return Ok(Some(result));
                }
                Err(why) => why,
            },
            // What failed because the user stopped it did not fail.
            Err(_) if self.site.cancel.load(Ordering::Relaxed) => return Ok(None),
            Err(error) => trial::failure(FailureCode::Sandbox, error.to_string()),
        };
        Ok(Some(trial::record_failure(&trial, why, to)?))
    }

    /// Says what makes the comparison of these targets unequal.
    fn caution(&self, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        let servers: Vec<_> =
            self.benches.values().map(|bench| (bench.label.as_str(), &bench.facts)).collect();
        for caution in analysis::cautions(&self.plan, &servers) {
            to.emit(EventKind::Caution { target: None, text: caution.text.en })?;
        }
        Ok(())
    }

    /// Holds what the largest cell needs against what servers and this machine allow.
    fn preflight(&self, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        let clients = self.plan.trials.iter().map(|trial| trial.cell.threads).max().unwrap_or(0);
        let what = if self.plan.trials.len() > 1 { "sweep" } else { "run" };
        let needs = needs(what, &self.plan.workloads, u64::from(clients));
        // The limit of open files can be raised by ourselves up to the hard one.
        let _ = probe::raise_open_files(u64::from(clients) + 256);
        let own = probe::own_limits();
        let mut fatal = Vec::new();
        for bench in self.benches.values() {
            let target = |source: TargetError| RunError::Target { label: bench.label.clone(), source };
            let mut client = bench.ask().map_err(|error| target(error.into()))?;
            let limits = probe::limits(&mut client).map_err(|error| target(error.into()))?;
            drop(client);
            for finding in probe::preflight(&bench.label, &limits, &own, &needs) {
                if finding.gravity == probe::Gravity::Fails && !self.plan.allow_failing_cells {
                    fatal.push(finding);
                } else {
                    let text = [vec![finding.sentence], finding.hints].concat().join("; ");
                    to.emit(EventKind::Caution { target: Some(bench.label.clone()), text })?;
                }
            }
        }
        if fatal.is_empty() { Ok(()) } else { Err(RunError::Preflight { findings: fatal }) }
    }

    fn take_down(&mut self, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        let mut first = Ok(());
        for (label, bench) in std::mem::take(&mut self.benches) {
            let ours = bench.is_ours();
            if let Err(source) = bench.shut_down() {
                first = first.and(Err(RunError::Target { label, source }));
            } else if ours {
                to.emit(EventKind::ServerStopped { target: label })?;
            }
        }
        first
    }
}

/// The data that a workload of the plan needs.
fn data_of(plan: &Plan, workload: &WorkloadSpec) -> DataSet {
    let clients = plan.trials.iter().map(|trial| trial.cell.threads).max().unwrap_or(1);
    data_set(workload, clients)
}

/// The data that a plan needs, each set once, in the order of the workloads.
fn data_sets(plan: &Plan) -> Vec<DataSet> {
    let mut sets: Vec<DataSet> = Vec::new();
    for workload in &plan.workloads {
        let data = data_of(plan, workload);
        if !sets.contains(&data) {
            sets.push(data);
        }
    }
    sets
}

/// What workloads need at so many clients. `what` is how a sentence calls it: `run`, `sweep`.
pub fn needs<'a>(what: &'a str, workloads: &[WorkloadSpec], clients: u64) -> probe::Needs<'a> {
    probe::Needs {
        what,
        clients,
        statements_per_client: workloads.iter().map(load::prepared_statements).max().unwrap_or(0),
        tables: workloads.iter().map(WorkloadSpec::tables).max().unwrap_or(0),
    }
}
