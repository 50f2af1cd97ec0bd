//! Limits on throughput: a single saturated thread of a server while the machine had idle CPUs.

use knowledge::threads::{may_serve_clients, named};
use messages::message;
use model::{Observation, ServerKind, Watched};

use super::kind::Severity;
use super::rule::{Context, Found};
use crate::input::TrialInput;
use crate::machine::{readings, seconds_between};
use crate::{Words, threads};

/// Share of one CPU above which a thread can do little more.
pub(super) const THREAD_BUSY_MIN: f64 = 0.9;
/// Share of all CPU time that the machine, and the server within its placement, must have had left: where all CPUs are busy, more
/// threads would not help.
pub(crate) const IDLE_MIN: f64 = 0.1;

/// A thread that used almost all of one CPU.
struct Saturated {
    server: String,
    thread: String,
    share: f64,
    idle: f64,
}

/// One thread of a server was busy all the time while CPUs were idle.
pub(super) fn saturated_thread(c: &Context<'_>) -> Option<Found> {
    let mut found: Vec<Saturated> = c.completed.iter().flat_map(|trial| saturated(c, trial)).collect();
    found.sort_by(|a, b| b.share.total_cmp(&a.share));
    let first = found.first()?;
    let does = named(&first.thread).map(|thread| Words::from(&thread.does));
    Some(Found {
        severity: Severity::Note,
        text: message!(
            "saturated-thread",
            thread = Text(&first.thread),
            server = Text(&first.server),
            share = Percent(first.share),
            idle = Percent(first.idle),
            does = Message?(does),
            more = Count(found.len() as u64 - 1)
        ),
        evidence: vec![("thread_cpu_share", first.share), ("idle_share", first.idle)],
    })
}

fn saturated(c: &Context<'_>, trial: &TrialInput<'_>) -> Vec<Saturated> {
    let mut found = Vec::new();
    for (at, (server, watched)) in trial.servers().enumerate() {
        let idle = idle(trial, watched).filter(|idle| *idle >= IDLE_MIN && has_room(c, at, trial, watched));
        let (Some(idle), Some((_, threads))) = (idle, threads::named(trial, watched)) else { continue };
        let busy = threads.into_iter().filter(|(name, one)| {
            // A client that gets all of a CPU is what a benchmark is for.
            one.busiest > THREAD_BUSY_MIN && !may_serve_clients(name)
        });
        found.extend(busy.map(|(name, one)| Saturated {
            server: server.clone(),
            thread: name.to_owned(),
            share: one.busiest.min(1.0),
            idle,
        }));
    }
    found
}

/// One thread of MySQL Router was busy all the time while CPUs were idle.
pub(super) fn saturated_router(c: &Context<'_>) -> Option<Found> {
    let busiest = c.completed.iter().filter_map(|trial| {
        let cpu = trial.result.router.as_ref()?.cpu.filter(|cpu| cpu.window_s > 0.0)?;
        let (_, watched) = trial.servers().next()?;
        Some((cpu.busiest_thread_s / cpu.window_s, idle(trial, watched)?))
    });
    let busy = busiest.filter(|(share, idle)| *share > THREAD_BUSY_MIN && *idle >= IDLE_MIN);
    let (share, idle) = busy.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Found {
        severity: Severity::Note,
        text: message!("saturated-router", share = Percent(share.min(1.0)), idle = Percent(idle)),
        evidence: vec![("router_thread_cpu_share", share), ("idle_share", idle)],
    })
}

/// Share of the machine's CPU time that was idle.
fn idle(trial: &TrialInput<'_>, watched: &Watched) -> Option<f64> {
    let (first, last) = ends(trial, watched)?;
    let (a, b) = (first.host?, last.host?);
    let idle_s = b.cpu_idle_s + b.cpu_iowait_s - a.cpu_idle_s - a.cpu_iowait_s;
    let all = |host: model::HostUse| {
        host.cpu_user_s + host.cpu_system_s + host.cpu_iowait_s + host.cpu_steal_s + host.cpu_idle_s
    };
    let all_s = all(b) - all(a);
    (all_s > 0.0).then(|| idle_s / all_s)
}

/// Whether the server could have used more CPU than it did, within the limits of its placement.
fn has_room(c: &Context<'_>, at: usize, trial: &TrialInput<'_>, watched: &Watched) -> bool {
    let own = c.plan.spec.targets.iter().find(|target| target.target.label == c.cell.target);
    let member = own.and_then(|own| own.target.members.get(at));
    let Some(ServerKind::Sandbox(sandbox)) = member.map(|member| &member.kind) else { return true };
    let cpus = sandbox.place.cpus.as_ref().map(|list| list.count() as f64);
    let quota = sandbox.place.cpu_quota.map(model::CpuQuota::cpus);
    let Some(allowed) = [cpus, quota].into_iter().flatten().reduce(f64::min) else { return true };
    let used = ends(trial, watched).and_then(|(first, last)| {
        Some((last.process?.cpu_s - first.process?.cpu_s) / (last.at_s - first.at_s))
    });
    used.is_some_and(|used| used <= (1.0 - IDLE_MIN) * allowed)
}

fn ends<'a>(trial: &TrialInput<'_>, watched: &'a Watched) -> Option<(&'a Observation, &'a Observation)> {
    let readings = readings(trial, watched);
    let (first, last) = (readings.first()?, readings.last()?);
    seconds_between(trial, first.at_s, last.at_s)?;
    Some((first, last))
}
