//! Addresses of a network: a subnet of 198.18.0.0/15, which is set aside for benchmarks (RFC 2544, appendix C.2.2).

use std::net::Ipv4Addr;

const FIRST: u32 = Ipv4Addr::new(198, 18, 0, 0).to_bits();

/// A /24 of 198.18.0.0/15.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Subnet(u16);

impl Subnet {
    /// Number of subnets.
    pub const COUNT: u16 = 512;

    /// Bits of the network's part of an address.
    pub const PREFIX: u8 = 24;

    /// Nodes that have an address, the host among them.
    pub const NODES: usize = 254;

    /// Number 0 is 198.18.0.0/24; beyond the last it begins again.
    pub fn numbered(number: u16) -> Self {
        Self(number % Self::COUNT)
    }

    /// Name of the host's device. The kernel allows a name once, so whoever has the device has the subnet.
    pub fn device(self) -> String {
        format!("mydyno{}", self.0)
    }

    /// Address of a node; the host is node 0.
    pub fn address(self, node: usize) -> Ipv4Addr {
        Ipv4Addr::from_bits(self.first() + 1 + node as u32)
    }

    /// The node of an address, which may not exist.
    pub fn node(self, address: Ipv4Addr) -> Option<usize> {
        let offset = address.to_bits().checked_sub(self.first() + 1)?;
        usize::try_from(offset).ok().filter(|node| *node < Self::NODES)
    }

    fn first(self) -> u32 {
        FIRST + (u32::from(self.0) << (32 - Self::PREFIX))
    }

    fn overlaps(self, range: Range) -> bool {
        let shorter = range.prefix.min(Self::PREFIX);
        shorter == 0 || (self.first() ^ range.address.to_bits()) >> (32 - shorter) == 0
    }
}

/// Addresses that begin alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    address: Ipv4Addr,
    prefix: u8,
}

/// Addresses and routes of a host, but for those that lead everywhere.
#[derive(Debug, Default)]
pub(crate) struct Taken(Vec<Range>);

impl Taken {
    /// Reads the text of `/proc/net/fib_trie`, which has a line for an address and one for each route to it:
    ///
    /// ```text
    ///      |-- 192.0.2.0
    ///         /24 link UNICAST
    /// ```
    pub fn read(text: &str) -> Self {
        let mut found = Vec::new();
        let mut address: Option<Ipv4Addr> = None;
        for line in text.lines().map(str::trim) {
            if let Some(leaf) = line.strip_prefix("|-- ") {
                address = leaf.parse().ok();
            } else if let (Some(address), Some(route)) = (address, line.strip_prefix('/'))
                && let Some(prefix) = route.split(' ').next().and_then(|prefix| prefix.parse().ok())
                // A default route, also where it is written as two halves.
                && (2..=32).contains(&prefix)
            {
                found.push(Range { address, prefix });
            }
        }
        Self(found)
    }

    /// Subnets that collide with none of them, beginning with number `first`.
    pub fn free(&self, first: u16) -> impl Iterator<Item = Subnet> {
        let is_free = |subnet: &Subnet| !self.0.iter().any(|range| subnet.overlaps(*range));
        let first = first % Subnet::COUNT;
        (first..first + Subnet::COUNT).map(Subnet::numbered).filter(is_free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIE: &str = "\
Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 198.18.0.0/22 2 0 2
        |-- 198.18.2.0
           /23 link UNICAST
        |-- 198.19.255.7
           /32 host LOCAL
";

    #[test]
    fn routes_and_addresses_are_avoided_and_a_default_route_is_not() {
        let taken = Taken::read(TRIE);
        let free: Vec<Subnet> = taken.free(0).collect();
        assert_eq!(free.len(), 509);
        assert_eq!(free[..3], [0, 1, 4].map(Subnet::numbered));
        assert!(!free.contains(&Subnet::numbered(511)));
    }

    #[test]
    fn a_route_to_all_benchmarks_leaves_nothing() {
        let text = "|-- 198.18.0.0\n /15 universe UNICAST\n";
        assert_eq!(Taken::read(text).free(3).next(), None);
    }

    #[test]
    fn subnets_are_tried_in_turn() {
        let order: Vec<Subnet> = Taken::default().free(510).take(3).collect();
        assert_eq!(order, [510, 511, 0].map(Subnet::numbered));
    }

    #[test]
    fn an_address_and_its_node_belong_together() {
        let subnet = Subnet::numbered(256);
        assert_eq!(subnet.address(0), Ipv4Addr::new(198, 19, 0, 1));
        for node in [0, 1, 253] {
            assert_eq!(subnet.node(subnet.address(node)), Some(node));
        }
        for address in [[198, 19, 0, 0], [198, 19, 0, 255], [198, 19, 1, 1], [1, 1, 1, 1]] {
            assert_eq!(subnet.node(address.into()), None, "{address:?}");
        }
    }
}
