//! The output of `mydyno server` about one server, and about the members of a topology.

use model::{Flavour, ServerKind, Target};
use sandbox::Status;
use topology::KeptTopology;

use super::look::{Seen, SeenTopology, TopologyState};
use crate::verbs::table::{Align, table};

pub fn version(flavour: Flavour, version: &str) -> String {
    format!("{} {version}", flavour.name())
}

/// The description of one server.
pub fn server(status: &Status) -> String {
    let mut lines = vec![
        ("server", format!("{} ({})", status.name, version(status.flavour, &status.version))),
        ("state", status.phase.name().to_owned()),
        ("directory", format!("{} ({})", status.dir.display(), messages::number::bytes(status.disk_bytes))),
    ];
    if let Some(pid) = status.pid {
        let options = status.dir.join("client.cnf");
        lines.extend([
            ("process", pid.to_string()),
            ("socket", status.socket.display().to_string()),
            ("port", format!("{} on 127.0.0.1", status.port)),
            ("shell", format!("mydyno server shell {}", status.name)),
            ("load", format!("mydyno run oltp_read_write --defaults-file='{}'", options.display())),
        ]);
    }
    let settings = status.spec.settings.iter().map(|(name, value)| format!("{name}={value}"));
    let settings = settings.collect::<Vec<_>>().join(" ");
    if !settings.is_empty() {
        lines.push(("set", settings));
    }
    if !status.spec.place.is_default() {
        lines.push(("place", status.spec.place.to_string()));
    }
    let mut text = aligned(&lines);
    if let Some(tail) = &status.log_tail {
        text.push_str(&format!("the end of its log:\n{tail}\n"));
    }
    text
}

fn aligned(lines: &[(&str, String)]) -> String {
    lines.iter().map(|(name, what)| format!("{name:<10} {what}\n")).collect()
}

/// A topology with all of its members.
pub fn topology(kept: &KeptTopology, found: &SeenTopology) -> String {
    let SeenTopology { seen, state } = found;
    let count = seen.len();
    let running = seen.iter().filter(|one| one.is_running()).count();
    let (name, topology) = (&kept.target.label, kept.target.topology);
    let state = match state {
        TopologyState::Incomplete => "incomplete: its first start did not end; the next one makes it anew",
        known => known.name(),
    };
    let what = seen.iter().find_map(|one| one.status.as_ref());
    let what = what.map(|status| format!(", {}", version(status.flavour, &status.version)));
    let what = format!("{name} ({}, {count} members{})", topology.name(), what.unwrap_or_default());
    let mut lines = vec![("topology", what), ("state", state.to_owned())];
    if running > 0 {
        let others: Vec<&str> = seen[1..].iter().map(|one| one.name.as_str()).collect();
        lines.push(("shell", format!("mydyno server shell {name} (or {})", others.join(", "))));
    }
    // Servers that know nothing of each other are no target of servers that run.
    if running == count && kept.is_made && topology.replicates() {
        lines.push(("load", load(name, &kept.target, seen)));
    }
    let common = settings(kept);
    if !common.is_empty() {
        lines.push(("set", common));
    }
    let mut text = aligned(&lines);
    text.push('\n');
    let columns = ["MEMBER", "ROLE", "STATE", "BEHIND", "PID", "PORT", "SOCKET"];
    let rows: Vec<Vec<String>> = seen.iter().map(row).collect();
    text.push_str(&table(&columns.map(|name| (name, Align::Left)), &rows));
    for one in seen {
        if let Some(progress) = &one.progress {
            let executed = if progress.executed.is_empty() { "nothing" } else { &progress.executed };
            text.push_str(&format!("{} has executed {executed}\n", one.name));
        }
    }
    if running > 0 {
        for one in seen {
            if let Some(fault) = &one.fault {
                text.push_str(&format!("! {}: {fault}\n", one.name));
            }
        }
    }
    for one in seen {
        if let Some(tail) = one.status.as_ref().and_then(|status| status.log_tail.as_ref()) {
            text.push_str(&format!("the end of the log of {}:\n{tail}\n", one.name));
        }
    }
    text
}

fn row(one: &Seen) -> Vec<String> {
    let status = one.status.as_ref();
    let of_running = |text: &dyn Fn(&Status) -> String| {
        status.filter(|status| status.pid.is_some()).map_or_else(|| "-".to_owned(), text)
    };
    let behind = one.progress.as_ref().and_then(|progress| progress.behind);
    vec![
        one.name.clone(),
        one.role.to_owned(),
        status.map_or("not there", |status| status.phase.name()).to_owned(),
        behind.map_or_else(|| "-".to_owned(), |behind| behind.to_string()),
        of_running(&|status| status.pid.unwrap_or_default().to_string()),
        of_running(&|status| status.port.to_string()),
        of_running(&|status| status.socket.display().to_string()),
    ]
}

/// The command that runs a load on it, with the running servers as the target. Unencrypted, the default for sandboxes.
fn load(name: &str, target: &Target, seen: &[Seen]) -> String {
    let statuses = || seen.iter().filter_map(|one| one.status.as_ref());
    let hosts: Vec<String> = statuses().map(|status| format!("127.0.0.1:{}", status.port)).collect();
    let options = statuses().next().map(|status| status.dir.join("client.cnf").display().to_string());
    let (hosts, topology) = (hosts.join(","), target.topology.name());
    let writers = if target.arrangement.multi_primary { "&multi_primary=on" } else { "" };
    let reads = if target.arrangement.reads_on_replicas { "&reads=replicas" } else { "" };
    format!(
        "mydyno run oltp_read_write --defaults-file='{}' \\\n             --target '{name}=mysql://{hosts}/{}?topology={topology}{writers}{reads}&ssl-mode=DISABLED&get-server-public-key=on'",
        options.unwrap_or_default(),
        sandbox::DATABASE,
    )
}

/// Settings of all members, and those of some.
fn settings(kept: &KeptTopology) -> String {
    let mut words = Vec::new();
    for (at, (name, member)) in kept.target.named().enumerate() {
        let ServerKind::Sandbox(spec) = &member.kind else { continue };
        for (key, value) in &spec.settings {
            let has = |other: &model::Member| match &other.kind {
                ServerKind::Sandbox(spec) => spec.settings.get(key) == Some(value),
                ServerKind::External(_) | ServerKind::Imported { .. } => false,
            };
            match kept.target.members.iter().all(has) {
                true if at == 0 => words.push(format!("{key}={value}")),
                true => {}
                false => words.push(format!("{name}:{key}={value}")),
            }
        }
    }
    let arrangement = kept.target.arrangement;
    words.extend(arrangement.acks.map(|acks| format!("acks={acks}")));
    words.extend(arrangement.multi_primary.then(|| "multi_primary=on".to_owned()));
    words.extend(arrangement.reads_on_replicas.then(|| "reads=replicas".to_owned()));
    words.join(" ")
}
