//! Sandboxes that belong together: replicas of a primary, groups, Galera clusters.
//!
//! | question | module |
//! |---|---|
//! | which lines of my.cnf and which statements make a server a member | `lines` |
//! | in which order members are started | `start` |
//! | how they are told of each other | `link` |
//! | what a Galera cluster needs of its data | `galera` |
//! | whether they still are what their topology promises | `health` |
//! | whether they hold the same | `equal` |
//!
//! Every member starts on the same data, so that nothing has to be copied between them.

mod equal;
mod error;
mod galera;
mod health;
mod lines;
mod link;
mod seat;
mod start;

pub use equal::{checksums, has_all};
pub use error::TopologyError;
pub use galera::fitting_copy;
pub use health::{Fault, faults};
pub use lines::{check_settings, load_settings};
pub use start::{MemberStart, Started, TopologyStart, start};

/// The account by which members read from each other.
const ACCOUNT: &str = "mydyno_replication";
