//! Readings of server and host.
//!
//! A figure without its circumstances cannot be compared with any other. What is read here goes into the recording
//! beside every trial; what would make a trial fail is found here before it starts.

mod activity;
mod ask;
mod examine;
mod host;
mod instruments;
mod limits;
mod local;
mod observe;
mod plans;
mod preflight;
mod quota;
mod replication;
mod secrets;
mod server;
mod snapshot;

pub use activity::{Activity, ServerPlace};
pub use examine::examine;
pub use host::host_facts;
pub use instruments::Instruments;
pub use limits::{Limits, OwnLimits, limits, own_limits, raise_open_files};
pub use local::server_pid;
pub use observe::{Site, observe};
pub use plans::{Explain, plans};
pub use preflight::{Gravity, Needs, PreflightFinding, preflight};
pub use server::{facts_from, server_facts, variables};
pub use snapshot::{snapshot, threads};

use model::Advice;

/// A reading failed.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The server did not answer a question about itself.
    #[error("cannot ask the server about itself: {0}")]
    Query(#[from] wire::QueryError),
    /// The server left something out that every server has.
    #[error("the server does not say its {name}")]
    Missing {
        /// Name of the variable.
        name: &'static str,
    },
    /// The machine's own limit cannot be raised.
    #[error("cannot allow {wanted} open files for this process: {source}")]
    OpenFiles {
        /// Files wanted.
        wanted: u64,
        /// The system's answer.
        source: std::io::Error,
    },
}

impl model::Advise for ProbeError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::Query(_) => Vec::new(),
            Self::Missing { .. } => {
                vec![Advice::words("is it a MySQL or MariaDB server, without a proxy in between?")]
            }
            Self::OpenFiles { wanted, .. } => {
                vec![Advice::line("raise the hard limit as root", format!("ulimit -Hn {wanted}"))]
            }
        }
    }
}
