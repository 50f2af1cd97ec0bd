//! Errors of the other crates, in a sentence and what to do about it.

use data::DataError;
use model::Advise;
use runner::{PlanError, RunError, TargetError};
use store::{FindError, ReadError};
use wire::ConnectError;

use crate::advice;
use crate::error::UserError;
use crate::exit::Exit;

impl UserError {
    /// A failure in the words of another crate, and its advice in those of the command line.
    pub fn told(error: &impl Advise) -> Self {
        Self { hint: advice::lines(&error.advice()), ..Self::failed(error.to_string()) }
    }

    /// Names the target, unless the message names it or its address already.
    pub fn about(self, label: &str) -> Self {
        let is_named =
            |server: &str| server == label || server.rsplit_once(':').is_some_and(|(host, _)| host == label);
        if self.server.as_deref().is_some_and(is_named) {
            return self;
        }
        Self { message: format!("{label}: {}", self.message), server: Some(label.to_owned()), ..self }
    }
}

impl From<&ConnectError> for UserError {
    fn from(error: &ConnectError) -> Self {
        let message = match error {
            ConnectError::AccessDenied { address, user, using_password, error } => {
                let using = if *using_password { "yes" } else { "no" };
                format!(
                    "{address} refuses user '{user}' (using password: {using}): {} {}",
                    error.code, error.message
                )
            }
            // The server's own words say nothing more.
            ConnectError::UnknownDatabase { address, database, .. } => {
                format!("{address} has no database '{database}'")
            }
            ConnectError::DatabaseDenied { address, user, database, .. } => {
                format!("user '{user}' may not use database '{database}' on {address}, if it exists")
            }
            other => other.to_string(),
        };
        Self {
            hint: advice::lines(&advice::to_connect(error)),
            server: error.address().map(str::to_owned),
            ..Self::failed(message)
        }
    }
}

impl From<&DataError> for UserError {
    fn from(error: &DataError) -> Self {
        match error {
            DataError::Connect(error) => error.into(),
            DataError::Interrupted { .. } | DataError::CheckInterrupted | DataError::ScriptInterrupted => {
                Self { exit: Exit::Interrupted, ..Self::told(error) }
            }
            DataError::Fewer { server, .. } => Self { server: Some(server.clone()), ..Self::told(error) },
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

impl From<PlanError> for UserError {
    fn from(error: PlanError) -> Self {
        Self { exit: Exit::Usage, ..Self::told(&error) }
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

/// The first predicted failure with its advice; the others are listed below it.
fn preflight(first: &probe::PreflightFinding, rest: &[probe::PreflightFinding]) -> UserError {
    let mut lines: Vec<String> = first.advice.iter().map(advice::line).collect();
    for finding in rest {
        lines.push(finding.sentence.clone());
        lines.extend(finding.advice.iter().map(advice::line));
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

    fn server_error(code: u16, state: &str, message: &str) -> wire::ServerError {
        wire::ServerError { code, state: state.to_owned(), message: message.to_owned() }
    }

    #[test]
    fn a_message_is_whole_whatever_a_server_writes_into_it() {
        let error = server_error(1040, "08004", "Too many connections; try: run later");
        let full = ConnectError::TooManyConnections { address: "db1:3306".to_owned(), error };
        assert_eq!(
            UserError::from(&full).to_string(),
            "mydyno: db1:3306 has too many connections: error 1040 (08004): Too many connections; try: run later\n  \
             raise max_connections there, or use fewer clients"
        );
        let differences =
            vec!["table sbtest1 lacks an index".to_owned(), "table sbtest2 lacks it".to_owned()];
        let way_out = data::WayOut::Elsewhere;
        let differ = DataError::Differs { database: "sb".to_owned(), differences, way_out };
        assert_eq!(
            UserError::from(&differ).to_string(),
            "mydyno: table sbtest1 lacks an index; table sbtest2 lacks it\n  \
             use another database:  --database NAME\n  \
             or rename the table that is not sysbench's: cleanup leaves it alone"
        );
        let source = wire::QueryError::Server {
            statement: "UPDATE t; SELECT 1".to_owned(),
            error: server_error(1213, "40001", "Deadlock found when trying to get lock; try restarting"),
        };
        let deadlock = DataError::Query { what: "loading".to_owned(), source };
        let told = UserError::from(&deadlock);
        assert!(told.message.ends_with("try restarting; statement: UPDATE t; SELECT 1"), "{told}");
        assert_eq!(told.hint, None);
        let missing = DataError::NoSuchDatabase {
            database: "sb".to_owned(),
            account: "'bench'@'%'".to_owned(),
            error: Box::new(server_error(1044, "42000", "Access denied")),
        };
        assert_eq!(
            UserError::from(&missing).hint.as_deref(),
            Some(
                "create it as another account:  CREATE DATABASE IF NOT EXISTS `sb`; \
                 GRANT ALL PRIVILEGES ON `sb`.* TO 'bench'@'%';\nuse another database:  --database NAME"
            )
        );
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
             give a password with -p, in ~/.my.cnf under [client], with --defaults-file, or in MYSQL_PWD"
        );
    }
}
