//! Counters of the router, and its accuracy.

use hdrhistogram::Histogram;

/// Largest error that is resolved, in nanoseconds.
const LONGEST_NS: u64 = 100_000_000_000;

/// Two significant digits: an error is no measurement of anything.
const DIGITS: u8 = 2;

/// Counters of the router.
#[derive(Debug, Clone)]
pub(crate) struct Counts {
    pub packets: u64,
    pub bytes: u64,
    pub lost: u64,
    pub overflowed: u64,
    pub cut: u64,
    pub unroutable: u64,
    pub refused: u64,
    late_ns: Histogram<u64>,
}

impl Counts {
    pub fn new() -> Self {
        let late_ns = Histogram::new_with_bounds(1, LONGEST_NS, DIGITS).expect("the bounds are in order");
        Self { packets: 0, bytes: 0, lost: 0, overflowed: 0, cut: 0, unroutable: 0, refused: 0, late_ns }
    }

    /// Counts a packet delivered this many nanoseconds after its time.
    pub fn delivered(&mut self, bytes: usize, late_ns: u64) {
        self.packets += 1;
        self.bytes += bytes as u64;
        self.late_ns.saturating_record(late_ns);
    }
}

/// Totals of a router since it began: needed to judge a measurement that went through it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RouterFigures {
    /// Packets delivered.
    pub packets: u64,
    /// Their bytes, with IP headers.
    pub bytes: u64,
    /// Packets that were drawn to be lost.
    pub lost: u64,
    /// Packets that found a full queue.
    pub overflowed: u64,
    /// Packets that a cut link did not carry.
    pub cut: u64,
    /// Packets to no node of the network: IPv6, broadcasts, other addresses.
    pub unroutable: u64,
    /// Packets that the kernel did not take.
    pub refused: u64,
    /// Achieved minus requested delay of the delivered packets, in nanoseconds: median. Counted from when the router
    /// read a packet to when the kernel had taken it; that a packet waited for a router without a CPU is in `cpu_wait_s`.
    pub late_p50_ns: u64,
    /// The 99th percentile of that delay, nanoseconds.
    pub late_p99_ns: u64,
    /// The largest such delay, nanoseconds.
    pub late_max_ns: u64,
    /// CPU seconds of the router, including delivery by the kernel; none where the kernel does not report it.
    pub cpu_s: Option<f64>,
    /// Seconds in which it could have run and had no CPU.
    pub cpu_wait_s: Option<f64>,
    /// True if the router is a real-time thread, which waits for no ordinary one.
    pub is_real_time: bool,
}

impl RouterFigures {
    /// The figures from these counters and the CPU time used and waited for, nanoseconds.
    pub(crate) fn of(counts: &Counts, cpu_ns: Option<(u64, u64)>, is_real_time: bool) -> Self {
        let seconds = |ns: u64| ns as f64 / 1e9;
        let late = &counts.late_ns;
        Self {
            packets: counts.packets,
            bytes: counts.bytes,
            lost: counts.lost,
            overflowed: counts.overflowed,
            cut: counts.cut,
            unroutable: counts.unroutable,
            refused: counts.refused,
            late_p50_ns: late.value_at_quantile(0.5),
            late_p99_ns: late.value_at_quantile(0.99),
            late_max_ns: late.max(),
            cpu_s: cpu_ns.map(|(used, _)| seconds(used)),
            cpu_wait_s: cpu_ns.map(|(_, waited)| seconds(waited)),
            is_real_time,
        }
    }
}
