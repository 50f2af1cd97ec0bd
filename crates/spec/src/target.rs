//! A target as written: its description before flags and environment fill in the rest.

use std::collections::BTreeMap;
use std::path::PathBuf;

use model::{
    Address, Arrangement, Endpoint, Member, Place, Role, SandboxSpec, ServerKind, SpecTarget, TlsMode,
    TlsSpec, Topology,
};

/// Keys of the connection, as `--target` and the section `connection` have them; the first seven are for sandboxes too.
pub const CONNECTION_KEYS: [&str; 10] = [
    "ssl-mode",
    "ssl-ca",
    "ssl-cert",
    "ssl-key",
    "tls-version",
    "ssl-resumption",
    "protocol",
    "connect-timeout",
    "get-server-public-key",
    "init-command",
];

/// The key of a sandbox that has the settings of another server.
pub(crate) const LIKE: &str = "like";

/// Keys and values, in the words of the command line.
pub type TargetWords = BTreeMap<String, String>;

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden(pub String);

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

/// The system under test: a server, or several that belong together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetSpec {
    /// Label in charts.
    pub label: Option<String>,
    /// The topology of its servers.
    pub topology: Topology,
    /// The other properties of the topology.
    pub arrangement: Arrangement,
    /// Its servers. Clients connect to the first one; empty only where a factor names the target.
    pub servers: Vec<ServerSpec>,
    /// Facts about it for the report.
    pub instance: TargetWords,
}

/// A server of a target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerSpec {
    /// Its role in the topology.
    pub role: Role,
    /// A server to start: `mysql`, `mariadb@11.8`, `mysql@/opt/build`; empty: whatever is installed.
    pub sandbox: Option<String>,
    /// Host of an external server.
    pub host: Option<String>,
    /// Its port.
    pub port: Option<u16>,
    /// Its Unix socket.
    pub socket: Option<PathBuf>,
    /// Account.
    pub user: Option<String>,
    /// Its password, which is never written.
    pub password: Option<Hidden>,
    /// Database that holds the tables.
    pub database: Option<String>,
    /// Connection parameters, by [`CONNECTION_KEYS`].
    pub connection: TargetWords,
    /// Server variables, by name with `_`.
    pub settings: TargetWords,
    /// Placement of a sandbox, by [`Place::KEYS`].
    pub placement: TargetWords,
    /// The server whose settings a sandbox gets, as `mysql://user@host`; the URL may hold a password.
    pub like: Option<Hidden>,
}

/// Default timeout of a connection, seconds.
const CONNECT_TIMEOUT_S: u32 = 10;

impl From<ServerSpec> for TargetSpec {
    fn from(server: ServerSpec) -> Self {
        Self { servers: vec![server], ..Self::default() }
    }
}

impl TargetSpec {
    /// The server that clients connect to.
    pub fn entry(&self) -> Option<&ServerSpec> {
        self.servers.first()
    }

    /// The servers that a key applies to: all of them, or those of the role in front of it (`replica.sync_binlog`).
    fn meant<'a>(&mut self, key: &'a str) -> (impl Iterator<Item = &mut ServerSpec>, &'a str) {
        let (role, key) = role_of(key);
        (self.servers.iter_mut().filter(move |server| role.is_none_or(|role| server.role == role)), key)
    }

    /// Whether it has servers to which such a key applies.
    pub fn has(&self, key: &str) -> bool {
        let (role, _) = role_of(key);
        role.is_none_or(|role| self.servers.iter().any(|server| server.role == role))
    }

    /// Sets a key of the connection, of the placement, or a server variable: whichever has that name; on all of its servers, or
    /// on those of the role in front of it.
    pub fn set(&mut self, key: &str, value: &str) {
        let (servers, key) = self.meant(key);
        servers.for_each(|server| server.set(key, value));
    }

    /// The same sandboxes with another build or version.
    pub fn with_build(mut self, build: &str) -> Self {
        for server in self.servers.iter_mut().filter(|server| server.sandbox.is_some()) {
            let flavour =
                server.sandbox.as_deref().and_then(|sandbox| sandbox.split('@').next()).unwrap_or_default();
            server.sandbox = Some(format!("{flavour}@{build}"));
        }
        self
    }

    /// A short name: `mysql`, the host.
    pub fn short(&self) -> String {
        match self.entry().map(|entry| (&entry.sandbox, &entry.host)) {
            Some((Some(sandbox), _)) if !sandbox.is_empty() => {
                sandbox.split('@').next().unwrap_or_default().to_owned()
            }
            Some((Some(_), _)) => "sandbox".to_owned(),
            Some((None, Some(host))) => host.clone(),
            _ => "localhost".to_owned(),
        }
    }

    /// The specification of a known target: all of it, except the passwords.
    pub fn of(known: &SpecTarget) -> Self {
        Self {
            label: Some(known.target.label.clone()),
            topology: known.target.topology,
            arrangement: known.target.arrangement,
            servers: known.target.members.iter().map(ServerSpec::of).collect(),
            instance: known.instance.clone(),
        }
    }

    /// The address and settings as words, in the notation of a reader.
    pub fn parts(&self) -> Vec<String> {
        match self.servers.as_slice() {
            [server] => {
                let words = crate::arrangement::words(&self.arrangement).into_iter();
                let words = words.map(|(key, value)| format!("{key}={value}"));
                server.parts().into_iter().chain(words).collect()
            }
            servers => {
                let mut parts =
                    vec![format!("{} topology", self.topology.name()), format!("{} servers", servers.len())];
                let words = crate::arrangement::words(&self.arrangement).into_iter();
                parts.extend(words.map(|(key, value)| format!("{key}={value}")));
                let common = servers.iter().map(ServerSpec::parts);
                let common =
                    common.reduce(|all, own| all.into_iter().filter(|part| own.contains(part)).collect());
                let common = common.unwrap_or_default();
                parts.extend(common.iter().cloned());
                let mut said: Vec<String> = Vec::new();
                for server in servers {
                    let own = server.parts().into_iter().filter(|part| !common.contains(part));
                    said.extend(own.map(|part| format!("{}: {part}", server.role.name())));
                }
                // Replicas that are alike are said once.
                said.dedup();
                parts.extend(said);
                parts
            }
        }
    }
}

/// The role in front of a key, and the rest.
pub(crate) fn role_of(key: &str) -> (Option<Role>, &str) {
    let found = Role::ALL.into_iter().find_map(|role| {
        let rest = key.strip_prefix(role.name())?.strip_prefix('.')?;
        Some((Some(role), rest))
    });
    found.unwrap_or((None, key))
}

impl ServerSpec {
    /// Fills in the description common to all servers of its target where it has none of its own.
    #[must_use]
    pub fn or(mut self, common: &Self) -> Self {
        let words = |own: &mut TargetWords, all: &TargetWords| {
            let missing = all.iter().filter(|(key, _)| !own.contains_key(*key));
            let missing: Vec<_> = missing.map(|(key, value)| (key.clone(), value.clone())).collect();
            own.extend(missing);
        };
        words(&mut self.connection, &common.connection);
        words(&mut self.settings, &common.settings);
        words(&mut self.placement, &common.placement);
        let has_place = self.sandbox.is_some() || self.host.is_some() || self.socket.is_some();
        if !has_place {
            (self.sandbox, self.host) = (common.sandbox.clone(), common.host.clone());
            self.socket.clone_from(&common.socket);
        }
        self.port = self.port.or(common.port);
        self.user = self.user.or_else(|| common.user.clone());
        self.database = self.database.or_else(|| common.database.clone());
        self.like = self.like.or_else(|| common.like.clone());
        self
    }

    /// Sets a key of the connection, of the placement, or a server variable: whichever has that name. A server that
    /// mydyno does not start has no placement.
    pub fn set(&mut self, key: &str, value: &str) {
        let (section, rest) = match key.split_once('.') {
            Some((section @ ("connection" | "settings" | "placement" | "set"), rest)) => (section, rest),
            _ => ("", key),
        };
        let word = rest.replace('_', "-");
        let name = rest.replace('-', "_");
        // A sandbox is reached as mydyno likes; some of the other keys are names of server variables.
        let keys = if self.sandbox.is_some() { &CONNECTION_KEYS[..7] } else { &CONNECTION_KEYS[..] };
        let is_connection = keys.contains(&word.as_str());
        let is_placement = self.sandbox.is_some() && Place::KEYS.contains(&word.as_str());
        let value = value.to_owned();
        if section.is_empty() && name == LIKE && self.sandbox.is_some() {
            self.like = Some(Hidden(value));
            return;
        }
        match section {
            "connection" => self.connection.insert(word, value),
            "placement" => self.placement.insert(word, value),
            "" if is_connection => self.connection.insert(word, value),
            "" if is_placement => self.placement.insert(word, value),
            _ => self.settings.insert(name, value),
        };
    }

    /// The specification of a known server: all of it, except the password.
    fn of(known: &Member) -> Self {
        let server = match &known.kind {
            ServerKind::Sandbox(sandbox) => Self::of_sandbox(sandbox),
            ServerKind::External(endpoint) => Self::of_external(endpoint),
            ServerKind::Imported { source } => Self { host: Some(source.clone()), ..Self::default() },
        };
        Self { role: known.role, ..server }
    }

    fn of_sandbox(sandbox: &SandboxSpec) -> Self {
        let build = sandbox.basedir.as_ref().map(|build| format!("@{}", build.display())).unwrap_or_default();
        let mut connection = TargetWords::new();
        if sandbox.tls.mode != TlsMode::Disabled {
            connection = tls_words(&sandbox.tls);
        }
        if sandbox.tcp {
            connection.insert("protocol".to_owned(), "tcp".to_owned());
        }
        let placement = sandbox.place.words().into_iter().map(|(key, value)| (key.to_owned(), value));
        Self {
            sandbox: Some(format!("{}{build}", sandbox.flavour.name())),
            connection,
            settings: sandbox.settings.clone(),
            placement: placement.collect(),
            ..Self::default()
        }
    }

    fn of_external(server: &Endpoint) -> Self {
        let mut connection = tls_words(&server.tls);
        let mut put = |key: &str, value: Option<String>| {
            connection.extend(value.map(|value| (key.to_owned(), value)));
        };
        put("get-server-public-key", server.get_server_public_key.then(|| "on".to_owned()));
        let timeout_s = server.connect_timeout_s;
        put("connect-timeout", (timeout_s != CONNECT_TIMEOUT_S).then(|| timeout_s.to_string()));
        put("init-command", server.init_commands.first().cloned());
        let target = Self {
            user: Some(server.user.clone()).filter(|user| !user.is_empty()),
            database: Some(server.database.clone()).filter(|database| !database.is_empty()),
            connection,
            settings: server.globals.clone(),
            ..Self::default()
        };
        match &server.address {
            Address::Tcp { host, port } => Self { host: Some(host.clone()), port: Some(*port), ..target },
            Address::Socket(path) => Self { socket: Some(path.clone()), ..target },
        }
    }

    fn parts(&self) -> Vec<String> {
        let user = self.user.as_ref().map(|user| format!("{user}@")).unwrap_or_default();
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        let database = self.database.as_ref().map(|name| format!("/{name}")).unwrap_or_default();
        let place = match &self.sandbox {
            Some(sandbox) => format!("sandbox:{sandbox}"),
            None => {
                let host = self.host.as_deref().unwrap_or_default();
                let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
                format!("mysql://{user}{host}{port}{database}")
            }
        };
        let socket = self.socket.iter().map(|path| format!("socket={}", path.display()));
        let words = [&self.connection, &self.settings, &self.placement].into_iter().flatten();
        let words =
            words.map(|(key, value)| if value.is_empty() { key.clone() } else { format!("{key}={value}") });
        std::iter::once(place).chain(socket).chain(words).collect()
    }
}

fn tls_words(tls: &TlsSpec) -> TargetWords {
    let file = |path: &Option<PathBuf>| path.as_ref().map(|p| p.display().to_string());
    let versions: Vec<&str> = tls.versions.iter().map(|version| version.name()).collect();
    let words = [
        ("ssl-mode", Some(tls.mode.name().to_owned())),
        ("ssl-ca", file(&tls.ca)),
        ("ssl-cert", file(&tls.cert)),
        ("ssl-key", file(&tls.key)),
        ("tls-version", Some(versions.join(",")).filter(|versions| !versions.is_empty())),
        ("ssl-resumption", tls.resumption.then(|| "on".to_owned())),
    ];
    words.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(server: ServerSpec) -> TargetSpec {
        server.into()
    }

    #[test]
    fn a_key_goes_where_it_belongs() {
        let mut target = single(ServerSpec { sandbox: Some("mysql".to_owned()), ..ServerSpec::default() });
        for (key, value) in [
            ("sync_binlog", "0"),
            ("ssl_mode", "REQUIRED"),
            ("cpus", "0-1"),
            ("settings.port", "1"),
            ("set.protocol", "x"),
        ] {
            target.set(key, value);
        }
        let keys = |words: &TargetWords| words.keys().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(keys(&target.servers[0].settings), "port protocol sync_binlog");
        assert_eq!(
            (keys(&target.servers[0].connection).as_str(), keys(&target.servers[0].placement).as_str()),
            ("ssl-mode", "cpus")
        );
        let mut server = single(ServerSpec { host: Some("db1".to_owned()), ..ServerSpec::default() });
        server.set("cpus", "1");
        assert_eq!(keys(&server.servers[0].settings), "cpus");
    }

    #[test]
    fn another_build_keeps_the_flavour() {
        let target = single(ServerSpec { sandbox: Some("mysql@8.0".to_owned()), ..ServerSpec::default() });
        assert_eq!(target.with_build("/opt/b").servers[0].sandbox.as_deref(), Some("mysql@/opt/b"));
    }
}
