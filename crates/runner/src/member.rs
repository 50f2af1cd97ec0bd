//! A server of a target that answers.

use std::path::PathBuf;

use model::{MemberFacts, Role, ServerFacts, Variables};
use probe::ServerPlace;
use wire::ConnectOptions;

/// A server of a target that answers.
pub struct LiveMember {
    /// Its name (`model::member_name`).
    pub name: String,
    /// Its role in the topology.
    pub role: Role,
    /// Connection options of mydyno itself.
    pub connect: ConnectOptions,
    /// Connection options of the clients.
    pub(crate) clients: ConnectOptions,
    /// The facts it reported.
    pub facts: ServerFacts,
    /// A sandbox; none while it is parked.
    pub(crate) server: Option<sandbox::Server>,
    /// The process of an external server on this machine.
    pub(crate) pid: Option<u32>,
}

impl LiveMember {
    /// A sandbox. `way` gives the clients' connection options, if they differ from mydyno's own.
    pub(crate) fn sandbox(
        name: &str,
        role: Role,
        server: sandbox::Server,
        facts: ServerFacts,
        way: Option<ConnectOptions>,
    ) -> Self {
        let connect = server.connect_options(Some(sandbox::DATABASE));
        Self {
            name: name.to_owned(),
            role,
            clients: way.unwrap_or_else(|| connect.clone()),
            connect,
            facts,
            server: Some(server),
            pid: None,
        }
    }

    /// The facts kept in a result.
    pub(crate) fn facts(&self) -> MemberFacts {
        MemberFacts { role: self.role, facts: self.facts.clone() }
    }

    /// Its place, as far as it uses the CPUs of this machine.
    pub(crate) fn place(&self) -> ServerPlace {
        match self.server.as_ref().map(sandbox::Server::pid).or(self.pid) {
            Some(pid) => ServerPlace::Process(pid),
            None if self.connect.address.is_local() => ServerPlace::Here,
            None => ServerPlace::Elsewhere,
        }
    }

    /// A connection for questions.
    pub(crate) fn ask(&self) -> Result<wire::Client, wire::ConnectError> {
        wire::Client::connect(&self.connect)
    }

    /// All variables, secrets masked; or the reason they cannot be read.
    pub(crate) fn variables(&self) -> Result<Variables, String> {
        let mut client = self.ask().map_err(|error| error.to_string())?;
        probe::variables(&mut client).map_err(|error| error.to_string())
    }

    /// Its error log, if it is accessible.
    pub(crate) fn log(&self) -> Vec<u8> {
        self.server.as_ref().and_then(|server| server.log().ok()).unwrap_or_default()
    }

    /// Path of its error log.
    pub(crate) fn log_path(&self) -> Option<PathBuf> {
        self.server.as_ref().map(sandbox::Server::log_path)
    }
}
