//! The router without its devices: packets come in, wait, and go out in the order of their time. Pure; times are
//! nanoseconds since the router began.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::Ipv4Addr;

use random::Rng;

use crate::counts::Counts;
use crate::line::{Fate, Line};
use crate::link::Link;
use crate::packet::destination;
use crate::subnet::Subnet;

/// The action on a received packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Write it to this node's device now.
    Forward(usize),
    /// It is kept until its time, or dropped.
    Done,
}

/// A packet that waits.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    due: u64,
    /// Arrival order: packets due at the same time leave in this order.
    sequence: u64,
    from: usize,
    to: usize,
    /// Time it was sent: then it travels.
    sent: u64,
    cuts: u32,
    bytes: Box<[u8]>,
}

/// A packet whose time has come.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Leaving {
    /// Time it was to leave.
    pub due: u64,
    /// The node it goes to.
    pub to: usize,
    /// All of it.
    pub bytes: Box<[u8]>,
}

/// All lines between the nodes of a network, and the packets under way on them.
#[derive(Debug)]
pub(crate) struct Switch {
    subnet: Subnet,
    nodes: usize,
    /// The line of each pair of nodes, including a node with itself, which is unused.
    lines: Vec<Line>,
    waiting: BinaryHeap<Reverse<Waiting>>,
    sequence: u64,
    /// The counters.
    pub counts: Counts,
}

impl Switch {
    /// `link` gives the link of each pair of nodes, by number.
    pub fn new(
        subnet: Subnet,
        nodes: usize,
        mtu: u16,
        seed: u64,
        link: impl Fn(usize, usize) -> Link,
    ) -> Self {
        let line = |number: usize| {
            Line::new(link(number / nodes, number % nodes), mtu, Rng::stream(seed, number as u64))
        };
        Self {
            subnet,
            nodes,
            lines: (0..nodes * nodes).map(line).collect(),
            waiting: BinaryHeap::new(),
            sequence: 0,
            counts: Counts::new(),
        }
    }

    /// The line from one node to another.
    pub fn line(&mut self, from: usize, to: usize) -> &mut Line {
        &mut self.lines[from * self.nodes + to]
    }

    /// Changes a link. Packets that were sent keep their time, and the others are sent at the new bandwidth.
    pub fn set_link(&mut self, now: u64, from: usize, to: usize, link: Link) {
        let pace = self.line(from, to).set(now, link);
        let mut waiting = std::mem::take(&mut self.waiting).into_vec();
        waiting.sort_unstable_by_key(|Reverse(packet)| packet.sequence);
        let mut last_due = 0;
        for Reverse(packet) in waiting.iter_mut().filter(|packet| (packet.0.from, packet.0.to) == (from, to))
        {
            let travel = packet.due - packet.sent;
            packet.sent = pace.of(packet.sent);
            packet.due = (packet.sent + travel).max(last_due);
            last_due = packet.due;
        }
        self.line(from, to).set_last_due(last_due);
        self.waiting = waiting.into();
    }

    /// A packet came from the device of node `from`.
    pub fn accept(&mut self, now: u64, from: usize, packet: &[u8]) -> Verdict {
        let Some(to) = destination(packet).and_then(|address| self.node(address)).filter(|to| *to != from)
        else {
            self.counts.unroutable += 1;
            return Verdict::Done;
        };
        match self.line(from, to).enters(now, packet.len()) {
            Fate::Due { due, .. } if due <= now => Verdict::Forward(to),
            Fate::Due { sent, due } => {
                self.keep(sent, due, from, to, packet);
                Verdict::Done
            }
            Fate::Lost => {
                self.counts.lost += 1;
                Verdict::Done
            }
            Fate::Overflow => {
                self.counts.overflowed += 1;
                Verdict::Done
            }
            Fate::Cut => {
                self.counts.cut += 1;
                Verdict::Done
            }
        }
    }

    /// Time the next packet leaves.
    pub fn next_due(&self) -> Option<u64> {
        self.waiting.peek().map(|Reverse(first)| first.due)
    }

    /// A packet whose time has come, if there is one.
    pub fn leaving(&mut self, now: u64) -> Option<Leaving> {
        while self.next_due().is_some_and(|due| due <= now) {
            let Reverse(first) = self.waiting.pop()?;
            if self.line(first.from, first.to).leaves(first.bytes.len(), first.cuts) {
                return Some(Leaving { due: first.due, to: first.to, bytes: first.bytes });
            }
            self.counts.cut += 1;
        }
        None
    }

    fn keep(&mut self, sent: u64, due: u64, from: usize, to: usize, packet: &[u8]) {
        let sequence = self.sequence;
        self.sequence += 1;
        let line = self.line(from, to);
        line.holds(packet.len());
        let cuts = line.cuts();
        self.waiting.push(Reverse(Waiting { due, sequence, from, to, sent, cuts, bytes: packet.into() }));
    }

    fn node(&self, address: Ipv4Addr) -> Option<usize> {
        self.subnet.node(address).filter(|node| *node < self.nodes)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const MS: u64 = 1_000_000;

    fn subnet() -> Subnet {
        Subnet::numbered(3)
    }

    fn packet(to: usize, mark: u8) -> Vec<u8> {
        let mut packet = vec![0_u8; 21];
        packet[0] = 0x45;
        packet[16..20].copy_from_slice(&subnet().address(to).octets());
        packet[20] = mark;
        packet
    }

    fn switch(link: impl Fn(usize, usize) -> Link) -> Switch {
        Switch::new(subnet(), 3, 1_500, 1, link)
    }

    #[test]
    fn a_direct_link_forwards_at_once() {
        let mut switch = switch(|_, _| Link::DIRECT);
        assert_eq!(switch.accept(5, 0, &packet(2, 0)), Verdict::Forward(2));
        assert_eq!(switch.next_due(), None);
    }

    #[test]
    fn packets_leave_by_their_time_and_then_as_they_came() {
        let delay = |from, _| Link::delayed(Duration::from_millis(if from == 0 { 5 } else { 2 }));
        let mut switch = switch(delay);
        for (from, to, mark) in [(0, 1, 1), (0, 2, 2), (1, 2, 3), (0, 1, 4)] {
            assert_eq!(switch.accept(0, from, &packet(to, mark)), Verdict::Done);
        }
        assert_eq!(switch.next_due(), Some(2 * MS));
        assert_eq!(switch.leaving(2 * MS - 1), None);
        let left: Vec<u8> =
            std::iter::from_fn(|| switch.leaving(9 * MS)).map(|packet| packet.bytes[20]).collect();
        assert_eq!(left, [3, 1, 2, 4]);
    }

    #[test]
    fn what_goes_nowhere_is_counted() {
        let mut switch = switch(|_, _| Link::DIRECT);
        let broadcast = {
            let mut packet = packet(1, 0);
            packet[19] = 255;
            packet
        };
        for packet in [packet(0, 0), packet(3, 0), broadcast, vec![0x60; 60], Vec::new()] {
            assert_eq!(switch.accept(0, 0, &packet), Verdict::Done);
        }
        assert_eq!(switch.counts.unroutable, 5);
    }

    #[test]
    fn a_cut_line_loses_what_waits_and_the_way_back_does_not() {
        let mut switch = switch(|_, _| Link::delayed(Duration::from_millis(1)));
        switch.accept(0, 0, &packet(1, 1));
        switch.accept(0, 1, &packet(0, 2));
        switch.line(0, 1).cut();
        switch.accept(0, 0, &packet(1, 3));
        let left: Vec<u8> =
            std::iter::from_fn(|| switch.leaving(MS)).map(|packet| packet.bytes[20]).collect();
        assert_eq!(left, [2]);
        assert_eq!(switch.counts.cut, 2);
    }

    #[test]
    fn a_wider_line_sends_what_waits_sooner_and_in_order() {
        // 21 bytes take 21 s.
        let slow = Link { bandwidth_bytes_per_s: Some(1.0), ..Link::delayed(Duration::from_millis(5)) };
        let mut switch = switch(|_, _| slow);
        let next = |switch: &mut Switch| {
            let due = switch.next_due().unwrap();
            (due, switch.leaving(due).unwrap().bytes[20])
        };
        (1..=3).for_each(|mark| assert_eq!(switch.accept(0, 0, &packet(1, mark)), Verdict::Done));
        assert_eq!(switch.next_due(), Some(21_005 * MS));
        let now = 20_000 * MS;
        switch.set_link(now, 0, 1, Link { bandwidth_bytes_per_s: Some(1_000.0), ..slow });
        assert_eq!(switch.accept(now, 0, &packet(1, 4)), Verdict::Done);
        assert_eq!(next(&mut switch), (now + 6 * MS, 1));
        switch.set_link(now + 6 * MS, 0, 1, Link::DIRECT);
        assert_eq!(
            [next(&mut switch), next(&mut switch), next(&mut switch)].map(|(_, mark)| mark),
            [2, 3, 4]
        );
        assert_eq!(switch.accept(now + 20 * MS, 0, &packet(1, 5)), Verdict::Forward(1));
    }

    #[test]
    fn a_seed_repeats_what_is_lost() {
        let lost = |seed| {
            let lossy = Link { loss: 0.5, ..Link::DIRECT };
            let mut switch = Switch::new(subnet(), 3, 1_500, seed, |_, _| lossy);
            Vec::from_iter((0..64).map(|at| switch.accept(at, 0, &packet(1, 0)) == Verdict::Done))
        };
        assert_eq!(lost(7), lost(7));
        assert_ne!(lost(7), lost(8));
    }
}
