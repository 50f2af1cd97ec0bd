//! Effects of the generator itself on a figure, and the consistency of the figures.

use messages::message;
use model::{Address, ServerKind, TrialResult};

use super::interruptions::stood_still;
use super::kind::Severity;
use super::rule::{Context, Found};
use super::surroundings::{OTHERS_INVALID, used_by_others};
use super::window::TRANSACTIONS_FOR_P99;
use crate::{open_loop, tpcc};

/// Share of one CPU above which a worker has no time left to notice answers promptly.
pub(crate) const WORKER_BUSY_MAX: f64 = 0.9;
/// Shares of the window that workers may wait for a CPU: above the first it is noted, above the second warned of, above the
/// third the figures are the generator's.
pub(super) const STARVED: [f64; 3] = [0.05, 0.05, 0.1];
/// The thresholds beside a server on the same machine: 64 clients of a server that keeps two CPUs busy make workers wait
/// for three quarters of the time.
pub(super) const STARVED_BESIDE_SERVER: [f64; 3] = [0.1, 0.9, 0.9];
/// The thresholds beside a server, where other processes used most of the CPUs.
pub(super) const STARVED_BY_OTHERS: [f64; 3] = [0.1, 0.5, 0.5];
/// Minimum length of the window: in a shorter one, a single wait is a large share.
const STARVED_S_MIN: f64 = 0.5;
pub(super) const LITTLE_DEVIATION_MAX: f64 = 0.05;

pub(super) fn generator_bottleneck(c: &Context<'_>) -> Option<Found> {
    let busiest = c.cell.generator?.busiest_worker;
    (busiest > WORKER_BUSY_MAX).then(|| Found {
        severity: Severity::Invalid,
        text: message!("generator-bottleneck", share = Percent(busiest)),
        evidence: vec![("busiest_worker", busiest)],
    })
}

/// An open loop whose backlog was not worked off, so that its response times reflect the length of the trial as much as the
/// server; or one whose backlog was.
pub(super) fn overload(c: &Context<'_>) -> Option<Found> {
    let open = c.cell.open_loop.as_ref()?;
    // Then the generator could not offer it: that says nothing of the rate, and has a caveat of its own.
    let is_starved = starvation(c).is_some_and(|(_, severity)| severity == Severity::Invalid);
    if is_starved || c.completed.iter().any(|t| !stood_still(t).is_empty()) {
        return None;
    }
    if open.caught_up() {
        let evidence = vec![("backlog_max", open.backlog_max as f64)];
        return Some(Found { severity: Severity::Note, text: open.backlog(), evidence });
    }
    open.overloaded().then(|| Found {
        severity: Severity::Warn,
        text: open.overload(),
        evidence: vec![("unstarted", open.unstarted as f64), ("offered", open.offered as f64)],
    })
}

/// Response times hold what the generator's own timers add.
pub(super) fn late_timers(c: &Context<'_>) -> Option<Found> {
    let timers = c.completed.iter().filter_map(|t| t.result.measured.open_loop.map(|open| open.timer));
    let worst = timers.filter(open_loop::timers_late).map(|timer| timer.p99_ns).max()?;
    Some(Found {
        severity: Severity::Warn,
        text: message!("late-timers", late = Figure(worst as f64 / 1e6)),
        evidence: vec![("timer_p99_ms", worst as f64 / 1e6)],
    })
}

/// N = X R for a closed loop without think time (Little, 1961).
pub(super) fn littles_law(c: &Context<'_>) -> Option<Found> {
    let thinking =
        c.load().think_s > 0.0 || tpcc::options(c.plan, c.planned).is_some_and(|options| options.think > 0.0);
    if c.load().rate.is_some() || c.load().events > 0 || thinking {
        return None;
    }
    let sound = c.completed.iter().filter(|t| stood_still(t).is_empty());
    let found = sound.filter_map(|t| little_deviation(t.result));
    let (deviation, found) = found.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Found {
        severity: Severity::Invalid,
        text: message!("littles-law", implied = Figure(found), clients = Count(c.cell.threads)),
        evidence: vec![("deviation", deviation), ("clients_by_littles_law", found)],
    })
}

/// Deviation of a trial from its number of clients by Little's law, and the number that its figures imply; none if the
/// deviation is small.
///
/// Transactions that straddle the beginning count with what they took before it, and those that straddle the end not at all:
/// both are corrected by what the engine saw of them. Recordings of earlier versions know only the longest of them, and are
/// allowed to deviate by as much.
fn little_deviation(t: &TrialResult) -> Option<(f64, f64)> {
    let response = &t.measured.operations.first()?.response;
    // Clients that are connecting, or wait to try again, are not in a transaction.
    if response.count == 0 || t.measured.reconnects > 0 || t.measured.measured_s <= 0.0 {
        return None;
    }
    let clients = f64::from(t.cell.threads);
    let busy_s = response.count as f64 * response.mean_ns / 1e9;
    let (busy_s, edges_s) = match t.measured.straddling {
        Some(straddling) => (busy_s - straddling.before_s + straddling.at_end_s, 0.0),
        None => {
            // One that straddles the beginning can be as long as the longest; among many it is an ordinary long one.
            let is_small = response.count < TRANSACTIONS_FOR_P99;
            let straddler_ns = if is_small { response.max_ns } else { response.p99_ns };
            let at_end_ns = t.measured.in_flight_longest_ns.map_or(response.mean_ns, |ns| ns as f64);
            (busy_s, (straddler_ns as f64 + at_end_ns) / 1e9)
        }
    };
    let found = busy_s / t.measured.measured_s;
    let deviation = (clients - found).abs() / clients;
    (deviation > LITTLE_DEVIATION_MAX + edges_s / t.measured.measured_s).then_some((deviation, found))
}

/// Whether a server of a cell uses the CPUs of the generator's machine, too: by its address, or because its process was seen here.
fn shares_machine(c: &Context<'_>) -> bool {
    let own = c.plan.spec.targets.iter().find(|target| target.target.label == c.cell.target);
    let was_seen =
        || c.completed.iter().any(|trial| trial.watched.readings.iter().any(|one| one.process.is_some()));
    own.is_some_and(|target| target.target.members.iter().any(|member| is_here(&member.kind))) || was_seen()
}

fn is_here(server: &ServerKind) -> bool {
    match server {
        ServerKind::Sandbox(_) => true,
        ServerKind::External(endpoint) => match &endpoint.address {
            Address::Socket(_) => true,
            Address::Tcp { host, .. } => host == "localhost" || host == "::1" || host.starts_with("127."),
        },
        ServerKind::Imported { .. } => false,
    }
}

/// Share of the time that the workers waited for a CPU, in the worst trial, and its severity.
///
/// Beside a busy server some waiting is normal, since they compete for CPUs. Beyond that the generator neither offers the
/// load on time, nor notices answers when they arrive.
fn starvation(c: &Context<'_>) -> Option<(f64, Severity)> {
    let beside_server = shares_machine(c);
    let limits = |t: &TrialResult| {
        let others = t.surroundings.as_ref().and_then(used_by_others).unwrap_or(0.0);
        match beside_server {
            false => STARVED,
            true if others > OTHERS_INVALID => STARVED_BY_OTHERS,
            true => STARVED_BESIDE_SERVER,
        }
    };
    let share = |t: &TrialResult| {
        let available_s = t.measured.measured_s * f64::from(t.measured.generator.workers);
        if t.measured.measured_s >= STARVED_S_MIN {
            t.measured.generator.run_queue_wait_s / available_s.max(f64::MIN_POSITIVE)
        } else {
            0.0
        }
    };
    let found = c.completed.iter().filter_map(|t| {
        let (share, [note, warn, invalid]) = (share(t.result), limits(t.result));
        let severity = match share {
            share if share > invalid => Severity::Invalid,
            share if share > warn => Severity::Warn,
            share if share > note => Severity::Note,
            _ => return None,
        };
        Some((share, severity))
    });
    found.max_by(|a, b| a.1.cmp(&b.1).then(a.0.total_cmp(&b.0)))
}

pub(super) fn cpu_contention(c: &Context<'_>) -> Option<Found> {
    let (worst, severity) = starvation(c)?;
    let place = match severity {
        Severity::Invalid => "starved",
        _ if shares_machine(c) => "beside-server",
        _ => "alone",
    };
    let text = message!("cpu-contention", share = Percent(worst), where = Word(place));
    Some(Found { severity, text, evidence: vec![("run_queue_wait_share", worst)] })
}

pub(super) fn saturated_histogram(c: &Context<'_>) -> Option<Found> {
    let saturated: u64 = c
        .completed
        .iter()
        .flat_map(|t| &t.result.measured.operations)
        .map(|o| o.response.saturated + o.service.saturated)
        .sum();
    (saturated > 0).then(|| Found {
        severity: Severity::Warn,
        text: message!("saturated-histogram", latencies = Count(saturated)),
        evidence: vec![("saturated", saturated as f64)],
    })
}
