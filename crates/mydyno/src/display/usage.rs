//! Resource use of server and machine between two readings. Readings are cumulative counts, so this is their difference.

use model::{HostUse, Observation};

/// Resource use between two readings; none for a value that one of them lacks, or that decreased because a server was restarted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// CPUs that the server's process kept busy.
    pub server_cpus: Option<f64>,
    /// The machine.
    pub host: Option<HostShare>,
    /// Written to the disks of the server's machine, bytes per second.
    pub written_per_s: Option<f64>,
}

/// Shares of all CPUs of the machine, 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HostShare {
    /// Share of time at work.
    pub busy: f64,
    /// Idle while something waited for a disk.
    pub iowait: f64,
    /// Given to other guests by the hypervisor.
    pub steal: f64,
}

/// The use from one reading to the next.
pub fn between(earlier: &Observation, later: &Observation) -> Usage {
    let length_s = later.at_s - earlier.at_s;
    if length_s <= 0.0 {
        return Usage::default();
    }
    let process = earlier.process.zip(later.process);
    let host = earlier.host.zip(later.host);
    let written = host.and_then(|(a, b)| b.disk.written_bytes.checked_sub(a.disk.written_bytes));
    Usage {
        server_cpus: process.and_then(|(a, b)| grown(a.cpu_s, b.cpu_s)).map(|cpu_s| cpu_s / length_s),
        host: host.and_then(|(a, b)| share(&a, &b)),
        // Without a process the server is not known to be on this machine, and its disks are not these.
        written_per_s: written.filter(|_| process.is_some()).map(|bytes| bytes as f64 / length_s),
    }
}

fn share(a: &HostUse, b: &HostUse) -> Option<HostShare> {
    let busy_s = grown(a.cpu_user_s + a.cpu_system_s, b.cpu_user_s + b.cpu_system_s)?;
    // The kernel's counts of idle and iowait may go back a little.
    let [iowait_s, steal_s, idle_s] = [
        (b.cpu_iowait_s - a.cpu_iowait_s).max(0.0),
        (b.cpu_steal_s - a.cpu_steal_s).max(0.0),
        (b.cpu_idle_s - a.cpu_idle_s).max(0.0),
    ];
    let all_s = busy_s + iowait_s + steal_s + idle_s;
    (all_s > 0.0).then(|| HostShare {
        busy: busy_s / all_s,
        iowait: iowait_s / all_s,
        steal: steal_s / all_s,
    })
}

fn grown(earlier: f64, later: f64) -> Option<f64> {
    (later >= earlier).then_some(later - earlier)
}
