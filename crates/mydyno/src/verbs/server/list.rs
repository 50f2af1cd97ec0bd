//! `mydyno server list`: servers, dataset snapshots and installations.

use std::collections::BTreeMap;

use clap::ValueEnum;
use sandbox::{Home, Life, ServerPhase, Status};
use topology::KeptTopology;

use super::look::{self, SeenTopology, TopologyState};
use super::show::version;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::output;
use crate::verbs::table::{Align, table};

/// How the list is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    Text,
    Json,
}

/// Does it.
pub fn list(home: &Home, format: ListFormat) -> Outcome<Exit> {
    let servers = home.list().map_err(|error| UserError::told(&error))?;
    let topologies = KeptTopology::all(home).map_err(|error| UserError::told(&error))?;
    let seen = topologies.iter().map(|kept| look::look(home, kept)).collect::<Outcome<Vec<_>>>()?;
    let topologies: Vec<(KeptTopology, SeenTopology)> = topologies.into_iter().zip(seen).collect();
    let (installations, copies) = (home.installations(), home.kept_copies());
    if format == ListFormat::Json {
        let topologies: Vec<_> = topologies.iter().map(json).collect();
        let value = serde_json::json!({
            "format": model::FORMAT, "servers": servers, "topologies": topologies, "installations": installations,
            "copies": copies,
        });
        output::print(&format!("{value:#}"))?;
        return Ok(Exit::Ok);
    }
    let roles: BTreeMap<String, String> = topologies.iter().flat_map(roles).collect();
    let mut text = String::new();
    if !servers.is_empty() {
        let columns =
            ["SERVER", "ROLE", "STATE", "VERSION", "ADDRESS", "DISK"].map(|name| (name, Align::Left));
        let row = |status| server_row(status, roles.get(&status.name));
        text.push_str(&table(&columns, &servers.iter().map(row).collect::<Vec<_>>()));
        text.push('\n');
    }
    if !topologies.is_empty() {
        let columns = ["TOPOLOGY", "KIND", "STATE", "FAULTS"].map(|name| (name, Align::Left));
        text.push_str(&table(&columns, &topologies.iter().map(topology_row).collect::<Vec<_>>()));
        text.push('\n');
    }
    if !copies.is_empty() {
        let row = |copy: &sandbox::KeptCopy| {
            vec![
                copy.key.clone(),
                version(copy.flavour, &copy.version),
                messages::number::bytes(copy.disk_bytes),
            ]
        };
        let columns = ["KEPT DATA", "MADE BY", "DISK"].map(|name| (name, Align::Left));
        text.push_str(&table(&columns, &copies.iter().map(row).collect::<Vec<_>>()));
        text.push('\n');
    }
    if installations.is_empty() {
        output::note("no server is installed\n  get one:  mydyno server install mysql (or mariadb)");
    } else {
        let row = |one: &sandbox::Installation| {
            vec![version(one.flavour, &one.version), one.program.display().to_string()]
        };
        let columns = ["INSTALLED", "PROGRAM"].map(|name| (name, Align::Left));
        text.push_str(&table(&columns, &installations.iter().map(row).collect::<Vec<_>>()));
    }
    output::print(&text)?;
    Ok(Exit::Ok)
}

/// The role of each member: `primary (group)`.
fn roles((kept, found): &(KeptTopology, SeenTopology)) -> Vec<(String, String)> {
    let topology = kept.target.topology.name();
    found.seen.iter().map(|one| (one.name.clone(), format!("{} ({topology})", one.role))).collect()
}

/// Whether it is as it should be, and the fault of each member.
fn topology_row((kept, found): &(KeptTopology, SeenTopology)) -> Vec<String> {
    let faults = found.seen.iter().filter_map(|one| Some(format!("{}: {}", one.name, one.fault.as_ref()?)));
    let faults = match found.state {
        // That no member runs is said.
        TopologyState::Ready | TopologyState::Stopped => String::new(),
        TopologyState::Incomplete | TopologyState::Degraded => faults.collect::<Vec<_>>().join("; "),
    };
    let faults = if faults.is_empty() { "-".to_owned() } else { faults };
    let (label, kind) = (kept.target.label.clone(), kept.target.topology.name().to_owned());
    vec![label, kind, found.state.name().to_owned(), faults]
}

fn json((kept, found): &(KeptTopology, SeenTopology)) -> serde_json::Value {
    let member =
        |one: &look::Seen| serde_json::json!({ "name": one.name, "role": one.role, "fault": one.fault });
    let members: Vec<_> = found.seen.iter().map(member).collect();
    serde_json::json!({
        "name": kept.target.label, "topology": kept.target.topology, "is_made": kept.is_made,
        "state": found.state.name(), "members": members,
    })
}

fn server_row(status: &Status, role: Option<&String>) -> Vec<String> {
    let state = match (status.phase, status.life) {
        (ServerPhase::Running, Life::Scoped) => format!("running for mydyno {}", status.owner_pid),
        (phase, _) => phase.name().to_owned(),
    };
    let address = match status.phase {
        ServerPhase::Running => format!("127.0.0.1:{}", status.port),
        _ => "-".to_owned(),
    };
    vec![
        status.name.clone(),
        role.map_or("-", String::as_str).to_owned(),
        state,
        version(status.flavour, &status.version),
        address,
        messages::number::bytes(status.disk_bytes),
    ]
}
