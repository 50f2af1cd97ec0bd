//! Variables of external servers that a killed run changed and did not restore.

use std::path::Path;

use model::{Address, Endpoint, Target};
use store::{Results, Unrestored};

use super::named;
use crate::output;

/// Reports on standard error which of these servers still have variables that a recording in `results` changed, and how to
/// restore them. `except` is the recording that is about to restore them itself.
pub fn warn<'a>(targets: impl Iterator<Item = &'a Target>, results: &Path, except: Option<&Path>) {
    let here: Vec<(String, &Endpoint)> = targets.flat_map(servers).collect();
    if here.is_empty() {
        return;
    }
    let left = Results::open(results).unrestored();
    for one in left.iter().filter(|one| !except.is_some_and(|except| is_same(except, &one.path))) {
        lines(one, &here, results).iter().for_each(|line| output::note(line));
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real(one) == real(other)
}

fn servers(target: &Target) -> impl Iterator<Item = (String, &Endpoint)> {
    target.named().filter_map(|(name, member)| Some((name, member.kind.endpoint()?)))
}

/// Two lines for each of these servers that it left changed.
fn lines(left: &Unrestored, here: &[(String, &Endpoint)], results: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    for (label, changed) in &left.originals {
        let theirs = left.targets.iter().flat_map(servers).find(|(name, _)| name == label);
        let Some((_, theirs)) = theirs else { continue };
        let own = here.iter().find(|(_, endpoint)| is_same_server(&endpoint.address, &theirs.address));
        let Some((label, _)) = own else { continue };
        lines.push(format!(
            "! {label}: {} changed variables of this server and did not restore them: {}",
            left.id,
            values(changed)
        ));
        lines.push(restore(left, results));
    }
    lines
}

/// `sync_binlog (was 1), ...`.
pub fn values(changed: &std::collections::BTreeMap<String, String>) -> String {
    changed.iter().map(|(name, value)| format!("{name} (was {value})")).collect::<Vec<_>>().join(", ")
}

/// The line that says how.
pub fn restore(left: &Unrestored, results: &Path) -> String {
    format!("  restore them: mydyno resume {}", named::words(&left.path, results))
}

fn is_same_server(one: &Address, other: &Address) -> bool {
    let plain = |host: &str| match host.to_ascii_lowercase().as_str() {
        "localhost" | "::1" => "127.0.0.1".to_owned(),
        other => other.to_owned(),
    };
    match (one, other) {
        (Address::Tcp { host: a, port: p }, Address::Tcp { host: b, port: q }) => {
            p == q && plain(a) == plain(b)
        }
        (Address::Socket(a), Address::Socket(b)) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_known_by_its_address() {
        let tcp = |host: &str, port| Address::Tcp { host: host.to_owned(), port };
        assert!(is_same_server(&tcp("localhost", 3306), &tcp("127.0.0.1", 3306)));
        assert!(!is_same_server(&tcp("db1", 3306), &tcp("db1", 3307)));
        assert!(!is_same_server(&tcp("db1", 3306), &Address::Socket("/x.sock".into())));
    }
}
