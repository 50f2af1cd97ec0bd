//! Errors as shown to the user: one sentence, and advice below it.
//!
//! Every error ends up as a `UserError`, those of the other crates by way of `explain`, so that all of them look alike
//! and none shows a backtrace.

use std::fmt;

use crate::exit::Exit;

/// A failure in words for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserError {
    /// One sentence that names what failed.
    pub message: String,
    /// Advice; may have several lines.
    pub hint: Option<String>,
    /// The exit code that goes with it.
    pub exit: Exit,
    /// The server that the message names: its address, or the label of its target.
    pub server: Option<String>,
}

impl UserError {
    /// A mistake on the command line, in an option file or in the environment.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, exit: Exit::Usage, server: None }
    }

    /// A failure of the requested operation.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, exit: Exit::Failed, server: None }
    }

    /// Adds advice.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mydyno: {}", self.message)?;
        for line in self.hint.iter().flat_map(|hint| hint.lines()) {
            write!(f, "\n  {line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UserError {}

/// A short name for results that end on the user's screen.
pub type Outcome<T> = Result<T, UserError>;

pub use spec::nearest;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_sentence_and_an_indented_hint() {
        let error = UserError::usage("--percentile cannot be 0").hint("between 1 and 100\nor leave it out");
        assert_eq!(
            error.to_string(),
            "mydyno: --percentile cannot be 0\n  between 1 and 100\n  or leave it out"
        );
    }

    #[test]
    fn the_nearest_name_is_found_and_nonsense_has_none() {
        assert_eq!(nearest("ssl-mod", ["ssl-mode", "ssl-ca", "socket"]), Some("ssl-mode"));
        assert_eq!(nearest("quux", ["ssl-mode", "socket"]), None);
    }
}
