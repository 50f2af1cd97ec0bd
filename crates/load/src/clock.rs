//! Time as a value. The engine reads time only through [`Clock`], so that it can also run on virtual time.

use rustix::time::{ClockId, clock_gettime};

/// A monotonic clock in nanoseconds since an origin of its own.
pub trait Clock {
    /// Nanoseconds since the origin.
    fn now(&self) -> u64;
}

/// The machine's monotonic clock. Copies share their origin, so their readings can be compared.
#[derive(Debug, Clone, Copy)]
pub struct Monotonic {
    origin_ns: u64,
}

impl Monotonic {
    /// A clock whose origin is this instant.
    pub fn start() -> Self {
        Self { origin_ns: reading_ns() }
    }
}

impl Clock for Monotonic {
    fn now(&self) -> u64 {
        reading_ns() - self.origin_ns
    }
}

/// Read several times per query: without the checked arithmetic of `Instant`.
fn reading_ns() -> u64 {
    let reading = clock_gettime(ClockId::Monotonic);
    reading.tv_sec as u64 * 1_000_000_000 + reading.tv_nsec as u64
}
