//! The CPU that each thread of the server has used, under the name that the server gave it.

use std::collections::BTreeMap;

use model::{Snapshot, ThreadUse};
use procfs::process::Process;

use crate::error::ProbeError;
use crate::site::Site;

/// A file each, which takes some 20 us to read.
const THREADS_MAX: usize = 2_000;

pub(super) fn read(site: &mut Site<'_>, seen: &mut Snapshot) -> Result<(), ProbeError> {
    seen.threads = site.pid.map(threads).unwrap_or_default();
    Ok(())
}

/// The threads of a process by id; none if it may not be looked at.
pub fn threads(pid: u32) -> BTreeMap<u32, ThreadUse> {
    let process = Process::new(pid as i32).ok();
    let mut seen = BTreeMap::new();
    let tasks = process.and_then(|process| process.tasks().ok());
    for task in tasks.into_iter().flatten().flatten().take(THREADS_MAX) {
        // One that ends meanwhile is left out.
        let Ok(stat) = task.stat() else { continue };
        let cpu_s = (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64;
        seen.insert(task.tid as u32, ThreadUse { name: stat.comm, cpu_s });
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_threads() {
        assert!(threads(std::process::id()).contains_key(&std::process::id()));
    }
}
