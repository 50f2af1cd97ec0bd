//! Activity of this machine, from proc_stat(5), proc_diskstats(5) and the kernel's pressure stall information.

use std::path::Path;

use model::{DiskUse, HostUse, Observation};
use procfs::net::DeviceStatus;
use procfs::{CpuPressure, Current, CurrentSI, DiskStat, IoPressure, KernelStats, Meminfo, MemoryPressure};

use crate::context::ReadingContext;
use crate::error::ProbeError;

pub(super) fn read(_: &mut ReadingContext<'_>, seen: &mut Observation) -> Result<(), ProbeError> {
    seen.host = host_use();
    Ok(())
}

/// The use of the host; none where the kernel does not show its statistics.
fn host_use() -> Option<HostUse> {
    let stats = KernelStats::current().ok()?;
    let cpu = &stats.total;
    let seconds = |ticks: u64| ticks as f64 / procfs::ticks_per_second() as f64;
    let known = |ticks: Option<u64>| seconds(ticks.unwrap_or_default());
    let memory = Meminfo::current().ok();
    let networks: Vec<DeviceStatus> = procfs::net::dev_status().unwrap_or_default().into_values().collect();
    let traffic = |bytes: fn(&DeviceStatus) -> u64| -> u64 {
        networks.iter().filter(|device| device.name != "lo").map(bytes).sum()
    };
    let stalled = |total_us: u64| total_us as f64 / 1e6;
    Some(HostUse {
        cpu_user_s: seconds(cpu.user + cpu.nice),
        cpu_system_s: seconds(cpu.system) + known(cpu.irq) + known(cpu.softirq),
        cpu_iowait_s: known(cpu.iowait),
        cpu_steal_s: known(cpu.steal),
        cpu_idle_s: seconds(cpu.idle),
        context_switches: stats.ctxt,
        run_queue: stats.procs_running.unwrap_or_default(),
        blocked: stats.procs_blocked.unwrap_or_default(),
        memory_available_bytes: memory.and_then(|m| m.mem_available).unwrap_or_default(),
        disk: disks(&procfs::diskstats().unwrap_or_default(), Path::new("/sys/block")),
        network_received_bytes: traffic(|device| device.recv_bytes),
        network_sent_bytes: traffic(|device| device.sent_bytes),
        pressure_cpu_s: CpuPressure::current().ok().map(|p| stalled(p.some.total)),
        pressure_io_s: IoPressure::current().ok().map(|p| stalled(p.some.total)),
        pressure_memory_s: MemoryPressure::current().ok().map(|p| stalled(p.some.total)),
    })
}

/// Partitions are parts of a disk, and volumes and arrays are stacked upon disks: each byte counts once.
const STACKED: [&str; 6] = ["loop", "ram", "zram", "dm-", "md", "sr"];

fn disks(all: &[DiskStat], blocks: &Path) -> DiskUse {
    /// A sector of the kernel's statistics, whatever the disk's own are.
    const SECTOR: u64 = 512;
    let is_disk = |disk: &&DiskStat| {
        !STACKED.iter().any(|start| disk.name.starts_with(start)) && blocks.join(&disk.name).is_dir()
    };
    all.iter().filter(is_disk).fold(DiskUse::default(), |sum, disk| DiskUse {
        reads: sum.reads + disk.reads,
        writes: sum.writes + disk.writes,
        read_bytes: sum.read_bytes + disk.sectors_read * SECTOR,
        written_bytes: sum.written_bytes + disk.sectors_written * SECTOR,
        read_s: sum.read_s + disk.time_reading as f64 / 1e3,
        write_s: sum.write_s + disk.time_writing as f64 / 1e3,
        busy_s: sum.busy_s + disk.time_in_progress as f64 / 1e3,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_works() {
        let seen = host_use().expect("a Linux kernel");
        assert!(seen.cpu_user_s > 0.0 && seen.context_switches > 0 && seen.memory_available_bytes > 0);
    }

    #[test]
    fn each_byte_of_a_disk_counts_once() {
        let blocks = tempfile::tempdir().expect("a temporary directory");
        for name in ["vda", "dm-0", "loop0"] {
            std::fs::create_dir(blocks.path().join(name)).expect("a directory");
        }
        let line = |name: &str| {
            DiskStat::from_line(&format!("254 0 {name} 10 0 80 5 20 0 160 40 0 30 45")).expect("a line")
        };
        let found = disks(&["vda", "vda1", "dm-0", "loop0"].map(line), blocks.path());
        let one = DiskUse {
            reads: 10,
            writes: 20,
            read_bytes: 40_960,
            written_bytes: 81_920,
            read_s: 0.005,
            write_s: 0.04,
            busy_s: 0.03,
        };
        assert_eq!(found, one);
    }
}
