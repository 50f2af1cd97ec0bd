//! The user's note on a recording.

use clap::Args;

/// `--note`.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Results")]
pub struct NamingArgs {
    /// Add a note to the recording, printed by list, show and report; mydyno note changes it
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}
