//! Reasons a server cannot have the requested placement.

use std::path::PathBuf;

use messages::number::counted;
use model::{Advice, Advise};
use thiserror::Error;

use crate::file_error::FileError;

/// A place that a server cannot have.
#[derive(Debug, Error)]
pub enum PlaceError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// No such CPU.
    #[error("{asked}: this machine has no CPU {missing}, only {online}")]
    NoCpu {
        /// The requested placement, as the user wrote it.
        asked: String,
        /// The CPUs that do not exist.
        missing: String,
        /// The CPUs that are online.
        online: String,
    },
    /// The CPUs exist, and this process may not use them.
    #[error("{asked}: the cpuset that mydyno runs in has only CPUs {allowed}")]
    CpusDenied {
        /// The requested placement, as the user wrote it.
        asked: String,
        /// The CPUs that the kernel allows.
        allowed: String,
    },
    /// No such memory node.
    #[error("{asked}: this machine has no memory node {missing}, only {nodes}")]
    NoNode {
        /// The requested placement, as the user wrote it.
        asked: String,
        /// The nodes that do not exist.
        missing: String,
        /// The nodes that exist.
        nodes: String,
    },
    /// The nodes exist, and this process may not use them.
    #[error("{asked}: the cpuset that mydyno runs in has only memory nodes {allowed}")]
    NodesDenied {
        /// The requested placement, as the user wrote it.
        asked: String,
        /// The nodes that the cpuset allows.
        allowed: String,
    },
    /// A node that has memory only.
    #[error("{asked}: memory node {node} has no CPUs")]
    NodeWithoutCpus {
        /// The requested placement, as the user wrote it.
        asked: String,
        /// Number of the memory node.
        node: u32,
    },
    /// The kernel was built without NUMA.
    #[error("{asked}: this kernel knows no memory nodes (there is no {})", path.display())]
    NoNuma {
        /// The requested placement, as the user wrote it.
        asked: String,
        /// The path where they would be.
        path: PathBuf,
    },
    /// Fewer CPUs than shares.
    #[error("{asked}: this process may use {}, fewer than there are shares", counted(*cpus as u64, "CPU"))]
    TooFewCpus {
        /// The requested placement, as the user wrote it.
        asked: String,
        /// CPUs that it may use.
        cpus: usize,
    },
    /// No program that sets a memory policy.
    #[error("{asked} needs the program numactl, which is not on this machine")]
    NoNumactl {
        /// The requested placement, as the user wrote it.
        asked: String,
    },
    /// No such controller.
    #[error("{asked} needs the controller {controller} of control groups, which is not mounted here")]
    NoController {
        /// The requested placement, as the user wrote it.
        asked: String,
        /// `cpu` or `memory`.
        controller: &'static str,
    },
    /// A group cannot be made.
    #[error("{asked} needs a control group for the server, and mydyno may make none in {}", dir.display())]
    NoGroup {
        /// The requested placement, as the user wrote it.
        asked: String,
        /// The group that this process is in.
        dir: PathBuf,
    },
    /// Foreign processes are in the group.
    #[error("the control group {} of an earlier server is still in use by process {pid}", dir.display())]
    GroupInUse {
        /// The group.
        dir: PathBuf,
        /// One of its processes.
        pid: String,
    },
    /// The server has another place than it was given.
    #[error("the server was started with {key}={wanted}, and the kernel says {has}")]
    NotHeld {
        /// Key of the setting, as the user wrote it.
        key: &'static str,
        /// The requested placement.
        wanted: String,
        /// The effective placement.
        has: String,
    },
}

impl Advise for PlaceError {
    fn advice(&self) -> Vec<Advice> {
        let one = |what: &str| vec![Advice::words(what)];
        match self {
            Self::File(_) | Self::NoCpu { .. } | Self::NoNode { .. } => Vec::new(),
            Self::CpusDenied { .. } | Self::NodesDenied { .. } => {
                one("choose among these, or widen the cpuset")
            }
            Self::NodeWithoutCpus { .. } => one("choose another node, or name CPUs with cpus="),
            Self::NoNuma { .. } => one("leave it out"),
            Self::TooFewCpus { .. } => one("ask for fewer shares, or use a machine with more CPUs"),
            Self::NoNumactl { .. } => vec![Advice::line("install it", "apt-get install numactl")],
            Self::NoController { .. } => one("mount cgroup v2 at /sys/fs/cgroup"),
            Self::NoGroup { .. } => vec![
                Advice::words("run mydyno as root, or in a container whose /sys/fs/cgroup is writable"),
                Advice::line("run it in a scope of its own", "systemd-run --user --scope mydyno ..."),
            ],
            Self::GroupInUse { .. } => one("end that process first"),
            Self::NotHeld { key: "memory-nodes" | "interleave", .. } => {
                one("innodb_numa_interleave=ON makes a server give it up: set it to OFF")
            }
            Self::NotHeld { .. } => {
                one("stop what else places processes on this machine: a daemon, or a cpuset")
            }
        }
    }
}
