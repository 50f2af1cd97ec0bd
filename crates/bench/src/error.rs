//! Errors that keep a benchmark from running.

use std::io;

/// The reason a benchmark could not run.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Too many words.
    #[error("one name at most: bench [NAME], where NAME may be the beginning of several names")]
    Usage,
    /// No benchmark is called so.
    #[error("there is no benchmark '{only}'; there are:\n  {names}")]
    Unknown {
        /// The requested row.
        only: String,
        /// All names.
        names: String,
    },
    /// A number from the environment is none.
    #[error("{name} is '{value}', which is not a number above 0")]
    Environment {
        /// Name of the program.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// A program could not be started.
    #[error("cannot run {program}: {source}; scripts/bench builds or checks all that is needed")]
    Spawn {
        /// The program.
        program: String,
        /// Cause of the failure.
        source: io::Error,
    },
    /// A program failed.
    #[error("{program} ended with {status}: {said}")]
    Failed {
        /// The program.
        program: String,
        /// Its exit status.
        status: String,
        /// The end of its output.
        said: String,
    },
    /// A program's output lacks the expected value.
    #[error("{program} did not say {what}; it said:\n{said}")]
    Output {
        /// The program.
        program: String,
        /// Name of the figure.
        what: &'static str,
        /// Its output.
        said: String,
    },
    /// The load of our own child failed.
    #[error("the load ended early: {0}")]
    Load(String),
    /// A table has not the rows that it should have.
    #[error("{loader} left {rows} rows in sbtest1 instead of {wanted}")]
    Rows {
        /// The program that loaded them.
        loader: &'static str,
        /// Number of rows found.
        rows: u64,
        /// The expected number.
        wanted: u64,
    },
    /// A database that was only loaded is not consistent.
    #[error("the consistency conditions of TPC-C do not hold for data that were just loaded")]
    Inconsistent,
    /// A file of the system or of ours.
    #[error("cannot read or write {path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Cause of the failure.
        source: io::Error,
    },
    /// The kernel's timer cannot be waited for.
    #[error("a timer cannot be waited for: {0}")]
    Timer(#[source] io::Error),
    #[error(transparent)]
    Plan(#[from] runner::PlanError),
    #[error(transparent)]
    Store(#[from] store::StoreError),
    #[error(transparent)]
    Read(#[from] store::ReadError),
    #[error(transparent)]
    Home(#[from] sandbox::HomeError),
    #[error(transparent)]
    Install(#[from] sandbox::InstallError),
    #[error(transparent)]
    Start(#[from] sandbox::StartError),
    #[error(transparent)]
    Stop(#[from] sandbox::SandboxError),
    #[error(transparent)]
    Copy(#[from] sandbox::CopyError),
    #[error(transparent)]
    Redo(#[from] sandbox::RedoError),
    #[error(transparent)]
    Data(#[from] data::DataError),
    #[error(transparent)]
    Connect(#[from] wire::ConnectError),
    #[error(transparent)]
    Query(#[from] wire::QueryError),
    #[error(transparent)]
    Probe(#[from] probe::ProbeError),
    #[error(transparent)]
    Offer(#[from] load::OfferError),
    /// The simulated network, or a connection over it.
    #[error("the simulated network: {0}")]
    Network(#[from] io::Error),
    #[error(transparent)]
    Topology(#[from] topology::TopologyError),
    #[error(transparent)]
    Calibrate(#[from] calibrate::CalibrateError),
}

impl BenchError {
    /// True if the command line or the environment is wrong.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Usage | Self::Unknown { .. } | Self::Environment { .. })
    }
}
