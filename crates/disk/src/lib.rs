//! A simulated disk that can lose power.
//!
//! A test of durability must take away what was not flushed, and killing a server does not: the kernel still writes what it
//! was given. Here the data directory of a server is a file system in this process (FUSE), which holds in memory what was not
//! made durable, and forgets it when the power is cut. Why it is built so, and what it does not simulate:
//! `docs/design/disk.md`.

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
