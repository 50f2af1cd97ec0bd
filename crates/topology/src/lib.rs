//! Sandboxes that belong together: replicas of a primary, groups, Galera clusters.
//!
//! | question | module |
//! |---|---|
//! | which lines of my.cnf and which statements make a server a member | `lines` |
//! | what is to be started | `asked` |
//! | in which order members are started | `start` |
//! | how they are told of each other | `link` |
//! | what a Galera cluster needs of its data | `galera`, `position` |
//! | what outlives the command that started it: starting again, stopping, removing | `kept` |
//! | whether they still are what their topology promises | `health` |
//! | how far each of them is | `progress` |
//! | a new primary when the old one is lost, and its way back | `failover` |
//! | what a server has executed, by GTIDs | `gtid` |
//! | whether they hold the same | `equal` |
//!
//! Every member starts on the same data, so that nothing has to be copied between them.

mod asked;
mod equal;
mod error;
mod failover;
mod galera;
mod gtid;
mod health;
mod kept;
mod lines;
mod link;
mod position;
mod progress;
mod seat;
mod start;

pub use asked::{MemberStart, TopologyStart};
pub use equal::{checksums, has_all};
pub use error::TopologyError;
pub use failover::{MemberWay, Ties};
pub use galera::fitting_copy;
pub use gtid::transactions_beyond;
pub use health::{Fault, fault, faults, unacknowledged};
pub use kept::{KeptStart, KeptTopology};
pub use lines::{check_settings, is_of_members, load_settings};
pub use progress::{Behind, MemberProgress, progress};
pub use start::{Started, start};

/// The account by which members read from each other.
const ACCOUNT: &str = "mydyno_replication";
