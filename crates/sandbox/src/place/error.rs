//! Why a server cannot have the place that was asked for, and what to do.

use std::path::PathBuf;

use thiserror::Error;

use crate::error::FileError;

/// A place that a server cannot have.
#[derive(Debug, Error)]
pub enum PlaceError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// No such CPU.
    #[error("{asked}: this machine has no CPU {missing}, choose among {online}")]
    NoCpu {
        /// As asked for.
        asked: String,
        /// Those that are not there.
        missing: String,
        /// Those that are online.
        online: String,
    },
    /// The CPUs exist, and this process may not use them.
    #[error(
        "{asked}: the cpuset that mydyno runs in has only CPUs {allowed}, choose among these or widen it"
    )]
    CpusDenied {
        /// As asked for.
        asked: String,
        /// What the kernel grants of it.
        allowed: String,
    },
    /// No such memory node.
    #[error("{asked}: this machine has no memory node {missing}, choose among {nodes}")]
    NoNode {
        /// As asked for.
        asked: String,
        /// Those that are not there.
        missing: String,
        /// Those that are.
        nodes: String,
    },
    /// The nodes exist, and this process may not use them.
    #[error(
        "{asked}: the cpuset that mydyno runs in has only memory nodes {allowed}, choose among these or widen it"
    )]
    NodesDenied {
        /// As asked for.
        asked: String,
        /// What the cpuset has.
        allowed: String,
    },
    /// A node that has memory only.
    #[error("{asked}: memory node {node} has no CPUs, choose another or name CPUs with cpus=")]
    NodeWithoutCpus {
        /// As asked for.
        asked: String,
        /// Which.
        node: u32,
    },
    /// The kernel was built without NUMA.
    #[error("{asked}: this kernel knows no memory nodes (there is no {}), leave it out", path.display())]
    NoNuma {
        /// As asked for.
        asked: String,
        /// Where they would be.
        path: PathBuf,
    },
    /// No program that sets a memory policy.
    #[error(
        "{asked} needs the program numactl, which is not on this machine: install it, for example with apt-get install numactl"
    )]
    NoNumactl {
        /// As asked for.
        asked: String,
    },
    /// No such controller.
    #[error(
        "{asked} needs the controller {controller} of control groups, which is not mounted here: mount cgroup v2 at /sys/fs/cgroup"
    )]
    NoController {
        /// As asked for.
        asked: String,
        /// `cpu` or `memory`.
        controller: &'static str,
    },
    /// A group cannot be made.
    #[error(
        "{asked} needs a control group for the server, and mydyno may make none in {}: run it as root, as systemd-run --user --scope mydyno ..., or in a container whose /sys/fs/cgroup is writable",
        dir.display()
    )]
    NoGroup {
        /// As asked for.
        asked: String,
        /// The group that this process is in.
        dir: PathBuf,
    },
    /// Somebody's processes are in the group.
    #[error("the control group {} of an earlier server is still in use by process {pid}: end it first", dir.display())]
    GroupInUse {
        /// The group.
        dir: PathBuf,
        /// One of its processes.
        pid: String,
    },
    /// The server has another place than it was given.
    #[error("the server was started with {key}={wanted}, and the kernel says {has}: {}", why_not(key))]
    NotHeld {
        /// What.
        key: &'static str,
        /// What it was given.
        wanted: String,
        /// What it has.
        has: String,
    },
}

/// Who may have taken a place from a server.
fn why_not(key: &str) -> &'static str {
    match key {
        "memory-nodes" | "interleave" => "innodb_numa_interleave=ON makes a server give it up, set it to OFF",
        _ => "something else on this machine places processes (a daemon, a cpuset), stop it first",
    }
}
