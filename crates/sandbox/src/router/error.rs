//! Reasons there is no router.

use std::io;
use std::path::PathBuf;

use model::{Advice, Advise};
use thiserror::Error;

use crate::error::{FileError, InstallError};

/// The reason MySQL Router cannot be used.
#[derive(Debug, Error)]
pub enum RouterError {
    /// It is not installed.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its program cannot be run.
    #[error("{} cannot be run: {source}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It ended before it let a client through.
    #[error("MySQL Router ended while starting ({status})\nthe end of its log:\n{log_tail}")]
    Died {
        /// Its exit status.
        status: String,
        /// The end of its log.
        log_tail: String,
    },
    /// No client gets through.
    #[error(
        "MySQL Router let no client through within {seconds} s: {source}\nthe end of its log:\n{log_tail}"
    )]
    NotReady {
        /// The limit.
        seconds: u64,
        /// The reason the last attempt failed.
        source: Box<wire::ConnectError>,
        /// The end of its log.
        log_tail: String,
    },
    /// The user interrupted.
    #[error("starting MySQL Router was interrupted")]
    Cancelled,
}

impl Advise for RouterError {
    fn advice(&self) -> Vec<Advice> {
        match self {
            Self::Install(error) => error.advice(),
            Self::File(error) => error.advice(),
            Self::Spawn { .. } | Self::Died { .. } | Self::NotReady { .. } | Self::Cancelled => Vec::new(),
        }
    }
}

/// A router that ended by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouterCrash {
    /// Its exit status.
    pub status: String,
    /// The end of its log.
    pub log_tail: String,
}
