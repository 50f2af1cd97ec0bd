//! Activity of the server's machine in the measured window of a cell, and the cost of observing it.

use model::{HostUse, Observation, Snapshot, Watched};
use serde::{Deserialize, Serialize};

use crate::input::TrialInput;

/// The machine of the load over the measured window: means over time and over the completed runs. It is the server's only if
/// `server_is_here`.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineUse {
    /// The server's process is one of this machine that could be looked at.
    pub server_is_here: bool,
    /// CPUs that the server's process used; those of all servers that clients connect to.
    pub server_cpus: Option<f64>,
    /// Shares of the time of all CPUs: programs, kernel, idle while a disk was waited for, taken by the hypervisor, idle.
    pub cpu_user: f64,
    /// Kernel.
    pub cpu_system: f64,
    /// Idle while a disk was waited for.
    pub cpu_iowait: f64,
    /// Taken by the hypervisor.
    pub cpu_steal: f64,
    /// Idle.
    pub cpu_idle: f64,
    /// Threads that ran or wanted to.
    pub run_queue: f64,
    /// Reads from disks per second.
    pub disk_reads_per_s: f64,
    /// Writes to disks per second.
    pub disk_writes_per_s: f64,
    /// Read from disks, bytes per second.
    pub disk_read_bytes_per_s: f64,
    /// Written to disks, bytes per second.
    pub disk_written_bytes_per_s: f64,
    /// Mean time of a write to a disk, queueing included.
    pub disk_write_ms: Option<f64>,
    /// Mean time of a read.
    pub disk_read_ms: Option<f64>,
    /// Share of the time in which a disk was busy; summed over disks. None if the kernel's clock of it began anew.
    pub disk_busy: Option<f64>,
    /// Over the network, both ways, bytes per second.
    pub network_bytes_per_s: f64,
    /// Share of the time in which some thread waited for a CPU, a disk, memory (PSI); none where the kernel does not tell.
    pub pressure_cpu: Option<f64>,
    /// For a disk.
    pub pressure_io: Option<f64>,
    /// For memory.
    pub pressure_memory: Option<f64>,
    /// Share of the time in which the server was kept from running by the quota of its control group, over all its CPUs.
    pub throttled: Option<f64>,
    /// The least memory that was left, bytes.
    pub memory_available_bytes: u64,
    /// Median round trip of a request that asks for nothing.
    pub round_trip_ms: Option<f64>,
    /// Readings of the window.
    pub readings: u64,
    /// Mean time that one took.
    pub reading_ms: f64,
    /// The most that one was late.
    pub reading_late_ms: f64,
}

/// The machine use over the completed trials of a cell; none if none was observed.
pub(crate) fn machine_use(completed: &[&TrialInput<'_>]) -> Option<MachineUse> {
    let runs: Vec<MachineUse> = completed.iter().filter_map(|trial| of_trial(trial)).collect();
    let n = runs.len() as f64;
    let mean = |of: fn(&MachineUse) -> f64| runs.iter().map(of).sum::<f64>() / n;
    let known =
        |of: fn(&MachineUse) -> Option<f64>| stats::mean(&runs.iter().filter_map(of).collect::<Vec<_>>());
    let most = |of: fn(&MachineUse) -> f64| runs.iter().map(of).fold(0.0, f64::max);
    (!runs.is_empty()).then(|| MachineUse {
        server_is_here: runs.iter().all(|run| run.server_is_here),
        server_cpus: known(|run| run.server_cpus),
        cpu_user: mean(|run| run.cpu_user),
        cpu_system: mean(|run| run.cpu_system),
        cpu_iowait: mean(|run| run.cpu_iowait),
        cpu_steal: mean(|run| run.cpu_steal),
        cpu_idle: mean(|run| run.cpu_idle),
        run_queue: mean(|run| run.run_queue),
        disk_reads_per_s: mean(|run| run.disk_reads_per_s),
        disk_writes_per_s: mean(|run| run.disk_writes_per_s),
        disk_read_bytes_per_s: mean(|run| run.disk_read_bytes_per_s),
        disk_written_bytes_per_s: mean(|run| run.disk_written_bytes_per_s),
        disk_write_ms: known(|run| run.disk_write_ms),
        disk_read_ms: known(|run| run.disk_read_ms),
        disk_busy: known(|run| run.disk_busy),
        network_bytes_per_s: mean(|run| run.network_bytes_per_s),
        pressure_cpu: known(|run| run.pressure_cpu),
        pressure_io: known(|run| run.pressure_io),
        pressure_memory: known(|run| run.pressure_memory),
        throttled: known(|run| run.throttled),
        memory_available_bytes: runs.iter().map(|run| run.memory_available_bytes).min().unwrap_or_default(),
        round_trip_ms: known(|run| run.round_trip_ms),
        readings: runs.iter().map(|run| run.readings).sum(),
        reading_ms: mean(|run| run.reading_ms),
        reading_late_ms: most(|run| run.reading_late_ms),
    })
}

/// The readings of a server in the measured window: the last one may have come when it was over already.
pub(crate) fn readings<'a>(trial: &TrialInput<'_>, watched: &'a Watched) -> &'a [Observation] {
    let result = trial.result;
    let end_s = result.measured.warmup_s + result.measured.measured_s;
    let all = &watched.readings;
    let inside =
        |o: &Observation| o.is_answer() && (result.measured.warmup_s..=end_s + 1.0).contains(&o.at_s);
    let from = all.iter().position(inside).unwrap_or(all.len());
    let to = all.iter().rposition(inside).map_or(from, |last| last + 1);
    &all[from..to]
}

/// Seconds of the measured window between two readings; none if that is too short to be conclusive.
pub(crate) fn seconds_between(trial: &TrialInput<'_>, from_s: f64, to_s: f64) -> Option<f64> {
    const SECONDS_MIN: f64 = 0.9;
    let end_s = trial.result.measured.warmup_s + trial.result.measured.measured_s;
    Some(to_s.min(end_s) - from_s).filter(|seconds| *seconds >= SECONDS_MIN)
}

/// Both snapshots of a server in a trial, with the seconds of the measured window between them.
pub(crate) fn snapshots<'a>(
    trial: &TrialInput<'_>,
    watched: &'a Watched,
) -> Option<(&'a Snapshot, &'a Snapshot, f64)> {
    let (before, after) = (watched.before.as_ref()?, watched.after.as_ref()?);
    Some((before, after, seconds_between(trial, before.at_s, after.at_s)?))
}

/// CPUs that the process of a server used.
fn cpus(trial: &TrialInput<'_>, watched: &Watched) -> Option<f64> {
    let readings = readings(trial, watched);
    let (first, last) = (readings.first()?, readings.last()?);
    let (a, b) = (first.process.as_ref()?, last.process.as_ref()?);
    seconds_between(trial, first.at_s, last.at_s)?;
    Some((b.cpu_s - a.cpu_s).max(0.0) / (last.at_s - first.at_s))
}

fn of_trial(trial: &TrialInput<'_>) -> Option<MachineUse> {
    let readings = readings(trial, trial.watched);
    let (first, last) = (readings.first()?, readings.last()?);
    let (a, b) = (first.host?, last.host?);
    let wall_s = last.at_s - first.at_s;
    seconds_between(trial, first.at_s, last.at_s)?;
    let delta = |of: fn(&HostUse) -> f64| (of(&b) - of(&a)).max(0.0);
    let per_s = |of: fn(&HostUse) -> f64| delta(of) / wall_s;
    let modes = [
        delta(|h| h.cpu_user_s),
        delta(|h| h.cpu_system_s),
        delta(|h| h.cpu_iowait_s),
        delta(|h| h.cpu_steal_s),
        delta(|h| h.cpu_idle_s),
    ];
    let all: f64 = modes.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let pressure = |of: fn(&HostUse) -> Option<f64>| Some((of(&b)? - of(&a)?).max(0.0) / wall_s);
    // The kernel keeps the times of disks in 32 bits of milliseconds, which begin anew after 50 days.
    let disk_time = |of: fn(&HostUse) -> f64| Some(of(&b) - of(&a)).filter(|seconds| *seconds >= 0.0);
    let each_ms = |time: fn(&HostUse) -> f64, count: fn(&HostUse) -> f64| {
        disk_time(time).filter(|_| delta(count) > 0.0).map(|seconds| seconds / delta(count) * 1e3)
    };
    let process = first.process.zip(last.process);
    let mean = |of: fn(&Observation) -> f64| readings.iter().map(of).sum::<f64>() / readings.len() as f64;
    let round_trips: Vec<f64> = readings.iter().filter_map(|o| o.round_trip_s).collect();
    Some(MachineUse {
        server_is_here: process.is_some(),
        server_cpus: trial.used().map(|watched| cpus(trial, watched)).sum(),
        cpu_user: modes[0] / all,
        cpu_system: modes[1] / all,
        cpu_iowait: modes[2] / all,
        cpu_steal: modes[3] / all,
        cpu_idle: modes[4] / all,
        run_queue: mean(|o| o.host.map_or(0.0, |host| f64::from(host.run_queue))),
        disk_reads_per_s: per_s(|h| h.disk.reads as f64),
        disk_writes_per_s: per_s(|h| h.disk.writes as f64),
        disk_read_bytes_per_s: per_s(|h| h.disk.read_bytes as f64),
        disk_written_bytes_per_s: per_s(|h| h.disk.written_bytes as f64),
        disk_write_ms: each_ms(|h| h.disk.write_s, |h| h.disk.writes as f64),
        disk_read_ms: each_ms(|h| h.disk.read_s, |h| h.disk.reads as f64),
        disk_busy: disk_time(|h| h.disk.busy_s).map(|seconds| seconds / wall_s),
        network_bytes_per_s: per_s(|h| (h.network_received_bytes + h.network_sent_bytes) as f64),
        pressure_cpu: pressure(|h| h.pressure_cpu_s),
        pressure_io: pressure(|h| h.pressure_io_s),
        pressure_memory: pressure(|h| h.pressure_memory_s),
        throttled: process
            .and_then(|(a, b)| Some(((b.throttled_s? - a.throttled_s?) / wall_s).clamp(0.0, 1.0))),
        memory_available_bytes: readings
            .iter()
            .filter_map(|o| Some(o.host?.memory_available_bytes))
            .min()
            .unwrap_or_default(),
        round_trip_ms: stats::quantile(&round_trips, 0.5).map(|s| s * 1e3),
        readings: readings.len() as u64,
        reading_ms: mean(|o| o.took_s) * 1e3,
        reading_late_ms: readings.iter().map(|o| o.late_s).fold(0.0, f64::max) * 1e3,
    })
}
