//! What a user calls a recording, and says of it.

use clap::Args;

/// Longest name: it is part of the name of a directory.
const LONGEST_NAME: usize = 60;

/// `--name` and `--note`.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Results")]
pub struct NamingArgs {
    /// Name the recording; mydyno history NAME tracks all of that name [default: name of the workload]
    #[arg(id = "recording_name", long = "name", value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// Add a note to the recording, printed by list, show and report; mydyno note changes it
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

/// `--name`.
pub fn name(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = !text.is_empty() && text.chars().count() <= LONGEST_NAME;
    if !fits || text.chars().any(char::is_control) {
        return Err(format!("a name has 1 to {LONGEST_NAME} printable characters"));
    }
    if text == "latest" {
        return Err("latest is the newest recording: choose another name".to_owned());
    }
    Ok(text.to_owned())
}
