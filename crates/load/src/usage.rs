//! Resource use of the calling thread: the generator is a suspect in every measurement.

use rustix::time::{ClockId, clock_gettime};

/// CPU and waiting of one thread since it started.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ThreadUse {
    pub cpu_ns: u64,
    /// User part of the CPU time, as the kernel's tick accounting sees it.
    pub user_ticks: u64,
    pub system_ticks: u64,
    /// Runnable but not running.
    pub run_queue_ns: u64,
}

impl ThreadUse {
    /// Reads the calling thread's figures. Those that the kernel does not report stay zero.
    pub fn now() -> Self {
        let cpu = clock_gettime(ClockId::ThreadCPUTime);
        let (user_ticks, system_ticks) = std::fs::read_to_string("/proc/thread-self/stat")
            .ok()
            .and_then(|text| parse_stat(&text))
            .unwrap_or_default();
        let run_queue_ns = run_queue_ns();
        Self {
            cpu_ns: cpu.tv_sec as u64 * 1_000_000_000 + cpu.tv_nsec as u64,
            user_ticks,
            system_ticks,
            run_queue_ns,
        }
    }

    /// The use since an earlier reading.
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            cpu_ns: self.cpu_ns - earlier.cpu_ns,
            user_ticks: self.user_ticks - earlier.user_ticks,
            system_ticks: self.system_ticks - earlier.system_ticks,
            run_queue_ns: self.run_queue_ns - earlier.run_queue_ns,
        }
    }

    /// Adds the use of another period.
    pub fn add(&mut self, more: &Self) {
        self.cpu_ns += more.cpu_ns;
        self.user_ticks += more.user_ticks;
        self.system_ticks += more.system_ticks;
        self.run_queue_ns += more.run_queue_ns;
    }

    /// User share of the CPU time, 0 to 1.
    pub fn user_share(&self) -> f64 {
        let ticks = self.user_ticks + self.system_ticks;
        if ticks == 0 { 0.0 } else { self.user_ticks as f64 / ticks as f64 }
    }
}

/// Time that the calling thread was runnable without running; 0 where the kernel does not report it.
pub(crate) fn run_queue_ns() -> u64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or_default()
}

/// Fields 14 and 15 of proc_pid_stat(5); the name in field 2 may hold spaces, so counting starts behind it.
fn parse_stat(text: &str) -> Option<(u64, u64)> {
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

/// Peak resident memory of the process, bytes.
pub(crate) fn memory_peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_name_with_spaces_and_brackets_does_not_shift_the_fields() {
        let line = "12 (my (odd) name) S 1 2 3 4 5 6 7 8 9 10 111 222 0 0";
        assert_eq!(parse_stat(line), Some((111, 222)));
    }

    #[test]
    fn burning_cpu_shows() {
        let before = ThreadUse::now();
        let mut x = 1u64;
        while ThreadUse::now().cpu_ns - before.cpu_ns < 2_000_000 {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1);
        }
        assert_ne!(x, 0);
        assert!(memory_peak_bytes() > 0);
    }
}
