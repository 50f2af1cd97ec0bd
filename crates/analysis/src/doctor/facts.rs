//! The head of a note: what the server is and what it is doing.

use model::Flavour;
use serde::Serialize;

use super::{Patient, release};

/// What a server is, in the words of a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// `MySQL` or `MariaDB`.
    pub flavour: &'static str,
    /// Its version, as it says it.
    pub version: String,
    /// Kind of series and its end of life.
    pub series: String,
    /// Who built it, for what.
    pub build: String,
    /// Plugins that were loaded from files; none: they cannot be seen.
    pub plugins: Option<Vec<String>>,
    /// How threads serve connections.
    pub threads: String,
    /// Its part in a replication.
    pub role: String,
    /// Seconds since it started.
    pub uptime_s: u64,
    /// Connections open, the one that asks among them.
    pub connections: Option<u64>,
    /// The most there ever were since the start.
    pub connections_most: Option<u64>,
    /// `max_connections`.
    pub connections_max: Option<u64>,
}

/// Takes them from an examination.
pub fn facts(patient: &Patient<'_>) -> Facts {
    let text = |name| patient.text(name).unwrap_or_default();
    let build = [
        text("version_comment").trim_matches(['(', ')']),
        text("version_compile_os"),
        text("version_compile_machine"),
    ];
    Facts {
        flavour: if patient.seen.flavour == Flavour::Mysql { "MySQL" } else { "MariaDB" },
        version: text("version").to_owned(),
        series: release::describe(patient),
        build: build.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
        plugins: patient.seen.plugins.clone(),
        threads: threads(patient),
        role: role(patient),
        uptime_s: patient.uptime_s(),
        connections: patient.status("threads_connected"),
        connections_most: patient.status("max_used_connections"),
        connections_max: patient.number("max_connections"),
    }
}

fn threads(patient: &Patient<'_>) -> String {
    match patient.text("thread_handling") {
        Some("pool-of-threads" | "loaded-dynamically") => match patient.number("thread_pool_size") {
            Some(groups) => format!("thread pool of {groups} groups"),
            None => "thread pool".to_owned(),
        },
        Some("one-thread-per-connection") => "one per connection".to_owned(),
        Some(other) => other.to_owned(),
        None => "unknown".to_owned(),
    }
}

fn role(patient: &Patient<'_>) -> String {
    let mut parts = Vec::new();
    match &patient.seen.channels {
        None => parts.push("replica or not: cannot be seen".to_owned()),
        Some(channels) => parts.extend(channels.iter().map(|channel| {
            let lag = channel.lag_s.map_or("lag unknown".to_owned(), |lag| format!("{lag} s behind"));
            format!("replica of {} ({lag})", channel.source)
        })),
    }
    if patient.is_on("wsrep_on") {
        let size = patient.status("wsrep_cluster_size").unwrap_or_default();
        parts.push(format!("member of a Galera cluster of {size}"));
    }
    if patient.text("group_replication_group_name").is_some_and(|name| !name.is_empty()) {
        parts.push("configured for Group Replication".to_owned());
    }
    let replicas = ["slaves_connected", "rpl_semi_sync_source_clients", "rpl_semi_sync_master_clients"];
    if let Some(count) = replicas.into_iter().filter_map(|name| patient.status(name)).max().filter(|n| *n > 0)
    {
        parts.push(format!("source of {count} replicas"));
    }
    if parts.is_empty() {
        parts.push("stands alone".to_owned());
    }
    let binlog = if patient.is_on("log_bin") { "binary log on" } else { "no binary log" };
    let only = if patient.is_on("read_only") { ", read-only" } else { "" };
    format!("{}, {binlog}{only}", parts.join(", "))
}
