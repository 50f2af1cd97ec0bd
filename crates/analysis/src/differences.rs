//! Server variables side by side, by group, durability first, and which of them differ.
//!
//! Without this matrix a comparison misleads: half of the difference between one cloud and another that was twice as fast
//! was found in it.

use std::collections::{BTreeMap, BTreeSet};

use knowledge::Version;
use knowledge::variables::same::{self, Known};
use knowledge::variables::{Entry, Group, Touches, Unit, VariableDefault, entries};
use messages::message;
use model::{Flavour, Variables};
use serde::Serialize;

use crate::Words;
use crate::unequal::Work;

/// One variable in all servers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Setting {
    /// Its name; where the servers have it under different names, the one that is used here.
    pub name: String,
    /// The group of settings that it belongs to.
    pub group: Group,
    /// Per server; none where it has no such variable.
    pub values: Vec<Option<VariableValue>>,
    /// True if it makes a difference. Paths, ports and ids differ without making one.
    pub differs: bool,
    /// Unit of the values; none: the table does not know the variable.
    pub unit: Option<Unit>,
    /// The part of a load that it affects.
    pub touches: Option<Touches>,
    /// Its meaning.
    pub meaning: Option<Words>,
    /// The likely effect of a difference.
    pub effect: Option<Words>,
}

/// The value of a variable in one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VariableValue {
    /// The server's own name for the variable, or the variables it is derived from.
    pub name: String,
    /// The value as reported by the server.
    pub raw: String,
    /// The value with its unit: `24 GiB`. For lists, only the members that not all servers have.
    pub shown: String,
    /// The default in a server of this family and version, with its unit; none: unknown.
    pub default: Option<String>,
    /// True if it has that default.
    pub is_default: bool,
}

/// The group of variables that the table has no entry for: the first that matches. A name ending in `*` matches every
/// name that begins so.
const GROUPS: &[(Group, &[&str])] = &[
    (
        Group::Memory,
        &[
            "innodb_buffer_pool_*",
            "innodb_adaptive_hash_index*",
            "innodb_change_buffer*",
            "innodb_old_blocks_*",
            "temptable_*",
            "query_cache_*",
            "table_open_cache*",
        ],
    ),
    (
        Group::Io,
        &[
            "innodb_io_capacity*",
            "innodb_flush_*",
            "innodb_flushing_*",
            "innodb_lru_*",
            "innodb_max_dirty_pages_*",
            "innodb_adaptive_flushing*",
            "innodb_compression_*",
        ],
    ),
    (
        Group::Concurrency,
        &[
            "thread_*",
            "innodb_thread_*",
            "innodb_spin_wait_*",
            "innodb_sync_*",
            "innodb_purge_*",
            "innodb_max_purge_*",
            "innodb_deadlock_detect*",
            "metadata_locks_*",
        ],
    ),
    (
        Group::Replication,
        &[
            "binlog_*",
            "group_replication_*",
            "rpl_*",
            "replica_*",
            "slave_*",
            "source_*",
            "master_*",
            "sync_*",
            "wsrep_*",
        ],
    ),
    (
        Group::Instrumentation,
        &[
            "performance_schema*",
            "log_slow_*",
            "innodb_monitor_*",
            "innodb_stats_*",
            "innodb_status_*",
            "profiling*",
            "log_error_*",
        ],
    ),
    (Group::Optimizer, &["optimizer_*", "character_set_database", "collation_database", "histogram_*"]),
    (Group::Version, &["version", "version_comment", "innodb_version"]),
];

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
    // InnoDB adjusts it while it runs.
    "innodb_thread_sleep_delay",
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
    "ssl_ca*",
    "ssl_cert",
    "ssl_crl*",
    "ssl_key",
    "ssl_session_cache_*",
    "statement_id",
    "system_time_zone",
    "timestamp",
    "tls_certificates_enforced_validation",
    "tmpdir",
    "unique_checks",
    "uptime",
    "version_compile_*",
    "version_malloc_library",
    "version_source_revision",
    "version_ssl_library",
    "warning_count",
];

impl Setting {
    /// The likely effect of a difference, after the part of a load that it affects.
    pub fn effect_on_load(&self) -> Option<Words> {
        let effect = self.effect.as_ref()?;
        Some(match self.touches? {
            Touches::Nothing => effect.clone(),
            touches => {
                message!("effect-on-load", part = Message(touches.label()), effect = Message(effect.clone()),)
            }
        })
    }

    /// True if such a load does not feel it.
    pub fn is_idle(&self, work: Work) -> bool {
        match self.touches {
            Some(Touches::Writes) => work == Work::Reads,
            Some(Touches::Replicas | Touches::Restart | Touches::Nothing) => work != Work::Unknown,
            _ => false,
        }
    }

    /// True if it decides little: nothing that a load feels, or nothing that the table knows of.
    pub fn decides_little(&self) -> bool {
        match self.touches {
            Some(Touches::Restart | Touches::Nothing) => true,
            Some(_) => false,
            None => self.group > Group::Concurrency,
        }
    }

    /// True if a server lacks it and none of the others was given a value of its own: each family has hundreds of these.
    pub fn is_familys_own(&self) -> bool {
        let lacks = self.values.iter().any(Option::is_none);
        lacks
            && self
                .values
                .iter()
                .flatten()
                .all(|v| v.is_default || v.default.as_deref().is_none_or(|it| it == SIZED))
    }
}

/// The properties of a server that defaults depend on.
type Kind = (Flavour, Version);

/// Every variable of the servers (none: not known), by group; what weighs most comes first, and what the table does not
/// know comes last, by name. Secrets are left out. A variable that only some servers have counts as a difference where it
/// decides durability, memory, I/O or concurrency: the hundreds of others that each family has alone would hide these.
pub fn side_by_side(servers: &[Option<&Variables>]) -> Vec<Setting> {
    let known: Vec<Option<BTreeMap<&str, Known>>> = servers.iter().map(|v| v.map(same::canonical)).collect();
    let kinds: Vec<Option<Kind>> = servers.iter().map(|v| v.map(kind)).collect();
    let names: BTreeSet<&str> = known.iter().flatten().flat_map(|v| v.keys().copied()).collect();
    let mut ranked: Vec<(usize, Setting)> = names
        .into_iter()
        .filter_map(|name| {
            let rank = entries().position(|(_, entry)| entry.name == name);
            let found: Vec<Option<&Known>> = known.iter().map(|v| v.as_ref()?.get(name)).collect();
            Some((rank.unwrap_or(usize::MAX), setting(name, &found, &kinds)?))
        })
        .collect();
    ranked.sort_by(|(rank_a, a), (rank_b, b)| (a.group, rank_a, &a.name).cmp(&(b.group, rank_b, &b.name)));
    ranked.into_iter().map(|(_, setting)| setting).collect()
}

fn setting(name: &str, found: &[Option<&Known>], kinds: &[Option<Kind>]) -> Option<Setting> {
    let entry = entries().find(|(_, entry)| entry.name == name);
    let group = entry.map_or_else(|| group(name), |(group, _)| group);
    let entry = entry.map(|(_, entry)| entry);
    let raw: Vec<Option<&str>> = found.iter().map(|known| known.map(|k| k.value.as_str())).collect();
    if is_secret(name, &raw) {
        return None;
    }
    let absent = kinds.iter().zip(&raw).any(|(kind, raw)| kind.is_some() && raw.is_none());
    let differs = !is_of_the_instance(name, &raw)
        && (unequal(name, entry, &raw) || (absent && group <= Group::Concurrency));
    let shown = shown(name, entry, &raw);
    let value = |at: usize, known: &Known| {
        let default = entry.zip(kinds[at]).and_then(|(entry, (flavour, version))| {
            let default = entry.default(flavour, version)?;
            let is = matches!(default, VariableDefault::Is(it) if same::value(name, it) == same::value(name, &known.value));
            let said = match default {
                VariableDefault::Is(it) => entry.unit.show(it),
                VariableDefault::Sized => SIZED.to_owned(),
            };
            Some((said, is))
        });
        let (default, is_default) = default.map_or((None, false), |(said, is)| (Some(said), is));
        VariableValue {
            name: known.name.clone(),
            raw: known.value.clone(),
            shown: shown[at].clone(),
            default,
            is_default,
        }
    };
    let own: BTreeSet<&str> = found.iter().flatten().map(|known| known.name.as_str()).collect();
    let plain = if own.len() == 1 { own.into_iter().next().unwrap_or(name) } else { name };
    Some(Setting {
        name: plain.to_owned(),
        group,
        values: found.iter().enumerate().map(|(at, known)| known.map(|known| value(at, known))).collect(),
        differs,
        unit: entry.map(|entry| entry.unit),
        touches: entry.map(|entry| entry.touches),
        meaning: entry.map(|entry| (&entry.meaning).into()),
        effect: entry.map(|entry| (&entry.effect).into()),
    })
}

/// Placeholder for a default that the server computes.
pub const SIZED: &str = "sized by the server";

fn kind(variables: &Variables) -> Kind {
    let version = variables.get("version").map(String::as_str).unwrap_or_default();
    let flavour =
        if version.to_ascii_lowercase().contains("mariadb") { Flavour::Mariadb } else { Flavour::Mysql };
    (flavour, knowledge::version(version))
}

/// The group of a variable that the table does not know.
fn group(name: &str) -> Group {
    let entry = GROUPS.iter().find(|(_, names)| names.iter().any(|pattern| matches(pattern, name)));
    entry.map_or(Group::Other, |(group, _)| *group)
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

/// Values are masked where they are read; names that only ever hold a secret are left out besides.
fn is_secret(name: &str, values: &[Option<&str>]) -> bool {
    let by_name = name.split('_').any(|word| ["password", "passwd", "secret"].contains(&word))
        || name.ends_with("_key")
        || name.ends_with("_key_path");
    by_name || values.iter().flatten().any(|value| *value == "***")
}

fn is_of_the_instance(name: &str, values: &[Option<&str>]) -> bool {
    let mut present = values.iter().flatten().filter(|v| !v.is_empty()).peekable();
    // A path tells where things lie, not what they are.
    let only_paths = present.peek().is_some() && present.all(|v| v.starts_with('/') || v.starts_with("./"));
    only_paths || INSTANCE.iter().any(|pattern| matches(pattern, name))
}

fn unequal(name: &str, entry: Option<&Entry>, values: &[Option<&str>]) -> bool {
    let different = |values: Vec<Option<String>>| values.iter().flatten().collect::<BTreeSet<_>>().len() > 1;
    match entry.map(|entry| entry.unit) {
        Some(Unit::Switches | Unit::List) => different(parts_that_differ(entry, values)),
        _ => different(values.iter().map(|value| value.map(|v| same::value(name, v))).collect()),
    }
}

fn shown(name: &str, entry: Option<&Entry>, values: &[Option<&str>]) -> Vec<String> {
    match entry.map(|entry| entry.unit) {
        Some(Unit::Switches | Unit::List) if unequal(name, entry, values) => {
            let parts = parts_that_differ(entry, values).into_iter().map(Option::unwrap_or_default);
            parts.map(|part| if part.is_empty() { "(none of these)".to_owned() } else { part }).collect()
        }
        unit => {
            let unit = unit.unwrap_or(Unit::Plain);
            values.iter().map(|value| value.map(|value| unit.show(value)).unwrap_or_default()).collect()
        }
    }
}

/// For lists, the members that not all servers have; for switches, those that all servers have with different values: a
/// switch unknown to one family says nothing about the other.
fn parts_that_differ(entry: Option<&Entry>, values: &[Option<&str>]) -> Vec<Option<String>> {
    let parts = |value: &str| {
        value.split(',').map(|part| part.trim().to_owned()).filter(|p| !p.is_empty()).collect::<BTreeSet<_>>()
    };
    let sets: Vec<Option<BTreeSet<String>>> = values.iter().map(|value| value.map(parts)).collect();
    let is_switches = entry.is_some_and(|entry| entry.unit == Unit::Switches);
    let key = |part: &str| part.split('=').next().unwrap_or_default().to_owned();
    let in_all = |part: &String| sets.iter().flatten().all(|set| set.contains(part));
    let known_to_all =
        |part: &String| sets.iter().flatten().all(|set| set.iter().any(|other| key(other) == key(part)));
    let counts = |part: &&String| !in_all(part) && (!is_switches || known_to_all(part));
    let left = |set: &BTreeSet<String>| set.iter().filter(counts).cloned().collect::<Vec<_>>().join(",");
    sets.iter().map(|set| set.as_ref().map(left)).collect()
}

#[cfg(test)]
mod tests;
