//! The CPUs that a server's threads may run on.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use model::{CpuShare, IdList, Place};
use rustix::thread::{CpuSet, sched_getaffinity};

use super::error::PlaceError;
use super::lists::{shown, status_list, system_list};
use super::policy::NODES;
use crate::error::FileError;
use crate::process::Cpus;

/// CPUs that exist and may be used.
#[derive(Debug)]
pub(super) struct Affinity {
    key: &'static str,
    list: IdList,
    cpus: Cpus,
}

impl Affinity {
    /// The CPUs of a place; none if it names none.
    pub fn new(place: &Place) -> Result<Option<Self>, PlaceError> {
        let (key, asked, list) = match (&place.cpus, &place.cpu_nodes, place.cpu_share) {
            (Some(cpus), ..) => ("cpus", format!("cpus={cpus}"), cpus.clone()),
            (None, Some(nodes), _) => {
                let asked = format!("cpu-nodes={nodes}");
                let list = cpus_of(nodes, Path::new(NODES), &asked)?;
                ("cpu-nodes", asked, list)
            }
            (None, None, Some(share)) => {
                let asked = format!("cpu-share={share}");
                let allowed = status_list(Path::new("/proc/self/status"), "Cpus_allowed_list")?;
                ("cpu-share", asked, share_of(share, allowed.as_ref(), Path::new(NODES))?)
            }
            (None, None, None) => return Ok(None),
        };
        let cpus = within(&list, system_list(Path::new("/sys/devices/system/cpu/online")).as_ref(), &asked)?;
        try_out(&list, cpus, &asked)?;
        Ok(Some(Self { key, list, cpus }))
    }

    /// The CPUs for the thread that starts the server.
    pub fn cpus(&self) -> Cpus {
        self.cpus
    }

    /// Every thread of the server is where it was put.
    pub fn verify(&self, pid: u32) -> Result<(), PlaceError> {
        let tasks = PathBuf::from(format!("/proc/{pid}/task"));
        let entries = fs::read_dir(&tasks).map_err(FileError::at("read", &tasks))?;
        // A thread may end while it is looked at.
        let of_task = |task: fs::DirEntry| status_list(&task.path().join("status"), "Cpus_allowed_list").ok();
        let lists: Vec<Option<IdList>> = entries.flatten().filter_map(of_task).collect();
        let is_other = |has: &Option<IdList>| has.as_ref() != Some(&self.list);
        // Without a thread there is no server: that is an error as well.
        let other = if lists.is_empty() { Some(None) } else { lists.into_iter().find(is_other) };
        match other {
            None => Ok(()),
            Some(has) => {
                let (wanted, has) = (self.list.to_string(), shown(has.as_ref()));
                Err(PlaceError::NotHeld { key: self.key, wanted, has })
            }
        }
    }
}

/// All CPUs of these nodes.
fn cpus_of(nodes: &IdList, dir: &Path, asked: &str) -> Result<IdList, PlaceError> {
    let asked = || asked.to_owned();
    let Some(online) = system_list(&dir.join("online")) else {
        return Err(PlaceError::NoNuma { asked: asked(), path: dir.to_owned() });
    };
    if let Some(missing) = nodes.missing_in(&online) {
        let (missing, nodes) = (missing.to_string(), online.to_string());
        return Err(PlaceError::NoNode { asked: asked(), missing, nodes });
    }
    let mut cpus = Vec::new();
    for node in nodes.iter() {
        let of_node = system_list(&dir.join(format!("node{node}/cpulist")));
        cpus.extend(of_node.ok_or_else(|| PlaceError::NodeWithoutCpus { asked: asked(), node })?.iter());
    }
    Ok(IdList::of(cpus).expect("there is a node, and each has CPUs"))
}

/// A share of the CPUs that this process may use, those of a node beside each other, so that a half of two nodes is one of them.
fn share_of(share: CpuShare, allowed: Option<&IdList>, nodes: &Path) -> Result<IdList, PlaceError> {
    let allowed: Vec<u32> = allowed.into_iter().flat_map(IdList::iter).collect();
    let online = system_list(&nodes.join("online"));
    let by_node = online.iter().flat_map(IdList::iter);
    let by_node = by_node.filter_map(|node| system_list(&nodes.join(format!("node{node}/cpulist"))));
    let by_node: Vec<u32> = by_node.flat_map(|list| list.iter().collect::<Vec<_>>()).collect();
    let mut cpus: Vec<u32> = by_node.iter().copied().filter(|cpu| allowed.contains(cpu)).collect();
    cpus.extend(allowed.iter().filter(|cpu| !by_node.contains(cpu)));
    share
        .of_cpus(&cpus)
        .ok_or_else(|| PlaceError::TooFewCpus { asked: format!("cpu-share={share}"), cpus: cpus.len() })
}

fn within(list: &IdList, online: Option<&IdList>, asked: &str) -> Result<Cpus, PlaceError> {
    // Beyond these the system call is not offered with a set that is large enough.
    let offered = IdList::of(0..CpuSet::MAX_CPU as u32).expect("there is one");
    let online = online.unwrap_or(&offered);
    if let Some(missing) = list.missing_in(online).or_else(|| list.missing_in(&offered)) {
        let (missing, online) = (missing.to_string(), online.to_string());
        return Err(PlaceError::NoCpu { asked: asked.to_owned(), missing, online });
    }
    let mut set = CpuSet::new();
    list.iter().for_each(|cpu| set.set(cpu as usize));
    Ok(Cpus(set))
}

/// The kernel cuts a set down to the cpuset without a word: a thread that ends at once asks for it and looks.
fn try_out(list: &IdList, cpus: Cpus, asked: &str) -> Result<(), PlaceError> {
    let granted = thread::spawn(move || cpus.take().and_then(|()| Ok(sched_getaffinity(None)?))).join();
    let granted = granted.ok().and_then(Result::ok);
    let granted = granted.and_then(|set| IdList::of(list.iter().filter(|cpu| set.is_set(*cpu as usize))));
    if granted.as_ref() == Some(list) {
        return Ok(());
    }
    Err(PlaceError::CpusDenied { asked: asked.to_owned(), allowed: shown(granted.as_ref()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> IdList {
        text.parse().unwrap()
    }

    #[test]
    fn a_cpu_that_is_not_there_is_named() {
        let error = within(&list("0,5-6"), Some(&list("0-3")), "cpus=0,5-6").unwrap_err();
        assert_eq!(error.to_string(), "cpus=0,5-6: this machine has no CPU 5-6, only 0-3");
        assert!(within(&list("2000"), Some(&list("0-4000")), "cpus=2000").is_err());
        assert!(within(&list("1-3"), Some(&list("0-3")), "cpus=1-3").is_ok());
    }

    #[test]
    fn a_share_keeps_the_cpus_of_a_node_together() {
        let dir = tempfile::tempdir().unwrap();
        for (file, text) in [("online", "0-1\n"), ("node0/cpulist", "0,2\n"), ("node1/cpulist", "1,3\n")] {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let of = |share: &str, allowed: &str, nodes: &Path| {
            share_of(share.parse().unwrap(), Some(&list(allowed)), nodes).map_err(|error| error.to_string())
        };
        assert_eq!(of("1/2", "0-3", dir.path()), Ok(list("0,2")));
        assert_eq!(of("2/2", "0-3", dir.path()), Ok(list("1,3")));
        assert_eq!(of("2/2", "0-1", dir.path()), Ok(list("1")));
        assert_eq!(of("2/2", "0-3", Path::new("/nonexistent")), Ok(list("2-3")), "without memory nodes");
        assert_eq!(
            of("1/2", "3", dir.path()).unwrap_err(),
            "cpu-share=1/2: this process may use 1 CPU, fewer than there are shares"
        );
    }

    #[test]
    fn nodes_stand_for_their_cpus() {
        let dir = tempfile::tempdir().unwrap();
        for (file, text) in [("online", "0-2\n"), ("node0/cpulist", "0-1,4\n"), ("node2/cpulist", "\n")] {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let of = |nodes| cpus_of(&list(nodes), dir.path(), "cpu-nodes=x").map_err(|error| error.to_string());
        assert_eq!(of("0"), Ok(list("0-1,4")));
        assert_eq!(of("0,7").unwrap_err(), "cpu-nodes=x: this machine has no memory node 7, only 0-2");
        assert!(of("0,2").unwrap_err().contains("memory node 2 has no CPUs"));
        let none = cpus_of(&list("0"), Path::new("/nonexistent"), "cpu-nodes=0").unwrap_err().to_string();
        assert!(none.contains("this kernel knows no memory nodes"), "{none}");
    }
}
