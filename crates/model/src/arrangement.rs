//! The properties of a topology besides its kind.

use serde::{Deserialize, Serialize};

/// The properties of a topology besides its kind. Whatever is left out keeps the servers' setting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrangement {
    /// Replicas that must have received a transaction before its commit is acknowledged (semisync).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acks: Option<u32>,
    /// Delay of a packet between two servers in a simulated network, microseconds; none: servers talk over the loopback
    /// interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_delay_us: Option<u64>,
    /// The delay of each packet is drawn evenly from as much less to as much more, microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_jitter_us: Option<u64>,
    /// Bandwidth of a link in one direction, bytes per second; none: unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_bandwidth_bytes_per_s: Option<u64>,
    /// Packets that are lost, of a million.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_loss_ppm: Option<u32>,
    /// A server that is cut off from the others for a while during each load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_cut: Option<LinkCut>,
    /// Every member takes writes, and clients are spread over all of them (group, galera).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub multi_primary: bool,
    /// One-way delay of a packet between clients and servers, microseconds; none: clients connect through the socket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_delay_us: Option<u64>,
    /// Like [`link_jitter_us`](Self::link_jitter_us), between clients and servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_jitter_us: Option<u64>,
    /// Transactions that only read go to the replicas, in turns; those that write go to the primary.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reads_on_replicas: bool,
    /// The component between clients and servers.
    #[serde(default, skip_serializing_if = "Via::is_direct")]
    pub via: Via,
}

/// The component between the clients of the load and the servers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// Nothing: clients connect to the servers directly.
    #[default]
    Direct,
    /// MySQL Router.
    Router,
}

impl Via {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Direct, Self::Router];

    /// The name used in a specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Router => "router",
        }
    }

    fn is_direct(&self) -> bool {
        *self == Self::Direct
    }
}

impl Arrangement {
    /// Whether it has a simulated network.
    pub fn has_network(&self) -> bool {
        self.has_links() || self.has_distant_clients()
    }

    /// Whether clients reach the servers over it.
    pub fn has_distant_clients(&self) -> bool {
        self.client_delay_us.is_some() || self.client_jitter_us.is_some()
    }

    /// Whether servers talk to each other over it.
    pub fn has_links(&self) -> bool {
        let bandwidth = self.link_bandwidth_bytes_per_s;
        [self.link_delay_us, self.link_jitter_us, bandwidth].iter().any(Option::is_some)
            || self.link_loss_ppm.is_some()
            || self.link_cut.is_some()
    }

    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A server cut off from the others of its topology: packets between them are lost. Clients still reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCut {
    /// Its number in the topology, from 1; 1 is the primary.
    pub server: u32,
    /// Start of the cut, milliseconds since the clients started.
    pub from_ms: u64,
    /// Length of the cut, milliseconds.
    pub length_ms: u64,
}

impl LinkCut {
    /// End of the cut, milliseconds since the clients started.
    pub fn until_ms(&self) -> u64 {
        self.from_ms + self.length_ms
    }
}
