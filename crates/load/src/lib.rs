//! Offers load to a server and measures it: the only crate that cares about nanoseconds.
//!
//! Three independent axes: a [`Schedule`] says when work is due, a [`Limit`] when to stop, a workload what to do. A
//! worker is one thread with one epoll reactor and many connections; a client is straight-line `async` code on it.
//! Nothing is locked or allocated per transaction. Once a second each worker hands over what it measured.

mod client;
mod clock;
mod connector;
mod entries;
mod limit;
mod mailbox;
mod measured;
mod offer;
mod reactor;
mod recorder;
mod rows;
mod schedule;
mod session;
mod setup;
mod stall;
mod standstill;
mod statement_error;
mod sum;
mod summary;
mod transport;
mod turn;
mod usage;
#[cfg(test)]
mod virtual_time;
mod worker;
mod workload;

pub use clock::{Clock, Monotonic};
pub use entries::{CurrentPrimary, Entries};
pub use limit::Limit;
pub use measured::{Offered, Progress, Stopped, TaggedHistogram};
pub use offer::{Offer, OfferError, offer};
pub use schedule::Schedule;
pub use summary::{HISTOGRAM_MAX_NS, HISTOGRAM_SIGNIFICANT_DIGITS, new_histogram, summarise};
pub use workload::{Sample, prepared_statements, samples};
