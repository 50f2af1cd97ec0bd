//! The specification of the network: the links between its nodes.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::error::NetworkError;

/// Largest packet, in bytes, where no property depends on the size of packets. A larger device MTU is of no use: the length
/// of an IPv4 packet ends at 65,535.
pub const LARGE_MTU: u16 = 65_000;

/// The MTU of Ethernet: the default where a link has a bandwidth or loses packets, see [`Links::mtu`].
pub const ETHERNET_MTU: u16 = 1_500;

/// Valid MTUs of a device. Every host has to accept 576 bytes (RFC 791).
const MTUS: RangeInclusive<u16> = 576..=LARGE_MTU;

/// Longest delay and jitter. Beyond it TCP gives up connecting.
const LONGEST: Duration = Duration::from_secs(60);

/// One direction of the connection between two nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Travel time of a packet.
    pub delay: Duration,
    /// The delay of each packet is drawn evenly from `delay - jitter` to `delay + jitter`; below zero counts as zero. Packets
    /// keep their order: one that would overtake another arrives with it.
    pub jitter: Duration,
    /// Bytes of IP packets per second; none: as fast as the machine can.
    pub bandwidth_bytes_per_s: Option<f64>,
    /// Share of the packets that are lost, 0 to 1.
    pub loss: f64,
}

impl Link {
    /// A link without delay, jitter, limit or loss.
    pub const DIRECT: Self =
        Self { delay: Duration::ZERO, jitter: Duration::ZERO, bandwidth_bytes_per_s: None, loss: 0.0 };

    /// A link with a constant delay and nothing else.
    pub const fn delayed(delay: Duration) -> Self {
        Self { delay, ..Self::DIRECT }
    }

    /// Refuses figures that mean nothing.
    pub(crate) fn check(&self) -> Result<(), NetworkError> {
        let refuse = |reason: &'static str| Err(NetworkError::Link { reason });
        if self.delay > LONGEST || self.jitter > LONGEST {
            return refuse("its delay and its jitter may be 60 s at most");
        }
        if !(0.0..=1.0).contains(&self.loss) {
            return refuse("its loss is a share from 0 to 1");
        }
        // A byte per second is slower than any connection lives.
        match self.bandwidth_bytes_per_s {
            Some(bandwidth) if !(bandwidth.is_finite() && bandwidth >= 1.0) => {
                refuse("its bandwidth is 1 byte per second at least")
            }
            _ => Ok(()),
        }
    }

    /// True if the size of packets changes what the link does.
    fn depends_on_packets(&self) -> bool {
        self.bandwidth_bytes_per_s.is_some() || self.loss > 0.0
    }
}

impl Default for Link {
    fn default() -> Self {
        Self::DIRECT
    }
}

/// The links of a network at its start, and the seed of its randomness.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Links {
    every: Link,
    some: BTreeMap<(String, String), Link>,
    seed: u64,
    mtu: Option<u16>,
}

impl Links {
    /// The same link between all pairs of nodes, in both directions; the [host](crate::HOST) is a node too.
    pub fn all(link: Link) -> Self {
        Self { every: link, ..Self::default() }
    }

    /// Replaces the link from one node to another; the way back stays as it is.
    #[must_use]
    pub fn one_way(mut self, from: &str, to: &str, link: Link) -> Self {
        self.some.insert((from.to_owned(), to.to_owned()), link);
        self
    }

    /// Replaces the link in both directions.
    #[must_use]
    pub fn both_ways(self, a: &str, b: &str, link: Link) -> Self {
        self.one_way(a, b, link).one_way(b, a, link)
    }

    /// Seed of jitter and loss. Each direction has a stream of its own, so that the same packets are treated the same.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Largest packet in bytes, 576 to [`LARGE_MTU`]. Without it: [`ETHERNET_MTU`] if a link has a bandwidth or loses packets
    /// at the start, [`LARGE_MTU`] if none does.
    #[must_use]
    pub fn mtu(mut self, bytes: u16) -> Self {
        self.mtu = Some(bytes);
        self
    }

    pub(crate) fn of(&self, from: &str, to: &str) -> Link {
        self.some.get(&(from.to_owned(), to.to_owned())).copied().unwrap_or(self.every)
    }

    pub(crate) fn seed_value(&self) -> u64 {
        self.seed
    }

    pub(crate) fn mtu_value(&self) -> u16 {
        let depends = std::iter::once(&self.every).chain(self.some.values()).any(Link::depends_on_packets);
        self.mtu.unwrap_or(if depends { ETHERNET_MTU } else { LARGE_MTU })
    }

    /// Names that links were given for.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.some.keys().flat_map(|(from, to)| [from.as_str(), to.as_str()])
    }

    pub(crate) fn check(&self) -> Result<(), NetworkError> {
        std::iter::once(&self.every).chain(self.some.values()).try_for_each(Link::check)?;
        match self.mtu {
            Some(mtu) if !MTUS.contains(&mtu) => Err(NetworkError::Mtu { mtu }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_means_nothing_is_refused() {
        let refused = |link: Link| link.check().is_err();
        for loss in [-0.1, 1.1, f64::NAN] {
            assert!(refused(Link { loss, ..Link::DIRECT }), "{loss}");
        }
        for bandwidth in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(refused(Link { bandwidth_bytes_per_s: Some(bandwidth), ..Link::DIRECT }), "{bandwidth}");
        }
        assert!(refused(Link::delayed(Duration::from_secs(61))));
        assert!(!refused(Link { loss: 1.0, ..Link::delayed(Duration::from_secs(60)) }));
        assert!(Links::default().mtu(100).check().is_err());
    }

    #[test]
    fn a_pair_has_its_own_link_and_the_others_that_of_all() {
        let (near, far) = (Link::DIRECT, Link::delayed(Duration::from_millis(5)));
        let links = Links::all(near).one_way("a", "b", far);
        assert_eq!([links.of("a", "b"), links.of("b", "a"), links.of("a", "c")], [far, near, near]);
    }

    #[test]
    fn packets_are_small_where_their_size_matters() {
        let lossy = Link { loss: 0.1, ..Link::DIRECT };
        assert_eq!(Links::default().mtu_value(), LARGE_MTU);
        assert_eq!(Links::default().one_way("a", "b", lossy).mtu_value(), ETHERNET_MTU);
        assert_eq!(Links::all(lossy).mtu(9_000).mtu_value(), 9_000);
    }
}
