//! The place of a member in its topology.

use std::net::{Ipv4Addr, TcpListener};

use model::{Arrangement, Flavour, Topology};
use wire::Secret;

/// Host pattern of the accounts for the nodes of a simulated network.
pub(crate) const NETWORK: &str = "198.%";

/// Parameters shared by all members of a topology.
#[derive(Clone)]
pub(crate) struct Common {
    pub topology: Topology,
    pub arrangement: Arrangement,
    pub flavour: Flavour,
    /// UUID of the group or the cluster.
    pub uuid: String,
    /// Password of [`crate::ACCOUNT`].
    pub password: Secret,
    /// Ports on which members talk to each other besides MySQL's protocol, by member.
    pub ports: Vec<[u16; 2]>,
    /// The member that begins, and that the others join: the first one, unless another has more of the data.
    pub first: usize,
    /// Position of each member's data in a Galera cluster; empty: unknown.
    pub positions: Vec<String>,
    /// Whether the positions were recovered because the servers crashed, and are not in the data themselves.
    pub is_recovered: bool,
    /// Addresses of the members in a simulated network; empty: all of them are on the loopback interface.
    pub addresses: Vec<Ipv4Addr>,
    /// Path of Galera's library.
    pub provider: Option<String>,
}

impl Common {
    /// The address of a member.
    pub fn host(&self, at: usize) -> Ipv4Addr {
        self.addresses.get(at).copied().unwrap_or(Ipv4Addr::LOCALHOST)
    }

    /// The account's host: where the others come from.
    pub fn others(&self) -> &'static str {
        if self.addresses.is_empty() { "127.0.0.1" } else { NETWORK }
    }
}

/// A member in it.
pub(crate) struct Seat<'a> {
    pub common: &'a Common,
    /// Its number, from 0 on; 0 is the primary.
    pub at: usize,
}

impl Seat<'_> {
    pub fn is_primary(&self) -> bool {
        self.at == 0
    }

    /// Whether it begins, and the others join it.
    pub fn is_first(&self) -> bool {
        self.at == self.common.first
    }

    /// The position of its data.
    pub fn position(&self) -> Option<&String> {
        self.common.positions.get(self.at)
    }

    pub fn ports(&self) -> [u16; 2] {
        self.common.ports[self.at]
    }

    /// Its address.
    pub fn host(&self) -> Ipv4Addr {
        self.common.host(self.at)
    }

    /// `127.0.0.1:P,...` with the first port of every member.
    pub fn addresses(&self) -> String {
        let each = self.common.ports.iter().enumerate();
        let each: Vec<String> =
            each.map(|(at, [port, _])| format!("{}:{port}", self.common.host(at))).collect();
        each.join(",")
    }
}

/// Pairs of free ports. Another process may take one before the servers do.
pub(crate) fn free_ports(members: usize) -> std::io::Result<Vec<[u16; 2]>> {
    // Held until all of them are known, so that none comes twice.
    let listeners = (0..members * 2).map(|_| TcpListener::bind(("127.0.0.1", 0)));
    let listeners = listeners.collect::<std::io::Result<Vec<_>>>()?;
    let ports = listeners.iter().map(|one| Ok(one.local_addr()?.port()));
    let ports = ports.collect::<std::io::Result<Vec<u16>>>()?;
    Ok(ports.chunks(2).map(|pair| [pair[0], pair[1]]).collect())
}
