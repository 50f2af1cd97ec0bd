//! Other activity on this machine during a load: other processes, the hypervisor, the pager, and changes of the clock.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use model::Surroundings;
use procfs::process::{Process, Stat, all_processes};
use procfs::{CpuTime, CurrentSI, KernelStats};
use rustix::time::{ClockId, clock_gettime};

/// The place of a server, whose work does not count as that of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerPlace {
    /// A process of this machine.
    Process(u32),
    /// This machine, in an unknown process: one with the name of a server program.
    Here,
    /// On another machine.
    Elsewhere,
}

impl ServerPlace {
    fn is(self, pid: i32, process: &Used) -> bool {
        match self {
            Self::Process(server) => pid == server as i32,
            Self::Here => SERVERS.contains(&process.program.as_str()),
            Self::Elsewhere => false,
        }
    }
}

fn is_any(places: &[ServerPlace], pid: i32, process: &Used) -> bool {
    places.iter().any(|place| place.is(pid, process))
}

/// The programs of servers.
const SERVERS: [&str; 2] = ["mysqld", "mariadbd"];
/// The parent of all threads of the kernel.
const KTHREADD: i32 = 2;

/// A reading. A value that the kernel does not report stays zero: a run is never refused for lack of it.
#[derive(Debug, Clone)]
pub struct Activity {
    at: Instant,
    /// Ticks by CPU.
    cpus: Vec<CpuTicks>,
    swapped_in: u64,
    swapped_out: u64,
    wall_ahead_ns: i128,
    processes: BTreeMap<i32, Used>,
}

/// Clock ticks of a CPU.
#[derive(Debug, Clone, Copy, Default)]
struct CpuTicks {
    /// Ticks in user space and the kernel, without interrupts.
    busy: u64,
    /// Taken by the hypervisor.
    steal: u64,
}

impl CpuTicks {
    fn of(cpu: &CpuTime) -> Self {
        Self { busy: cpu.user + cpu.nice + cpu.system, steal: cpu.steal.unwrap_or_default() }
    }
}

#[derive(Debug, Clone)]
struct Used {
    program: String,
    kernel: bool,
    /// Start time, which distinguishes a process from a later one with the same id.
    started: u64,
    ticks: u64,
    /// The CPU on which it ran last.
    cpu: Option<usize>,
}

impl Activity {
    /// Reads what there is now.
    pub fn now() -> Self {
        let cpus = KernelStats::current().map(|stats| stats.cpu_time).unwrap_or_default();
        let pages = procfs::vmstat().unwrap_or_default();
        let pages = |name: &str| pages.get(name).copied().unwrap_or_default().max(0) as u64;
        Self {
            at: Instant::now(),
            cpus: cpus.iter().map(CpuTicks::of).collect(),
            swapped_in: pages("pswpin"),
            swapped_out: pages("pswpout"),
            wall_ahead_ns: nanoseconds(ClockId::Realtime) - nanoseconds(ClockId::Monotonic),
            processes: processes(),
        }
    }

    /// Activity since an earlier reading, on the CPUs that the generator and the servers may use.
    pub fn since(&self, earlier: &Self, places: &[ServerPlace]) -> Surroundings {
        let servers = self.processes.iter().filter(|(pid, process)| is_any(places, **pid, process));
        let ours = servers.map(|(pid, _)| *pid).chain([std::process::id() as i32]);
        let cpus: BTreeSet<usize> = ours.filter_map(cpus_of).flatten().collect();
        self.on_cpus(earlier, places, &cpus)
    }

    /// Activity on those CPUs; on all if the list is empty because the kernel did not report it.
    fn on_cpus(&self, earlier: &Self, places: &[ServerPlace], cpus: &BTreeSet<usize>) -> Surroundings {
        let is_ours = |cpu: usize| cpus.is_empty() || cpus.contains(&cpu);
        let ticks = |of: fn(&CpuTicks) -> u64| -> u64 {
            let both = self.cpus.iter().zip(&earlier.cpus).enumerate().filter(|(cpu, _)| is_ours(*cpu));
            both.map(|(_, (now, then))| of(now).saturating_sub(of(then))).sum()
        };
        let count = (0..self.cpus.len()).filter(|cpu| is_ours(*cpu)).count();
        let seconds = |ticks: u64| ticks as f64 / procfs::ticks_per_second() as f64;
        let bytes = |pages: u64| pages * procfs::page_size();
        let (mut ours, mut server_seen, mut by_program) = (0, false, BTreeMap::<&str, u64>::new());
        for (pid, process) in &self.processes {
            let ticks = process.ticks - earlier.ticks_of(*pid, process);
            let is_server = is_any(places, *pid, process);
            server_seen |= is_server;
            if is_server || process.kernel || *pid == std::process::id() as i32 {
                ours += ticks;
            } else if process.cpu.is_none_or(is_ours) {
                *by_program.entry(&process.program).or_default() += ticks;
            }
        }
        // A server that is not seen, in a container of its own, would pass for others.
        let told_apart = !places.contains(&ServerPlace::Here) || server_seen;
        let others = ticks(|cpu| cpu.busy).saturating_sub(ours);
        let busiest = by_program.into_iter().max_by_key(|(_, ticks)| *ticks);
        let busiest = busiest.filter(|(_, ticks)| *ticks > 0 && told_apart);
        Surroundings {
            time_s: self.at.duration_since(earlier.at).as_secs_f64(),
            cpus: count.max(1) as u32,
            others_cpu_s: told_apart.then(|| seconds(others)),
            busiest_other: busiest.map(|(program, _)| program.to_owned()),
            // A process that wandered between CPUs has used others, too.
            busiest_other_cpu_s: busiest.map_or(0.0, |(_, ticks)| seconds(ticks.min(others))),
            steal_s: seconds(ticks(|cpu| cpu.steal)),
            swap_in_bytes: bytes(self.swapped_in.saturating_sub(earlier.swapped_in)),
            swap_out_bytes: bytes(self.swapped_out.saturating_sub(earlier.swapped_out)),
            wall_clock_step_s: step_s(self.wall_ahead_ns - earlier.wall_ahead_ns),
        }
    }

    fn ticks_of(&self, pid: i32, now: &Used) -> u64 {
        self.processes
            .get(&pid)
            .filter(|then| then.started == now.started)
            .map_or(0, |then| then.ticks.min(now.ticks))
    }
}

/// The CPUs that a process may use; none if it is gone, or the kernel does not report them.
pub(crate) fn cpus_of(pid: i32) -> Option<BTreeSet<usize>> {
    let ranges = Process::new(pid).ok()?.status().ok()?.cpus_allowed_list?;
    Some(ranges.into_iter().flat_map(|(from, to)| from as usize..=to as usize).collect())
}

/// Both clocks are slewed alike, so their distance changes only when the wall clock is set. Reading them one after the
/// other takes a moment.
fn step_s(change_ns: i128) -> f64 {
    const READING_NS: i128 = 1_000_000;
    if change_ns.abs() < READING_NS { 0.0 } else { change_ns as f64 / 1e9 }
}

fn nanoseconds(clock: ClockId) -> i128 {
    let reading = clock_gettime(clock);
    i128::from(reading.tv_sec) * 1_000_000_000 + i128::from(reading.tv_nsec)
}

fn processes() -> BTreeMap<i32, Used> {
    // Processes come and go meanwhile.
    let stat = |process: Result<Process, procfs::ProcError>| process.ok()?.stat().ok();
    let used = |stat: Stat| {
        let kernel = stat.pid == KTHREADD || stat.ppid == KTHREADD;
        (
            stat.pid,
            Used {
                kernel,
                started: stat.starttime,
                ticks: stat.utime + stat.stime,
                cpu: stat.processor.and_then(|cpu| usize::try_from(cpu).ok()),
                program: stat.comm,
            },
        )
    };
    all_processes().into_iter().flatten().filter_map(stat).map(used).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn burn(seconds: f64) {
        let begun = Instant::now();
        while begun.elapsed().as_secs_f64() < seconds {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn what_we_use_is_ours_and_what_a_child_uses_is_of_others() {
        let before = Activity::now();
        let mut child =
            std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("sh");
        burn(1.0);
        let after = Activity::now();
        child.kill().and_then(|()| child.wait()).expect("it is ours");
        let found = after.since(&before, &[ServerPlace::Elsewhere]);
        assert!(found.time_s >= 1.0 && found.wall_clock_step_s == 0.0, "{found:?}");
        let others_s = found.others_cpu_s.expect("the server is not here");
        assert!(others_s >= 0.1, "{found:?}");
        assert!(found.busiest_other.is_some() && found.busiest_other_cpu_s > 0.0);
        // Of a process that is known the work is not that of others.
        let known = after.since(&before, &[ServerPlace::Process(child.id())]);
        assert!(known.others_cpu_s.expect("it is known") <= others_s - 0.1, "{known:?}");
    }

    /// Two CPUs, of which we may use the first. A loop on the second takes nothing of what we could have had.
    #[test]
    fn only_the_cpus_that_may_be_used_count() {
        let ticks = procfs::ticks_per_second();
        let used = |program: &str, ticks, cpu| Used {
            program: program.to_owned(),
            kernel: false,
            started: 1,
            ticks,
            cpu: Some(cpu),
        };
        let reading = |seconds: u64| Activity {
            cpus: vec![CpuTicks { busy: seconds * ticks, steal: 0 }; 2],
            processes: BTreeMap::from([
                (std::process::id() as i32, used("mydyno", seconds * ticks * 3 / 4, 0)),
                (1_000_000, used("near", seconds * ticks, 0)),
                (1_000_001, used("far", seconds * ticks * 2, 1)),
            ]),
            ..Activity::now()
        };
        let found = |cpus: &[usize]| {
            let cpus = cpus.iter().copied().collect();
            reading(8).on_cpus(&reading(4), &[ServerPlace::Elsewhere], &cpus)
        };
        let first = found(&[0]);
        assert_eq!((first.cpus, first.others_cpu_s), (1, Some(1.0)), "{first:?}");
        assert_eq!((first.busiest_other.as_deref(), first.busiest_other_cpu_s), (Some("near"), 1.0));
        let both = found(&[0, 1]);
        assert_eq!((both.cpus, both.others_cpu_s), (2, Some(5.0)), "{both:?}");
        assert_eq!((both.busiest_other.as_deref(), both.busiest_other_cpu_s), (Some("far"), 5.0));
        assert!(cpus_of(std::process::id() as i32).is_some_and(|cpus| !cpus.is_empty()));
    }

    #[test]
    fn a_wall_clock_that_is_set_shows() {
        let before = Activity::now();
        let mut after = Activity::now();
        after.wall_ahead_ns += 3_000_000_000;
        let found = after.since(&before, &[ServerPlace::Elsewhere]);
        assert!((found.wall_clock_step_s - 3.0).abs() < 0.01, "{found:?}");
    }
}
