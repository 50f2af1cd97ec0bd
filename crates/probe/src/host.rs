//! The machine that offers the load.

use std::fs;
use std::path::Path;

use model::{FORMAT, HostFacts};
use procfs::{CpuInfo, Current, Meminfo};

use crate::quota;

/// Facts about this machine. A fact that the kernel does not report (no cpufreq in a virtual machine, no NUMA) keeps its
/// default: a run is never refused for lack of a fact.
pub fn host_facts() -> HostFacts {
    let name = rustix::system::uname();
    let cpu = CpuInfo::current().ok();
    let limits = quota::limits(&cgroup::own());
    HostFacts {
        format: FORMAT,
        hostname: name.nodename().to_string_lossy().into_owned(),
        os: os_name(&fs::read_to_string("/etc/os-release").unwrap_or_default()),
        kernel: name.release().to_string_lossy().into_owned(),
        architecture: name.machine().to_string_lossy().into_owned(),
        cpu_model: cpu.as_ref().map(cpu_model).unwrap_or_default(),
        cpus: cpus(),
        memory_bytes: Meminfo::current().map(|m| m.mem_total).unwrap_or_default(),
        numa_nodes: numa_nodes(Path::new("/sys/devices/system/node")),
        governor: fs::read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
            .ok()
            .map(|text| text.trim().to_owned()),
        virtualised: cpu.as_ref().is_some_and(is_virtual),
        cgroup_cpus: limits.cpus,
        cgroup_memory_bytes: limits.memory_bytes,
        mydyno_version: env!("CARGO_PKG_VERSION").to_owned(),
        calibration: None,
    }
}

/// CPUs in this process's affinity mask; a cgroup's quota is reported beside it.
fn cpus() -> u32 {
    let online = || std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    rustix::thread::sched_getaffinity(None).map_or_else(|_| online(), |set| set.count())
}

/// PRETTY_NAME of os-release(5).
fn os_name(os_release: &str) -> String {
    let line = os_release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    line.unwrap_or_default().trim_matches(['"', '\'']).to_owned()
}

/// x86 reports `model name`; ARM has only numbers for implementer and part, which lscpu turns into names.
fn cpu_model(cpu: &CpuInfo) -> String {
    if let Some(name) = cpu.model_name(0) {
        return name.to_owned();
    }
    let field = |name: &str| cpu.get_field(0, name).map(|value| format!("{name} {value}"));
    [field("CPU implementer"), field("CPU part")].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn is_virtual(cpu: &CpuInfo) -> bool {
    cpu.flags(0).is_some_and(|flags| flags.contains(&"hypervisor"))
}

/// The number of NUMA nodes; 1 where the kernel reports none.
fn numa_nodes(directory: &Path) -> u32 {
    let is_node = |name: &str| name.strip_prefix("node").is_some_and(|rest| rest.parse::<u32>().is_ok());
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let nodes = entries.filter(|e| e.file_name().to_str().is_some_and(is_node)).count();
    (nodes as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_a_name_cpus_and_memory() {
        let facts = host_facts();
        assert!(!facts.hostname.is_empty() && !facts.kernel.is_empty() && !facts.architecture.is_empty());
        assert!(facts.cpus >= 1 && facts.numa_nodes >= 1 && facts.memory_bytes > 1 << 20);
    }

    #[test]
    fn the_pretty_name_loses_its_quotes() {
        assert_eq!(
            os_name("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
            "Debian GNU/Linux 12 (bookworm)"
        );
        assert_eq!(os_name(""), "");
    }
}
