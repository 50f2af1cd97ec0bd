//! Errors of readings.

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
