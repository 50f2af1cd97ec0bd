//! One trial: the server's variables before, the load, the variables after, and the result on disk.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hdrhistogram::Histogram;
use load::{CurrentPrimary, Entries, Limit, Offer, Offered, Progress, Schedule, Stopped, TaggedHistogram};
use model::{
    Consistency, EventKind, FORMAT, Failure, FailureCode, LoadShape, NotSampled, Observation, Observe,
    Outcome, Plan, PlannedTrial, Plans, Sampling, StatementPlan, Together, Topology, TrialResult, Unchecked,
    WorkloadSpec,
};
use probe::{Activity, Explain, Heartbeats, ServerPlace, StackSampler};
use store::StoreError;
use wire::ConnectOptions;

use crate::crash::{self, CrashTest};
use crate::cut::Cut;
use crate::dispatch::{Dispatcher, now_rfc3339};
use crate::events::{self, Events};
use crate::failover::{EndedFailover, FailoverTest};
use crate::freshness::Freshness;
use crate::gone::{about, crash_of, failure, gone};
use crate::heartbeat::Heartbeat;
use crate::lag::Lag;
use crate::member::LiveMember;
use crate::sampling::{self, StackSampling, sampler};
use crate::targets::LiveTarget;
use crate::through::{RouterWatch, round_trip};
use crate::together::{Guard, settle};
use crate::watch::{Ends, Look, Watch};

/// The inputs of a trial.
pub(crate) struct Trial<'a> {
    pub plan: &'a Plan,
    pub planned: &'a PlannedTrial,
    pub cancel: &'a AtomicBool,
    /// Home of the sandboxes, if there are any.
    pub home: Option<&'a sandbox::Home>,
    /// The data were restored before it.
    pub restored: bool,
}

/// The statements of a workload that have a plan, each with values in it.
pub fn explained(workload: &WorkloadSpec) -> Vec<Explain> {
    let explain = |sample: load::Sample| Explain {
        operation: sample.operation,
        sql: sample.sql,
        may_execute: sample.only_reads,
    };
    load::samples(workload).into_iter().map(explain).collect()
}

/// The current execution plans of the workload's statements; none if they are not to be observed, or cannot be.
fn plans(trial: &Trial<'_>, live: &LiveTarget) -> Option<Vec<StatementPlan>> {
    if trial.plan.spec.observe.is_off() {
        return None;
    }
    let statements = explained(&trial.plan.spec.workloads[trial.planned.workload as usize]);
    let plans = probe::plans(&mut live.entry().ask().ok()?, &statements).ok()?;
    (!plans.is_empty()).then_some(plans)
}

/// Runs a trial and records it. Failures of the server are in the result; only a failing store is an error.
pub(crate) fn run(
    trial: &Trial<'_>,
    live: &mut LiveTarget,
    to: &mut Dispatcher<'_>,
) -> Result<TrialResult, StoreError> {
    let planned = trial.planned;
    to.emit(EventKind::TrialStarted { index: planned.index, cell: planned.cell.clone() })?;
    let mut writer = to.writer.trial(planned)?;
    let logs_before: Vec<usize> = live.members.iter().map(|member| member.log().len()).collect();
    let mut unreachable = None;
    for (at, member) in live.members.iter().enumerate() {
        match member.variables() {
            Ok(variables) => writer.member(at).variables_before(&variables)?,
            Err(error) => _ = unreachable.get_or_insert_with(|| about(live, member, &error)),
        }
    }
    let plans_before = plans(trial, live);
    let shape = trial.plan.spec.load_of(planned.workload);
    let is_ready = match unreachable {
        Some(why) => Err(failure(FailureCode::Connect, why)),
        None if shape.crash.is_some() || shape.failover.is_some() => crash::make_ready(live),
        None => Ok(()),
    };
    let (mut result, failover) = match is_ready.map(|()| sampler(planned.why, live, &writer)) {
        Ok(Ok(sampler)) => offer(trial, live, sampler, to, &mut writer)?,
        Ok(Err(why)) => (not_sampled(trial, live, why), None),
        Err(why) => (failed(trial, why), None),
    };
    if let Some(failover) = failover {
        end_failover(trial, live, to, (&mut writer, &mut result), failover)?;
    }
    let workload = &trial.plan.spec.workloads[planned.workload as usize];
    let ended = events::ended(&result.events);
    if !result.events.is_empty() {
        // Servers of ours are started anew whatever the workload does.
        (live.dirty, live.used) = (live.dirty || live.is_ours(), live.used || live.is_ours());
    }
    if let Some(crash) = crash_of(live, &ended) {
        result.outcome = Outcome::Failed(crash);
    } else {
        for (at, member) in live.members.iter().enumerate() {
            if let Ok(variables) = member.variables() {
                writer.member(at).variables_after(&variables)?;
            } else if result.failover.is_some() || ended.contains(&at) {
                // The old primary did not come back, or it was taken away: that is in the result.
            } else if let (true, Some(gone)) = (result.outcome.is_completed(), gone(live, member)) {
                result.outcome = Outcome::Failed(gone);
            }
        }
        if let (Some(before), Some(after)) = (plans_before, plans(trial, live)) {
            writer.plans(&Plans { before, after })?;
        }
        crash_after_load(trial, live, to, &mut writer, &mut result)?;
        // After a crash of the primary its replicas have been compared with it already, and may differ.
        if let Some(together) = result.together.as_mut().filter(|_| result.crash.is_none()) {
            to.emit(EventKind::Waiting { target: live.label.clone(), wait: model::Wait::CatchUp })?;
            settle((live, &ended), workload.writes() && live.is_ours(), trial.cancel, together);
        }
        if workload.checks_data() {
            to.emit(EventKind::Waiting { target: live.label.clone(), wait: model::Wait::Check })?;
        }
        check_consistency(trial, (live, &ended), &mut writer, &mut result)?;
    }
    for (at, (member, before)) in live.members.iter().zip(logs_before).enumerate() {
        let log = member.log();
        if log.len() > before {
            writer.member(at).server_log(&log[before..])?;
        }
    }
    events::bury(live, &ended);
    live.dirty |= workload.changes_row_count();
    live.used |= workload.writes();
    writer.finish(&result)?;
    to.emit(EventKind::TrialFinished { index: planned.index, result: Box::new(result.clone()) })?;
    Ok(result)
}

/// Crashes the server under the same load once more, if planned.
fn crash_after_load(
    trial: &Trial<'_>,
    live: &mut LiveTarget,
    to: &mut Dispatcher<'_>,
    writer: &mut store::TrialWriter,
    result: &mut TrialResult,
) -> Result<(), StoreError> {
    let kind = trial.plan.spec.load_of(trial.planned.workload).crash;
    let (Some(kind), Some(home), true) = (kind, trial.home, result.outcome.is_completed()) else {
        return Ok(());
    };
    to.emit(EventKind::Waiting { target: live.label.clone(), wait: model::Wait::Crash })?;
    // What was measured before it is safe, whatever comes.
    writer.measured(result)?;
    let servers = live.servers();
    let test = CrashTest {
        kind,
        repeat: trial.planned.cell.repeat,
        offer: offer_of(trial, &servers, live),
        home,
        cancel: trial.cancel,
    };
    match crash::crash(&test, live, &mut |entry| writer.journal(entry))? {
        Ok(Some(crash)) => result.crash = Some(crash),
        Ok(None) => result.outcome = Outcome::Interrupted,
        Err(failure) => result.outcome = Outcome::Failed(failure),
    }
    Ok(())
}

/// Lets the old primary of a failover come back. The measurements are safe, whatever happens.
fn end_failover(
    trial: &Trial<'_>,
    live: &mut LiveTarget,
    to: &mut Dispatcher<'_>,
    (writer, result): (&mut store::TrialWriter, &mut TrialResult),
    failover: EndedFailover,
) -> Result<(), StoreError> {
    let Some(home) = trial.home else { return Ok(()) };
    to.emit(EventKind::Waiting { target: live.label.clone(), wait: model::Wait::Failover })?;
    writer.measured(result)?;
    match failover.finish(live, (home, trial.planned.seed, trial.cancel)) {
        Ok(found) => result.failover = Some(found),
        Err(failure) if result.outcome.is_completed() => result.outcome = Outcome::Failed(failure),
        Err(_) => {}
    }
    Ok(())
}

/// The result of a trial that could not even begin, recorded as such.
pub(crate) fn record_failure(
    trial: &Trial<'_>,
    why: Failure,
    to: &mut Dispatcher<'_>,
) -> Result<TrialResult, StoreError> {
    let planned = trial.planned;
    to.emit(EventKind::TrialStarted { index: planned.index, cell: planned.cell.clone() })?;
    let result = failed(trial, why);
    to.writer.trial(planned)?.finish(&result)?;
    to.emit(EventKind::TrialFinished { index: planned.index, result: Box::new(result.clone()) })?;
    Ok(result)
}

fn offer(
    trial: &Trial<'_>,
    live: &LiveTarget,
    sampler: Option<StackSampler>,
    to: &mut Dispatcher<'_>,
    writer: &mut store::TrialWriter,
) -> Result<(TrialResult, Option<EndedFailover>), StoreError> {
    let planned = trial.planned;
    // What cannot be raised shows as a refused connection, with its reason.
    let servers = live.servers();
    let mut offer = offer_of(trial, &servers, live);
    let shape = trial.plan.spec.load_of(planned.workload);
    let primary = Arc::new(CurrentPrimary::default());
    let follows = clients_come_back(&mut offer, live, shape, &primary);
    let entries = offer.entries.clone();
    let per_client = if entries.readers.is_empty() { 1 } else { 2 };
    let _ = probe::raise_open_files(per_client * u64::from(planned.cell.threads) + FILES_OF_OUR_OWN);
    let round_trip = live.router.as_ref().and_then(|_| round_trip(live.connect(), &servers[0]));
    let started_at = now_rfc3339();
    let mut trouble = None;
    let (mut before, mut watches, mut guard, mut router, mut cut) = (None, Vec::new(), None, None, None);
    // It is the only writer beside the clients; sandboxes start anew before the next trial.
    let heartbeat =
        (has_heartbeat(live) && shape.failover.is_none()).then(|| Heartbeat::start(live.connect()));
    let (mut freshness, mut failover, mut events, mut sampling) = (None, None, None, None);
    let mut sampler = sampler;
    let mut lag = Lag::within(shape.warmup_s, shape.warmup_s + shape.time_s);
    let offered = load::offer(&offer, &mut |progress| {
        if let Progress::Connected { .. } = progress {
            before = Some(Activity::now());
            cut = live.cut();
            failover = shape
                .failover
                .and_then(|asked| FailoverTest::start(live, asked, shape.warmup_s, (planned.seed, &primary)));
            events = Events::start(live, shape, follows.then_some(&primary));
            // What becomes of the topology is what is asked.
            guard = if failover.is_none() { Guard::start(live) } else { None };
            freshness = heartbeat.as_ref().and_then(|heartbeat| watched_reads(live, heartbeat, shape));
            router = live.router.as_ref().map(|router| RouterWatch::start(router, shape));
            watches = all_watched(trial, live, &entries, heartbeat.as_ref());
            sampling = sampler.take().map(|sampler| StackSampling::start(sampler, shape));
        }
        if let (Progress::Interval { interval, .. }, Some(failover)) = (&progress, &mut failover) {
            failover.interval(interval);
        }
        // The load goes on for the moment; the run ends as soon as this trial is over.
        let recorded = record_progress(planned.index, progress, to, writer);
        let journal = record_journal(failover.as_mut(), trial.cancel, writer);
        let seen = record_watched(planned.index, (&watches, &mut lag), to, writer);
        if let Err(error) = recorded.and(journal).and(seen) {
            trouble.get_or_insert(error);
        }
    });
    let failover = failover.map(|failover| failover.stop(&mut |entry| writer.journal(entry))).transpose();
    let cut = cut.and_then(Cut::stop);
    let events = events.map(Events::stop).unwrap_or_default();
    let last: Vec<_> = watches.into_iter().map(|watch| watch.map(Watch::stop).unwrap_or_default()).collect();
    drop(heartbeat);
    let router = router.map(|watch| watch.stop(round_trip));
    last.iter().enumerate().for_each(|(at, (seen, _))| lag.add(at, seen));
    let together = guard.map(|guard| Together {
        lag_max_s: lag.max_s(),
        lag_growth: lag.growth(),
        stale_reads: freshness.map(Freshness::stop).unwrap_or_default(),
        ..guard.stop()
    });
    let network = live.network.as_ref().map(|network| network.used(cut));
    if let Some(error) = trouble {
        return Err(error);
    }
    let failover = failover?;
    for (at, (seen, ends)) in last.into_iter().enumerate() {
        record_seen(planned.index, at, seen, to, writer)?;
        ends.map_or(Ok(()), |Ends { before, after }| writer.member(at).snapshots(&before, &after))?;
    }
    let sampling = sampling::keep(sampling, live, to, writer)?;
    let surroundings = before.map(|before| Activity::now().since(&before, &places(live)));
    let result = match offered {
        Ok(offered) => TrialResult {
            surroundings,
            together,
            network,
            router,
            events,
            sampling,
            ..completed(trial, live, started_at, offered)
        },
        Err(error) => failed(trial, failure(FailureCode::Machine, error.to_string())),
    };
    Ok((result, failover))
}

/// The load of a trial.
fn offer_of<'a>(trial: &Trial<'a>, servers: &'a [ConnectOptions], live: &LiveTarget) -> Offer<'a> {
    let planned = trial.planned;
    let workload = &trial.plan.spec.workloads[planned.workload as usize];
    let shape = trial.plan.spec.load_of(planned.workload);
    Offer {
        entries: live.entries(servers, workload.reads()),
        workload,
        clients: planned.cell.threads,
        schedule: shape.rate.clone().map_or(Schedule::Closed, Schedule::Open),
        limit: limit_of(shape),
        in_flight: shape.in_flight,
        think: Duration::from_secs_f64(shape.think_s),
        seed: planned.seed,
        workers: shape.workers,
        cancel: trial.cancel,
    }
}

/// Configures how clients react where servers are taken away on purpose. Returns whether they follow the primary.
fn clients_come_back<'a>(
    offer: &mut Offer<'a>,
    live: &LiveTarget,
    shape: &LoadShape,
    primary: &'a CurrentPrimary,
) -> bool {
    let elects = live.ties.as_ref().is_some_and(|ties| ties.elects());
    let is_of_one = !live.spread && !live.reads_on_replicas && live.router.is_none();
    let follows = shape.failover.is_some() || (elects && is_of_one && shape.is_disturbed());
    offer.entries.primary = follows.then_some(primary);
    offer.entries.retry = shape.is_disturbed();
    follows
}

/// Observes whether replicas show committed data, where clients read from them.
fn watched_reads(live: &LiveTarget, heartbeat: &Heartbeat, shape: &LoadShape) -> Option<Freshness> {
    let ends = [shape.warmup_s, shape.warmup_s + shape.time_s].map(Duration::from_secs_f64);
    let (freshness, told) = live.reads_on_replicas.then(|| Freshness::start(live, ends))?;
    heartbeat.tell(told);
    Some(freshness)
}

/// The places of its servers and of the router.
fn places(live: &LiveTarget) -> Vec<ServerPlace> {
    let router = live.router.as_ref().map(|router| ServerPlace::Process(router.pid()));
    live.members.iter().map(LiveMember::place).chain(router).collect()
}

fn limit_of(shape: &LoadShape) -> Limit {
    Limit {
        warmup: Duration::from_secs_f64(shape.warmup_s),
        time: (shape.time_s > 0.0).then(|| Duration::from_secs_f64(shape.time_s)),
        events: (shape.events > 0).then_some(shape.events),
    }
}

/// Whether the primary writes a heartbeat: only on sandboxes.
fn has_heartbeat(live: &LiveTarget) -> bool {
    live.is_ours() && live.topology.replicates()
}

/// Seconds of load for each second between two readings: those of a long run fit into memory.
const READINGS: f64 = 1_200.0;

/// The watch over each server.
fn all_watched(
    trial: &Trial<'_>,
    live: &LiveTarget,
    entries: &Entries<'_>,
    heartbeat: Option<&Heartbeat>,
) -> Vec<Option<Watch>> {
    let each = live.members.iter().enumerate();
    let clients = |at| entries.clients_of(at, trial.planned.cell.threads);
    each.map(|(at, member)| watched(trial, live, (member, clients(at)), heartbeat)).collect()
}

/// The watch over a server, unless it is not wanted, or would take the last place that a client may need again.
fn watched(
    trial: &Trial<'_>,
    live: &LiveTarget,
    (member, clients): (&LiveMember, u32),
    heartbeat: Option<&Heartbeat>,
) -> Option<Watch> {
    let is_first = member.name == live.label;
    let has_room = u64::from(clients) < member.facts.max_connections;
    let pid = match member.place() {
        ServerPlace::Process(pid) => Some(pid),
        ServerPlace::Here | ServerPlace::Elsewhere => None,
    };
    let load = trial.plan.spec.load_of(trial.planned.workload);
    let every = Duration::from_secs_f64(((load.warmup_s + load.time_s) / READINGS).ceil().max(1.0));
    (!trial.plan.spec.observe.is_off() && has_room).then(|| {
        Watch::start(Look {
            connect: member.connect.clone(),
            pid,
            error_log: member.log_path(),
            every,
            window_from: Duration::from_secs_f64(load.warmup_s),
            instruments: trial.plan.spec.observe == Observe::Full,
            heartbeat: heartbeat.filter(|_| !is_first).map(|heartbeat| {
                Arc::new(Heartbeats { committed_us: heartbeat.committed_us(), ..Heartbeats::default() })
            }),
            serves_clients: is_first || clients > 0,
        })
    })
}

/// Files that mydyno has open beside the sockets of its clients.
const FILES_OF_OUR_OWN: u64 = 256;

fn record_progress(
    index: u32,
    progress: Progress<'_>,
    to: &mut Dispatcher<'_>,
    writer: &mut store::TrialWriter,
) -> Result<(), StoreError> {
    match progress {
        Progress::Connected { seconds } => to.emit(EventKind::TrialConnected { index, seconds }),
        Progress::Connections { end_s, histograms } => writer.connections(end_s, &tagged(histograms)),
        Progress::Interval { interval, histograms } => {
            writer.interval(interval, &tagged(histograms))?;
            to.emit(EventKind::Interval { index, interval: interval.clone() })
        }
    }
}

/// A journal that lacks entries would be untrue: where it cannot be written the load ends, so that nothing more is acknowledged.
fn record_journal(
    failover: Option<&mut FailoverTest>,
    cancel: &AtomicBool,
    writer: &mut store::TrialWriter,
) -> Result<(), StoreError> {
    let news = failover.map(FailoverTest::news).unwrap_or_default();
    let written = news.iter().try_for_each(|entry| writer.journal(entry));
    if written.is_err() {
        cancel.store(true, Ordering::Relaxed);
    }
    written
}

/// Records the observations of each server since the previous call.
fn record_watched(
    index: u32,
    (watches, lag): (&[Option<Watch>], &mut Lag),
    to: &mut Dispatcher<'_>,
    writer: &mut store::TrialWriter,
) -> Result<(), StoreError> {
    watches.iter().enumerate().try_for_each(|(at, watch)| {
        let seen: Vec<Observation> = watch.iter().flat_map(Watch::seen).collect();
        lag.add(at, &seen);
        record_seen(index, at, seen, to, writer)
    })
}

fn record_seen(
    index: u32,
    member: usize,
    seen: Vec<Observation>,
    to: &mut Dispatcher<'_>,
    writer: &mut store::TrialWriter,
) -> Result<(), StoreError> {
    seen.into_iter().try_for_each(|observation| {
        writer.member(member).observation(&observation)?;
        to.emit(EventKind::Observation { index, member: member as u32, observation: Box::new(observation) })
    })
}

fn tagged(histograms: &[TaggedHistogram]) -> Vec<(&str, &Histogram<u64>)> {
    histograms.iter().map(|h| (h.tag.as_str(), &h.histogram)).collect()
}

fn completed(trial: &Trial<'_>, live: &LiveTarget, started_at: String, offered: Offered) -> TrialResult {
    let outcome = match offered.stopped {
        Stopped::AtLimit => Outcome::Completed,
        Stopped::Cancelled => Outcome::Interrupted,
        Stopped::Failed(failure) => Outcome::Failed(failure),
    };
    TrialResult {
        format: FORMAT,
        index: trial.planned.index,
        cell: trial.planned.cell.clone(),
        outcome,
        started_at,
        measured: offered.measured,
        members: live.members.iter().map(LiveMember::facts).collect(),
        data_restored: trial.restored,
        surroundings: None,
        together: None,
        network: None,
        router: None,
        crash: None,
        failover: None,
        events: Vec::new(),
        sampling: None,
        stated: None,
    }
}

/// A trial that was to sample a server that cannot be sampled: no load is offered for nothing.
fn not_sampled(trial: &Trial<'_>, live: &LiveTarget, why: NotSampled) -> TrialResult {
    TrialResult {
        format: FORMAT,
        index: trial.planned.index,
        cell: trial.planned.cell.clone(),
        started_at: now_rfc3339(),
        members: live.members.iter().map(LiveMember::facts).collect(),
        data_restored: trial.restored,
        sampling: Some(Sampling::NotSampled(why)),
        ..TrialResult::default()
    }
}

fn failed(trial: &Trial<'_>, why: Failure) -> TrialResult {
    TrialResult {
        format: FORMAT,
        index: trial.planned.index,
        cell: trial.planned.cell.clone(),
        outcome: Outcome::Failed(why),
        started_at: now_rfc3339(),
        data_restored: trial.restored,
        ..TrialResult::default()
    }
}

/// Connections that check side by side.
const CHECK_CONNECTIONS: u32 = 4;

/// Whatever the outcome of the load, the database must still be consistent. If the check cannot be made, the reason is
/// recorded. The measurements are safe on disk before it begins.
fn check_consistency(
    trial: &Trial<'_>,
    (live, ended): (&LiveTarget, &BTreeSet<usize>),
    writer: &mut store::TrialWriter,
    result: &mut TrialResult,
) -> Result<(), StoreError> {
    let workload = &trial.plan.spec.workloads[trial.planned.workload as usize];
    let Some(data) = workload.data_set(trial.planned.cell.threads).filter(|_| result.measured.tpcc.is_some())
    else {
        return Ok(());
    };
    if !workload.checks_data() {
        note(result, Err(Unchecked::NotAskedFor));
        return Ok(());
    }
    let impossible = |reason: String| Err(Unchecked::Impossible { reason });
    note(result, impossible("mydyno ended before the check did".to_owned()));
    writer.measured(result)?;
    // Servers side by side have data of their own each; those of a topology are compared with the first one.
    let most = if live.topology == Topology::Independent { live.members.len() } else { 1 };
    let left = live.members.iter().enumerate().filter(|(at, _)| !ended.contains(at));
    let checked: Vec<&LiveMember> = left.map(|(_, member)| member).take(most).collect();
    if checked.is_empty() {
        note(result, impossible("its server was ended on purpose".to_owned()));
    }
    let mut all: Option<Consistency> = None;
    for member in &checked {
        match data::consistency(&member.connect, &data, CHECK_CONNECTIONS, trial.cancel) {
            Ok(Some(found)) if checked.len() > 1 => {
                all.get_or_insert_with(Consistency::default).add(&member.name, found);
            }
            Ok(found) => all = found,
            Err(error) => {
                note(result, impossible(about(live, member, &error.to_string())));
                return Ok(());
            }
        }
    }
    if !checked.is_empty() {
        note(result, all.ok_or(Unchecked::NotAskedFor));
    }
    Ok(())
}

fn note(result: &mut TrialResult, found: Result<Consistency, Unchecked>) {
    if let Some(tpcc) = &mut result.measured.tpcc {
        (tpcc.consistency, tpcc.unchecked) = match found {
            Ok(found) => (Some(found), None),
            Err(why) => (None, Some(why)),
        };
    }
}
