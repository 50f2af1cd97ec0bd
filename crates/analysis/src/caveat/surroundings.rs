//! What the machine of the generator did besides, as far as it may have changed a figure.

use model::{Surroundings, TargetKind, TrialResult};

use super::{Context, Found, Severity};
use crate::Words;
use crate::text::{figure, percent, seconds};

/// Share of the machine's CPUs.
pub(super) const OTHERS_MAX: f64 = 0.1;
/// From here on a server on the same machine is not what was measured.
pub(super) const OTHERS_INVALID: f64 = 0.5;
pub(super) const STEAL_MAX: f64 = 0.05;
/// Bytes a second; the pager always moves a little.
pub(super) const SWAP_MAX_PER_S: f64 = 1e6;
/// Share of the window that a clock which goes back may hide.
pub(super) const CLOCK_SHARE_INVALID: f64 = 0.01;

fn all<'a>(c: &'a Context<'_>) -> impl Iterator<Item = &'a Surroundings> {
    c.completed.iter().filter_map(|t| t.result.surroundings.as_ref())
}

/// A load that was over at once tells nothing: the kernel counts in hundredths of a second.
const TIME_S_MIN: f64 = 0.5;

fn share(cpu_s: f64, of: &Surroundings) -> f64 {
    let available_s = of.time_s * f64::from(of.cpus);
    if of.time_s >= TIME_S_MIN && available_s > 0.0 { cpu_s / available_s } else { 0.0 }
}

/// Other processes used the CPUs that the generator, and a server beside it, could have had.
pub(super) fn other_processes(c: &Context<'_>) -> Option<Found> {
    // The kernel's sum over all CPUs leaves out interrupts and stolen time, which the time of a process holds, and
    // recordings of earlier versions have only that sum. The busiest program is one of the others: they used no less.
    let used = |of: &Surroundings| Some(share(of.others_cpu_s?.max(of.busiest_other_cpu_s), of));
    let worst = all(c).max_by(|a, b| used(a).unwrap_or(0.0).total_cmp(&used(b).unwrap_or(0.0)))?;
    let others = used(worst).filter(|others| *others > OTHERS_MAX)?;
    let beside = c
        .plan
        .targets
        .iter()
        .any(|t| t.target.label == c.cell.target && matches!(t.target.kind, TargetKind::Sandbox(_)));
    let severity = match others {
        others if others > OTHERS_INVALID && beside => Severity::Invalid,
        _ => Severity::Warn,
    };
    let (most_en, most_zh) = match &worst.busiest_other {
        Some(program) => {
            let most = percent(share(worst.busiest_other_cpu_s, worst).min(others));
            (format!(", most of all {program} with {most}"), format!("，其中最多的是 {program}（{most}）"))
        }
        None => Default::default(),
    };
    let others_shown = percent(others);
    Some(Found {
        severity,
        text: Words::new(
            format!(
                "other processes used {others_shown} of this machine's CPUs{most_en}: run it on an idle machine"
            ),
            format!("其他进程占用了本机 {others_shown} 的 CPU{most_zh}：请在空闲的机器上运行"),
        ),
        evidence: vec![("others_cpu_share", others)],
    })
}

/// The hypervisor gave the CPUs to other virtual machines.
pub(super) fn steal(c: &Context<'_>) -> Option<Found> {
    let worst = all(c).map(|of| share(of.steal_s, of)).fold(0.0, f64::max);
    let shown = percent(worst);
    (worst > STEAL_MAX).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!("the hypervisor withheld {shown} of this machine's CPU time (steal)"),
            format!("虚拟机监控程序占走了本机 {shown} 的 CPU 时间（steal）"),
        ),
        evidence: vec![("steal_share", worst)],
    })
}

/// The machine was short of memory.
pub(super) fn swap(c: &Context<'_>) -> Option<Found> {
    let per_s = |of: &Surroundings| (of.swap_in_bytes + of.swap_out_bytes) as f64 / of.time_s.max(1.0);
    let worst = all(c).max_by(|a, b| per_s(a).total_cmp(&per_s(b)))?;
    let mb = |bytes: u64| figure(bytes as f64 / 1e6);
    let (read, written) = (mb(worst.swap_in_bytes), mb(worst.swap_out_bytes));
    (per_s(worst) > SWAP_MAX_PER_S).then(|| Found {
        severity: Severity::Warn,
        text: Words::new(
            format!(
                "this machine swapped: {read} MB in, {written} MB out; it has too little memory for the load"
            ),
            format!("本机发生了换页：换入 {read} MB，换出 {written} MB；内存不足"),
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
    let back = |t: &TrialResult| (t.generator.clock_set_back_s, t.measured_s);
    let (back_s, window_s) =
        c.completed.iter().map(|t| back(t.result)).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
    if back_s > 0.0 {
        let severity =
            if back_s > CLOCK_SHARE_INVALID * window_s { Severity::Invalid } else { Severity::Warn };
        let lost = seconds(back_s);
        return Some(Found {
            severity,
            text: Words::new(
                format!(
                    "the clock that durations are measured with went back by {lost}: the machine is at fault"
                ),
                format!("用于计时的时钟倒退了 {lost}：机器有故障"),
            ),
            evidence: vec![("clock_set_back_s", back_s)],
        });
    }
    let step_s = all(c).map(|of| of.wall_clock_step_s).max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
    let (en, zh) = if step_s > 0.0 { ("forward", "向前") } else { ("back", "向后") };
    let by = seconds(step_s.abs());
    (step_s != 0.0).then(|| Found {
        severity: Severity::Note,
        text: Words::new(
            format!("the wall clock was set {en} by {by} meanwhile; durations do not depend on it, times of day do"),
            format!("期间系统时钟被{zh}调整了 {by}；时长不受影响，时刻受影响"),
        ),
        evidence: vec![("wall_clock_step_s", step_s)],
    })
}
