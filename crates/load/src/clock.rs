//! Time as a value. The engine reads time only through [`Clock`], so that it can also run on virtual time.

use std::time::Instant;

/// A monotonic clock in nanoseconds since an origin of its own.
pub trait Clock {
    /// Nanoseconds since the origin.
    fn now(&self) -> u64;
}

/// The machine's monotonic clock. Copies share their origin, so their readings can be compared.
#[derive(Debug, Clone, Copy)]
pub struct Monotonic {
    origin: Instant,
}

impl Monotonic {
    /// A clock whose origin is this instant.
    pub fn start() -> Self {
        Self { origin: Instant::now() }
    }
}

impl Clock for Monotonic {
    fn now(&self) -> u64 {
        self.origin.elapsed().as_nanos() as u64
    }
}
