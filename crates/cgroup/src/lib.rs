//! Control groups of Linux, v1 and v2: which hierarchies are mounted here, and in which group a process is.
//!
//! Two crates need this, one to read limits and one to set them, and both must interpret a container's view of its host's
//! groups in the same way.

use std::fs;
use std::path::{Path, PathBuf};

/// A hierarchy that is mounted here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Whether it is cgroup v2.
    pub is_v2: bool,
    /// Its controllers.
    pub controllers: Vec<String>,
    /// The group that the process is in, or the nearest one above it that is mounted.
    pub own: PathBuf,
    /// The top.
    pub point: PathBuf,
}

impl Mount {
    /// The process's group and those above it, innermost first.
    pub fn upwards(&self) -> impl Iterator<Item = &Path> {
        self.own.ancestors().take_while(|dir| dir.starts_with(&self.point))
    }

    /// Whether the hierarchy has that controller.
    pub fn has(&self, controller: &str) -> bool {
        self.controllers.iter().any(|one| one == controller)
    }
}

/// The hierarchies that this process sees, with its own groups in them; none without control groups.
pub fn own() -> Vec<Mount> {
    of(&fs::read_to_string("/proc/self/cgroup").unwrap_or_default())
}

/// The mounts with the groups of another process; `membership` is the text of its `/proc/PID/cgroup`.
pub fn of(membership: &str) -> Vec<Mount> {
    mounts(&fs::read_to_string("/proc/self/mountinfo").unwrap_or_default(), membership)
}

/// `mountinfo` is the text of `/proc/self/mountinfo`, `membership` that of `/proc/PID/cgroup`.
pub fn mounts(mountinfo: &str, membership: &str) -> Vec<Mount> {
    mountinfo.lines().filter_map(|line| mount(line, membership)).collect()
}

/// A line of mountinfo: `36 31 0:32 /ROOT /POINT OPTIONS [TAGS] - TYPE SOURCE OPTIONS` (proc_pid_mountinfo(5)).
fn mount(line: &str, membership: &str) -> Option<Mount> {
    let (place, kind) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (root, point) = (place.next()?, PathBuf::from(place.next()?));
    let mut kind = kind.split(' ');
    let (is_v2, options) = match kind.next()? {
        "cgroup2" => (true, ""),
        "cgroup" => (false, kind.nth(1)?),
        _ => return None,
    };
    let controllers = match is_v2 {
        true => read_words(&point.join("cgroup.controllers")),
        false => options.split(',').map(str::to_owned).collect(),
    };
    let path = membership.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (named, path) = (fields.next()?, fields.next()?);
        let is_it = if is_v2 {
            named.is_empty()
        } else {
            named.split(',').any(|one| controllers.iter().any(|controller| controller == one))
        };
        is_it.then_some(path)
    })?;
    // In a container the path may be the host's, of which another part or nothing is mounted here.
    let below = path.strip_prefix(root).unwrap_or(path).trim_start_matches('/');
    let is_mounted = !below.is_empty() && !below.split('/').any(|part| part == "..");
    let wanted = if is_mounted { point.join(below) } else { point.clone() };
    let own = wanted.ancestors().take_while(|dir| dir.starts_with(&point)).find(|dir| dir.is_dir());
    let own = own.unwrap_or(&point).to_owned();
    Some(Mount { is_v2, controllers, own, point })
}

/// The words in a file of a group; none if it cannot be read.
pub fn read_words(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_container_the_path_of_the_host_leads_to_what_is_mounted() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let at = root.path();
        fs::create_dir_all(at.join("memory/a")).expect("a directory");
        fs::create_dir_all(at.join("unified/x")).expect("a directory");
        let (memory, unified) = (at.join("memory"), at.join("unified"));
        let mountinfo = format!(
            "31 23 0:28 / {} rw - tmpfs tmpfs rw\n35 31 0:32 /docker/x {} rw - cgroup cgroup rw,memory\n\
             41 31 0:38 / {} rw - cgroup2 cgroup2 rw\n",
            at.display(),
            memory.display(),
            unified.display()
        );
        let found = mounts(&mountinfo, "4:memory:/docker/x/a/gone\n0::/elsewhere/y\n");
        let groups: Vec<_> = found.iter().map(|mount| mount.own.clone()).collect();
        assert_eq!(groups, [memory.join("a"), unified]);
        assert_eq!(found[0].upwards().collect::<Vec<_>>(), [memory.join("a"), memory]);
        assert!(found[0].has("memory") && !found[0].is_v2 && found[1].is_v2);
        assert_eq!(mounts("", "0::/\n"), []);
    }
}
