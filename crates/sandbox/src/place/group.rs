//! The control group of a server: made before it starts, removed when it has ended.
//!
//! Its directory is recorded in the server's state, so that a later mydyno finds the remains of a killed one. Only empty
//! groups can be removed, so that a mistake here cannot affect other processes.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use cgroup::read_words;
use model::{Advice, CpuQuota, Place};
use rustix::io::Errno;

use super::PlaceError;
use super::hierarchy::{Nowhere, Parent, parents};
use crate::error::FileError;
use crate::log::Reading;

/// Time for the kernel to count the last process of a group as gone.
const EMPTY_LIMIT: Duration = Duration::from_secs(5);
/// No kernel has larger pages; limits of memory are rounded down to whole ones.
const PAGE_BYTES_MAX: u64 = 64 << 10;

/// A control group with its limits.
#[derive(Debug)]
pub(super) struct Group {
    /// Its directory.
    pub dir: PathBuf,
    /// Text to write to its parent first.
    enable: Option<String>,
    limits: Vec<Limit>,
}

/// A file of a group with its required content.
#[derive(Debug)]
struct Limit {
    /// The key on the command line.
    key: &'static str,
    file: &'static str,
    value: String,
    /// Bytes, which the kernel rounds.
    is_memory: bool,
}

/// The groups that a place takes: none, one, or in cgroup v1 one for each controller.
pub(super) fn wanted(place: &Place, name: &str) -> Result<Vec<Group>, PlaceError> {
    let mut controllers = Vec::new();
    controllers.extend(place.cpu_quota.map(|_| "cpu"));
    controllers.extend(place.memory_max_bytes.map(|_| "memory"));
    if controllers.is_empty() {
        return Ok(Vec::new());
    }
    let proc_file = |path: &str| fs::read_to_string(path).map_err(FileError::at("read", Path::new(path)));
    let found = parents(&controllers, &proc_file("/proc/self/mountinfo")?, &proc_file("/proc/self/cgroup")?);
    let found = found.map_err(|nowhere| {
        let asked = place.words().into_iter().filter(|(key, _)| ["cpu-quota", "memory-max"].contains(key));
        let asked = asked.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ");
        match nowhere {
            Nowhere::Controller(controller) => PlaceError::NoController { asked, controller },
            Nowhere::Denied(dir) => PlaceError::NoGroup { asked, dir },
        }
    })?;
    let group = |(parent, of): (Parent, Vec<&'static str>)| {
        let limits = of.into_iter().filter_map(|controller| limit(controller, parent.is_v2, place)).collect();
        Group { dir: parent.dir.join(name), enable: parent.enable, limits }
    };
    Ok(found.into_iter().map(group).collect())
}

fn limit(controller: &str, is_v2: bool, place: &Place) -> Option<Limit> {
    if controller == "cpu" {
        let quota_us = place.cpu_quota?.us_per_period();
        // In v1 the period is another file, which has the usual one already.
        let (file, value) = match is_v2 {
            true => ("cpu.max", format!("{quota_us} {}", CpuQuota::PERIOD_US)),
            false => ("cpu.cfs_quota_us", quota_us.to_string()),
        };
        return Some(Limit { key: "cpu-quota", file, value, is_memory: false });
    }
    let file = if is_v2 { "memory.max" } else { "memory.limit_in_bytes" };
    Some(Limit { key: "memory-max", file, value: place.memory_max_bytes?.to_string(), is_memory: true })
}

impl Group {
    /// Makes it with its limits. An empty one of that name was left behind and is replaced.
    pub fn make(&self) -> Result<(), PlaceError> {
        if let (Some(enable), Some(parent)) = (&self.enable, self.dir.parent()) {
            write(&parent.join("cgroup.subtree_control"), enable)?;
        }
        if let Err(error) = fs::create_dir(&self.dir) {
            if error.kind() != ErrorKind::AlreadyExists {
                return Err(FileError::at("create the control group", &self.dir)(error).into());
            }
            if let Some(pid) = read_words(&self.dir.join("cgroup.procs")).into_iter().next() {
                return Err(PlaceError::GroupInUse { dir: self.dir.clone(), pid });
            }
            remove_one(&self.dir)?;
            fs::create_dir(&self.dir).map_err(FileError::at("create the control group", &self.dir))?;
        }
        for limit in &self.limits {
            write(&self.dir.join(limit.file), &limit.value)?;
        }
        Ok(())
    }

    /// Checks that the process is in it, and that the limits have the values that were set.
    pub fn verify(&self, pid: u32) -> Result<(), PlaceError> {
        let is_in_it = read_words(&self.dir.join("cgroup.procs")).contains(&pid.to_string());
        for limit in &self.limits {
            let path = self.dir.join(limit.file);
            let has = fs::read_to_string(&path).map_err(FileError::at("read", &path))?;
            let has = has.trim();
            if !is_in_it || !limit.is_met_by(has) {
                let has = if is_in_it { has.to_owned() } else { "it is in another control group".to_owned() };
                return Err(PlaceError::NotHeld { key: limit.key, wanted: limit.value.clone(), has });
            }
        }
        Ok(())
    }
}

impl Limit {
    fn is_met_by(&self, has: &str) -> bool {
        if !self.is_memory {
            return has == self.value;
        }
        let (Ok(wanted), Ok(has)) = (self.value.parse::<u64>(), has.parse::<u64>()) else { return false };
        has <= wanted && wanted - has < PAGE_BYTES_MAX
    }
}

/// Removes the groups of a server that has ended. One that is not there is as good as removed.
pub(crate) fn remove(dirs: &[PathBuf]) -> Result<(), FileError> {
    let mut first = Ok(());
    for dir in dirs {
        first = first.and(remove_one(dir));
    }
    first
}

fn remove_one(dir: &Path) -> Result<(), FileError> {
    let begun = Instant::now();
    loop {
        match fs::remove_dir(dir) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            // A process counts for an instant longer than its end is waited for.
            Err(error)
                if error.raw_os_error() == Some(Errno::BUSY.raw_os_error())
                    && begun.elapsed() < EMPTY_LIMIT =>
            {
                thread::sleep(Duration::from_millis(10));
            }
            Err(error) => return Err(FileError::at("remove the control group", dir)(error)),
        }
    }
}

/// The meaning of a death, if the kernel killed a process in these groups for lack of memory.
pub(crate) fn reading(dirs: &[PathBuf]) -> Option<Reading> {
    let killed = |dir: &PathBuf| {
        // v2 and v1 have the same line in different files.
        ["memory.events", "memory.oom_control"].iter().any(|file| {
            let text = fs::read_to_string(dir.join(file)).unwrap_or_default();
            let count = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
            count.is_some_and(|count| count.trim() != "0")
        })
    };
    dirs.iter().any(killed).then(|| Reading {
        says: "the kernel killed it because it needed more memory than memory-max of its target".to_owned(),
        advice: Some(Advice::words("give it more, or a smaller innodb_buffer_pool_size")),
    })
}

fn write(path: &Path, value: &str) -> Result<(), FileError> {
    fs::write(path, value).map_err(FileError::at("set the limit", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_as_each_version_reads_them() {
        let place =
            Place { cpu_quota: "0.5".parse().ok(), memory_max_bytes: Some(100_000_001), ..Place::default() };
        let said =
            |controller, is_v2| limit(controller, is_v2, &place).map(|limit| (limit.file, limit.value));
        assert_eq!(said("cpu", true), Some(("cpu.max", "50000 100000".to_owned())));
        assert_eq!(said("cpu", false), Some(("cpu.cfs_quota_us", "50000".to_owned())));
        assert_eq!(said("memory", true), Some(("memory.max", "100000001".to_owned())));
        assert_eq!(said("memory", false), Some(("memory.limit_in_bytes", "100000001".to_owned())));
        let memory = limit("memory", true, &place).unwrap();
        assert!(memory.is_met_by("99999744"), "rounded down to pages");
        assert!(!memory.is_met_by("100003840") && !memory.is_met_by("max") && !memory.is_met_by("50000000"));
    }

    #[test]
    fn a_kill_for_want_of_memory_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let dirs = [dir.path().to_owned()];
        assert_eq!(reading(&dirs), None);
        fs::write(dir.path().join("memory.events"), "low 0\noom 1\noom_kill 0\n").unwrap();
        assert_eq!(reading(&dirs), None);
        fs::write(dir.path().join("memory.oom_control"), "under_oom 0\noom_kill 2\n").unwrap();
        assert!(reading(&dirs).is_some_and(|said| said.says.contains("memory-max")));
    }

    #[test]
    fn what_is_not_there_needs_no_removing() {
        let dir = tempfile::tempdir().unwrap();
        let group = dir.path().join("mydyno-x");
        fs::create_dir(&group).unwrap();
        remove(&[group.clone(), dir.path().join("never")]).unwrap();
        assert!(!group.exists());
    }
}
