//! Resource use so far of a process that is no server.

use std::collections::BTreeMap;

use procfs::process::Process;

use crate::snapshot::threads;

/// Resource use of a process so far.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessReading {
    /// CPU, seconds.
    pub cpu_s: f64,
    /// Resident memory, bytes.
    pub memory_bytes: u64,
    /// CPU of each of its threads, seconds, by their ids.
    pub threads_cpu_s: BTreeMap<u32, f64>,
}

/// The reading; none if there is no such process, or it has ended.
pub fn process_reading(pid: u32) -> Option<ProcessReading> {
    let stat = Process::new(i32::try_from(pid).ok()?).ok()?.stat().ok()?;
    if stat.state == 'Z' {
        return None;
    }
    Some(ProcessReading {
        cpu_s: (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64,
        memory_bytes: stat.rss * procfs::page_size(),
        threads_cpu_s: threads(pid).into_iter().map(|(id, thread)| (id, thread.cpu_s)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_memory_and_has_threads() {
        let own = process_reading(std::process::id()).expect("it is there");
        assert!(own.memory_bytes > 100_000 && own.threads_cpu_s.contains_key(&std::process::id()), "{own:?}");
        assert_eq!(process_reading(u32::MAX / 2), None);
    }
}
