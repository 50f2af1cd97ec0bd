//! Targets: servers under test, as the user named them. Passwords are not part of a target.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::place::Place;

/// A server under test, with the label that charts show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Unique within a plan.
    pub label: String,
    /// Where it is, or how it is made.
    pub kind: TargetKind,
}

/// A server that exists, or one to be started for the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TargetKind {
    /// A server that somebody else runs.
    Server(Endpoint),
    /// A server of our own, started for the run and stopped after it.
    Sandbox(SandboxSpec),
    /// A server that another tool measured. Nothing can be run on it.
    Imported {
        /// What it is known from: the tool, its version and the file.
        source: String,
    },
}

/// How to reach a server. The password travels separately and is never stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// Host and port, or socket.
    pub address: Address,
    /// Account name.
    pub user: String,
    /// Database that holds the tables.
    pub database: String,
    /// Encryption of the connection.
    pub tls: TlsSpec,
    /// Limit for opening one connection, seconds.
    pub connect_timeout_s: u32,
    /// Ask the server for its RSA key for caching_sha2_password without TLS.
    pub get_server_public_key: bool,
    /// Statements run on every new connection (`--init-command`).
    pub init_commands: Vec<String>,
    /// Global variables that are set before each trial and put back after it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub globals: BTreeMap<String, String>,
}

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Address {
    /// Host name or address, and port.
    Tcp {
        /// Host name or address.
        host: String,
        /// Port.
        port: u16,
    },
    /// Path of a Unix socket.
    Socket(PathBuf),
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Socket(path) => write!(f, "{}", path.display()),
        }
    }
}

/// `--ssl-mode` and the files that go with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TlsSpec {
    /// Whether to encrypt, and what to verify.
    pub mode: TlsMode,
    /// Certificate authorities (PEM).
    pub ca: Option<PathBuf>,
    /// Client certificate (PEM).
    pub cert: Option<PathBuf>,
    /// Client key (PEM).
    pub key: Option<PathBuf>,
    /// Versions to offer; empty: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<TlsVersion>,
    /// Resume earlier sessions.
    #[serde(default)]
    pub resumption: bool,
}

impl From<TlsMode> for TlsSpec {
    fn from(mode: TlsMode) -> Self {
        Self { mode, ..Self::default() }
    }
}

/// A version of TLS, as MySQL's `--tls-version` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TlsVersion {
    /// RFC 5246.
    #[serde(rename = "TLSv1.2")]
    V12,
    /// RFC 8446.
    #[serde(rename = "TLSv1.3")]
    V13,
}

impl TlsVersion {
    /// MySQL's spelling.
    pub fn name(self) -> &'static str {
        match self {
            Self::V12 => "TLSv1.2",
            Self::V13 => "TLSv1.3",
        }
    }
}

/// MySQL's `--ssl-mode`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TlsMode {
    /// Never encrypt.
    Disabled,
    /// Encrypt if the server can.
    #[default]
    Preferred,
    /// Encrypt or fail; the certificate is not checked.
    Required,
    /// Encrypt, and check the certificate against the authorities.
    VerifyCa,
    /// As VERIFY_CA, and the certificate must name the host.
    VerifyIdentity,
}

impl TlsMode {
    /// MySQL's spelling.
    pub fn name(self) -> &'static str {
        match self {
            Self::Disabled => "DISABLED",
            Self::Preferred => "PREFERRED",
            Self::Required => "REQUIRED",
            Self::VerifyCa => "VERIFY_CA",
            Self::VerifyIdentity => "VERIFY_IDENTITY",
        }
    }
}

/// Whose server it is.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flavour {
    /// MySQL and close relatives (Percona Server).
    Mysql,
    /// MariaDB.
    Mariadb,
}

impl Flavour {
    /// Lower-case name, as typed after `sandbox:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mysql => "mysql",
            Self::Mariadb => "mariadb",
        }
    }
}

/// A sandboxed server to start for a run: `sandbox:mysql@/opt/mysql-8.4?sync_binlog=0`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxSpec {
    /// Which server.
    pub flavour: Flavour,
    /// What stands behind the `@`: the absolute path of a build, or the version of an installed server, such as `11.8`;
    /// none: the installed server of this flavour.
    pub basedir: Option<PathBuf>,
    /// Lines of the generated my.cnf that the user set, by name with `_`. An empty value is a bare switch.
    pub settings: BTreeMap<String, String>,
    /// Connect over TCP on 127.0.0.1 rather than over the Unix socket.
    pub tcp: bool,
    /// Encryption of the load's connections (sandboxes default to DISABLED). Older runs have only its mode.
    #[serde(deserialize_with = "tls_or_mode")]
    pub tls: TlsSpec,
    /// Where it runs, and what it may use. Older runs have none; what is not there does not change the hash of a plan.
    #[serde(default, skip_serializing_if = "Place::is_default")]
    pub place: Place,
}

impl SandboxSpec {
    /// The version that was asked for, if it was not a path.
    pub fn version(&self) -> Option<&str> {
        self.basedir.as_deref().filter(|build| !build.is_absolute())?.to_str()
    }
}

fn tls_or_mode<'de, D: serde::Deserializer<'de>>(from: D) -> Result<TlsSpec, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Mode(TlsMode),
        Spec(TlsSpec),
    }
    Ok(match Either::deserialize(from)? {
        Either::Mode(mode) => mode.into(),
        Either::Spec(spec) => spec,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = r#"{"kind":"sandbox","flavour":"mysql","basedir":null,"settings":{},"tcp":false,"tls":{"mode":"DISABLED","ca":null,"cert":null,"key":null}}"#;

    #[test]
    fn a_target_without_a_place_is_what_it_was_before_there_were_any() {
        let old: TargetKind = serde_json::from_str(OLD).expect("an older run");
        let TargetKind::Sandbox(sandbox) = &old else { panic!("{old:?}") };
        assert!(sandbox.place.is_default());
        let written = serde_json::to_string(&old).expect("plain values");
        assert!(!written.contains("place"), "its hash would change: {written}");
    }

    #[test]
    fn a_place_is_read_as_it_was_written() {
        let mut target: TargetKind = serde_json::from_str(OLD).expect("an older run");
        let TargetKind::Sandbox(sandbox) = &mut target else { panic!("{target:?}") };
        sandbox.place = Place {
            cpus: "0-3,8".parse().ok(),
            interleave: "all".parse().ok(),
            cpu_quota: "2".parse().ok(),
            memory_max_bytes: Some(1 << 30),
            ..Place::default()
        };
        let written = serde_json::to_string(&target).expect("plain values");
        let place =
            r#""place":{"cpus":"0-3,8","interleave":"all","cpu_quota":2.0,"memory_max_bytes":1073741824}"#;
        assert!(written.contains(place), "{written}");
        assert_eq!(serde_json::from_str::<TargetKind>(&written).expect("its own"), target);
    }
}
