//! The short form of a target: `[NAME=]mysql://...` and `[NAME=]sandbox:...`.
//!
//! A URL may hold a password, so nothing here quotes a target as it was written.

use crate::arrange::{instances, side_by_side, topology};
use crate::arrangement::{self, count};
use crate::nearest;
use crate::target::{CONNECTION_KEYS, Hidden, ServerSpec, TargetSpec};
use crate::values::Wrong;
use crate::via::no_sandbox_behind;

const EXAMPLES: &str = "a target is mysql://user@host:3306/database, or sandbox:mysql, or sandbox:mariadb; \
                        NAME= before it labels it in charts";
/// Longest label: labels are part of file names, charts and legends.
const LONGEST_LABEL: usize = 80;
/// The possible beginnings of a target.
const SCHEMES: [&str; 3] = ["mysql://", "mariadb://", "sandbox:"];

/// Reads `[NAME=]TARGET`.
///
/// # Errors
/// It is neither a server nor a sandbox, or a part of it is wrong.
pub fn target(text: &str) -> Result<TargetSpec, Wrong> {
    let (label, value) = match text.split_once('=') {
        // A label may hold a colon, as that of a server with its port does; a scheme is no label.
        Some((label, value)) if !label.contains(['?', '@']) && strip_scheme(label, &SCHEMES).is_none() => {
            (Some(label_of(label)?), value)
        }
        _ => (None, text),
    };
    let target = if let Some(rest) = strip_scheme(value, &["mysql://", "mariadb://"]) {
        server(rest)?
    } else if let Some(rest) = strip_scheme(value, &["sandbox:"]) {
        sandbox(rest)?
    } else {
        return Err(Wrong::of("a target names neither a server nor a sandbox").hint(EXAMPLES));
    };
    Ok(TargetSpec { label, ..target })
}

fn strip_scheme<'a>(text: &'a str, schemes: &[&str]) -> Option<&'a str> {
    schemes.iter().find_map(|scheme| {
        let head = text.get(..scheme.len())?;
        head.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
    })
}

/// A label that charts and file names can bear.
///
/// # Errors
/// It is empty, too long, or not printable.
pub fn label_of(label: &str) -> Result<String, Wrong> {
    let label = label.trim();
    let fits = !label.is_empty() && label.chars().count() <= LONGEST_LABEL;
    if !fits || label.chars().any(char::is_control) {
        return Err(Wrong::of(format!("a label has 1 to {LONGEST_LABEL} printable characters")));
    }
    Ok(label.to_owned())
}

/// A server variable's name, with `_` for `-`.
///
/// # Errors
/// No variable has such a name.
pub fn variable(name: &str) -> Result<String, Wrong> {
    let name = name.replace('-', "_");
    let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    if name.is_empty() || !name.chars().all(good) {
        return Err(Wrong::of(format!("'{name}' is not the name of a server variable")));
    }
    Ok(name)
}

/// One server, or several with commas between their hosts, which share everything else.
fn server(rest: &str) -> Result<TargetSpec, Wrong> {
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, database) = before.split_once('/').unwrap_or((before, ""));
    // The last @: an unescaped one in a password is a common slip, and there is no other way to read it.
    let (account, place) = match authority.rsplit_once('@') {
        Some((account, place)) => (Some(account), place),
        None => (None, authority),
    };
    let mut server = ServerSpec::default();
    let mut target = TargetSpec::default();
    if let Some(account) = account {
        let (user, password) = match account.split_once(':') {
            Some((user, password)) => (user, Some(password)),
            None => (account, None),
        };
        server.user = Some(percent_decode(user)?).filter(|user| !user.is_empty());
        server.password = password.map(percent_decode).transpose()?.map(Hidden);
    }
    let database = percent_decode(database)?;
    if database.contains('/') {
        return Err(Wrong::of("the path of a target URL is the database, one word").hint(EXAMPLES));
    }
    server.database = Some(database).filter(|database| !database.is_empty());
    for (key, value) in pairs(query)? {
        match key.strip_prefix("set.") {
            Some(name) => _ = server.settings.insert(variable(name)?, value),
            None if key == "topology" => target.topology = topology(&value)?,
            // Of the other keys these are about clients, not about how servers are made.
            None if ["reads", "multi_primary"].contains(&key.replace('-', "_").as_str()) => {
                arrangement::set(&mut target.arrangement, &key.replace('-', "_"), &value)?;
            }
            None => set_key(&mut server, &key.replace('_', "-"), value)?,
        }
    }
    for place in place.split(',') {
        let (host, port) = host_and_port(place)?;
        if server.socket.is_some() && (host.is_some() || port.is_some()) {
            return Err(Wrong::of("a target URL names a host and a socket")
                .hint("for a socket leave the host out: mysql://user@/database?socket=/path"));
        }
        if host.is_none() && server.socket.is_none() {
            return Err(Wrong::of("a target URL names no host").hint(EXAMPLES));
        }
        target.servers.push(ServerSpec { host, port, ..server.clone() });
    }
    target.arranged(None, &[])
}

pub(crate) fn host_and_port(place: &str) -> Result<(Option<String>, Option<u16>), Wrong> {
    let wrong = || Wrong::of("the host of a target URL is not host, host:port or [IPv6]:port").hint(EXAMPLES);
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
            Err(Wrong::of(format!("port {port} of a target URL is not from 1 to 65535")))
        }
        Err(_) => Err(wrong()),
    });
    let port = port.transpose()?;
    let host = percent_decode(host)?;
    Ok((Some(host).filter(|host| !host.is_empty()), port))
}

fn set_key(server: &mut ServerSpec, key: &str, value: String) -> Result<(), Wrong> {
    if key == "socket" {
        server.socket = Some(value.into());
    } else if CONNECTION_KEYS.contains(&key) {
        server.connection.insert(key.to_owned(), value);
    } else if key == "via" {
        return Err(no_sandbox_behind());
    } else {
        let keys = [&CONNECTION_KEYS[..], &["socket", "topology"]].concat();
        let near = nearest(key, keys.iter().copied());
        let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
        return Err(Wrong::of(format!("a target URL has no key '{key}'")).hint(format!(
            "{near}there are: {}; and set.VARIABLE, which is restored afterwards",
            keys.join(", ")
        )));
    }
    Ok(())
}

fn sandbox(rest: &str) -> Result<TargetSpec, Wrong> {
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    let server = ServerSpec { sandbox: Some(checked_sandbox(before)?), ..ServerSpec::default() };
    let (mut target, mut members, mut others) = (TargetSpec::from(server), None, Vec::new());
    let mut counted = None;
    for (name, value) in pairs(query)? {
        match name.replace('-', "_").as_str() {
            "topology" => target.topology = topology(&value)?,
            "members" => members = Some(count(&name, &value)?),
            "instances" => counted = Some(instances(&value)?),
            key if arrangement::set(&mut target.arrangement, key, &value)? => {}
            _ => others.push((name, value)),
        }
    }
    if let Some(counted) = counted {
        (target.topology, members) = side_by_side(target.topology, members, counted)?;
    }
    let mut target = target.arranged(members, &[])?;
    for (name, value) in others {
        if !target.has(&name) {
            return Err(Wrong::of(format!("{name} is of replicas, and this target has none"))
                .hint("a target with replicas is, for example, sandbox:mysql?topology=async"));
        }
        match name.strip_prefix("set.") {
            Some(name) => target.set(&format!("settings.{}", variable(name)?), &value),
            None => target.set(&name, &value),
        }
    }
    for name in target.servers.iter().flat_map(|server| server.settings.keys()) {
        variable(name)?;
    }
    Ok(target)
}

/// `mysql`, `mariadb@11.8`, `mysql@/opt/build`; empty: whatever is installed.
///
/// # Errors
/// The flavour is unknown, or what stands behind the `@` is neither a version nor an absolute path.
pub fn checked_sandbox(text: &str) -> Result<String, Wrong> {
    let (flavour, build) = match text.split_once('@') {
        Some((flavour, build)) => (flavour, Some(build)),
        None => (text, None),
    };
    let flavour = flavour.to_ascii_lowercase();
    if !["", "mysql", "mariadb"].contains(&flavour.as_str()) {
        return Err(Wrong::of(format!("there is no sandbox of '{flavour}'"))
            .hint("there are sandbox:mysql (also for Percona Server, with @basedir) and sandbox:mariadb"));
    }
    let Some(build) = build else { return Ok(flavour) };
    if flavour.is_empty() || !(build.starts_with('/') || is_version(build)) {
        return Err(Wrong::of("after the flavour and @ stands a version or the absolute path of a build")
            .hint("for example sandbox:mariadb@11.8 or sandbox:mysql@/opt/mysql-8.4"));
    }
    Ok(format!("{flavour}@{build}"))
}

/// `11.8`, `9` or `9.7.4`.
pub fn is_version(text: &str) -> bool {
    text.split('.').all(|part| !part.is_empty() && part.len() < 6 && part.bytes().all(|b| b.is_ascii_digit()))
}

/// `a=1&b=2`; a bare name has an empty value.
fn pairs(query: &str) -> Result<Vec<(String, String)>, Wrong> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            Ok((percent_decode(key)?, percent_decode(value)?))
        })
        .collect()
}

/// `%41` is `A`. A `%` without two hexadecimal digits is literal.
fn percent_decode(text: &str) -> Result<String, Wrong> {
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
    String::from_utf8(out).map_err(|_| Wrong::of("a %-escape in a target is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use model::Topology;

    use super::*;

    #[test]
    fn a_url_says_everything_but_what_flags_say() {
        let target =
            target("db=mysql://u:p%40ss@[::1]:3307/d?ssl_mode=REQUIRED&set.sync-binlog=0").expect("valid");
        assert_eq!(target.label.as_deref(), Some("db"));
        let server = &target.servers[0];
        assert_eq!((server.host.as_deref(), server.port), (Some("::1"), Some(3307)));
        assert_eq!((server.user.as_deref(), server.database.as_deref()), (Some("u"), Some("d")));
        assert_eq!(server.password.as_ref().map(|hidden| hidden.0.as_str()), Some("p@ss"));
        assert_eq!(server.connection["ssl-mode"], "REQUIRED");
        assert_eq!(server.settings["sync_binlog"], "0");
        assert!(!format!("{target:?}").contains("p@ss"));
    }

    #[test]
    fn a_sandbox_has_settings_and_a_placement() {
        let target = target("sandbox:MariaDB@11.8?cpus=0-1&sync_binlog=0&protocol=tcp").expect("valid");
        let server = &target.servers[0];
        assert_eq!(server.sandbox.as_deref(), Some("mariadb@11.8"));
        assert_eq!(
            (server.placement["cpus"].as_str(), server.settings["sync_binlog"].as_str()),
            ("0-1", "0")
        );
        assert_eq!(server.connection["protocol"], "tcp");
    }

    #[test]
    fn several_hosts_make_a_topology() {
        let made = target("ha=mysql://u@db1,db2:3307,[::1]/d?topology=semisync").expect("valid");
        assert_eq!((made.label.as_deref(), made.topology), (Some("ha"), Topology::Semisync));
        let place =
            |server: &ServerSpec| (server.host.clone().unwrap_or_default(), server.port, server.role.name());
        let places: Vec<_> = made.servers.iter().map(place).collect();
        let expected = [("db1", None, "primary"), ("db2", Some(3307), "replica"), ("::1", None, "replica")];
        assert_eq!(places, expected.map(|(host, port, role)| (host.to_owned(), port, role)));
        let why = |text: &str| target(text).expect_err("refused").why;
        assert_eq!(why("mysql://u@db1,db2/d"), "a target of 2 servers needs a topology");
        assert_eq!(why("mysql://u@db1,/d?topology=async"), "a target URL names no host");
        assert_eq!(why("mysql://u@a,b/d?topology=asinc"), "there is no topology 'asinc'");
    }

    #[test]
    fn a_sandbox_with_a_topology_is_several() {
        let made =
            target("sandbox:mysql?topology=async&members=3&replica.sync_binlog=0&innodb_io_capacity=500");
        let made = made.expect("valid");
        let settings = |at: usize| made.servers[at].settings.keys().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!((made.topology, made.servers.len()), (Topology::Async, 3));
        assert_eq!(
            (settings(0).as_str(), settings(2).as_str()),
            ("innodb_io_capacity", "innodb_io_capacity sync_binlog")
        );
        let acks =
            target("sandbox:mysql?members=3&acks=2&topology=semisync").expect("valid").arrangement.acks;
        assert_eq!(acks, Some(2));
        let why = |text: &str| target(text).expect_err("refused").why;
        assert_eq!(
            why("sandbox:mysql?replica.sync_binlog=0"),
            "replica.sync_binlog is of replicas, and this target has none"
        );
        assert_eq!(
            why("sandbox:mysql?topology=async&members=x"),
            "members is a number of servers, and not 'x'"
        );
    }
}
