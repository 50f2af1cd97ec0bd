//! The whole network: namespaces, addresses, devices, and the router between them.

use std::net::Ipv4Addr;

use crate::HOST;
use crate::counts::RouterFigures;
use crate::device::{self, Device};
use crate::error::NetworkError;
use crate::link::{Link, Links};
use crate::namespace::Namespace;
use crate::router::Router;
use crate::subnet::Subnet;
use crate::switch::Switch;

/// A network that exists until it is dropped, or until this process ends in whatever way.
///
/// Processes that were started in its namespaces are not ended with it: they are left without a network.
#[derive(Debug)]
pub struct SimulatedNetwork {
    router: Router,
    /// The namespaces, without the host, which is node 0 of the router.
    namespaces: Vec<Namespace>,
    names: Vec<String>,
    subnet: Subnet,
}

impl SimulatedNetwork {
    /// Makes a network of the host and these nodes.
    ///
    /// # Errors
    /// The links mean nothing, name a node that is not there, or this machine does not allow it, see [`check`].
    pub fn start(nodes: &[&str], links: &Links) -> Result<Self, NetworkError> {
        let names: Vec<String> = std::iter::once(&HOST).chain(nodes).map(|name| (*name).to_owned()).collect();
        check_names(&names, links)?;
        links.check()?;
        device::check()?;
        let mtu = links.mtu_value();
        let namespaces = nodes.iter().map(|node| Namespace::new(node)).collect::<Result<Vec<_>, _>>()?;
        // Processes that start at once begin with different subnets.
        let first = (std::process::id() % u32::from(Subnet::COUNT)) as u16;
        let (of_host, subnet) = Device::of_host(first, mtu)?;
        let mut devices = vec![of_host];
        for (number, (namespace, node)) in (1..).zip(namespaces.iter().zip(nodes)) {
            devices.push(namespace.enter_and(|| Device::inside(subnet, number, node, mtu))??);
        }
        let link = |from: usize, to: usize| links.of(&names[from], &names[to]);
        let switch = Switch::new(subnet, names.len(), mtu, links.seed_value(), link);
        let router = Router::start(devices, switch).map_err(|source| NetworkError::Router { source })?;
        Ok(Self { router, namespaces, names, subnet })
    }

    /// Address of a node; none if there is no such node.
    pub fn address(&self, node: &str) -> Option<Ipv4Addr> {
        Some(self.subnet.address(self.number(node).ok()?))
    }

    /// Address of this process's own node.
    pub fn host_address(&self) -> Ipv4Addr {
        self.subnet.address(0)
    }

    /// Namespace of a node; none for the host, and if there is no such node.
    pub fn namespace(&self, node: &str) -> Option<&Namespace> {
        self.namespaces.get(self.number(node).ok()?.checked_sub(1)?)
    }

    /// Changes one direction. Packets under way keep their time, and later ones do not overtake them; packets that wait for a
    /// bandwidth are sent at the new one.
    ///
    /// # Errors
    /// The link means nothing, or there is none.
    pub fn set_link(&self, from: &str, to: &str, link: Link) -> Result<(), NetworkError> {
        link.check()?;
        let (from, to) = self.pair(from, to)?;
        self.router.set_link(from, to, link);
        Ok(())
    }

    /// Cuts both directions: packets vanish without a word, also those under way. For one direction set a loss of 1.
    ///
    /// # Errors
    /// There is no such link.
    pub fn cut(&self, a: &str, b: &str) -> Result<(), NetworkError> {
        let (a, b) = self.pair(a, b)?;
        let mut switch = self.router.switch();
        switch.line(a, b).cut();
        switch.line(b, a).cut();
        Ok(())
    }

    /// Ends a cut. A link that was not cut stays as it is.
    ///
    /// # Errors
    /// There is no such link.
    pub fn heal(&self, a: &str, b: &str) -> Result<(), NetworkError> {
        let (a, b) = self.pair(a, b)?;
        let mut switch = self.router.switch();
        switch.line(a, b).heal();
        switch.line(b, a).heal();
        Ok(())
    }

    /// The router's figures so far, with its accuracy.
    pub fn figures(&self) -> RouterFigures {
        self.router.figures()
    }

    /// Ends the network. Returns the router's totals.
    pub fn stop(self) -> RouterFigures {
        self.figures()
    }

    fn number(&self, node: &str) -> Result<usize, NetworkError> {
        let found = self.names.iter().position(|name| name == node);
        found.ok_or_else(|| NetworkError::NoNode { node: node.to_owned() })
    }

    fn pair(&self, a: &str, b: &str) -> Result<(usize, usize), NetworkError> {
        if a == b {
            return Err(NetworkError::NoLink { node: a.to_owned() });
        }
        Ok((self.number(a)?, self.number(b)?))
    }
}

/// Fails if this machine allows no simulated network: makes one of a single node, since there is no other way to find out.
///
/// # Errors
/// What is missing, with advice.
pub fn check() -> Result<(), NetworkError> {
    SimulatedNetwork::start(&["check"], &Links::default()).map(drop)
}

fn check_names(names: &[String], links: &Links) -> Result<(), NetworkError> {
    if names.len() > Subnet::NODES {
        return Err(NetworkError::TooManyNodes { nodes: names.len() - 1, most: Subnet::NODES - 1 });
    }
    let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
    if let Some((_, node)) = twice {
        return Err(NetworkError::TwoNodes { node: node.clone() });
    }
    match links.names().find(|name| !names.iter().any(|node| node == name)) {
        Some(node) => Err(NetworkError::NoNode { node: node.to_owned() }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(nodes: &[&str], links: &Links) -> String {
        SimulatedNetwork::start(nodes, links).map(drop).unwrap_err().to_string()
    }

    #[test]
    fn names_are_those_of_nodes_and_belong_to_one() {
        let links = Links::default();
        assert_eq!(refused(&["a", "b", "a"], &links), "two nodes of the simulated network are called 'a'");
        assert!(refused(&["a", HOST], &links).contains("called 'host'"));
        let stray = links.one_way("a", "c", Link::DIRECT);
        assert_eq!(refused(&["a", "b"], &stray), "the simulated network has no node 'c'");
        let many: Vec<String> = (0..254).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(refused(&many, &Links::default()).contains("253 nodes"));
    }
}
