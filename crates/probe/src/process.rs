//! What this process itself uses: the generator is a suspect in every measurement.

use procfs::process::Process;

use crate::ProbeError;

/// CPU and memory of this process since it started.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessUse {
    /// User CPU, seconds.
    pub user_s: f64,
    /// System CPU, seconds.
    pub system_s: f64,
    /// Peak resident memory, bytes.
    pub memory_peak_bytes: u64,
    /// The threads that are alive.
    pub threads: Vec<ThreadUse>,
}

/// CPU of one thread since it started.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadUse {
    /// Kernel thread id.
    pub id: i32,
    /// Name.
    pub name: String,
    /// CPU, seconds.
    pub cpu_s: f64,
    /// Runnable but not running, seconds; 0 where the kernel keeps no scheduler statistics.
    pub run_queue_wait_s: f64,
}

/// Reads this process's figures from /proc/self. The kernel counts user and system time in ticks, of 10 ms as a rule.
pub fn process_use() -> Result<ProcessUse, ProbeError> {
    let process = Process::myself()?;
    let stat = process.stat()?;
    let ticks_per_s = procfs::ticks_per_second() as f64;
    let peak_kib = process.status()?.vmhwm.unwrap_or_default();
    // A thread may end between the listing and the reading of its files: it is left out then.
    let threads = process.tasks()?.flatten().filter_map(|task| {
        let schedule = task.schedstat().ok();
        Some(ThreadUse {
            id: task.tid,
            name: task.stat().ok()?.comm,
            cpu_s: schedule.as_ref().map_or(0.0, |s| s.sum_exec_runtime as f64 / 1e9),
            run_queue_wait_s: schedule.map_or(0.0, |s| s.run_delay as f64 / 1e9),
        })
    });
    Ok(ProcessUse {
        user_s: stat.utime as f64 / ticks_per_s,
        system_s: stat.stime as f64 / ticks_per_s,
        memory_peak_bytes: peak_kib * 1024,
        threads: threads.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_thread_is_among_those_that_use_cpu() {
        let used = process_use().expect("/proc/self is readable");
        assert!(used.memory_peak_bytes > 0);
        assert!(used.threads.iter().any(|t| t.cpu_s > 0.0), "{used:?}");
    }
}
