//! A simulated disk that can lose power.
//!
//! A test of durability must discard unflushed writes, and killing a server does not: the kernel still writes them. Here
//! the data directory of a server is a file system in this process (FUSE), which holds unflushed writes in memory, and
//! discards them when the power fails. Why it is built so, and what it does not simulate: `docs/design/disk.md`.

#[cfg(test)]
mod against_model;
mod change;
mod content;
mod disk;
mod error;
mod filesystem;
mod lock;
mod loss;
mod namespace;
mod objects;
mod overlay;
mod remains;
mod reply;
mod store;
mod volume;

pub use change::NamespaceSync;
pub use disk::{Disk, check};
pub use error::DiskError;
pub use loss::{AtomicWrite, CutReport, Losses, Survivors};
pub use remains::unmount_remains;
