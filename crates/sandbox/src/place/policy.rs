//! The memory policy that a server is started with, by way of `numactl`.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use model::{IdList, Nodes, Place};

use super::error::PlaceError;
use super::lists::{shown, status_list, system_list};
use crate::error::FileError;
use crate::program::find_program;

/// Directory in which the kernel lists memory nodes.
pub(super) const NODES: &str = "/sys/devices/system/node";

/// A policy over nodes that exist and may be used.
#[derive(Debug)]
pub(super) struct Policy {
    /// The program that sets it.
    pub numactl: PathBuf,
    key: &'static str,
    nodes: IdList,
}

impl Policy {
    /// The memory policy of a place; none if it names none.
    pub fn new(place: &Place) -> Result<Option<Self>, PlaceError> {
        let (key, wanted) = match (&place.memory_nodes, &place.interleave) {
            (Some(nodes), _) => ("memory-nodes", Nodes::These(nodes.clone())),
            (None, Some(nodes)) => ("interleave", nodes.clone()),
            (None, None) => return Ok(None),
        };
        let asked = format!("{key}={wanted}");
        let allowed = status_list(Path::new("/proc/self/status"), "Mems_allowed_list")?;
        let nodes = usable(&wanted, Path::new(NODES), allowed.as_ref(), &asked)?;
        let numactl = find_program("numactl").ok_or(PlaceError::NoNumactl { asked })?;
        Ok(Some(Self { numactl, key, nodes }))
    }

    /// The arguments of `numactl` before the command.
    pub fn arguments(&self) -> [String; 2] {
        let option = if self.key == "interleave" { "interleave" } else { "membind" };
        [format!("--{option}={}", self.nodes), "--".to_owned()]
    }

    /// Every thread of the server still has the policy, and its cpuset does not keep it from the nodes.
    ///
    /// A server that changes its policy does so in the thread that makes its buffer pool, and those that it starts.
    pub fn verify(&self, pid: u32) -> Result<(), PlaceError> {
        let failed = |has| Err(PlaceError::NotHeld { key: self.key, wanted: self.nodes.to_string(), has });
        let tasks = PathBuf::from(format!("/proc/{pid}/task"));
        let entries = fs::read_dir(&tasks).map_err(FileError::at("read", &tasks))?;
        // A thread may end while it is looked at.
        let policies: Vec<String> =
            entries.flatten().filter_map(|task| policy_of(&task.path().join("numa_maps")).ok()).collect();
        if policies.is_empty() {
            return failed("nothing (there is no numa_maps)".to_owned());
        }
        if let Some(other) = policies.into_iter().find(|has| !self.is_met_by(has)) {
            return failed(other);
        }
        let allowed = status_list(Path::new(&format!("/proc/{pid}/status")), "Mems_allowed_list")?;
        match allowed.as_ref().is_some_and(|allowed| self.nodes.missing_in(allowed).is_none()) {
            true => Ok(()),
            false => failed(format!("nodes {} are allowed", shown(allowed.as_ref()))),
        }
    }

    /// `bind:0-1`, with flags `bind=static:0-1`.
    fn is_met_by(&self, has: &str) -> bool {
        let name = if self.key == "interleave" { "interleave" } else { "bind" };
        let Some((policy, nodes)) = has.split_once(':') else { return false };
        policy.split('=').next() == Some(name) && nodes.parse().is_ok_and(|nodes: IdList| nodes == self.nodes)
    }
}

fn usable(wanted: &Nodes, dir: &Path, allowed: Option<&IdList>, asked: &str) -> Result<IdList, PlaceError> {
    let asked = || asked.to_owned();
    let Some(with_memory) = system_list(&dir.join("has_memory")) else {
        return Err(PlaceError::NoNuma { asked: asked(), path: dir.to_owned() });
    };
    let allowed = allowed.unwrap_or(&with_memory);
    match wanted {
        Nodes::All => {
            let both = IdList::of(with_memory.iter().filter(|node| allowed.iter().any(|one| one == *node)));
            both.ok_or_else(|| PlaceError::NodesDenied { asked: asked(), allowed: allowed.to_string() })
        }
        Nodes::These(nodes) => {
            if let Some(missing) = nodes.missing_in(&with_memory) {
                let (missing, nodes) = (missing.to_string(), with_memory.to_string());
                return Err(PlaceError::NoNode { asked: asked(), missing, nodes });
            }
            match nodes.missing_in(allowed) {
                Some(_) => Err(PlaceError::NodesDenied { asked: asked(), allowed: allowed.to_string() }),
                None => Ok(nodes.clone()),
            }
        }
    }
}

/// The policy of a thread, as the first mapping of its `numa_maps` shows it: the program's own text, which no server gives
/// another one. The file is not read to its end, since the kernel walks all of the memory for it.
fn policy_of(numa_maps: &Path) -> Result<String, FileError> {
    let mut line = String::new();
    File::open(numa_maps)
        .and_then(|file| BufReader::with_capacity(256, file).read_line(&mut line))
        .map_err(FileError::at("read", numa_maps))?;
    Ok(line.split_whitespace().nth(1).unwrap_or("nothing").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> IdList {
        text.parse().unwrap()
    }

    #[test]
    fn nodes_must_have_memory_and_be_allowed() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("has_memory"), "0-2\n").unwrap();
        let usable = |wanted: &str, allowed: &str| {
            let asked = format!("interleave={wanted}");
            usable(&wanted.parse().unwrap(), dir.path(), Some(&list(allowed)), &asked)
                .map_err(|error| error.to_string())
        };
        assert_eq!(usable("all", "0-1"), Ok(list("0-1")));
        assert_eq!(usable("1-2", "0-2"), Ok(list("1-2")));
        let missing = usable("2-3", "0-2").unwrap_err();
        assert_eq!(missing, "interleave=2-3: this machine has no memory node 3, only 0-2");
        assert!(usable("2", "0-1").unwrap_err().contains("has only memory nodes 0-1"));
        let without = super::usable(&Nodes::All, Path::new("/nonexistent"), None, "interleave=all");
        assert!(without.unwrap_err().to_string().contains("this kernel knows no memory nodes"));
    }

    #[test]
    fn the_policy_of_a_thread_is_that_of_its_first_mapping() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("numa_maps");
        std::fs::write(&path, "55f4 bind:0-1 file=/usr/sbin/mysqld mapped=2\n7f00 default anon=1\n").unwrap();
        let has = policy_of(&path).unwrap();
        assert_eq!(has, "bind:0-1");
        let policy = |key, nodes| Policy { numactl: PathBuf::new(), key, nodes: list(nodes) };
        assert!(policy("memory-nodes", "0-1").is_met_by(&has));
        assert!(policy("memory-nodes", "0").is_met_by("bind=static:0"));
        assert!(!policy("memory-nodes", "0").is_met_by(&has) && !policy("interleave", "0-1").is_met_by(&has));
        assert!(!policy("interleave", "0").is_met_by("default"));
    }
}
