//! A simulated network on one machine.
//!
//! Servers on one machine reach each other in microseconds, and replication between them costs no network delay. Here each
//! node has a network namespace of its own with a TUN device, and a router in this process forwards IP packets between the
//! devices, with the delay, jitter, bandwidth and loss that were asked for, per direction and pair of nodes. Why it is built
//! so, and how far off the router is: `docs/design/network.md`.

mod counts;
mod device;
mod error;
mod line;
mod link;
mod namespace;
mod netlink;
mod packet;
mod priority;
mod program;
mod router;
mod simulated;
mod subnet;
mod switch;
mod wake;

pub use counts::RouterFigures;
pub use error::NetworkError;
pub use link::{ETHERNET_MTU, LARGE_MTU, Link, Links};
pub use namespace::Namespace;
pub use simulated::{SimulatedNetwork, check};

/// The node that this process is on: where the load comes from.
pub const HOST: &str = "host";
