//! The exit codes. They are part of the interface: scripts and CI jobs decide by them.

use std::process::ExitCode;

/// The exit status of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything requested was done, and every check passed.
    Ok,
    /// The run, or something it needs, failed.
    Failed,
    /// The command line, an option file or an environment variable is wrong. Nothing was started.
    Usage,
    /// A gate failed: of `--fail-on`, `check` found something wrong, or data were inconsistent after a run.
    Gate,
    /// With `--strict`: the measurement is not valid, for example because the generator was the bottleneck.
    Invalid,
    /// The user interrupted; partial results are kept.
    Interrupted,
}

impl Exit {
    /// Every code, for the manual page.
    pub const ALL: [Self; 6] =
        [Self::Ok, Self::Failed, Self::Usage, Self::Gate, Self::Invalid, Self::Interrupted];

    /// The number the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Gate => 3,
            Self::Invalid => 4,
            Self::Interrupted => 130,
        }
    }

    /// A one-line meaning for the manual page.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "success; every check passed",
            Self::Failed => "the run failed, or a cell did (unless --allow-failing-cells)",
            Self::Usage => "wrong option, option file or environment variable; nothing was started",
            Self::Gate => {
                "a gate failed: --fail-on was violated, check found a problem, or after a run TPC-C's database was inconsistent or the \
                 servers of a topology held different rows"
            }
            Self::Invalid => {
                "no decision: with --strict the measurement is not valid; with --fail-on the data cannot decide"
            }
            Self::Interrupted => "interrupted; partial results are kept",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
