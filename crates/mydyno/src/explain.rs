//! Errors of the other crates, in a sentence and what to do about it.
//!
//! Most say both themselves. Those that a user meets on the first day are said here in the words of the command line.

use std::fmt::Display;

use data::DataError;
use runner::{RunError, TargetError};
use store::{FindError, ReadError};
use wire::ConnectError;

use crate::error::UserError;
use crate::exit::Exit;

impl UserError {
    /// A failure in the words of another crate: there the advice follows the fact in the same sentence.
    pub fn told(error: &dyn Display) -> Self {
        let text = error.to_string();
        // Below the first line are other people's words, such as the end of a server's log.
        let sentence = text.lines().next().unwrap_or_default();
        let advice = ["; ", ": run "].iter().filter_map(|mark| sentence.find(mark)).min();
        match advice {
            Some(at) => Self::failed(&text[..at]).hint(&text[at + 2..]),
            None => Self::failed(text),
        }
    }

    /// Names the target, unless the sentence does.
    pub fn about(self, label: &str) -> Self {
        if self.message.contains(label) {
            return self;
        }
        Self { message: format!("{label}: {}", self.message), ..self }
    }
}

impl From<&ConnectError> for UserError {
    fn from(error: &ConnectError) -> Self {
        match error {
            ConnectError::AccessDenied { address, user, using_password, error } => {
                let (using, hint) = match using_password {
                    true => (
                        "yes",
                        "check user and password; an account that requires a certificate needs --ssl-cert and --ssl-key",
                    ),
                    false => ("no", "give a password with -p, in ~/.my.cnf under [client], or in MYSQL_PWD"),
                };
                let said = format!("{} {}", error.code, error.message);
                Self::failed(format!("{address} refuses user '{user}' (using password: {using}): {said}"))
                    .hint(hint)
            }
            ConnectError::UnknownDatabase { address, database, .. } => {
                Self::failed(format!("{address} has no database '{database}'"))
                    .hint("mydyno prepare creates it; another one is named with --database")
            }
            ConnectError::DatabaseDenied { address, user, database, .. } => Self::failed(format!(
                "user '{user}' may not use database '{database}' on {address}, if it exists"
            ))
            .hint({
                let database = database.replace('`', "``");
                format!("CREATE DATABASE `{database}`; GRANT ALL ON `{database}`.* TO '{user}';")
            }),
            other => Self::told(other),
        }
    }
}

impl From<&DataError> for UserError {
    fn from(error: &DataError) -> Self {
        match error {
            DataError::Connect(error) => error.into(),
            DataError::Interrupted { .. } | DataError::CheckInterrupted => {
                Self { exit: Exit::Interrupted, ..Self::told(error) }
            }
            other => Self::told(other),
        }
    }
}

impl From<DataError> for UserError {
    fn from(error: DataError) -> Self {
        Self::from(&error)
    }
}

impl From<&TargetError> for UserError {
    fn from(error: &TargetError) -> Self {
        match error {
            TargetError::Connect(error) => error.into(),
            TargetError::Data(error) => error.into(),
            TargetError::Inconsistent { .. } => Self { exit: Exit::Gate, ..Self::told(error) },
            TargetError::Interrupted => Self { exit: Exit::Interrupted, ..Self::failed("interrupted") },
            other => Self::told(other),
        }
    }
}

impl From<RunError> for UserError {
    fn from(error: RunError) -> Self {
        match &error {
            RunError::Target { label, source } => Self::from(source).about(label),
            RunError::Preflight { findings } => match findings.split_first() {
                Some((first, rest)) => preflight(first, rest),
                None => Self::told(&error),
            },
            other => Self::told(other),
        }
    }
}

/// What would fail, with the ways out of it; what else would fail goes below.
fn preflight(first: &probe::Finding, rest: &[probe::Finding]) -> UserError {
    let mut lines = first.hints.clone();
    for finding in rest {
        lines.push(finding.sentence.clone());
        lines.extend(finding.hints.iter().cloned());
    }
    UserError::failed(&first.sentence).hint(lines.join("\n"))
}

impl From<FindError> for UserError {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Read(error) => error.into(),
            other => Self { exit: Exit::Usage, ..Self::told(&other) },
        }
    }
}

impl From<ReadError> for UserError {
    fn from(error: ReadError) -> Self {
        Self::told(&error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_of_other_crates_becomes_the_hint() {
        let error = UserError::told(&"database d has no table sbtest1: run mydyno prepare");
        assert_eq!(error.to_string(), "mydyno: database d has no table sbtest1\n  run mydyno prepare");
        let error = UserError::told(&"cannot connect to h:1: refused; is the server running?");
        assert_eq!(error.hint.as_deref(), Some("is the server running?"));
    }

    #[test]
    fn a_refusal_says_whether_a_password_was_given_and_how_to_give_one() {
        let error =
            wire::ServerError { code: 1045, state: "28000".to_owned(), message: "Access denied".to_owned() };
        let refused = ConnectError::AccessDenied {
            address: "db1:3306".to_owned(),
            user: "bench".to_owned(),
            using_password: false,
            error,
        };
        let told = UserError::from(&refused).about("db1").to_string();
        assert_eq!(
            told,
            "mydyno: db1:3306 refuses user 'bench' (using password: no): 1045 Access denied\n  \
             give a password with -p, in ~/.my.cnf under [client], or in MYSQL_PWD"
        );
    }
}
