//! The grammar of targets: `[NAME=]mysql://...` and `[NAME=]sandbox:...`, and the additions of `--set` and `--instance`.
//!
//! A URL may hold a password, so nothing here quotes a target as it was written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use model::{Flavour, Place};

use super::connection::{ConnectionArgs, Protocol};
use super::place;
use super::tls::TlsArgs;
use crate::error::{Outcome, UserError};
use spec::switch;

/// Servers under test.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Targets")]
pub struct TargetArgs {
    /// Add a server under test (repeatable): mysql://user@host:3306/db?ssl-mode=REQUIRED, sandbox:mysql,
    /// sandbox:mariadb@11.8, sandbox:mariadb@/opt/build?sync_binlog=0, sandbox:mysql?cpus=0-3&memory-max=8G,
    /// sandbox:mysql?like=mysql://user@db1 (with the settings of db1, which is only read),
    /// sandbox:mysql?topology=group&members=3 (servers that replicate), mysql://user@db1,db2/db?topology=semisync (a primary
    /// and its replicas). Account, database and TLS options complete a URL
    /// [default: the server of the connection options, else an installed sandbox]
    #[arg(long, value_name = "[NAME=]TARGET")]
    pub target: Vec<String>,
    /// Set a server variable (repeatable; applies to all targets unless NAME: is given). Sandboxes get it in my.cnf;
    /// external servers by SET GLOBAL before each trial, restored afterwards
    #[arg(long, value_name = "[NAME:]VARIABLE=VALUE")]
    pub set: Vec<String>,
    /// Add a line to the report's description of a target (repeatable): class, region, storage, price_usd_hour
    #[arg(long, value_name = "[NAME:]KEY=VALUE")]
    pub instance: Vec<String>,
}

/// The server that a target names. Boxed because both variants are large.
pub enum Value {
    /// A server, with variables that are set while it is measured.
    Server(Box<ConnectionArgs>, BTreeMap<String, String>),
    /// A sandbox.
    Sandbox(Box<Sandbox>),
}

/// A sandbox as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Vendor of the server; none: whatever is installed.
    pub flavour: Option<Flavour>,
    /// A version that is installed, or the path of a build.
    pub basedir: Option<PathBuf>,
    /// Lines for its my.cnf.
    pub settings: BTreeMap<String, String>,
    /// `protocol=`.
    pub protocol: Option<Protocol>,
    /// `ssl-mode=` and what goes with it.
    pub tls: TlsArgs,
    /// Its placement: `cpus=` and the like.
    pub place: Place,
}

impl Value {
    /// Checks the text of a target.
    ///
    /// # Errors
    /// The value of a key is invalid.
    pub fn of(server: &spec::ServerSpec) -> Outcome<Self> {
        match &server.sandbox {
            Some(sandbox) => Ok(Self::Sandbox(Box::new(sandbox_of(sandbox, server)?))),
            None => {
                let mut url = ConnectionArgs {
                    host: server.host.clone(),
                    port: server.port,
                    socket: server.socket.clone(),
                    user: server.user.clone(),
                    password: server.password.clone().map(|hidden| Some(hidden.0)),
                    database: server.database.clone(),
                    ..ConnectionArgs::default()
                };
                for (key, value) in &server.connection {
                    set_url_key(&mut url, key, value.clone())?;
                }
                Ok(Self::Server(Box::new(url), server.settings.clone()))
            }
        }
    }
}

fn set_url_key(url: &mut ConnectionArgs, key: &str, value: String) -> Outcome<()> {
    let wrong = |why: String| UserError::usage(format!("{key} of a target: {why}"));
    if url.tls.set(key, &value).map_err(wrong)? {
        return Ok(());
    }
    match key {
        "protocol" => url.protocol = Some(Protocol::from_str(&value, true).map_err(|_| protocol_wrong())?),
        "connect-timeout" => {
            url.connect_timeout =
                Some(value.parse().map_err(|_| wrong("it is not a number of seconds".into()))?);
        }
        "get-server-public-key" => {
            url.get_server_public_key =
                Some(if value.is_empty() { true } else { switch(&value).map_err(wrong)? });
        }
        _ => url.init_command = Some(value),
    }
    Ok(())
}

fn sandbox_of(text: &str, server: &spec::ServerSpec) -> Outcome<Sandbox> {
    let (flavour, build) = match text.split_once('@') {
        Some((flavour, build)) => (flavour, Some(build)),
        None => (text, None),
    };
    let flavour = (!flavour.is_empty()).then(|| flavour_named(flavour)).transpose()?;
    let settings = server.settings.clone();
    let mut sandbox = Sandbox { flavour, basedir: build.map(PathBuf::from), settings, ..Sandbox::default() };
    for (key, value) in &server.connection {
        let wrong = |why| UserError::usage(format!("{key} of a sandbox: {why}"));
        if sandbox.tls.set(key, value).map_err(wrong)? {
            continue;
        }
        if key != "protocol" {
            return Err(UserError::usage(format!("{key} is not for a sandbox"))
                .hint("a sandbox takes protocol, ssl-mode and what belongs to it"));
        }
        sandbox.protocol = Some(Protocol::from_str(value, true).map_err(|_| protocol_wrong())?);
    }
    for key in sandbox.settings.keys() {
        place::refuse_slip(key)?;
    }
    for (key, value) in &server.placement {
        place::set(&mut sandbox.place, key, value)?;
    }
    place::check(&sandbox.place)?;
    Ok(sandbox)
}

/// The flavour of that name.
pub fn flavour_named(name: &str) -> Outcome<Flavour> {
    const ALL: [Flavour; 2] = [Flavour::Mysql, Flavour::Mariadb];
    ALL.into_iter().find(|flavour| flavour.name() == name).ok_or_else(|| {
        UserError::usage(format!("there is no sandbox of '{name}'"))
            .hint("there are sandbox:mysql (also for Percona Server, with @basedir) and sandbox:mariadb")
    })
}

fn protocol_wrong() -> UserError {
    UserError::usage("protocol of a target is tcp or socket")
}

/// `[NAME:]KEY=VALUE` of `--set` and `--instance`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The target meant; none: see the option.
    pub label: Option<String>,
    /// The name of the setting.
    pub key: String,
    /// Its value; empty for a bare name.
    pub value: String,
}

/// Reads a `--set`. A bare name is a switch.
pub fn parse_set(text: &str) -> Outcome<Assignment> {
    let mut assignment = parse_assignment(text);
    assignment.key = spec::variable(&assignment.key)?;
    place::refuse_as_variable(&assignment.key)?;
    refuse_connection_key(&assignment.key)?;
    Ok(assignment)
}

/// Refuses the name of a connection key as a server variable: where both exist, the connection key is meant.
fn refuse_connection_key(name: &str) -> Outcome<()> {
    const KEYS: [&str; 4] = ["ssl_mode", "ssl_resumption", "protocol", "get_server_public_key"];
    if !KEYS.contains(&name) {
        return Ok(());
    }
    let key = name.replace('_', "-");
    Err(UserError::usage(format!("{key} says how a server is reached: it is not a server variable"))
        .hint(format!("--{key}=... for all targets, or behind the ? of one: sandbox:mysql?{key}=...")))
}

/// Reads an `--instance`.
pub fn parse_instance(text: &str) -> Outcome<Assignment> {
    let assignment = parse_assignment(text);
    if assignment.key.is_empty() || assignment.value.is_empty() {
        return Err(UserError::usage(format!("--instance '{text}' sets nothing"))
            .hint("for example --instance db1:class=db.r6g.xlarge --instance db1:price_usd_hour=0.45"));
    }
    Ok(assignment)
}

fn parse_assignment(text: &str) -> Assignment {
    let (left, value) = text.split_once('=').unwrap_or((text, ""));
    // The last colon: a label may hold one.
    let (label, key) = match left.rsplit_once(':') {
        Some((label, key)) => (Some(label.trim().to_owned()), key),
        None => (None, left),
    };
    Assignment { label, key: key.trim().to_owned(), value: value.trim().to_owned() }
}

#[cfg(test)]
#[path = "target_tests.rs"]
mod tests;
