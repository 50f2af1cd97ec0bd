//! The CPU that each thread of the server has used, under the name that the server gave it.

use model::{Snapshot, ThreadUse};
use procfs::process::Process;

use crate::ProbeError;
use crate::observe::Site;

/// A file each, which takes some 20 us to read.
const THREADS_MAX: usize = 2_000;

pub(super) fn read(site: &mut Site<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    let process = site.pid.and_then(|pid| Process::new(pid as i32).ok());
    let tasks = process.and_then(|process| process.tasks().ok());
    for task in tasks.into_iter().flatten().flatten().take(THREADS_MAX) {
        // One that ends meanwhile is left out.
        let Ok(stat) = task.stat() else { continue };
        let cpu_s = (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64;
        seen.threads.insert(task.tid as u32, ThreadUse { name: stat.comm, cpu_s });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_threads() {
        let process = Process::new(std::process::id() as i32).expect("we are there");
        assert!(process.tasks().expect("they are ours").flatten().any(|task| task.stat().is_ok()));
    }
}
