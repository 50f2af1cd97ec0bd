//! Resource use of the server's process, from proc_pid_stat(5) and its neighbours.

use std::fs;

use model::{Observation, ProcessUse};
use procfs::process::Process;

use crate::context::ReadingContext;
use crate::error::ProbeError;
use crate::quota;

pub(super) fn read(context: &mut ReadingContext<'_>, seen: &mut Observation) -> Result<(), ProbeError> {
    seen.process = context.pid.and_then(process_use);
    Ok(())
}

/// The use of a process; none if it does not exist or may not be examined.
fn process_use(pid: u32) -> Option<ProcessUse> {
    let process = Process::new(pid as i32).ok()?;
    let stat = process.stat().ok()?;
    let io = process.io().ok();
    Some(ProcessUse {
        cpu_s: (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64,
        context_switches: (stat.num_threads <= THREADS_MAX).then(|| context_switches(pid)),
        throttled_s: quota::throttled_s(pid),
        read_bytes: io.map_or(0, |io| io.read_bytes),
        written_bytes: io.map_or(0, |io| io.write_bytes),
    })
}

/// The kernel counts context switches by thread, in a file for each, which takes some 20 us to read.
const THREADS_MAX: i64 = 200;

/// Context switches of the threads that live now: the sum can fall on a server whose connections come and go.
fn context_switches(pid: u32) -> u64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let of_thread = |status: String| -> u64 {
        let lines = status.lines().filter(|line| line.contains("voluntary_ctxt_switches"));
        lines.filter_map(|line| line.rsplit(char::is_whitespace).next()?.parse::<u64>().ok()).sum()
    };
    threads.filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok()).map(of_thread).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_used_something() {
        let first = process_use(std::process::id()).expect("we are there");
        std::thread::sleep(std::time::Duration::from_millis(20));
        let second = process_use(std::process::id()).expect("we are there");
        assert!(second.context_switches > Some(0) && second.cpu_s >= first.cpu_s, "{first:?} {second:?}");
        assert_eq!(process_use(u32::MAX / 2), None);
    }
}
