//! Readings of server and host.
//!
//! A figure without its circumstances cannot be compared with any other. Readings go into the recording beside every trial;
//! preflight checks find what would make a trial fail before it starts.

mod activity;
mod ask;
mod context;
mod error;
mod examine;
mod folded;
mod gtid;
mod host;
mod instruments;
mod limits;
mod local;
mod observe;
mod plans;
mod preflight;
mod process;
mod quota;
mod replication;
mod sampler;
mod secrets;
mod server;
mod snapshot;

pub use activity::{Activity, ServerPlace};
pub use context::{Heartbeats, ReadingContext};
pub use error::ProbeError;
pub use examine::examine;
pub use host::host_facts;
pub use instruments::Instruments;
pub use limits::{Limits, OwnLimits, limits, own_limits, raise_open_files};
pub use local::server_pid;
pub use observe::observe;
pub use plans::{Explain, plans};
pub use preflight::{LimitSeverity, Needs, PreflightFinding, preflight, router_files};
pub use process::{ProcessReading, process_reading};
pub use sampler::StackSampler;
pub use server::{facts_from, server_facts, variables};
pub use snapshot::{snapshot, threads};
