//! The servers of a run, and its trials one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use model::{
    Advice, CrashKind, DataSet, EventKind, FailureCode, Outcome, Plan, PlannedTrial, Restore, TrialResult,
    Wait, WorkloadSpec,
};

use crate::dispatch::Dispatcher;
use crate::error::RunError;
use crate::globals;
use crate::gone::failure;
use crate::grow::grow;
use crate::growth::PlanGrowth;
use crate::needs::needs;
use crate::targets::{LiveTarget, TargetEnvironment, TargetError, bring_up};
use crate::trial::{self, Trial};

/// The plan and the targets it runs on.
pub(crate) struct Conductor<'a> {
    plan: Plan,
    /// The data sets of the workloads, each once.
    datas: Vec<DataSet>,
    environment: TargetEnvironment<'a>,
    live_targets: BTreeMap<String, LiveTarget>,
    /// Of earlier attempts, and of this one.
    pub results: Vec<TrialResult>,
    /// Seconds of load of earlier attempts.
    earlier_s: f64,
    /// When the servers were up.
    begun: Option<Instant>,
}

impl<'a> Conductor<'a> {
    /// Nothing is started yet. `done` is what earlier attempts completed.
    pub fn new(plan: Plan, environment: TargetEnvironment<'a>, done: Vec<TrialResult>) -> Self {
        Self {
            datas: data_sets(&plan),
            plan,
            environment,
            live_targets: BTreeMap::new(),
            earlier_s: done
                .iter()
                .map(|result| {
                    result.measured.connect_s + result.measured.warmup_s + result.measured.measured_s
                })
                .sum(),
            results: done,
            begun: None,
        }
    }

    /// Runs what is not done, and what the plan grows by.
    pub fn run(&mut self, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        // Also where nothing is left to be run.
        globals::put_back_left_over(&self.plan, &self.environment, to)?;
        let done: BTreeSet<u32> = self.results.iter().map(|result| result.index).collect();
        let mut next = 0;
        while !self.is_cancelled() {
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
            let is_first = self.begun.is_none();
            if is_first {
                self.bring_up_targets(to)?;
                self.begun = Some(Instant::now());
            }
            let Some(result) = self.trial(&planned, is_first, to)? else { return Ok(()) };
            let interrupted = result.outcome == Outcome::Interrupted;
            self.results.push(result);
            if interrupted {
                return Ok(());
            }
        }
        Ok(())
    }

    fn is_cancelled(&self) -> bool {
        self.environment.cancel.load(Ordering::Relaxed)
    }

    /// What the trials so far took: of this attempt with all that belongs to them, of earlier ones at least the load.
    fn spent_s(&self) -> f64 {
        self.earlier_s + self.begun.map_or(0.0, |begun| begun.elapsed().as_secs_f64())
    }

    fn grown(&mut self, growth: PlanGrowth, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        let (trials, text) = (growth.trials.clone(), growth.text.clone());
        growth.add_to(&mut self.plan);
        to.writer.plan(&self.plan)?;
        Ok(to.emit(EventKind::PlanGrown { trials, text })?)
    }

    /// Brings all targets up, looks at them, and says what stands against running the plan on them.
    fn bring_up_targets(&mut self, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        let needs_disk =
            self.plan.spec.loads().iter().any(|load| load.crash.and_then(CrashKind::disk).is_some());
        for (index, target) in self.plan.spec.targets.iter().enumerate() {
            let label = target.target.label.clone();
            if self.plan.spec.starts_late(&label) {
                continue;
            }
            if needs_disk && index == 0 {
                disk::check()
                    .map_err(|error| RunError::Target { label: label.clone(), source: error.into() })?;
            }
            let live = bring_up(&self.environment, &target.target, &self.datas, &mut |kind| to.emit(kind));
            let mut live = live.map_err(|source| RunError::Target { label: label.clone(), source })?;
            // What cannot be seen now is not worth the run.
            for (at, member) in live.members.iter().enumerate() {
                if !self.plan.spec.observe.is_off()
                    && let Ok(mut client) = member.ask()
                    && let Ok(seen) = probe::examine(&mut client)
                {
                    to.writer.examination(index, &label, at, &seen)?;
                }
            }
            globals::try_out(&target.target, &mut live, to, &self.plan)?;
            self.live_targets.insert(label, live);
        }
        self.caution(to)?;
        self.preflight(to)
    }

    /// Starts a target that the plan makes from others; that it does not start is what its trial is to find out.
    fn bring_up_late(
        &mut self,
        label: &str,
        to: &mut Dispatcher<'_>,
    ) -> Result<Result<(), TargetError>, RunError> {
        let target = self.plan.spec.targets.iter().map(|one| &one.target).find(|one| one.label == label);
        let Some(target) = target.filter(|_| !self.live_targets.contains_key(label)) else {
            return Ok(Ok(()));
        };
        match bring_up(&self.environment, target, &self.datas, &mut |kind| to.emit(kind)) {
            Ok(live) => {
                self.live_targets.insert(label.to_owned(), live);
                Ok(Ok(()))
            }
            Err(TargetError::Store(error)) => Err(error.into()),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Where something writes, only the server of this trial runs: what others still have to write would be its load. Where targets
    /// are made from others there are many.
    fn park_others(&mut self, label: &str) {
        let writes = self.plan.spec.workloads.iter().any(|workload| workload.writes());
        let are_many = self.plan.spec.design.has_many_targets();
        if are_many || writes && self.plan.spec.design.restore != Restore::Changed {
            let others = self.live_targets.iter_mut().filter(|(other, _)| *other != label);
            others.for_each(|(_, live)| live.park());
        }
    }

    /// Arms of one server that somebody else runs have the same tables.
    fn share(&mut self, label: &str) {
        let Some(live) = self.live_targets.get(label).filter(|live| !live.is_ours()) else { return };
        let (state, connect) = (live.state(), live.connect().clone());
        let same = |other: &&mut LiveTarget| {
            !other.is_ours()
                && other.connect().address == connect.address
                && other.connect().database == connect.database
        };
        self.live_targets.values_mut().filter(same).for_each(|other| other.set_state(state));
    }

    /// Runs a trial on data that are restored first where that is due; none if the user stopped it meanwhile.
    fn trial(
        &mut self,
        planned: &PlannedTrial,
        is_first: bool,
        to: &mut Dispatcher<'_>,
    ) -> Result<Option<TrialResult>, RunError> {
        let label = &planned.cell.target;
        self.park_others(label);
        let workload = &self.plan.spec.workloads[planned.workload as usize];
        let data = self
            .datas
            .iter()
            .position(|data| data_of(&self.plan, workload).as_ref() == Some(data))
            .unwrap_or(0);
        if self.plan.spec.starts_late(label)
            && let Err(error) = self.bring_up_late(label, to)?
        {
            return self.not_started(planned, &error, to);
        }
        let Some(live) = self.live_targets.get_mut(label) else { return Ok(None) };
        let restore = self.plan.spec.design.restore;
        let disk = self.plan.spec.load_of(planned.workload).crash.and_then(CrashKind::disk);
        let ready =
            live.make_ready(&self.environment, &self.datas, data, disk, restore, &mut |kind| to.emit(kind));
        if !is_first {
            if self.plan.spec.design.cool_down_s > 0.0 {
                to.emit(EventKind::Waiting { target: label.clone(), wait: Wait::CoolDown })?;
            }
            rest(self.plan.spec.design.cool_down_s, self.environment.cancel);
        }
        let trial = Trial {
            plan: &self.plan,
            planned,
            cancel: self.environment.cancel,
            home: self.environment.home,
            restored: live.is_fresh(),
        };
        let applied = match ready {
            Ok(()) => globals::apply(&self.plan, live, to)?,
            // What failed because the user stopped it did not fail.
            Err(_) if self.environment.cancel.load(Ordering::Relaxed) => return Ok(None),
            Err(error) => Err(failure(FailureCode::Sandbox, error.to_string())),
        };
        let result = match applied {
            Ok(changed) => {
                let result = trial::run(&trial, live, to);
                changed.put_back(live, to)?;
                result?
            }
            Err(why) => trial::record_failure(&trial, why, to)?,
        };
        self.share(label);
        Ok(Some(result))
    }

    /// A trial of a target that does not start; none if the user stopped it meanwhile.
    fn not_started(
        &self,
        planned: &PlannedTrial,
        error: &TargetError,
        to: &mut Dispatcher<'_>,
    ) -> Result<Option<TrialResult>, RunError> {
        if self.is_cancelled() {
            return Ok(None);
        }
        let trial = Trial {
            plan: &self.plan,
            planned,
            cancel: self.environment.cancel,
            home: self.environment.home,
            restored: false,
        };
        let why = failure(FailureCode::Sandbox, error.to_string());
        Ok(Some(trial::record_failure(&trial, why, to)?))
    }

    /// Says what makes the comparison of these targets unequal.
    fn caution(&self, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        let servers: Vec<_> =
            self.live_targets.values().map(|live| (live.label.as_str(), &live.entry().facts)).collect();
        for caution in analysis::cautions(&self.plan, &servers) {
            to.emit(EventKind::Caution { target: None, text: caution.text.en })?;
        }
        Ok(())
    }

    /// Holds what the largest cell needs against what servers and this machine allow.
    fn preflight(&self, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        let clients = self.plan.trials.iter().map(|trial| trial.cell.threads).max().unwrap_or(0);
        let what = if self.plan.trials.len() > 1 { "sweep" } else { "run" };
        let needs = needs(what, &self.plan.spec.workloads, u64::from(clients));
        // The limit of open files can be raised by ourselves up to the hard one.
        let _ = probe::raise_open_files(u64::from(clients) + 256);
        let own = probe::own_limits();
        let mut fatal = Vec::new();
        for live in self.live_targets.values() {
            let target = |source: TargetError| RunError::Target { label: live.label.clone(), source };
            let mut client = live.entry().ask().map_err(|error| target(error.into()))?;
            let mut limits = probe::limits(&mut client).map_err(|error| target(error.into()))?;
            drop(client);
            globals::in_trials(&self.plan, &live.label, &mut limits);
            let router = live.router.as_ref().and_then(|_| probe::router_files(&own, &needs));
            for finding in probe::preflight(&live.label, &limits, &own, &needs).into_iter().chain(router) {
                if finding.severity == probe::LimitSeverity::Fails && !self.plan.spec.allow_failing_cells {
                    fatal.push(finding);
                } else {
                    let ways_out = finding.advice.iter().map(Advice::in_words);
                    let text =
                        std::iter::once(finding.sentence).chain(ways_out).collect::<Vec<_>>().join("; ");
                    to.emit(EventKind::Caution { target: Some(live.label.clone()), text })?;
                }
            }
        }
        if fatal.is_empty() { Ok(()) } else { Err(RunError::Preflight { findings: fatal }) }
    }

    pub fn stop_targets(&mut self, to: &mut Dispatcher<'_>) -> Result<(), RunError> {
        let mut first = Ok(());
        for (label, live) in std::mem::take(&mut self.live_targets) {
            let ours = live.is_ours();
            if ours {
                to.emit(EventKind::Waiting { target: label.clone(), wait: Wait::Stop })?;
            }
            if let Err(source) = live.shut_down() {
                first = first.and(Err(RunError::Target { label, source }));
            } else if ours {
                to.emit(EventKind::ServerStopped { target: label })?;
            }
        }
        first
    }
}

/// Lets disks and kernel come to rest before a trial, unless the user has stopped it.
fn rest(seconds: f64, cancel: &AtomicBool) {
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    while Instant::now() < until && !cancel.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(50).min(until.saturating_duration_since(Instant::now())));
    }
}

/// The data that a workload of the plan needs.
fn data_of(plan: &Plan, workload: &WorkloadSpec) -> Option<DataSet> {
    let clients = plan.trials.iter().map(|trial| trial.cell.threads).max().unwrap_or(1);
    workload.data_set(clients)
}

/// The data that a plan needs, each set once, in the order of the workloads.
fn data_sets(plan: &Plan) -> Vec<DataSet> {
    let mut sets: Vec<DataSet> = Vec::new();
    for data in plan.spec.workloads.iter().filter_map(|workload| data_of(plan, workload)) {
        if !sets.contains(&data) {
            sets.push(data);
        }
    }
    sets
}
