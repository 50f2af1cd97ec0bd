//! Targets: the systems under test, as named by the user: a server, or several that belong together. Passwords are not part
//! of them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::arrangement::Arrangement;
use crate::place::Place;

/// The system under test, with its label in charts: one server, or a topology of several.
///
/// In JSON a single server is written as mydyno 0.1 wrote it, as `{ "label", "kind" }`; several as `{ "label", "topology",
/// "members" }`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenTarget", into = "WrittenTarget")]
pub struct Target {
    /// Unique within a plan.
    pub label: String,
    /// The topology of its servers.
    pub topology: Topology,
    /// The other properties of the topology.
    pub arrangement: Arrangement,
    /// Its servers. Clients connect to the first one; there is always one.
    pub members: Vec<Member>,
}

impl Target {
    /// A single server.
    pub fn single(label: impl Into<String>, kind: ServerKind) -> Self {
        Self {
            label: label.into(),
            topology: Topology::Single,
            arrangement: Arrangement::default(),
            members: vec![Member { role: Role::Primary, kind }],
        }
    }

    /// The server that clients connect to.
    pub fn entry(&self) -> &ServerKind {
        &self.members[0].kind
    }

    /// Mutable access to the server that clients connect to.
    pub fn entry_mut(&mut self) -> &mut ServerKind {
        &mut self.members[0].kind
    }

    /// Whether clients are spread over all of its servers; otherwise they all connect to the first one.
    pub fn is_spread(&self) -> bool {
        self.arrangement.multi_primary || self.topology == Topology::Independent
    }

    /// Its servers with their names.
    pub fn named(&self) -> impl Iterator<Item = (String, &Member)> {
        self.members.iter().enumerate().map(|(at, member)| (member_name(&self.label, at), member))
    }

    /// Each of its servers as a target of its own.
    pub fn split(&self) -> impl Iterator<Item = Self> {
        self.named().map(|(name, member)| Self::single(name, member.kind.clone()))
    }

    /// True of sandboxes.
    pub fn is_sandbox(&self) -> bool {
        matches!(self.entry(), ServerKind::Sandbox(_))
    }
}

/// The name of a target's server, by position: the first one, which clients connect to, is named like the target, the
/// others `ha:2`, `ha:3`.
pub fn member_name(label: &str, at: usize) -> String {
    if at == 0 { label.to_owned() } else { format!("{label}:{}", at + 1) }
}

/// A server of a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its role in the topology.
    pub role: Role,
    /// The address of the server, or the recipe to make it.
    #[serde(flatten)]
    pub kind: ServerKind,
}

/// How the servers of a target belong together.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topology {
    /// One server.
    #[default]
    Single,
    /// A primary, and replicas that it does not wait for.
    Async,
    /// A primary that waits until replicas have received a transaction.
    Semisync,
    /// Group Replication.
    Group,
    /// Galera.
    Galera,
    /// Servers that know nothing of each other, side by side. Clients are spread over all of them.
    Independent,
}

impl Topology {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Single, Self::Async, Self::Semisync, Self::Group, Self::Galera, Self::Independent];

    /// The default number of servers.
    pub fn usual_members(self) -> usize {
        match self {
            Self::Single => 1,
            Self::Async | Self::Semisync | Self::Independent => 2,
            Self::Group | Self::Galera => 3,
        }
    }

    /// The vendors whose servers can form it.
    pub fn flavours(self) -> &'static [Flavour] {
        match self {
            Self::Single | Self::Async | Self::Semisync | Self::Independent => {
                &[Flavour::Mysql, Flavour::Mariadb]
            }
            Self::Group => &[Flavour::Mysql],
            Self::Galera => &[Flavour::Mariadb],
        }
    }

    /// The name used in a specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Async => "async",
            Self::Semisync => "semisync",
            Self::Group => "group",
            Self::Galera => "galera",
            Self::Independent => "independent",
        }
    }

    /// Whether its servers replicate from each other.
    pub fn replicates(self) -> bool {
        !matches!(self, Self::Single | Self::Independent)
    }
}

/// What a server does in a topology.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It takes writes.
    #[default]
    Primary,
    /// It applies what a primary wrote.
    Replica,
}

impl Role {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Primary, Self::Replica];

    /// The name used in a specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Replica => "replica",
        }
    }
}

/// The JSON form of a target.
#[derive(Serialize, Deserialize)]
struct WrittenTarget {
    label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<ServerKind>,
    #[serde(default, skip_serializing_if = "is_single")]
    topology: Topology,
    #[serde(default, skip_serializing_if = "Arrangement::is_default")]
    arrangement: Arrangement,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    members: Vec<Member>,
}

fn is_single(topology: &Topology) -> bool {
    *topology == Topology::Single
}

impl From<Target> for WrittenTarget {
    fn from(target: Target) -> Self {
        let Target { label, topology, arrangement, mut members } = target;
        let kind = (topology == Topology::Single && members.len() == 1).then(|| members.remove(0).kind);
        Self { label, kind, topology, arrangement, members }
    }
}

impl TryFrom<WrittenTarget> for Target {
    type Error = String;

    fn try_from(written: WrittenTarget) -> Result<Self, String> {
        let WrittenTarget { label, kind, topology, arrangement, members } = written;
        match kind {
            Some(kind) => Ok(Self { arrangement, ..Self::single(label, kind) }),
            None if members.is_empty() => Err(format!("the target '{label}' has no server")),
            None => Ok(Self { label, topology, arrangement, members }),
        }
    }
}

/// A server that exists, or one to be started for the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ServerKind {
    /// An external server.
    #[serde(rename = "server")]
    External(Endpoint),
    /// A server of our own, started for the run and stopped after it.
    Sandbox(SandboxSpec),
    /// A server that another tool measured. Nothing can be run on it.
    Imported {
        /// The source of the data: the tool, its version and the file.
        source: String,
    },
}

impl ServerKind {
    /// The endpoint, if it is an external server.
    pub fn endpoint(&self) -> Option<&Endpoint> {
        match self {
            Self::External(endpoint) => Some(endpoint),
            Self::Sandbox(_) | Self::Imported { .. } => None,
        }
    }
}

/// The connection parameters of a server. The password travels separately and is never stored.
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
    /// Global variables that are set before each trial and restored after it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub globals: BTreeMap<String, String>,
}

/// The address on which a server listens.
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
    /// The mode: whether to encrypt, and what to verify.
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
    /// Like VERIFY_CA, and the certificate must name the host.
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
    /// Vendor of the server.
    pub flavour: Flavour,
    /// The text after the `@`: the absolute path of a build, or the version of an installed server, such as `11.8`; none: the
    /// installed server of this flavour.
    pub basedir: Option<PathBuf>,
    /// Lines of the generated my.cnf that the user set, by name with `_`. An empty value is a bare switch.
    pub settings: BTreeMap<String, String>,
    /// Connect over TCP on 127.0.0.1 rather than over the Unix socket.
    pub tcp: bool,
    /// Encryption of the load's connections (sandboxes default to DISABLED). Older runs have only its mode.
    #[serde(deserialize_with = "tls_or_mode")]
    pub tls: TlsSpec,
    /// Its placement. Older recordings have none; an empty placement does not change the hash of a plan.
    #[serde(default, skip_serializing_if = "Place::is_default")]
    pub place: Place,
}

impl SandboxSpec {
    /// Whatever is installed of a flavour, with these lines of my.cnf, over the Unix socket, without TLS.
    pub fn new(flavour: Flavour, settings: BTreeMap<String, String>) -> Self {
        Self {
            flavour,
            basedir: None,
            settings,
            tcp: false,
            tls: TlsMode::Disabled.into(),
            place: Place::default(),
        }
    }

    /// The requested version, if it was not a path.
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
    use crate::arrangement::Via;

    const OLD: &str = r#"{"kind":"sandbox","flavour":"mysql","basedir":null,"settings":{},"tcp":false,"tls":{"mode":"DISABLED","ca":null,"cert":null,"key":null}}"#;

    #[test]
    fn a_target_without_a_place_is_what_it_was_before_there_were_any() {
        let old: ServerKind = serde_json::from_str(OLD).expect("an older run");
        let ServerKind::Sandbox(sandbox) = &old else { panic!("{old:?}") };
        assert!(sandbox.place.is_default());
        let written = serde_json::to_string(&old).expect("plain values");
        assert!(!written.contains("place"), "its hash would change: {written}");
    }

    #[test]
    fn a_single_server_is_written_as_it_always_was() {
        let old = format!(r#"{{"label":"a","kind":{OLD}}}"#);
        let target: Target = serde_json::from_str(&old).expect("an older run");
        assert_eq!((target.topology, target.members.len()), (Topology::Single, 1));
        let written = serde_json::to_value(&target).expect("plain values");
        assert_eq!(written.as_object().expect("an object").keys().collect::<Vec<_>>(), ["kind", "label"]);
        assert_eq!(serde_json::from_value::<Target>(written).expect("its own"), target);
    }

    #[test]
    fn a_single_server_behind_a_router_is_read_as_it_was_written() {
        let plain: Target =
            serde_json::from_str(&format!(r#"{{"label":"a","kind":{OLD}}}"#)).expect("an older run");
        let arrangement = Arrangement { via: Via::Router, ..Arrangement::default() };
        let target = Target { arrangement, ..plain };
        let written = serde_json::to_value(&target).expect("plain values");
        assert_eq!(written["arrangement"]["via"], "router");
        assert_eq!(serde_json::from_value::<Target>(written).expect("its own"), target);
    }

    #[test]
    fn a_topology_is_read_as_it_was_written() {
        let kind: ServerKind = serde_json::from_str(OLD).expect("an older run");
        let member = |role| Member { role, kind: kind.clone() };
        let target = Target {
            label: "ha".to_owned(),
            topology: Topology::Semisync,
            arrangement: Arrangement { acks: Some(1), link_delay_us: Some(250), ..Arrangement::default() },
            members: vec![member(Role::Primary), member(Role::Replica)],
        };
        let written = serde_json::to_string(&target).expect("plain values");
        assert!(
            written.contains(r#""topology":"semisync","arrangement":{"acks":1,"link_delay_us":250},"members":[{"role":"primary","kind":"sandbox""#),
            "{written}"
        );
        assert_eq!(serde_json::from_str::<Target>(&written).expect("its own"), target);
        let names: Vec<String> = target.named().map(|(name, _)| name).collect();
        assert_eq!(names, ["ha", "ha:2"]);
        let none = serde_json::from_str::<Target>(r#"{"label":"x"}"#).expect_err("it has no server");
        assert_eq!(none.to_string(), "the target 'x' has no server");
    }

    #[test]
    fn a_place_is_read_as_it_was_written() {
        let mut target: ServerKind = serde_json::from_str(OLD).expect("an older run");
        let ServerKind::Sandbox(sandbox) = &mut target else { panic!("{target:?}") };
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
        assert_eq!(serde_json::from_str::<ServerKind>(&written).expect("its own"), target);
    }
}
