//! The place for a control group of our own: beside or below the group that this process is in, in cgroup v1 or v2.
//!
//! Below, so that whatever limits this process limits the server too. In v2 a group that has processes cannot be divided
//! (the rule of no internal processes, cgroups(7)), so that the new one is then beside our own.

use std::path::{Path, PathBuf};

use cgroup::{Mount, read_words};
use rustix::fs::{Access, access};

/// A directory in which a group can be made.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parent {
    /// The directory.
    pub dir: PathBuf,
    /// Whether it is cgroup v2.
    pub is_v2: bool,
    /// Text to write to its `cgroup.subtree_control` first.
    pub enable: Option<String>,
}

/// The reason there is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Nowhere {
    /// No hierarchy has the controller.
    Controller(&'static str),
    /// No group can be made in this group, or above it.
    Denied(PathBuf),
}

/// The places for a group with these controllers; one for each hierarchy that has some of them.
///
/// `mountinfo` is the text of `/proc/self/mountinfo`, `membership` that of `/proc/self/cgroup`.
pub(super) fn parents(
    controllers: &[&'static str],
    mountinfo: &str,
    membership: &str,
) -> Result<Vec<(Parent, Vec<&'static str>)>, Nowhere> {
    let mounts = cgroup::mounts(mountinfo, membership);
    let mut wanted: Vec<(&Mount, Vec<&'static str>)> = Vec::new();
    for controller in controllers.iter().copied() {
        let mount =
            mounts.iter().find(|mount| mount.has(controller)).ok_or(Nowhere::Controller(controller))?;
        match wanted.iter_mut().find(|(known, _)| known.point == mount.point) {
            Some((_, of_mount)) => of_mount.push(controller),
            None => wanted.push((mount, vec![controller])),
        }
    }
    let parent = |(mount, controllers): (&Mount, Vec<&'static str>)| {
        let found = if mount.is_v2 { in_v2(mount, &controllers) } else { in_v1(mount) };
        found.map(|parent| (parent, controllers)).ok_or_else(|| Nowhere::Denied(mount.own.clone()))
    };
    wanted.into_iter().map(parent).collect()
}

fn in_v1(mount: &Mount) -> Option<Parent> {
    may(&mount.own, Access::WRITE_OK).then(|| Parent { dir: mount.own.clone(), is_v2: false, enable: None })
}

/// The nearest group upwards that hands the controllers down already, else the nearest that can be made to.
fn in_v2(mount: &Mount, controllers: &[&str]) -> Option<Parent> {
    let has_all = |dir: &Path, file: &str| {
        let words = read_words(&dir.join(file));
        controllers.iter().all(|controller| words.iter().any(|word| word == controller))
    };
    // To move a process, the group above both its old and its new one must be writable (cgroups(7), delegation).
    let is_ours = |dir: &Path| may(dir, Access::WRITE_OK) && may(&dir.join("cgroup.procs"), Access::WRITE_OK);
    // Only the root of the whole hierarchy has no type, and only that may have processes and be divided.
    let can_be_divided =
        |dir: &Path| !dir.join("cgroup.type").exists() || read_words(&dir.join("cgroup.procs")).is_empty();
    let dividing = mount.upwards().find(|dir| has_all(dir, "cgroup.subtree_control") && is_ours(dir));
    if let Some(dir) = dividing {
        return Some(Parent { dir: dir.to_owned(), is_v2: true, enable: None });
    }
    let dir = mount.upwards().find(|dir| {
        let control = dir.join("cgroup.subtree_control");
        has_all(dir, "cgroup.controllers")
            && is_ours(dir)
            && may(&control, Access::WRITE_OK)
            && can_be_divided(dir)
    })?;
    let enable = controllers.iter().map(|controller| format!("+{controller}")).collect::<Vec<_>>().join(" ");
    Some(Parent { dir: dir.to_owned(), is_v2: true, enable: Some(enable) })
}

fn may(path: &Path, what: Access) -> bool {
    access(path, what).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    /// A group of version 2: controllers, those that it hands down, processes.
    fn v2(path: &str, controllers: &str, handed_down: &str, procs: &str) -> Vec<(String, String)> {
        let file = |name: &str, text: &str| (format!("{path}{name}"), format!("{text}\n"));
        let mut files = vec![
            file("cgroup.controllers", controllers),
            file("cgroup.subtree_control", handed_down),
            file("cgroup.procs", procs),
        ];
        if !path.is_empty() {
            files.push(file("cgroup.type", "domain"));
        }
        files
    }

    fn found_in_v2(groups: &[Vec<(String, String)>], own: &str) -> Result<(String, Option<String>), Nowhere> {
        let files: Vec<(&str, &str)> =
            groups.iter().flatten().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let root = tree(&files);
        let mountinfo = format!("35 24 0:30 / {} rw shared:9 - cgroup2 cgroup2 rw", root.path().display());
        let found = parents(&["cpu", "memory"], &mountinfo, &format!("0::{own}\n"))?.remove(0).0;
        assert!(found.is_v2);
        let dir = found.dir.strip_prefix(root.path()).unwrap().display().to_string();
        Ok((dir, found.enable))
    }

    #[test]
    fn in_version_2_a_group_is_made_where_the_controllers_are_handed_down() {
        let all = "cpu memory pids";
        let groups = [v2("", all, all, ""), v2("a/", all, all, ""), v2("a/b/", all, "", "77")];
        assert_eq!(found_in_v2(&groups, "/a/b"), Ok(("a".to_owned(), None)));
        let groups = [v2("", all, all, ""), v2("a/", all, "pids", ""), v2("a/b/", all, "", "77")];
        assert_eq!(found_in_v2(&groups, "/a/b"), Ok((String::new(), None)), "the slices stay as they are");
    }

    #[test]
    fn in_version_2_a_group_without_processes_can_be_divided() {
        let all = "cpu memory pids";
        let enable = Some("+cpu +memory".to_owned());
        let groups = [v2("", all, "", "1"), v2("a/", all, "", "77")];
        assert_eq!(found_in_v2(&groups, "/a"), Ok((String::new(), enable.clone())), "the root may have some");
        let groups = [v2("", all, "pids", ""), v2("a/", all, "", ""), v2("a/b/", all, "", "77")];
        assert_eq!(found_in_v2(&groups, "/a/b"), Ok(("a".to_owned(), enable)));
    }

    #[test]
    fn a_controller_that_is_nowhere_is_named() {
        let groups = [v2("", "cpu pids", "cpu", "")];
        assert_eq!(found_in_v2(&groups, "/"), Err(Nowhere::Controller("memory")));
        assert_eq!(parents(&["cpu"], "", ""), Err(Nowhere::Controller("cpu")));
    }

    #[test]
    fn in_version_1_every_controller_has_its_own_group() {
        let root = tree(&[
            ("cpu,cpuacct/tasks", ""),
            ("memory/a/b/tasks", ""),
            ("unified/cgroup.controllers", "\n"),
        ]);
        let at = root.path().display();
        let mountinfo = format!(
            "31 23 0:28 / {at} rw,relatime - tmpfs tmpfs rw,mode=755\n\
             32 31 0:29 / {at}/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n\
             35 31 0:32 /docker/x {at}/memory rw,relatime - cgroup cgroup rw,memory\n\
             41 31 0:38 / {at}/unified rw,relatime - cgroup2 cgroup2 rw\n"
        );
        let membership = "4:memory:/docker/x/a/b\n2:cpu,cpuacct:/elsewhere\n0::/\n";
        let found = parents(&["cpu", "memory"], &mountinfo, membership).unwrap();
        let places: Vec<_> = found
            .iter()
            .map(|(parent, of)| (parent.dir.strip_prefix(root.path()).unwrap().to_str().unwrap(), of.clone()))
            .collect();
        assert_eq!(places, [("cpu,cpuacct", vec!["cpu"]), ("memory/a/b", vec!["memory"])]);
        assert!(found.iter().all(|(parent, _)| !parent.is_v2 && parent.enable.is_none()));
    }
}
