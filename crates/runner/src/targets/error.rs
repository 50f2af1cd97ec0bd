//! Reasons a target cannot be used.

use model::{Advice, Advise, Condition, Consistency};

/// The reason a target cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// A sandboxed target, and no place for sandboxes.
    #[error("there is no directory for sandboxed servers")]
    NoHome,
    /// A sandboxed server could not be started.
    #[error(transparent)]
    Start(#[from] sandbox::StartError),
    /// A sandboxed server could not be stopped.
    #[error(transparent)]
    Stop(#[from] sandbox::SandboxError),
    /// Data could not be kept or used.
    #[error(transparent)]
    Copy(#[from] sandbox::CopyError),
    /// The server cannot be reached.
    #[error(transparent)]
    Connect(#[from] wire::ConnectError),
    /// The tables are missing or differ, or could not be loaded.
    #[error(transparent)]
    Data(#[from] data::DataError),
    /// The facts of the server cannot be read.
    #[error(transparent)]
    Probe(#[from] probe::ProbeError),
    /// The recording cannot be written.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// TPC-C data that are inconsistent although they were just loaded.
    #[error("the data that were just loaded are inconsistent and are not kept: {}", violations(found))]
    Inconsistent {
        /// The result of the check.
        found: Consistency,
    },
    /// A server other than the entry point cannot be used.
    #[error("{name}: {source}")]
    Member {
        /// Name of the server.
        name: String,
        /// Cause of the failure.
        source: Box<TargetError>,
    },
    /// Sandboxes that belong together could not be started.
    #[error(transparent)]
    Topology(#[from] topology::TopologyError),
    /// MySQL Router could not be started.
    #[error(transparent)]
    Router(#[from] sandbox::RouterError),
    /// The simulated disk cannot be set up.
    #[error("a crash of this kind needs a simulated disk: {0}")]
    Disk(#[from] disk::DiskError),
    /// Measurements of another tool.
    #[error("'{label}' was imported: it can be shown and compared, not run")]
    Imported {
        /// Label of the target.
        label: String,
    },
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Advise for TargetError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::Member { source, .. } => source.advice(),
            Self::NoHome => vec![Advice::words("set HOME, or MYDYNO_HOME")],
            Self::Start(error) => error.advice(),
            Self::Stop(error) => error.advice(),
            Self::Copy(error) => error.advice(),
            Self::Data(error) => error.advice(),
            Self::Probe(error) => error.advice(),
            Self::Store(error) => error.advice(),
            Self::Topology(error) => error.advice(),
            Self::Router(error) => error.advice(),
            Self::Disk(error) => {
                let mut advice = error.advice();
                advice.push(Advice::words(
                    "or let only the process be killed (kind kill), which needs no disk of its own",
                ));
                advice
            }
            Self::Connect(_) | Self::Inconsistent { .. } | Self::Imported { .. } | Self::Interrupted => {
                Vec::new()
            }
        }
    }
}

fn violations(found: &Consistency) -> String {
    let one = |c: &Condition| format!("{} ({}) does not hold", c.name(), c.says);
    found.violated().map(one).collect::<Vec<_>>().join("; ")
}
