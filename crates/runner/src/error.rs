//! Reasons a run ends early.

use model::{Advice, Advise};
use store::StoreError;

use crate::targets::TargetError;

/// The reason a run could not be conducted.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The recording cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A target cannot be used.
    #[error("{label}: {source}")]
    Target {
        /// The target's label.
        label: String,
        /// Cause of the failure.
        source: TargetError,
    },
    /// Clients would be refused.
    #[error("{}", sentences(findings))]
    Preflight {
        /// The predicted failures.
        findings: Vec<probe::PreflightFinding>,
    },
    /// A changed variable of an external server could not be restored.
    #[error("{label}: {sentence}")]
    Globals {
        /// The target's label.
        label: String,
        /// Instructions to restore the variables by hand.
        sentence: String,
    },
}

impl Advise for RunError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::Store(error) => error.advice(),
            Self::Target { source, .. } => source.advice(),
            Self::Preflight { findings } => {
                findings.iter().flat_map(|finding| finding.advice.clone()).collect()
            }
            Self::Globals { .. } => Vec::new(),
        }
    }
}

fn sentences(findings: &[probe::PreflightFinding]) -> String {
    findings.iter().map(|finding| finding.sentence.as_str()).collect::<Vec<_>>().join("\n")
}
