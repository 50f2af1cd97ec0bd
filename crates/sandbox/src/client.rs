//! Reaching a server: connection options for mydyno itself, an option file and a command line for everybody's client.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use model::{TlsMode, TlsSpec, TlsVersion};
use wire::{ConnectOptions, Secret, ServerAddress, TlsOptions};

use crate::error::{FileError, SandboxError};
use crate::home::Home;
use crate::program::find_program;
use crate::server::Server;
use crate::socket::{Socket, is_short};
use crate::state::{State, write_private};
use crate::{DATABASE, USER};

/// Name of the option file for clients, in the server's directory.
pub(crate) const OPTION_FILE: &str = "client.cnf";

impl Server {
    /// The connection options of the load, from its specification: over TCP or the socket, encrypted or not.
    ///
    /// Over a path longer than a socket may have, the options hold only as long as this value lives.
    pub fn connect_options(&self, database: Option<&str>) -> ConnectOptions {
        let spec = self.spec();
        let address = if spec.tcp {
            ServerAddress::Tcp { host: "127.0.0.1".to_owned(), port: self.port() }
        } else {
            ServerAddress::Unix(self.socket())
        };
        ConnectOptions {
            database: database.map(str::to_owned),
            tls: tls_options(&spec.tls),
            // It is our own server on our own machine: its key needs no other proof.
            get_server_public_key: true,
            local_infile: true,
            ..account(address, self.password().clone())
        }
    }
}

/// Connects once, to see whether the server answers and lets its account in.
pub(crate) fn try_login(socket: &Socket, password: &Secret) -> Result<(), wire::ConnectError> {
    let options = ConnectOptions {
        connect_timeout: Duration::from_secs(5),
        tls: TlsOptions { mode: wire::TlsPolicy::Disabled, ..TlsOptions::default() },
        ..account(ServerAddress::Unix(socket.client_side()), password.clone())
    };
    wire::Client::connect(&options).map(drop)
}

fn account(address: ServerAddress, password: Secret) -> ConnectOptions {
    ConnectOptions { password: Some(password), ..ConnectOptions::new(address, USER) }
}

/// The TLS options in the types of the protocol crate.
pub fn tls_options(spec: &TlsSpec) -> TlsOptions {
    let mode = match spec.mode {
        TlsMode::Disabled => wire::TlsPolicy::Disabled,
        TlsMode::Preferred => wire::TlsPolicy::Preferred,
        TlsMode::Required => wire::TlsPolicy::Required,
        TlsMode::VerifyCa => wire::TlsPolicy::VerifyCa,
        TlsMode::VerifyIdentity => wire::TlsPolicy::VerifyIdentity,
    };
    let version = |version: &TlsVersion| match version {
        TlsVersion::V12 => wire::TlsProtocol::V12,
        TlsVersion::V13 => wire::TlsProtocol::V13,
    };
    TlsOptions {
        mode,
        ca: spec.ca.clone(),
        cert: spec.cert.clone(),
        key: spec.key.clone(),
        versions: spec.versions.iter().map(version).collect(),
        resumption: spec.resumption,
    }
}

/// Writes the option file with which any client of the machine reaches the server, without a password in sight.
pub(crate) fn write_option_file(dir: &Path, state: &State) -> Result<(), FileError> {
    let socket = dir.join("mysql.sock");
    let address = if is_short(&socket) {
        format!("socket=\"{}\"\n", socket.display())
    } else {
        "protocol=tcp\nhost=127.0.0.1\n".to_owned()
    };
    let text = format!(
        "[client]\nuser={USER}\npassword=\"{}\"\nport={}\n{address}",
        state.password.expose(),
        state.port
    );
    write_private(&dir.join(OPTION_FILE), text.as_bytes())
}

impl Home {
    /// The connection options of mydyno itself for a running server: over TCP, since a socket may be too deep for its path.
    pub fn connect_options(&self, name: &str) -> Result<ConnectOptions, SandboxError> {
        let state = self.state(name)?;
        if state.process(&self.server_dir(name)).is_none() {
            return Err(SandboxError::NotRunning { name: name.to_owned() });
        }
        let address = ServerAddress::Tcp { host: "127.0.0.1".to_owned(), port: state.port };
        Ok(ConnectOptions {
            tls: tls_options(&state.spec.tls),
            get_server_public_key: true,
            ..account(address, state.password)
        })
    }

    /// A command line client for a running server: the server's own, or one that the machine has. Arguments can be added.
    pub fn client(&self, name: &str) -> Result<Command, SandboxError> {
        let state = self.state(name)?;
        let dir = self.server_dir(name);
        if state.process(&dir).is_none() {
            return Err(SandboxError::NotRunning { name: name.to_owned() });
        }
        let own = self.resolve(state.spec.flavour, state.spec.basedir.as_deref()).ok();
        let machines = || ["mariadb", "mysql"].iter().find_map(|name| find_program(name)).map(Command::new);
        let mut command = own
            .and_then(|installation| installation.client())
            .or_else(machines)
            .ok_or(SandboxError::NoClient)?;
        command
            .arg(format!("--defaults-file={}", dir.join(OPTION_FILE).display()))
            .arg(format!("--database={DATABASE}"))
            // Clients read this file of passwords last, whatever the command line says.
            .env("MYSQL_TEST_LOGIN_FILE", dir.join("no-login-file"));
        Ok(command)
    }
}
