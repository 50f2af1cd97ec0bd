//! Limits that a container or a service manager puts on this process, from cgroup v1 or v2.

use std::fs;
use std::path::{Path, PathBuf};

/// Limits on CPU and memory; none where there is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CgroupLimits {
    /// CPUs.
    pub cpus: Option<f64>,
    /// Memory, bytes.
    pub memory_bytes: Option<u64>,
}

/// The tightest limits along this process's way up the hierarchies mounted at `root` (`/sys/fs/cgroup`). `membership` is
/// the text of `/proc/self/cgroup`. A file that is missing or has an unknown form sets no limit.
pub fn limits(root: &Path, membership: &str) -> CgroupLimits {
    let mut limits = CgroupLimits::default();
    for line in membership.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        if controllers.is_empty() {
            for directory in upwards(root, path) {
                limits.cpus = tighter(limits.cpus, cpu_max(&directory), f64::min);
                limits.memory_bytes = tighter(limits.memory_bytes, memory_max(&directory), u64::min);
            }
            continue;
        }
        // Controllers that share a hierarchy share its directory: `cpu,cpuacct`, often with a link `cpu`.
        let mounted = |name: &str| {
            controllers.split(',').any(|c| c == name).then(|| {
                [root.join(name), root.join(controllers)].into_iter().find(|d| d.is_dir()).unwrap_or_default()
            })
        };
        for directory in mounted("cpu").iter().flat_map(|hierarchy| upwards(hierarchy, path)) {
            limits.cpus = tighter(limits.cpus, cpu_quota(&directory), f64::min);
        }
        for directory in mounted("memory").iter().flat_map(|hierarchy| upwards(hierarchy, path)) {
            limits.memory_bytes = tighter(limits.memory_bytes, memory_limit(&directory), u64::min);
        }
    }
    limits
}

/// The group's directory and those above it. Inside a container the path may be the host's, of which only the root is
/// mounted here: directories that do not exist have no files to read.
fn upwards(hierarchy: &Path, path: &str) -> Vec<PathBuf> {
    let own = hierarchy.join(path.trim_start_matches('/'));
    own.ancestors().take_while(|d| d.starts_with(hierarchy)).map(Path::to_owned).collect()
}

fn tighter<T>(a: Option<T>, b: Option<T>, less: fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(less(a, b)),
        (a, b) => a.or(b),
    }
}

fn read(directory: &Path, file: &str) -> Option<String> {
    fs::read_to_string(directory.join(file)).ok()
}

/// v2: `cpu.max` is `max 100000` or `<quota> <period>`.
fn cpu_max(directory: &Path) -> Option<f64> {
    let text = read(directory, "cpu.max")?;
    let (quota, period) = text.trim().split_once(' ')?;
    cpus(quota.parse().ok()?, period.parse().ok()?)
}

/// v2: `memory.max` is `max` or a number of bytes.
fn memory_max(directory: &Path) -> Option<u64> {
    read(directory, "memory.max")?.trim().parse().ok()
}

/// v1: a quota of -1 is no limit.
fn cpu_quota(directory: &Path) -> Option<f64> {
    let quota: f64 = read(directory, "cpu.cfs_quota_us")?.trim().parse().ok()?;
    cpus(quota, read(directory, "cpu.cfs_period_us")?.trim().parse().ok()?)
}

fn cpus(quota_us: f64, period_us: f64) -> Option<f64> {
    (quota_us > 0.0 && period_us > 0.0).then_some(quota_us / period_us)
}

/// v1: no limit is shown as the largest multiple of a page that fits into 63 bits.
fn memory_limit(directory: &Path) -> Option<u64> {
    const UNLIMITED_FROM: u64 = 1 << 62;
    read(directory, "memory.limit_in_bytes")?.trim().parse().ok().filter(|bytes| *bytes < UNLIMITED_FROM)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hierarchy(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a temporary directory");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("inside the root")).expect("a directory");
            fs::write(path, text).expect("a file");
        }
        root
    }

    #[test]
    fn version_2_takes_the_tightest_limit_on_the_way_up() {
        let root = hierarchy(&[
            ("a/cpu.max", "400000 100000\n"),
            ("a/memory.max", "1073741824\n"),
            ("a/b/cpu.max", "max 100000\n"),
            ("a/b/memory.max", "2147483648\n"),
        ]);
        let found = limits(root.path(), "0::/a/b\n");
        assert_eq!(found, CgroupLimits { cpus: Some(4.0), memory_bytes: Some(1 << 30) });
    }

    #[test]
    fn version_1_has_a_directory_per_controller() {
        let root = hierarchy(&[
            ("cpu,cpuacct/docker/x/cpu.cfs_quota_us", "150000\n"),
            ("cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n"),
            ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ]);
        let found = limits(root.path(), "5:memory:/\n3:cpu,cpuacct:/docker/x\n0::/\n");
        assert_eq!(found, CgroupLimits { cpus: Some(1.5), memory_bytes: None });
    }

    #[test]
    fn a_machine_without_cgroups_has_no_limits() {
        let root = hierarchy(&[]);
        assert_eq!(limits(root.path(), ""), CgroupLimits::default());
        assert_eq!(limits(root.path(), "0::/not/mounted/here\nnonsense"), CgroupLimits::default());
    }
}
