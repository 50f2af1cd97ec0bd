//! Server variables side by side, and what their differences mean.

use std::collections::BTreeSet;

use model::Variables;

use crate::view::{Target, Variable, VariableWeight};
use crate::words::Words;

/// Variables that decide what a crash can lose.
const DURABILITY: [&str; 6] = [
    "innodb_flush_log_at_trx_commit",
    "sync_binlog",
    "log_bin",
    "innodb_doublewrite",
    "innodb_flush_method",
    "innodb_use_native_aio",
];

/// Variables known to move throughput or latency, from the published comparisons and the manuals.
const PERFORMANCE: [&str; 44] = [
    "autocommit",
    "back_log",
    "binlog_cache_size",
    "binlog_format",
    "binlog_group_commit_sync_delay",
    "binlog_order_commits",
    "binlog_row_image",
    "character_set_server",
    "collation_server",
    "innodb_adaptive_hash_index",
    "innodb_buffer_pool_instances",
    "innodb_buffer_pool_size",
    "innodb_change_buffering",
    "innodb_deadlock_detect",
    "innodb_file_per_table",
    "innodb_flush_neighbors",
    "innodb_io_capacity",
    "innodb_io_capacity_max",
    "innodb_log_buffer_size",
    "innodb_log_file_size",
    "innodb_lru_scan_depth",
    "innodb_numa_interleave",
    "innodb_page_cleaners",
    "innodb_page_size",
    "innodb_purge_threads",
    "innodb_read_io_threads",
    "innodb_redo_log_capacity",
    "innodb_snapshot_isolation",
    "innodb_spin_wait_delay",
    "innodb_sync_spin_loops",
    "innodb_thread_concurrency",
    "innodb_write_io_threads",
    "max_binlog_size",
    "max_connections",
    "max_prepared_stmt_count",
    "performance_schema",
    "query_cache_size",
    "query_cache_type",
    "table_open_cache",
    "table_open_cache_instances",
    "thread_cache_size",
    "thread_handling",
    "thread_pool_size",
    "transaction_isolation",
];

/// Variables that name the instance: they always differ and explain nothing.
const IDENTITY: [&str; 13] = [
    "auto_generate_certs",
    "bind_address",
    "gtid_executed",
    "hostname",
    "license",
    "port",
    "pseudo_thread_id",
    "report_port",
    "server_id",
    "server_uid",
    "server_uuid",
    "timestamp",
    "uptime",
];

/// Endings of names that hold paths, sockets and versions.
const IDENTITY_ENDINGS: [&str; 9] =
    ["dir", "_file", "socket", "_path", "_basename", "_index", "version_comment", "_error", "_uuid"];

/// Names under which MySQL and MariaDB, old and new, keep the same thing.
const SAME_THING: [(&str, &str); 3] = [
    ("tx_isolation", "transaction_isolation"),
    ("storage_engine", "default_storage_engine"),
    ("innodb_log_files_total_size", "innodb_redo_log_capacity"),
];

/// What a difference in a variable means.
fn weight(name: &str) -> VariableWeight {
    if DURABILITY.contains(&name) {
        VariableWeight::Durability
    } else if PERFORMANCE.contains(&name) {
        VariableWeight::Performance
    } else if IDENTITY.contains(&name) || IDENTITY_ENDINGS.iter().any(|end| name.ends_with(end)) {
        VariableWeight::Identity
    } else {
        VariableWeight::Other
    }
}

/// Every variable of every target, weightiest first, then by name.
pub fn matrix(targets: &[Option<&Variables>]) -> Vec<Variable> {
    let plain = |name: &str| SAME_THING.iter().find(|s| s.0 == name).map_or(name, |s| s.1).to_owned();
    let names: BTreeSet<String> = targets.iter().flatten().flat_map(|v| v.keys()).map(|n| plain(n)).collect();
    let value = |variables: &Variables, name: &str| {
        let other = SAME_THING.iter().find(|s| s.1 == name).and_then(|s| variables.get(s.0));
        variables.get(name).or(other).cloned()
    };
    let row = |name: String| {
        let values: Vec<Option<String>> = targets.iter().map(|v| v.and_then(|v| value(v, &name))).collect();
        let present: BTreeSet<&String> = values.iter().flatten().collect();
        Variable { weight: weight(&name), differs: present.len() > 1, name, values }
    };
    let mut rows: Vec<Variable> = names.into_iter().map(row).collect();
    rows.sort_by(|a, b| (a.weight, &a.name).cmp(&(b.weight, &b.name)));
    rows
}

/// What differs between the targets, in words, durability first.
pub fn differences(targets: &[Target], variables: &[Variable]) -> Vec<Words> {
    let mut sentences = Vec::new();
    if targets.len() < 2 {
        return sentences;
    }
    sentences.extend(durability(targets));
    sentences.extend(binlog(targets));
    sentences.extend(transport(targets));
    for row in variables.iter().filter(|v| v.differs && v.weight <= VariableWeight::Performance) {
        if !["innodb_flush_log_at_trx_commit", "sync_binlog", "log_bin"].contains(&row.name.as_str()) {
            let list = side_by_side(targets, row);
            sentences.push(Words::new(format!("{}: {list}", row.name), format!("{}：{list}", row.name)));
        }
    }
    sentences
}

/// `mysql 128 MiB, mariadb 1 GiB`.
fn side_by_side(targets: &[Target], row: &Variable) -> String {
    let pairs = targets.iter().zip(&row.values);
    let parts: Vec<String> = pairs
        .filter_map(|(t, v)| v.as_ref().map(|v| format!("{} {}", t.label, readable(&row.name, v))))
        .collect();
    parts.join(", ")
}

/// A value as a person reads it: sizes in binary units, nothing as `(empty)`.
pub fn readable(name: &str, value: &str) -> String {
    if value.is_empty() {
        return "(empty)".to_owned();
    }
    let is_size = name.ends_with("_size") || name.ends_with("_capacity") && name.contains("redo");
    match value.parse::<u64>() {
        Ok(bytes) if is_size && bytes >= 1024 && bytes.is_multiple_of(1024) => crate::format::bytes(bytes),
        _ => value.to_owned(),
    }
}

fn durability(targets: &[Target]) -> Option<Words> {
    let known: Vec<(&Target, &Words)> =
        targets.iter().filter_map(|t| t.durability.as_ref().map(|d| (t, d))).collect();
    let (_, first) = known.first()?;
    if known.iter().all(|(_, d)| d == first) {
        let same = Words::new(
            format!("Durability is the same in all targets: {}.", first.en),
            format!("所有目标的持久性相同：{}。", first.zh),
        );
        return Some(same);
    }
    let list = |pick: fn(&Words) -> &str, joint: &str| {
        known.iter().map(|(t, d)| format!("{} {}", t.label, pick(d))).collect::<Vec<_>>().join(joint)
    };
    Some(Words::new(
        format!("Durability differs, so the targets do unequal work: {}.", list(|d| &d.en, "; ")),
        format!("持久性不同，各目标做的工作不相等：{}。", list(|d| &d.zh, "；")),
    ))
}

fn binlog(targets: &[Target]) -> Option<Words> {
    let state = |on: bool| {
        let named = targets.iter().filter(|t| t.server.as_ref().is_some_and(|s| s.binlog == on));
        named.map(|t| t.label.clone()).collect::<Vec<_>>().join(", ")
    };
    let (on, off) = (state(true), state(false));
    (!on.is_empty() && !off.is_empty()).then(|| {
        Words::new(
            format!("The binary log is on in {on} and off in {off}: each commit costs {on} more."),
            format!("{on} 开启二进制日志，{off} 关闭：{on} 每次提交的开销更大。"),
        )
    })
}

fn transport(targets: &[Target]) -> Option<Words> {
    let first = targets.first()?;
    let same = |t: &Target| t.transport == first.transport && encrypted(t) == encrypted(first);
    if targets.iter().all(same) {
        return None;
    }
    let list = |words: fn(&Target) -> String| targets.iter().map(words).collect::<Vec<_>>().join("; ");
    let text =
        list(|t| format!("{} {:?}, TLS {}", t.label, t.transport, if encrypted(t) { "on" } else { "off" }));
    Some(Words::new(format!("Connections differ: {text}."), format!("连接方式不同：{text}。")))
}

fn encrypted(target: &Target) -> bool {
    target.ssl_mode != "DISABLED" && target.server.as_ref().is_some_and(|s| s.tls_cipher.is_some())
}
