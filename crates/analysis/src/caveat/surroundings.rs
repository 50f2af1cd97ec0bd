//! Other activity on the generator's machine that may have changed a figure.

use messages::message;
use model::{Surroundings, TrialResult};

use super::kind::Severity;
use super::rule::{Context, Found};

/// Share of the machine's CPUs.
pub(super) const OTHERS_MAX: f64 = 0.1;
/// Beyond this share, a server on the same machine was not measured on its own.
pub(super) const OTHERS_INVALID: f64 = 0.5;
pub(super) const STEAL_MAX: f64 = 0.05;
/// Bytes a second; the pager always moves a little.
pub(super) const SWAP_MAX_PER_S: f64 = 1e6;
/// Share of the window that a clock which goes back may hide.
pub(super) const CLOCK_SHARE_INVALID: f64 = 0.01;

fn all<'a>(c: &'a Context<'_>) -> impl Iterator<Item = &'a Surroundings> {
    c.completed.iter().filter_map(|t| t.result.surroundings.as_ref())
}

/// Minimum length of a load, seconds: the kernel counts in hundredths of a second.
const TIME_S_MIN: f64 = 0.5;

fn share(cpu_s: f64, of: &Surroundings) -> f64 {
    let available_s = of.time_s * f64::from(of.cpus);
    if of.time_s >= TIME_S_MIN && available_s > 0.0 { cpu_s / available_s } else { 0.0 }
}

/// Share of the CPUs that other processes used.
///
/// The kernel's sum over all CPUs leaves out interrupts and stolen time, which the time of a process holds, and recordings of earlier
/// versions have only that sum. The busiest program is one of the others: they used no less.
pub(super) fn used_by_others(of: &Surroundings) -> Option<f64> {
    Some(share(of.others_cpu_s?.max(of.busiest_other_cpu_s), of))
}

/// Other processes used the CPUs that the generator, and a server beside it, could have had.
pub(super) fn other_processes(c: &Context<'_>) -> Option<Found> {
    let used = |of: &Surroundings| used_by_others(of).unwrap_or(0.0);
    let worst = all(c).max_by(|a, b| used(a).total_cmp(&used(b)))?;
    let others = used_by_others(worst).filter(|others| *others > OTHERS_MAX)?;
    let beside = c.plan.spec.targets.iter().any(|t| t.target.label == c.cell.target && t.target.is_sandbox());
    let severity = match others {
        others if others > OTHERS_INVALID && beside => Severity::Invalid,
        _ => Severity::Warn,
    };
    let most = worst.busiest_other.as_ref().map(|_| share(worst.busiest_other_cpu_s, worst).min(others));
    Some(Found {
        severity,
        text: message!(
            "other-processes",
            share = Percent(others),
            program = Text?(worst.busiest_other.as_deref()),
            most = Percent?(most),
        ),
        evidence: vec![("others_cpu_share", others)],
    })
}

/// The hypervisor gave the CPUs to other virtual machines.
pub(super) fn steal(c: &Context<'_>) -> Option<Found> {
    let worst = all(c).map(|of| share(of.steal_s, of)).fold(0.0, f64::max);
    (worst > STEAL_MAX).then(|| Found {
        severity: Severity::Warn,
        text: message!("steal", share = Percent(worst)),
        evidence: vec![("steal_share", worst)],
    })
}

/// The machine was short of memory.
pub(super) fn swap(c: &Context<'_>) -> Option<Found> {
    let per_s = |of: &Surroundings| (of.swap_in_bytes + of.swap_out_bytes) as f64 / of.time_s.max(1.0);
    let worst = all(c).max_by(|a, b| per_s(a).total_cmp(&per_s(b)))?;
    let mb = |bytes: u64| bytes as f64 / 1e6;
    (per_s(worst) > SWAP_MAX_PER_S).then(|| Found {
        severity: Severity::Warn,
        text: message!(
            "swap",
            read = Figure(mb(worst.swap_in_bytes)),
            written = Figure(mb(worst.swap_out_bytes))
        ),
        evidence: vec![
            ("swapped_bytes_per_s", per_s(worst)),
            ("swap_in_bytes", worst.swap_in_bytes as f64),
            ("swap_out_bytes", worst.swap_out_bytes as f64),
        ],
    })
}

/// Durations come from a clock that should not go back; times of day, as in the server's log, from one that may be set.
pub(super) fn clock_steps(c: &Context<'_>) -> Option<Found> {
    let back = |t: &TrialResult| (t.measured.generator.clock_set_back_s, t.measured.measured_s);
    let (back_s, window_s) =
        c.completed.iter().map(|t| back(t.result)).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
    if back_s > 0.0 {
        let severity =
            if back_s > CLOCK_SHARE_INVALID * window_s { Severity::Invalid } else { Severity::Warn };
        return Some(Found {
            severity,
            text: message!("clock-back", lost = Seconds(back_s)),
            evidence: vec![("clock_set_back_s", back_s)],
        });
    }
    let step_s = all(c).map(|of| of.wall_clock_step_s).max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
    let direction = if step_s > 0.0 { "forward" } else { "back" };
    (step_s != 0.0).then(|| Found {
        severity: Severity::Note,
        text: message!("clock-set", direction = Word(direction), by = Seconds(step_s.abs())),
        evidence: vec![("wall_clock_step_s", step_s)],
    })
}
