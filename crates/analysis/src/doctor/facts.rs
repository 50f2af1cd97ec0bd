//! The head of a note: what the server is and what it is doing.

use model::Flavour;
use serde::Serialize;

use super::{Patient, release};
use crate::Words;
use crate::words::words;

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
pub fn facts(patient: &Patient<'_>) -> Facts {
    let text = |name| patient.text(name).unwrap_or_default();
    let build = [
        text("version_comment").trim_matches(['(', ')']),
        text("version_compile_os"),
        text("version_compile_machine"),
    ];
    let (series, threads, role) = (release::describe(patient), threads(patient), role(patient));
    Facts {
        flavour: if patient.seen.flavour == Flavour::Mysql { "MySQL" } else { "MariaDB" },
        version: text("version").to_owned(),
        series: series.en,
        build: build.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
        plugins: patient.seen.plugins.clone(),
        threads: threads.en,
        role: role.en,
        uptime_s: patient.uptime_s(),
        connections: patient.status("threads_connected"),
        connections_most: patient.status("max_used_connections"),
        connections_max: patient.number("max_connections"),
        zh: FactsInChinese { series: series.zh, threads: threads.zh, role: role.zh },
    }
}

fn threads(patient: &Patient<'_>) -> Words {
    match patient.text("thread_handling") {
        Some("pool-of-threads" | "loaded-dynamically") => match patient.number("thread_pool_size") {
            Some(groups) => words!("thread pool of {groups} groups", "线程池，{groups} 组"),
            None => words!("thread pool", "线程池"),
        },
        Some("one-thread-per-connection") => words!("one per connection", "每个连接一个"),
        Some(other) => other.into(),
        None => words!("unknown", "未知"),
    }
}

fn role(patient: &Patient<'_>) -> Words {
    let mut parts = Vec::new();
    match &patient.seen.channels {
        None => parts.push(words!("replica or not: not visible", "是否为从库：不可见")),
        Some(channels) => parts.extend(channels.iter().map(|channel| {
            let source = &channel.source;
            match channel.lag_s {
                None => words!("replica of {source} (lag unknown)", "{source} 的从库（延迟未知）"),
                Some(lag) => {
                    words!("replica of {source} ({lag} s behind)", "{source} 的从库（落后 {lag} 秒）")
                }
            }
        })),
    }
    if patient.is_on("wsrep_on") {
        let size = patient.status("wsrep_cluster_size").unwrap_or_default();
        parts.push(words!("member of a Galera cluster of {size}", "{size} 节点 Galera 集群的成员"));
    }
    if patient.text("group_replication_group_name").is_some_and(|name| !name.is_empty()) {
        parts.push(words!("configured for Group Replication", "已配置 Group Replication"));
    }
    let replicas = ["slaves_connected", "rpl_semi_sync_source_clients", "rpl_semi_sync_master_clients"];
    if let Some(count) = replicas.into_iter().filter_map(|name| patient.status(name)).max().filter(|n| *n > 0)
    {
        parts.push(words!("source of {count} replicas", "{count} 个从库的主库"));
    }
    if parts.is_empty() {
        parts.push(words!("standalone", "单机"));
    }
    parts.push(match patient.is_on("log_bin") {
        true => words!("binary log on", "binlog 开启"),
        false => words!("no binary log", "无 binlog"),
    });
    if patient.is_on("read_only") {
        parts.push(words!("read-only", "只读"));
    }
    Words::join(&parts, ", ", "，")
}
