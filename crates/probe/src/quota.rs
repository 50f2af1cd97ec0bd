//! Limits that a container or a service manager puts on a process, and what they cost it, from cgroup v1 or v2.

use std::fs;
use std::path::{Path, PathBuf};

use crate::activity;

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
    let least = |values: Vec<f64>| values.into_iter().reduce(f64::min);
    CgroupLimits {
        cpus: least(groups(root, membership, "cpu").iter().filter_map(cpus_of).collect()),
        memory_bytes: groups(root, membership, "memory").iter().filter_map(memory_of).min(),
    }
}

/// Time in which processes of the group were kept from running because its quota was used up, seconds: of the innermost group
/// that has a quota. The kernel adds up over the CPUs; this is the mean of those that the process may use, so that no second
/// has more than one. None without a quota.
pub fn throttled_s(pid: u32) -> Option<f64> {
    let membership = fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
    let cpus = activity::cpus_of(pid as i32).map_or(1, |cpus| cpus.len().max(1));
    Some(throttled_in(Path::new(MOUNTED), &membership)? / cpus as f64)
}

/// Where the kernel's control groups are mounted.
pub const MOUNTED: &str = "/sys/fs/cgroup";

fn throttled_in(root: &Path, membership: &str) -> Option<f64> {
    let groups = groups(root, membership, "cpu");
    let limited = groups.iter().find(|group| cpus_of(group).is_some())?;
    let figure = |name: &str| -> Option<f64> {
        let text = read(&limited.directory, "cpu.stat")?;
        text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
    };
    // v1 counts nanoseconds, v2 microseconds.
    figure("throttled_usec ").map(|us| us / 1e6).or_else(|| figure("throttled_time ").map(|ns| ns / 1e9))
}

/// A group, or one above it.
struct Group {
    directory: PathBuf,
    version_2: bool,
}

/// The groups with that controller, innermost first.
fn groups(root: &Path, membership: &str, controller: &str) -> Vec<Group> {
    let mut found = Vec::new();
    for line in membership.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let version_2 = controllers.is_empty();
        let hierarchy = if version_2 {
            root.to_owned()
        } else if controllers.split(',').any(|c| c == controller) {
            // Controllers that share a hierarchy share its directory: `cpu,cpuacct`, often with a link `cpu`.
            let places = [root.join(controller), root.join(controllers)];
            places.into_iter().find(|d| d.is_dir()).unwrap_or_default()
        } else {
            continue;
        };
        found.extend(upwards(&hierarchy, path).into_iter().map(|directory| Group { directory, version_2 }));
    }
    found
}

/// The group's directory and those above it. Inside a container the path may be the host's, of which only the root is
/// mounted here: directories that do not exist have no files to read.
fn upwards(hierarchy: &Path, path: &str) -> Vec<PathBuf> {
    let own = hierarchy.join(path.trim_start_matches('/'));
    own.ancestors().take_while(|d| d.starts_with(hierarchy)).map(Path::to_owned).collect()
}

fn read(directory: &Path, file: &str) -> Option<String> {
    fs::read_to_string(directory.join(file)).ok()
}

/// v2: `cpu.max` is `max 100000` or `<quota> <period>`; v1: a quota of -1 is no limit.
fn cpus_of(group: &Group) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let (quota_us, period_us) = if group.version_2 {
        let text = read(&group.directory, "cpu.max")?;
        let (quota, period) = text.trim().split_once(' ')?;
        (number(quota)?, number(period)?)
    } else {
        let read = |file| number(&read(&group.directory, file)?);
        (read("cpu.cfs_quota_us")?, read("cpu.cfs_period_us")?)
    };
    (quota_us > 0.0 && period_us > 0.0).then_some(quota_us / period_us)
}

/// v2: `memory.max` is `max` or a number of bytes; v1: no limit is shown as the largest multiple of a page that fits into
/// 63 bits.
fn memory_of(group: &Group) -> Option<u64> {
    const UNLIMITED_FROM: u64 = 1 << 62;
    let file = if group.version_2 { "memory.max" } else { "memory.limit_in_bytes" };
    read(&group.directory, file)?.trim().parse().ok().filter(|bytes| *bytes < UNLIMITED_FROM)
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
    fn what_a_quota_cost_is_that_of_the_innermost_group_that_has_one() {
        let version_2 = hierarchy(&[
            ("a/cpu.max", "50000 100000\n"),
            ("a/cpu.stat", "usage_usec 9\nnr_throttled 3\nthrottled_usec 1500000\n"),
            ("a/b/cpu.max", "max 100000\n"),
            ("a/b/cpu.stat", "throttled_usec 0\n"),
        ]);
        assert_eq!(throttled_in(version_2.path(), "0::/a/b\n"), Some(1.5));
        let version_1 = hierarchy(&[
            ("cpu/x/cpu.cfs_quota_us", "50000\n"),
            ("cpu/x/cpu.cfs_period_us", "100000\n"),
            ("cpu/x/cpu.stat", "nr_periods 5\nthrottled_time 250000000\n"),
        ]);
        assert_eq!(throttled_in(version_1.path(), "1:cpu:/x\n"), Some(0.25));
        assert_eq!(throttled_in(version_1.path(), "1:cpu:/\n"), None, "no quota there");
    }

    #[test]
    fn a_machine_without_cgroups_has_no_limits() {
        let root = hierarchy(&[]);
        assert_eq!(limits(root.path(), ""), CgroupLimits::default());
        assert_eq!(limits(root.path(), "0::/not/mounted/here\nnonsense"), CgroupLimits::default());
    }
}
