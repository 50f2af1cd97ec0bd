//! The grammar of targets: `[NAME=]mysql://...` and `[NAME=]sandbox:...`, and what `--set` and `--instance` add.
//!
//! A URL may hold a password, so nothing here quotes a target as it was written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use model::{Flavour, Place};

use super::connection::{ConnectionArgs, Protocol};
use super::place;
use super::size::switch;
use super::tls::{self, TlsArgs};
use crate::error::{Outcome, UserError, nearest};

const EXAMPLES: &str = "a target is mysql://user@host:3306/database, or sandbox:mysql, or sandbox:mariadb; \
                        NAME= before it labels it in charts";
/// What may follow the `?` of a URL.
const URL_KEYS: [&str; 5] =
    ["socket", "protocol", "connect-timeout", "get-server-public-key", "init-command"];
/// Labels stand in file names, charts and legends.
const LONGEST_LABEL: usize = 80;

/// Servers under test.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Targets")]
pub struct TargetArgs {
    /// Add a server under test (repeatable): mysql://user@host:3306/db?ssl-mode=REQUIRED, sandbox:mysql,
    /// sandbox:mariadb@11.8, sandbox:mariadb@/opt/build?sync_binlog=0, sandbox:mysql?cpus=0-3&memory-max=8G. Account,
    /// database and TLS options complete a URL
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

/// A target as written.
pub struct Written {
    /// The label before `=`.
    pub label: Option<String>,
    /// What it names.
    pub value: Value,
}

/// What a target names. Boxed because both are large.
pub enum Value {
    /// A server, by URL, with variables that are set while it is measured.
    Server(Box<ConnectionArgs>, BTreeMap<String, String>),
    /// A sandbox.
    Sandbox(Box<Sandbox>),
}

/// A sandbox as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Which server; none: whatever is installed.
    pub flavour: Option<Flavour>,
    /// A version that is installed, or the path of a build.
    pub basedir: Option<PathBuf>,
    /// Lines for its my.cnf.
    pub settings: BTreeMap<String, String>,
    /// `protocol=`.
    pub protocol: Option<Protocol>,
    /// `ssl-mode=` and what goes with it.
    pub tls: TlsArgs,
    /// `cpus=` and what else says where it runs.
    pub place: Place,
}

/// True of what may follow the `?` of a target without being a variable of the server.
pub fn is_target_key(key: &str) -> bool {
    let key = key.replace('_', "-");
    key.starts_with("set.") || [&tls::KEYS[..], &URL_KEYS, &Place::KEYS].concat().contains(&key.as_str())
}

/// A value as it stands behind the `?` of a target.
pub fn query_escaped(value: &str) -> String {
    value.replace('%', "%25").replace('&', "%26")
}

/// What a target begins with.
const SCHEMES: [&str; 3] = ["mysql://", "mariadb://", "sandbox:"];

/// Reads `[NAME=]VALUE`.
pub fn parse(text: &str) -> Outcome<Written> {
    let (label, value) = match text.split_once('=') {
        // A label may hold a colon, as that of a server with its port does; a scheme is no label.
        Some((label, value)) if !label.contains(['?', '@']) && strip_scheme(label, &SCHEMES).is_none() => {
            (Some(checked_label(label)?), value)
        }
        _ => (None, text),
    };
    let value = if let Some(rest) = strip_scheme(value, &["mysql://", "mariadb://"]) {
        let (url, globals) = parse_url(rest)?;
        Value::Server(Box::new(url), globals)
    } else if let Some(rest) = strip_scheme(value, &["sandbox:"]) {
        Value::Sandbox(Box::new(parse_sandbox(rest)?))
    } else {
        return Err(UserError::usage("a --target names neither a server nor a sandbox").hint(EXAMPLES));
    };
    Ok(Written { label, value })
}

fn strip_scheme<'a>(text: &'a str, schemes: &[&str]) -> Option<&'a str> {
    schemes.iter().find_map(|scheme| {
        let head = text.get(..scheme.len())?;
        head.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
    })
}

/// A label that charts and file names can bear.
pub fn checked_label(label: &str) -> Outcome<String> {
    let label = label.trim();
    let fits = !label.is_empty() && label.chars().count() <= LONGEST_LABEL;
    if !fits || label.chars().any(char::is_control) {
        return Err(UserError::usage(format!("a label has 1 to {LONGEST_LABEL} printable characters")));
    }
    Ok(label.to_owned())
}

fn parse_url(rest: &str) -> Outcome<(ConnectionArgs, BTreeMap<String, String>)> {
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, database) = before.split_once('/').unwrap_or((before, ""));
    // The last @: an unescaped one in a password is a common slip, and there is no other way to read it.
    let (account, place) = match authority.rsplit_once('@') {
        Some((account, place)) => (Some(account), place),
        None => (None, authority),
    };
    let mut url = ConnectionArgs::default();
    if let Some(account) = account {
        let (user, password) = match account.split_once(':') {
            Some((user, password)) => (user, Some(password)),
            None => (account, None),
        };
        url.user = Some(percent_decode(user)?).filter(|user| !user.is_empty());
        url.password = password.map(percent_decode).transpose()?.map(Some);
    }
    let (host, port) = host_and_port(place)?;
    url.host = host;
    url.port = port;
    let database = percent_decode(database)?;
    if database.contains('/') {
        return Err(UserError::usage("the path of a target URL is the database, one word").hint(EXAMPLES));
    }
    url.database = Some(database).filter(|database| !database.is_empty());
    let mut globals = BTreeMap::new();
    for (key, value) in pairs(query)? {
        match key.strip_prefix("set.") {
            Some(variable) => _ = globals.insert(checked_variable(variable)?, value),
            None => set_url_key(&mut url, &key.replace('_', "-"), value)?,
        }
    }
    if url.socket.is_some() && (url.host.is_some() || url.port.is_some()) {
        return Err(UserError::usage("a target URL names a host and a socket")
            .hint("for a socket leave the host out: mysql://user@/database?socket=/path"));
    }
    if url.host.is_none() && url.socket.is_none() {
        return Err(UserError::usage("a target URL names no host").hint(EXAMPLES));
    }
    Ok((url, globals))
}

fn host_and_port(place: &str) -> Outcome<(Option<String>, Option<u16>)> {
    let wrong =
        || UserError::usage("the host of a target URL is not host, host:port or [IPv6]:port").hint(EXAMPLES);
    let (host, port) = if let Some(rest) = place.strip_prefix('[') {
        let (host, after) = rest.split_once(']').ok_or_else(wrong)?;
        (host, if after.is_empty() { None } else { Some(after.strip_prefix(':').ok_or_else(wrong)?) })
    } else {
        match place.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (place, None),
        }
    };
    let is_number = |port: &str| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    let port = port.map(|port| match port.parse() {
        Ok(port) => Ok(port),
        Err(_) if is_number(port) => {
            Err(UserError::usage(format!("port {port} of a target URL is not from 1 to 65535")))
        }
        Err(_) => Err(wrong()),
    });
    let port = port.transpose()?;
    let host = percent_decode(host)?;
    Ok((Some(host).filter(|host| !host.is_empty()), port))
}

fn set_url_key(url: &mut ConnectionArgs, key: &str, value: String) -> Outcome<()> {
    let wrong = |why: String| UserError::usage(format!("{key} in a target URL: {why}"));
    if url.tls.set(key, &value).map_err(wrong)? {
        return Ok(());
    }
    match key {
        "socket" => url.socket = Some(value.into()),
        "protocol" => url.protocol = Some(Protocol::from_str(&value, true).map_err(|_| protocol_wrong())?),
        "connect-timeout" => {
            url.connect_timeout =
                Some(value.parse().map_err(|_| wrong("it is not a number of seconds".into()))?);
        }
        "get-server-public-key" => {
            url.get_server_public_key =
                Some(if value.is_empty() { true } else { switch(&value).map_err(wrong)? });
        }
        "init-command" => url.init_command = Some(value),
        _ => {
            let keys = [&tls::KEYS[..], &URL_KEYS].concat();
            let near = nearest(key, keys.iter().copied());
            let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
            return Err(UserError::usage(format!("a target URL has no key '{key}'")).hint(format!(
                "{near}there are: {}; and set.VARIABLE, which is put back afterwards",
                keys.join(", ")
            )));
        }
    }
    Ok(())
}

fn parse_sandbox(rest: &str) -> Outcome<Sandbox> {
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (flavour, basedir) = match before.split_once('@') {
        Some((flavour, basedir)) => (flavour, Some(basedir)),
        None => (before, None),
    };
    let flavour = match flavour.to_ascii_lowercase().as_str() {
        "" => None,
        name => Some(flavour_named(name)?),
    };
    if let Some(build) = basedir
        && (flavour.is_none() || !(build.starts_with('/') || is_version(build)))
    {
        return Err(UserError::usage(
            "after the flavour and @ stands a version or the absolute path of a build",
        )
        .hint("for example sandbox:mariadb@11.8 or sandbox:mysql@/opt/mysql-8.4"));
    }
    let mut sandbox = Sandbox { flavour, basedir: basedir.map(PathBuf::from), ..Sandbox::default() };
    for (name, value) in pairs(query)? {
        let key = name.replace('_', "-");
        let wrong = |why| UserError::usage(format!("{key} of a sandbox: {why}"));
        // The server's own setting of this name is set with --set.
        if sandbox.tls.set(&key, &value).map_err(wrong)? {
            continue;
        }
        if key == "protocol" {
            sandbox.protocol = Some(Protocol::from_str(&value, true).map_err(|_| protocol_wrong())?);
        } else if !place::set(&mut sandbox.place, &key, &value)? {
            let name = name.strip_prefix("set.").unwrap_or(&name);
            sandbox.settings.insert(checked_variable(name)?, value);
        }
    }
    place::check(&sandbox.place)?;
    Ok(sandbox)
}

/// `11.8`, `9` or `9.7.4`.
pub fn is_version(text: &str) -> bool {
    text.split('.').all(|part| !part.is_empty() && part.len() < 6 && part.bytes().all(|b| b.is_ascii_digit()))
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

/// A server variable's name, with `_` for `-`.
fn checked_variable(name: &str) -> Outcome<String> {
    let name = name.replace('-', "_");
    let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    if name.is_empty() || !name.chars().all(good) {
        return Err(UserError::usage(format!("'{name}' is not the name of a server variable")));
    }
    Ok(name)
}

/// `a=1&b=2`; a bare name has an empty value.
fn pairs(query: &str) -> Outcome<Vec<(String, String)>> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            Ok((percent_decode(key)?, percent_decode(value)?))
        })
        .collect()
}

/// `%41` is `A`. A `%` without two hexadecimal digits stands for itself.
fn percent_decode(text: &str) -> Outcome<String> {
    let hex = |byte: Option<&u8>| byte.and_then(|b| char::from(*b).to_digit(16));
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).expect("two hexadecimal digits are a byte"));
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).map_err(|_| UserError::usage("a %-escape in a target is not UTF-8"))
}

/// `[NAME:]KEY=VALUE` of `--set` and `--instance`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The target meant; none: see the option.
    pub label: Option<String>,
    /// What is set.
    pub key: String,
    /// To what; empty for a bare name.
    pub value: String,
}

/// Reads a `--set`. A bare name is a switch.
pub fn parse_set(text: &str) -> Outcome<Assignment> {
    let mut assignment = parse_assignment(text);
    assignment.key = checked_variable(&assignment.key)?;
    place::refuse_as_variable(&assignment.key)?;
    refuse_connection_key(&assignment.key)?;
    Ok(assignment)
}

/// How a server is reached is no variable of it. Some variables have the names of such keys; these are meant then.
fn refuse_connection_key(name: &str) -> Outcome<()> {
    const KEYS: [&str; 4] = ["ssl_mode", "ssl_resumption", "protocol", "get_server_public_key"];
    if !KEYS.contains(&name) {
        return Ok(());
    }
    let key = name.replace('_', "-");
    Err(UserError::usage(format!("{key} says how a server is reached: it is no variable of it"))
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
