//! The short form of a target: `[NAME=]mysql://...` and `[NAME=]sandbox:...`.
//!
//! A URL may hold a password, so nothing here quotes a target as it was written.

use crate::nearest;
use crate::target::{CONNECTION_KEYS, Hidden, TargetSpec};
use crate::values::Wrong;

const EXAMPLES: &str = "a target is mysql://user@host:3306/database, or sandbox:mysql, or sandbox:mariadb; \
                        NAME= before it labels it in charts";
/// Labels stand in file names, charts and legends.
const LONGEST_LABEL: usize = 80;
/// What a target begins with.
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

fn server(rest: &str) -> Result<TargetSpec, Wrong> {
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, database) = before.split_once('/').unwrap_or((before, ""));
    // The last @: an unescaped one in a password is a common slip, and there is no other way to read it.
    let (account, place) = match authority.rsplit_once('@') {
        Some((account, place)) => (Some(account), place),
        None => (None, authority),
    };
    let mut target = TargetSpec::default();
    if let Some(account) = account {
        let (user, password) = match account.split_once(':') {
            Some((user, password)) => (user, Some(password)),
            None => (account, None),
        };
        target.user = Some(percent_decode(user)?).filter(|user| !user.is_empty());
        target.password = password.map(percent_decode).transpose()?.map(Hidden);
    }
    (target.host, target.port) = host_and_port(place)?;
    let database = percent_decode(database)?;
    if database.contains('/') {
        return Err(Wrong::of("the path of a target URL is the database, one word").hint(EXAMPLES));
    }
    target.database = Some(database).filter(|database| !database.is_empty());
    for (key, value) in pairs(query)? {
        match key.strip_prefix("set.") {
            Some(name) => _ = target.settings.insert(variable(name)?, value),
            None => set_key(&mut target, &key.replace('_', "-"), value)?,
        }
    }
    if target.socket.is_some() && (target.host.is_some() || target.port.is_some()) {
        return Err(Wrong::of("a target URL names a host and a socket")
            .hint("for a socket leave the host out: mysql://user@/database?socket=/path"));
    }
    if target.host.is_none() && target.socket.is_none() {
        return Err(Wrong::of("a target URL names no host").hint(EXAMPLES));
    }
    Ok(target)
}

fn host_and_port(place: &str) -> Result<(Option<String>, Option<u16>), Wrong> {
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

fn set_key(target: &mut TargetSpec, key: &str, value: String) -> Result<(), Wrong> {
    if key == "socket" {
        target.socket = Some(value.into());
    } else if CONNECTION_KEYS.contains(&key) {
        target.connection.insert(key.to_owned(), value);
    } else {
        let keys = [&CONNECTION_KEYS[..], &["socket"]].concat();
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
    let mut target = TargetSpec { sandbox: Some(checked_sandbox(before)?), ..TargetSpec::default() };
    for (name, value) in pairs(query)? {
        if let Some(name) = name.strip_prefix("set.") {
            target.settings.insert(variable(name)?, value);
        } else {
            target.set(&name, &value);
        }
    }
    for name in target.settings.keys() {
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

/// `%41` is `A`. A `%` without two hexadecimal digits stands for itself.
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
    use super::*;

    #[test]
    fn a_url_says_everything_but_what_flags_say() {
        let target =
            target("db=mysql://u:p%40ss@[::1]:3307/d?ssl_mode=REQUIRED&set.sync-binlog=0").expect("valid");
        assert_eq!(target.label.as_deref(), Some("db"));
        assert_eq!((target.host.as_deref(), target.port), (Some("::1"), Some(3307)));
        assert_eq!((target.user.as_deref(), target.database.as_deref()), (Some("u"), Some("d")));
        assert_eq!(target.password.as_ref().map(|hidden| hidden.0.as_str()), Some("p@ss"));
        assert_eq!(target.connection["ssl-mode"], "REQUIRED");
        assert_eq!(target.settings["sync_binlog"], "0");
        assert!(!format!("{target:?}").contains("p@ss"));
    }

    #[test]
    fn a_sandbox_has_settings_and_a_placement() {
        let target = target("sandbox:MariaDB@11.8?cpus=0-1&sync_binlog=0&protocol=tcp").expect("valid");
        assert_eq!(target.sandbox.as_deref(), Some("mariadb@11.8"));
        assert_eq!(
            (target.placement["cpus"].as_str(), target.settings["sync_binlog"].as_str()),
            ("0-1", "0")
        );
        assert_eq!(target.connection["protocol"], "tcp");
    }
}
