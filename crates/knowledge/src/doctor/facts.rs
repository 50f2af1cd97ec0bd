//! The head of a note: what the server is and what it is doing.

use model::Flavour;
use serde::Serialize;

use super::Examined;
use crate::releases;
use messages::{Words, message};

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
    /// What is words, in Simplified Chinese.
    #[serde(skip)]
    pub zh: FactsInChinese,
}

/// The words of [`Facts`] in Simplified Chinese.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactsInChinese {
    /// As [`Facts::series`].
    pub series: String,
    /// As [`Facts::threads`].
    pub threads: String,
    /// As [`Facts::role`].
    pub role: String,
}

/// Takes them from an examination.
pub fn facts(examined: &Examined<'_>) -> Facts {
    let text = |name| examined.text(name).unwrap_or_default();
    let build = [
        text("version_comment").trim_matches(['(', ')']),
        text("version_compile_os"),
        text("version_compile_machine"),
    ];
    let (series, threads, role) = (
        releases::describe(examined.seen.flavour, examined.version(), examined.today),
        threads(examined),
        role(examined),
    );
    Facts {
        flavour: if examined.seen.flavour == Flavour::Mysql { "MySQL" } else { "MariaDB" },
        version: text("version").to_owned(),
        series: series.en,
        build: build.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
        plugins: examined.seen.plugins.clone(),
        threads: threads.en,
        role: role.en,
        uptime_s: examined.uptime_s(),
        connections: examined.status("threads_connected"),
        connections_most: examined.status("max_used_connections"),
        connections_max: examined.number("max_connections"),
        zh: FactsInChinese { series: series.zh, threads: threads.zh, role: role.zh },
    }
}

fn threads(examined: &Examined<'_>) -> Words {
    match examined.text("thread_handling") {
        Some("pool-of-threads" | "loaded-dynamically") => match examined.number("thread_pool_size") {
            Some(groups) => message!("doctor-thread-pool", groups = Text(groups.to_string())),
            None => message!("doctor-thread-pool-plain"),
        },
        Some("one-thread-per-connection") => message!("doctor-one-per-connection"),
        Some(other) => other.into(),
        None => message!("doctor-threads-unknown"),
    }
}

fn role(examined: &Examined<'_>) -> Words {
    let mut parts = Vec::new();
    match &examined.seen.channels {
        None => parts.push(message!("doctor-replication-not-visible")),
        Some(channels) => parts.extend(channels.iter().map(|channel| {
            let source = &channel.source;
            match channel.lag_s {
                None => message!("doctor-replica-lag-unknown", source = Text(source)),
                Some(lag) => {
                    message!("doctor-replica-of", source = Text(source), lag = Count(lag))
                }
            }
        })),
    }
    if examined.is_on("wsrep_on") {
        let size = examined.status("wsrep_cluster_size").unwrap_or_default();
        parts.push(message!("doctor-galera", size = Count(size)));
    }
    if examined.text("group_replication_group_name").is_some_and(|name| !name.is_empty()) {
        parts.push(message!("doctor-group-replication"));
    }
    let replicas = ["slaves_connected", "rpl_semi_sync_source_clients", "rpl_semi_sync_master_clients"];
    if let Some(count) =
        replicas.into_iter().filter_map(|name| examined.status(name)).max().filter(|n| *n > 0)
    {
        parts.push(message!("doctor-source-of", count = Count(count)));
    }
    if parts.is_empty() {
        parts.push(message!("doctor-standalone"));
    }
    parts.push(match examined.is_on("log_bin") {
        true => message!("doctor-binlog-on"),
        false => message!("doctor-binlog-none"),
    });
    if examined.is_on("read_only") {
        parts.push(message!("doctor-read-only"));
    }
    Words::parts(parts)
}
