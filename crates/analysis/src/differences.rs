//! Which server variables differ between targets, grouped by what they decide, durability first.
//!
//! Without this matrix a comparison misleads: half of what made one cloud twice as fast as another was in it.

use model::Variables;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a variable decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// What a crash can lose.
    Durability,
    /// How much is kept in memory.
    Memory,
    /// How and how much is read and written.
    Io,
    /// How many clients at once, and how they wait for each other.
    Concurrency,
    /// Binary log, replication.
    Replication,
    /// What the server measures about itself, and logs.
    Instrumentation,
    /// How statements are planned, and what they mean.
    Optimizer,
    /// Which server it is.
    Version,
    /// Everything else.
    Other,
}

impl Group {
    /// Heading in English and in Simplified Chinese.
    pub fn label(self) -> (&'static str, &'static str) {
        match self {
            Self::Durability => ("durability", "持久性"),
            Self::Memory => ("memory", "内存"),
            Self::Io => ("I/O", "输入输出"),
            Self::Concurrency => ("concurrency", "并发"),
            Self::Replication => ("replication", "复制"),
            Self::Instrumentation => ("instrumentation", "监测"),
            Self::Optimizer => ("optimizer", "优化器"),
            Self::Version => ("version", "版本"),
            Self::Other => ("other", "其他"),
        }
    }
}

/// A variable that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Its name.
    pub name: String,
    /// What it decides.
    pub group: Group,
    /// Its value per target, in the order given; none where the server has no such variable.
    pub values: Vec<Option<String>>,
}

/// What decides the group: the first entry that matches. A name ending in `*` matches every name that begins so.
const GROUPS: &[(Group, &[&str])] = &[
    (
        Group::Durability,
        &[
            "innodb_flush_log_at_trx_commit",
            "sync_binlog",
            "log_bin",
            "innodb_doublewrite",
            "innodb_flush_method",
            "innodb_flush_log_at_timeout",
            "innodb_use_fdatasync",
            "innodb_data_file_buffering",
            "innodb_data_file_write_through",
            "innodb_log_file_buffering",
            "innodb_log_file_write_through",
            "innodb_support_xa",
            "innodb_checksum_algorithm",
            "innodb_log_checksums",
        ],
    ),
    (
        Group::Memory,
        &[
            "innodb_buffer_pool_*",
            "innodb_log_buffer_size",
            "innodb_sort_buffer_size",
            "innodb_adaptive_hash_index*",
            "innodb_change_buffer*",
            "innodb_old_blocks_*",
            "key_buffer_size",
            "join_buffer_size",
            "sort_buffer_size",
            "read_buffer_size",
            "read_rnd_buffer_size",
            "tmp_table_size",
            "max_heap_table_size",
            "temptable_*",
            "internal_tmp_mem_storage_engine",
            "query_cache_*",
            "table_open_cache*",
            "table_definition_cache",
            "binlog_cache_size",
            "binlog_stmt_cache_size",
            "net_buffer_length",
            "max_allowed_packet",
            "large_pages",
        ],
    ),
    (
        Group::Io,
        &[
            "innodb_io_capacity*",
            "innodb_read_io_threads",
            "innodb_write_io_threads",
            "innodb_use_native_aio",
            "innodb_redo_log_capacity",
            "innodb_log_file_size",
            "innodb_log_files_in_group",
            "innodb_log_write_ahead_size",
            "innodb_log_writer_threads",
            "innodb_page_size",
            "innodb_page_cleaners",
            "innodb_flush_*",
            "innodb_flushing_*",
            "innodb_idle_flush_pct",
            "innodb_lru_*",
            "innodb_max_dirty_pages_*",
            "innodb_adaptive_flushing*",
            "innodb_read_ahead_threshold",
            "innodb_random_read_ahead",
            "innodb_file_per_table",
            "innodb_compression_*",
            "innodb_fill_factor",
            "innodb_open_files",
            "max_binlog_size",
            "open_files_limit",
        ],
    ),
    (
        Group::Concurrency,
        &[
            "max_connections",
            "max_user_connections",
            "max_prepared_stmt_count",
            "back_log",
            "thread_*",
            "innodb_thread_*",
            "innodb_concurrency_tickets",
            "innodb_commit_concurrency",
            "innodb_spin_wait_*",
            "innodb_sync_*",
            "innodb_purge_*",
            "innodb_max_purge_*",
            "innodb_deadlock_detect*",
            "innodb_lock_wait_timeout",
            "innodb_autoinc_lock_mode",
            "innodb_rollback_on_timeout",
            "innodb_snapshot_isolation",
            "innodb_numa_interleave",
            "lock_wait_timeout",
            "transaction_isolation",
            "tx_isolation",
            "autocommit",
            "metadata_locks_*",
        ],
    ),
    (
        Group::Replication,
        &[
            "binlog_*",
            "log_slave_updates",
            "log_replica_updates",
            "gtid_mode",
            "enforce_gtid_consistency",
            "group_replication_*",
            "rpl_*",
            "replica_*",
            "slave_*",
            "source_*",
            "master_*",
            "sync_*",
            "wsrep_*",
            "read_only",
            "super_read_only",
        ],
    ),
    (
        Group::Instrumentation,
        &[
            "performance_schema*",
            "general_log",
            "slow_query_log",
            "log_slow_*",
            "log_queries_not_using_indexes",
            "long_query_time",
            "log_output",
            "innodb_monitor_*",
            "innodb_stats_*",
            "innodb_status_*",
            "userstat",
            "profiling*",
            "log_error_*",
            "log_warnings",
        ],
    ),
    (
        Group::Optimizer,
        &[
            "optimizer_*",
            "sql_mode",
            "character_set_server",
            "character_set_database",
            "collation_server",
            "collation_database",
            "default_storage_engine",
            "eq_range_index_dive_limit",
            "use_stat_tables",
            "histogram_*",
            "range_optimizer_max_mem_size",
            "join_cache_level",
            "explicit_defaults_for_timestamp",
        ],
    ),
    (Group::Version, &["version", "version_comment", "innodb_version"]),
];

/// Names under which another family keeps exactly the same thing, with the name used here.
const SAME_THING: &[(&str, &str)] = &[("tx_isolation", "transaction_isolation")];

/// Variables that name the instance or the moment: they differ by construction and explain nothing.
const INSTANCE: &[&str] = &[
    "admin_port",
    "auto_generate_certs",
    "basedir",
    "bind_address",
    "build_id",
    "caching_sha2_password_*",
    "character_sets_dir",
    "connection_id",
    "datadir",
    "error_count",
    "general_log_file",
    "gtid_binlog_*",
    "gtid_current_pos",
    "gtid_executed",
    "gtid_owned",
    "gtid_purged",
    "gtid_slave_pos",
    "hostname",
    "identity",
    "in_transaction",
    "innodb_data_home_dir",
    "innodb_directories",
    "innodb_log_group_home_dir",
    "innodb_temp_tablespaces_dir",
    "innodb_tmpdir",
    "innodb_undo_directory",
    "last_gtid",
    "last_insert_id",
    "lc_messages_dir",
    "license",
    "log_bin_basename",
    "log_bin_index",
    "log_error",
    "mysqlx_port",
    "mysqlx_socket",
    "persisted_globals_load",
    "pid_file",
    "plugin_dir",
    "port",
    "proxy_user",
    "pseudo_*",
    "rand_seed*",
    "relay_log*",
    "report_*",
    "secure_file_priv",
    "server_id",
    "server_id_bits",
    "server_uid",
    "server_uuid",
    "sha256_password_*",
    "slow_query_log_file",
    "socket",
    "ssl_*",
    "statement_id",
    "system_time_zone",
    "timestamp",
    "tls_*",
    "tmpdir",
    "unique_checks",
    "uptime",
    "version_compile_*",
    "version_malloc_library",
    "version_source_revision",
    "version_ssl_library",
    "warning_count",
];

/// The variables whose values differ between targets, by group and name. `servers` are all global variables per target;
/// none where they are not known. Names are matched literally, but for [`SAME_THING`]. A variable that only some servers have counts as a
/// difference where it decides
/// durability, memory, I/O or concurrency: the hundreds of others that each family has alone would hide these.
pub fn differences(servers: &[Option<&Variables>]) -> Vec<Difference> {
    let plain = |name: &'_ str| SAME_THING.iter().find(|(old, _)| *old == name).map(|(_, new)| *new);
    let names: BTreeSet<&str> =
        servers.iter().flatten().flat_map(|v| v.keys()).map(|name| plain(name).unwrap_or(name)).collect();
    let value = |variables: &Variables, name: &str| {
        let old = || SAME_THING.iter().find(|(_, new)| *new == name).and_then(|(old, _)| variables.get(*old));
        variables.get(name).or_else(old).cloned()
    };
    let mut found: Vec<Difference> = names
        .into_iter()
        .filter_map(|name| {
            let values: Vec<Option<String>> =
                servers.iter().map(|v| v.and_then(|v| value(v, name))).collect();
            let group = group(name);
            (!is_of_the_instance(name, &values) && differs(servers, &values, group)).then(|| Difference {
                name: name.to_owned(),
                group,
                values,
            })
        })
        .collect();
    found.sort_by(|a, b| (a.group, &a.name).cmp(&(b.group, &b.name)));
    found
}

/// What a variable decides.
pub fn group(name: &str) -> Group {
    let entry = GROUPS.iter().find(|(_, names)| names.iter().any(|pattern| matches(pattern, name)));
    entry.map_or(Group::Other, |(group, _)| *group)
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

fn is_of_the_instance(name: &str, values: &[Option<String>]) -> bool {
    let mut present = values.iter().flatten().filter(|v| !v.is_empty()).peekable();
    // A path tells where things lie, not what they are.
    let only_paths = present.peek().is_some() && present.all(|v| v.starts_with('/') || v.starts_with("./"));
    only_paths || INSTANCE.iter().any(|pattern| matches(pattern, name))
}

fn differs(servers: &[Option<&Variables>], values: &[Option<String>], group: Group) -> bool {
    let plain: BTreeSet<String> = values.iter().flatten().map(|v| normalised(v)).collect();
    let absent = servers.iter().zip(values).any(|(server, value)| server.is_some() && value.is_none());
    plain.len() > 1 || (absent && group <= Group::Concurrency)
}

/// `1.000000` and `1` are one value, and so are `ON` and `on`.
fn normalised(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() => number.to_string(),
        _ => value.to_ascii_uppercase(),
    }
}
