//! A target as it is written: what is known of it before flags and environment fill in the rest.

use std::collections::BTreeMap;
use std::path::PathBuf;

use model::{Address, Endpoint, Place, SandboxSpec, SpecTarget, TargetKind, TlsMode, TlsSpec};

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

/// A server under test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetSpec {
    /// What charts call it.
    pub label: Option<String>,
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
    /// How it is reached, by [`CONNECTION_KEYS`].
    pub connection: TargetWords,
    /// Server variables, by name with `_`.
    pub settings: TargetWords,
    /// Where a sandbox runs, by [`Place::KEYS`].
    pub placement: TargetWords,
    /// What the report shows about it.
    pub instance: TargetWords,
}

/// Seconds for a connection where nothing is said.
const CONNECT_TIMEOUT_S: u32 = 10;

impl TargetSpec {
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
        match section {
            "connection" => self.connection.insert(word, value),
            "placement" => self.placement.insert(word, value),
            "" if is_connection => self.connection.insert(word, value),
            "" if is_placement => self.placement.insert(word, value),
            _ => self.settings.insert(name, value),
        };
    }

    /// The same sandbox of another build or version.
    pub fn with_build(mut self, build: &str) -> Self {
        let flavour =
            self.sandbox.as_deref().and_then(|sandbox| sandbox.split('@').next()).unwrap_or_default();
        self.sandbox = Some(format!("{flavour}@{build}"));
        self
    }

    /// A short name: `mysql`, the host.
    pub fn short(&self) -> String {
        match (&self.sandbox, &self.host) {
            (Some(sandbox), _) if !sandbox.is_empty() => {
                sandbox.split('@').next().unwrap_or_default().to_owned()
            }
            (Some(_), _) => "sandbox".to_owned(),
            (None, Some(host)) => host.clone(),
            (None, None) => "localhost".to_owned(),
        }
    }

    /// As it would be written for a target that is known: all of it, but the password.
    pub fn of(known: &SpecTarget) -> Self {
        let mut target = match &known.target.kind {
            TargetKind::Sandbox(sandbox) => Self::of_sandbox(sandbox),
            TargetKind::Server(endpoint) => Self::of_server(endpoint),
            TargetKind::Imported { source } => Self { host: Some(source.clone()), ..Self::default() },
        };
        target.label = Some(known.target.label.clone());
        target.instance.clone_from(&known.instance);
        target
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

    fn of_server(server: &Endpoint) -> Self {
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

    /// Where it is and what is set there, a word each, as a reader writes them.
    pub fn parts(&self) -> Vec<String> {
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

    #[test]
    fn a_key_goes_where_it_belongs() {
        let mut target = TargetSpec { sandbox: Some("mysql".to_owned()), ..TargetSpec::default() };
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
        assert_eq!(keys(&target.settings), "port protocol sync_binlog");
        assert_eq!(
            (keys(&target.connection).as_str(), keys(&target.placement).as_str()),
            ("ssl-mode", "cpus")
        );
        let mut server = TargetSpec { host: Some("db1".to_owned()), ..TargetSpec::default() };
        server.set("cpus", "1");
        assert_eq!(keys(&server.settings), "cpus");
    }

    #[test]
    fn another_build_keeps_the_flavour() {
        let target = TargetSpec { sandbox: Some("mysql@8.0".to_owned()), ..TargetSpec::default() };
        assert_eq!(target.with_build("/opt/b").sandbox.as_deref(), Some("mysql@/opt/b"));
    }
}
