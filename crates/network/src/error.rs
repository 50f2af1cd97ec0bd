//! Reasons there is no simulated network.

use std::io;

use model::{Advice, Advise};
use thiserror::Error;

/// A simulated network, or something about it, that cannot be had.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The kernel has no TUN devices, or this container does not see them.
    #[error("a simulated network needs /dev/net/tun, which does not exist on this machine")]
    NoTun,
    /// TUN exists, but this process may not use it.
    #[error("a simulated network needs /dev/net/tun, which this process may not open: {source}")]
    TunDenied {
        /// The kernel's error.
        source: io::Error,
    },
    /// No program that makes a network namespace.
    #[error("a simulated network needs the program unshare, which is not on this machine")]
    NoUnshare,
    /// A program that exists could not be started.
    #[error("the program unshare does not start: {source}")]
    Unshare {
        /// The kernel's error.
        source: io::Error,
    },
    /// Namespaces may not be made.
    #[error("a simulated network needs network namespaces, which this process may not make: {reason}")]
    NamespaceDenied {
        /// The error of `unshare`.
        reason: String,
    },
    /// A namespace may not be entered.
    #[error("a thread cannot enter the network namespace of '{node}': {source}")]
    Enter {
        /// The node.
        node: String,
        /// The kernel's error.
        source: io::Error,
    },
    /// Devices may not be made.
    #[error("this process may not make network devices: {source}")]
    DeviceDenied {
        /// The kernel's error.
        source: io::Error,
    },
    /// A device cannot be had.
    #[error("cannot {what} of node '{node}': {source}")]
    Device {
        /// The operation that failed.
        what: &'static str,
        /// The node.
        node: String,
        /// The kernel's error.
        source: io::Error,
    },
    /// All addresses are in use.
    #[error("no subnet of 198.18.0.0/15 is free for a simulated network")]
    NoSubnet,
    /// More nodes than addresses.
    #[error("a simulated network has {most} nodes beside the host at most, not {nodes}")]
    TooManyNodes {
        /// The requested number of nodes.
        nodes: usize,
        /// The maximum number of nodes.
        most: usize,
    },
    /// Two nodes of one name.
    #[error("two nodes of the simulated network are called '{node}'")]
    TwoNodes {
        /// The name.
        node: String,
    },
    /// A name that no node has.
    #[error("the simulated network has no node '{node}'")]
    NoNode {
        /// The name.
        node: String,
    },
    /// A link from a node to itself.
    #[error("there is no link from node '{node}' to itself")]
    NoLink {
        /// The name.
        node: String,
    },
    /// Figures that mean nothing.
    #[error("the link is not possible: {reason}")]
    Link {
        /// Reason for the refusal.
        reason: &'static str,
    },
    /// An invalid packet size.
    #[error("the largest packet has 576 to 65000 bytes, not {mtu}")]
    Mtu {
        /// Packet size, as given.
        mtu: u16,
    },
    /// The router cannot begin.
    #[error("the router of the simulated network does not start: {source}")]
    Router {
        /// The kernel's error.
        source: io::Error,
    },
}

impl NetworkError {
    /// The error for a failed operation on a node's device; distinguishes missing privileges.
    pub(crate) fn of_device(what: &'static str, node: &str, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::PermissionDenied => Self::DeviceDenied { source },
            _ => Self::Device { what, node: node.to_owned(), source },
        }
    }
}

impl Advise for NetworkError {
    fn advice(&self) -> Vec<Advice> {
        let root = || Advice::words("run mydyno as root");
        let container = || {
            Advice::line(
                "give the container the device and the right",
                "docker run --device /dev/net/tun --cap-add NET_ADMIN --cap-add SYS_ADMIN ...",
            )
        };
        match self {
            Self::NoTun => vec![Advice::line("load the kernel's module", "modprobe tun"), container()],
            Self::TunDenied { .. } | Self::NamespaceDenied { .. } | Self::DeviceDenied { .. } => vec![
                root(),
                Advice::line(
                    "or run it in namespaces of its own",
                    "unshare --user --map-root-user --net sh -c 'ip link set lo up && mydyno ...'",
                ),
                container(),
            ],
            Self::NoUnshare => vec![Advice::line("install it", "apt-get install util-linux")],
            Self::Enter { .. } => vec![root()],
            Self::NoNode { .. } => vec![Advice::words("give the name of a node, or 'host'")],
            Self::NoSubnet => {
                vec![Advice::words("end other simulated networks, or remove a route to 198.18.0.0/15")]
            }
            _ => Vec::new(),
        }
    }
}
