//! One direction of a link: when a packet that enters it now leaves it, if at all. Pure; times are nanoseconds since the
//! router began.

use random::Rng;

use crate::link::Link;

/// A packet waits this long at most for the line to be free, in nanoseconds. The rule of thumb for the buffers of routers is
/// one round trip (Appenzeller, Keslassy and McKeown, "Sizing router buffers", SIGCOMM 2004); this is a long one.
const LONGEST_WAIT_NS: u64 = 100_000_000;

/// Number of the largest packets that may wait, however slow the line is: a smaller queue would lose the first packets that
/// a TCP connection sends at once (10, RFC 6928).
const SHORTEST_QUEUE_PACKETS: f64 = 16.0;

/// Bytes under way on one line, so that a long delay cannot take all memory.
const MOST_BYTES: usize = 256 << 20;

const SECOND_NS: f64 = 1e9;

/// The fate of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is sent at one instant, and arrives at another.
    Due { sent: u64, due: u64 },
    /// It was chosen at random to be lost.
    Lost,
    /// The queue is full.
    Overflow,
    /// The line is cut.
    Cut,
}

/// One direction of a link, with the packets under way on it.
#[derive(Debug)]
pub(crate) struct Line {
    link: Link,
    mtu: u16,
    rng: Rng,
    /// Time the last packet will have been sent, later than now if there is a bandwidth.
    free_at: u64,
    /// Time the last packet arrives.
    last_due: u64,
    bytes: usize,
    is_cut: bool,
    /// Number of cuts: a packet that entered before the last one never arrives.
    cuts: u32,
}

/// The effect of a change of bandwidth on the instants at which packets are sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    now: u64,
    factor: f64,
}

impl Pace {
    /// The new instant of sending for a packet that was to be sent at an instant.
    pub fn of(self, sent: u64) -> u64 {
        match sent.checked_sub(self.now) {
            Some(left) => self.now + (left as f64 * self.factor) as u64,
            None => sent,
        }
    }
}

impl Line {
    pub fn new(link: Link, mtu: u16, rng: Rng) -> Self {
        Self { link, mtu, rng, free_at: 0, last_due: 0, bytes: 0, is_cut: false, cuts: 0 }
    }

    /// Changes the link from now on. Sent packets keep their time; the result gives the new times of the others.
    pub fn set(&mut self, now: u64, link: Link) -> Pace {
        let factor = match (self.link.bandwidth_bytes_per_s, link.bandwidth_bytes_per_s) {
            (Some(before), Some(after)) => before / after,
            _ => 0.0,
        };
        let pace = Pace { now, factor };
        self.free_at = pace.of(self.free_at);
        self.link = link;
        pace
    }

    /// The last packet under way arrives at this instant.
    pub fn set_last_due(&mut self, due: u64) {
        self.last_due = due;
    }

    /// Cuts it: packets under way are lost, and so are later ones.
    pub fn cut(&mut self) {
        self.is_cut = true;
        self.cuts = self.cuts.wrapping_add(1);
    }

    /// Packets pass again.
    pub fn heal(&mut self) {
        self.is_cut = false;
    }

    /// The number of cuts, which a packet remembers for [`Line::leaves`].
    pub fn cuts(&self) -> u32 {
        self.cuts
    }

    /// A packet of `length` bytes enters. The line is busy with a lost packet as long as with another.
    pub fn enters(&mut self, now: u64, length: usize) -> Fate {
        if self.is_cut {
            return Fate::Cut;
        }
        let start = self.free_at.max(now);
        if self.bytes + length > MOST_BYTES {
            return Fate::Overflow;
        }
        let sent = match self.link.bandwidth_bytes_per_s {
            None => now,
            Some(bandwidth) if start - now > self.longest_wait(bandwidth) => return Fate::Overflow,
            Some(bandwidth) => start.saturating_add((length as f64 / bandwidth * SECOND_NS) as u64),
        };
        self.free_at = sent;
        if self.link.loss > 0.0 && self.rng.uniform_f64() < self.link.loss {
            return Fate::Lost;
        }
        let due = sent.saturating_add(self.travel_ns()).max(self.last_due);
        self.last_due = due;
        Fate::Due { sent, due }
    }

    /// A packet that arrives later waits in memory.
    pub fn holds(&mut self, length: usize) {
        self.bytes += length;
    }

    /// A packet has waited; returns false if it is lost because the line was cut since `cuts` was read.
    pub fn leaves(&mut self, length: usize, cuts: u32) -> bool {
        self.bytes -= length;
        self.cuts == cuts
    }

    fn travel_ns(&mut self) -> u64 {
        let delay = nanos(self.link.delay);
        let jitter = nanos(self.link.jitter);
        if jitter == 0 {
            return delay;
        }
        (delay + self.rng.below(2 * jitter + 1)).saturating_sub(jitter)
    }

    fn longest_wait(&self, bandwidth: f64) -> u64 {
        let packets = f64::from(self.mtu) * SHORTEST_QUEUE_PACKETS / bandwidth * SECOND_NS;
        LONGEST_WAIT_NS.max(packets as u64)
    }
}

fn nanos(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;
    use random::Rng;

    use super::*;

    const MS: u64 = 1_000_000;

    fn arrives(line: &mut Line, now: u64, length: usize) -> u64 {
        match line.enters(now, length) {
            Fate::Due { due, .. } => due,
            other => panic!("{other:?}"),
        }
    }

    fn line(link: Link) -> Line {
        Line::new(link, 1_500, Rng::from_seed(1))
    }

    #[test]
    fn a_delay_is_added() {
        let mut line = line(Link::delayed(Duration::from_millis(5)));
        assert_eq!(arrives(&mut line, 7, 100), 5 * MS + 7);
    }

    #[test]
    fn a_packet_waits_until_the_one_before_it_is_sent() {
        // 1,000 bytes take 1 ms.
        let link = Link { bandwidth_bytes_per_s: Some(1e6), ..Link::delayed(Duration::from_millis(10)) };
        let mut line = line(link);
        assert_eq!(arrives(&mut line, 0, 1_000), 11 * MS);
        assert_eq!(arrives(&mut line, 0, 1_000), 12 * MS);
        assert_eq!(arrives(&mut line, 50 * MS, 500), 60 * MS + MS / 2);
    }

    #[test]
    fn a_queue_ends_at_a_tenth_of_a_second_or_sixteen_packets() {
        let taken = |bandwidth: f64| {
            let mut line = line(Link { bandwidth_bytes_per_s: Some(bandwidth), ..Link::DIRECT });
            (0..10_000).take_while(|_| line.enters(0, 1_500) != Fate::Overflow).count()
        };
        // 100 ms are 100,000 bytes, 66 packets; the one that begins within the limit is taken.
        assert_eq!(taken(1e6), 67);
        assert_eq!(taken(1e3), 17);
    }

    #[test]
    fn memory_has_a_limit() {
        let mut line = line(Link::delayed(Duration::from_secs(60)));
        let mut held = 0_usize;
        while line.enters(0, 65_000) != Fate::Overflow {
            line.holds(65_000);
            held += 65_000;
        }
        assert!((200 << 20..=256 << 20).contains(&held), "{held}");
    }

    #[test]
    fn the_share_asked_for_is_lost() {
        let mut line = line(Link { loss: 0.1, ..Link::DIRECT });
        let lost = (0..100_000).filter(|at| line.enters(*at, 100) == Fate::Lost).count();
        assert!((9_500..10_500).contains(&lost), "{lost}");
    }

    #[test]
    fn a_cut_takes_what_is_under_way() {
        let mut line = line(Link::delayed(Duration::from_millis(1)));
        assert_eq!(arrives(&mut line, 0, 100), MS);
        let before = line.cuts();
        line.holds(100);
        line.cut();
        assert_eq!(line.enters(1, 100), Fate::Cut);
        line.heal();
        assert!(!line.leaves(100, before));
        assert_eq!(arrives(&mut line, 2, 100), MS + 2);
    }

    proptest! {
        #[test]
        fn packets_keep_their_order_and_their_shortest_time(
            delay in 0..20_u64,
            jitter in 0..20_u64,
            bandwidth in proptest::option::of(1e3..1e9),
            packets in proptest::collection::vec((0..5 * MS, 40..1_500_usize), 1..200),
        ) {
            let ms = Duration::from_millis;
            let link = Link { delay: ms(delay), jitter: ms(jitter), bandwidth_bytes_per_s: bandwidth, loss: 0.0 };
            let mut line = line(link);
            let (mut now, mut last) = (0, 0);
            for (pause, length) in packets {
                now += pause;
                if let Fate::Due { due, .. } = line.enters(now, length) {
                    prop_assert!(due >= last, "order");
                    prop_assert!(due >= now + delay.saturating_sub(jitter) * MS, "shortest time");
                    last = due;
                }
            }
        }
    }
}
