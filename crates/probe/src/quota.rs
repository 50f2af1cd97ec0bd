//! Limits that a container or a service manager imposes on a process, and their cost, from cgroup v1 or v2.

use std::fs;
use std::path::Path;

use cgroup::Mount;

use crate::activity;

/// Limits on CPU and memory; none where there is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CgroupLimits {
    /// CPUs.
    pub cpus: Option<f64>,
    /// Memory, bytes.
    pub memory_bytes: Option<u64>,
}

/// The tightest limits along the way up these hierarchies. A file that is missing or has an unknown form sets no limit.
pub fn limits(mounts: &[Mount]) -> CgroupLimits {
    let least = |values: Vec<f64>| values.into_iter().reduce(f64::min);
    CgroupLimits {
        cpus: least(groups(mounts, "cpu").filter_map(cpus_of).collect()),
        memory_bytes: groups(mounts, "memory").filter_map(memory_of).min(),
    }
}

/// Time in which processes of the group were kept from running because its quota was used up, seconds: of the innermost group
/// that has a quota. The kernel adds up over the CPUs; this is the mean of those that the process may use, so that no second
/// has more than one. None without a quota.
pub fn throttled_s(pid: u32) -> Option<f64> {
    let membership = fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
    let cpus = activity::cpus_of(pid as i32).map_or(1, |cpus| cpus.len().max(1));
    Some(throttled_in(&cgroup::of(&membership))? / cpus as f64)
}

fn throttled_in(mounts: &[Mount]) -> Option<f64> {
    let limited = groups(mounts, "cpu").find(|group| cpus_of(*group).is_some())?;
    let figure = |name: &str| -> Option<f64> {
        let text = read(limited.directory, "cpu.stat")?;
        text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
    };
    // v1 counts nanoseconds, v2 microseconds.
    figure("throttled_usec ").map(|us| us / 1e6).or_else(|| figure("throttled_time ").map(|ns| ns / 1e9))
}

/// A group, or one above it.
#[derive(Clone, Copy)]
struct Group<'a> {
    directory: &'a Path,
    is_v2: bool,
}

/// The groups with that controller, innermost first. In v2 a group without it has no such file.
fn groups<'a>(mounts: &'a [Mount], controller: &'a str) -> impl Iterator<Item = Group<'a>> {
    let with_it = mounts.iter().filter(move |mount| mount.is_v2 || mount.has(controller));
    with_it.flat_map(|mount| mount.upwards().map(move |directory| Group { directory, is_v2: mount.is_v2 }))
}

fn read(directory: &Path, file: &str) -> Option<String> {
    fs::read_to_string(directory.join(file)).ok()
}

/// v2: `cpu.max` is `max 100000` or `<quota> <period>`; v1: a quota of -1 is no limit.
fn cpus_of(group: Group<'_>) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let (quota_us, period_us) = if group.is_v2 {
        let text = read(group.directory, "cpu.max")?;
        let (quota, period) = text.trim().split_once(' ')?;
        (number(quota)?, number(period)?)
    } else {
        let read = |file| number(&read(group.directory, file)?);
        (read("cpu.cfs_quota_us")?, read("cpu.cfs_period_us")?)
    };
    (quota_us > 0.0 && period_us > 0.0).then_some(quota_us / period_us)
}

/// v2: `memory.max` is `max` or a number of bytes; v1: no limit is shown as the largest multiple of a page that fits into
/// 63 bits.
fn memory_of(group: Group<'_>) -> Option<u64> {
    const UNLIMITED_FROM: u64 = 1 << 62;
    let file = if group.is_v2 { "memory.max" } else { "memory.limit_in_bytes" };
    read(group.directory, file)?.trim().parse().ok().filter(|bytes| *bytes < UNLIMITED_FROM)
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

    /// The files as in version 2, or with a hierarchy of version 1 for each of these directories.
    fn seen(root: &tempfile::TempDir, version_1: &[&str], membership: &str) -> Vec<Mount> {
        let at = root.path().display();
        let v1 = |dir: &&str| format!("36 31 0:32 / {at}/{dir} rw - cgroup cgroup rw,{dir}\n");
        let v2 = format!("35 24 0:30 / {at} rw - cgroup2 cgroup2 rw\n");
        let mountinfo = if version_1.is_empty() { v2 } else { version_1.iter().map(v1).collect() };
        cgroup::mounts(&mountinfo, membership)
    }

    #[test]
    fn version_2_takes_the_tightest_limit_on_the_way_up() {
        let root = hierarchy(&[
            ("a/cpu.max", "400000 100000\n"),
            ("a/memory.max", "1073741824\n"),
            ("a/b/cpu.max", "max 100000\n"),
            ("a/b/memory.max", "2147483648\n"),
        ]);
        let found = limits(&seen(&root, &[], "0::/a/b\n"));
        assert_eq!(found, CgroupLimits { cpus: Some(4.0), memory_bytes: Some(1 << 30) });
    }

    #[test]
    fn version_1_has_a_directory_per_controller() {
        let root = hierarchy(&[
            ("cpu,cpuacct/docker/x/cpu.cfs_quota_us", "150000\n"),
            ("cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n"),
            ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ]);
        let found =
            limits(&seen(&root, &["memory", "cpu,cpuacct"], "5:memory:/\n3:cpu,cpuacct:/docker/x\n0::/\n"));
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
        assert_eq!(throttled_in(&seen(&version_2, &[], "0::/a/b\n")), Some(1.5));
        let version_1 = hierarchy(&[
            ("cpu/x/cpu.cfs_quota_us", "50000\n"),
            ("cpu/x/cpu.cfs_period_us", "100000\n"),
            ("cpu/x/cpu.stat", "nr_periods 5\nthrottled_time 250000000\n"),
        ]);
        assert_eq!(throttled_in(&seen(&version_1, &["cpu"], "1:cpu:/x\n")), Some(0.25));
        assert_eq!(throttled_in(&seen(&version_1, &["cpu"], "1:cpu:/\n")), None, "no quota there");
    }

    #[test]
    fn a_machine_without_cgroups_has_no_limits() {
        let root = hierarchy(&[]);
        assert_eq!(limits(&seen(&root, &[], "")), CgroupLimits::default());
        assert_eq!(limits(&seen(&root, &[], "0::/not/mounted/here\nnonsense")), CgroupLimits::default());
        assert_eq!(limits(&[]), CgroupLimits::default());
    }
}
